/** The fields of one index as the core has them: numbers, in the order in which they were defined. */
import { type AnalyzerRegistry, CORE_STANDARD, NO_ANALYZER } from '../analysis/registry.js';
import { UIDS_FIELD } from '../core/stats.js';
import type { CoreField } from '../core/instance.js';
import { type ElasticsearchError, illegalArgument } from '../errors.js';
import { boostOfName } from './allBoosts.js';
import {
  Column,
  type CoreOptions,
  type FieldDefinition,
  HIDES,
  INVERTED,
  type LeafField,
  TYPE,
  UNKNOWN_FIELD,
  WITH_NORMS,
} from './field.js';
import { StringField } from './strings.js';

/** A boost that some words of `_all` have, and the core's fields in which those are. */
export interface AllBoost {
  boost: number;
  fields: readonly number[];
}

/** A field as it is saved; the first data folders hold the core's number where the analyzer's name stands now. */
export type SavedField = Omit<FieldDefinition, 'field' | 'analyzer'> & { analyzer: string | number };

/** A definition; its number is its place in the list. */
type Definition = Omit<FieldDefinition, 'field'>;

/** The core's fields. The list only grows: a number stays taken when its type is gone. */
export class CoreFields {
  readonly #registry: AnalyzerRegistry;
  readonly #fields: Definition[] = [];
  readonly #numbers = new Map<string, number[]>();
  #forCore: CoreField[] = [];
  #allBoosts: { fields: number; boosts: readonly AllBoost[] } | undefined;

  constructor(registry: AnalyzerRegistry, saved: readonly SavedField[] = []) {
    this.#registry = registry;
    for (const { name, analyzer, ...core } of saved)
      this.define(name, { ...core, analyzer: nameOf(analyzer) });
  }

  /** How many there are. */
  get length(): number {
    return this.#fields.length;
  }

  /** For the constructor of later ones. */
  save(): readonly SavedField[] {
    return this.#fields;
  }

  /** What 1.7 calls the field whose values the core has under a number. */
  nameOf(number: number): string {
    if (number === UIDS_FIELD) return '_uid';
    for (const [name, numbers] of this.#numbers) if (numbers.includes(number)) return name;
    return String(number);
  }

  /** The definitions in the order of their numbers. */
  definitions(): FieldDefinition[] {
    return this.#fields.map((definition, field) => ({ field, ...definition }));
  }

  /** The same as the core takes them. */
  forCore(): CoreField[] {
    const all = this.#forCore.slice();
    for (let field = 0; field < this.#fields.length; field++) {
      const given = this.#fields[field]!;
      const flags = field === TYPE ? given.flags | HIDES : given.flags;
      // Nothing else of a definition changes: a field more among very many doesn't make all of them again.
      if (all[field]?.flags !== flags) all[field] = this.#coreField(field, flags, given);
    }
    this.#forCore = all;
    return all;
  }

  #coreField(field: number, flags: number, { analyzer, boost, positionGap }: Definition): CoreField {
    const gap = positionGap > 0 ? positionGap : this.#registry.positionGap(analyzer);
    return { field, flags, analyzer: this.#registry.core(analyzer), boost, positionGap: gap };
  }

  /** Whether there are fields of that full name. */
  has(name: string): boolean {
    return this.#numbers.has(name);
  }

  /** The number of the texts of that full name, whatever type has them; that of no field if there are none. */
  textNamed(name: string): number {
    return this.#textAmong(name) ?? UNKNOWN_FIELD;
  }

  /** The boosts that words of `_all` have in some document. */
  allBoosts(): readonly AllBoost[] {
    if (this.#allBoosts?.fields !== this.#fields.length) {
      const boosts = [...this.#numbers].flatMap(([name, fields]) => {
        const boost = boostOfName(name);
        return boost === undefined ? [] : { boost, fields };
      });
      this.#allBoosts = { fields: this.#fields.length, boosts };
    }
    return this.#allBoosts.boosts;
  }

  /** Bytes of a document from which on writing it may have long parts. */
  longFrom = Number.POSITIVE_INFINITY;

  /** Whether a leaf has said something of its fielddata. */
  hasFielddata = false;

  /** Gives leaves that the core indexes their numbers; those that wait for a first value keep waiting. */
  register(leaves: Iterable<LeafField>): void {
    for (const leaf of leaves) {
      if (leaf.traits.fielddata !== undefined) this.hasFielddata = true;
      if (leaf.isLazy && !this.#numbers.has(leaf.fullName)) continue;
      if (leaf.core === undefined || leaf.number >= 0) continue;
      if (leaf instanceof StringField) this.#defineString(leaf, leaf.core);
      else leaf.number = this.define(leaf.fullName, leaf.core);
      this.longFrom = Math.min(this.longFrom, leaf.longFrom);
      for (const each of leaf.unnamed) each.number = this.define(leaf.fullName, each.core);
    }
  }

  /** Fields whose mapping has given up their norms have none in documents to come, of whatever type. */
  dropNorms(leaves: Iterable<LeafField>): void {
    for (const { core, number } of leaves) {
      const defined = this.#fields[number];
      if (core !== undefined && defined !== undefined && !(core.flags & WITH_NORMS))
        defined.flags &= ~WITH_NORMS;
    }
  }

  /** Fields of that name are new ones from now on: the documents that have values in those that are there are gone. */
  forget(name: string): void {
    for (const number of this.#numbers.get(name) ?? []) {
      const gone = { ...this.#fields[number]!, name: `${GONE}${number} ${name}` };
      this.#fields[number] = gone;
      this.#numbers.set(gone.name, [number]);
    }
    this.#numbers.delete(name);
  }

  /** Refuses more fields of new names than there is room for. */
  checkRoom(names: ReadonlySet<string>): void {
    const room = UNKNOWN_FIELD - this.#fields.length;
    if (names.size <= room) return;
    let count = 0;
    for (const name of names) if (!this.#numbers.has(name) && ++count > room) throw tooMany();
  }

  /** The number of a field. Types share the fields of one name if they are indexed in the same way. */
  define(name: string, core: CoreOptions): number {
    const alike = this.#alike(name, core);
    if (alike !== undefined) return alike;
    const number = this.#fields.length;
    if (number >= UNKNOWN_FIELD) throw tooMany();
    const { flags, analyzer, boost, positionGap } = core;
    this.#fields.push({ name, flags, analyzer, boost, positionGap });
    this.#numbers.set(name, [...(this.#numbers.get(name) ?? []), number]);
    return number;
  }

  /** Strings of one name are one field of the core, however their types cut them: a search must find them all. */
  #defineString(leaf: StringField, own: CoreOptions): void {
    const { fullName } = leaf;
    // Each type leaves its own gaps.
    const core = own.positionGap > 0 ? { ...own, positionGap: 0 } : own;
    leaf.number = this.#alike(fullName, core) ?? this.#textAmong(fullName) ?? this.define(fullName, core);
    const defined = this.#fields[leaf.number]!;
    leaf.share(defined, this.#sameAnalyzer(defined.analyzer, core.analyzer));
  }

  #textAmong(name: string): number | undefined {
    return this.#numbers.get(name)?.find((number) => isText(this.#fields[number]!));
  }

  /** The number of a field that is indexed in the same way. */
  #alike(name: string, core: CoreOptions): number | undefined {
    for (const number of this.#numbers.get(name) ?? []) {
      const other = this.#fields[number]!;
      const inverted = core.flags & INVERTED;
      if (
        // A field that was saved before there were columns gets one; norms that were given up stay so.
        (other.flags === core.flags ||
          other.flags === inverted ||
          other.flags === (core.flags & ~WITH_NORMS)) &&
        this.#sameAnalyzer(other.analyzer, core.analyzer) &&
        other.boost === core.boost &&
        other.positionGap === core.positionGap
      ) {
        if (other.flags === inverted) other.flags = core.flags;
        return number;
      }
    }
    return undefined;
  }

  /** Whether two names stand for one analyzer: different names of the plain standard one are known for it. */
  #sameAnalyzer(a: string, b: string): boolean {
    const registry = this.#registry;
    return a === b || (registry.core(a) === CORE_STANDARD && registry.core(b) === CORE_STANDARD);
  }
}

/** What the names of fields that are gone begin with. */
const GONE = '\u0000';

function nameOf(analyzer: string | number): string {
  if (typeof analyzer === 'string') return analyzer;
  return analyzer === 0 ? NO_ANALYZER : 'standard';
}

/** The bits that name a column. */
const COLUMN = Column.ordinal | Column.geo;

/** Whether a field takes texts, cut or whole. */
function isText({ analyzer, flags }: CoreOptions): boolean {
  return analyzer !== NO_ANALYZER || (flags & COLUMN) === Column.ordinal;
}

function tooMany(): ElasticsearchError {
  return illegalArgument(`an index can't have more than ${UNKNOWN_FIELD} fields`);
}
