/**
 * The mappings of one index: its types, the numbers that fields have in the core, and names found for queries.
 * Everything that changes it makes `version` grow.
 */

import { UIDS_FIELD } from '../core/figures.js';
import { type AnalyzerRegistry, CORE_STANDARD, NO_ANALYZER } from '../analysis/registry.js';
import type { CoreField } from '../core/instance.js';
import { illegalArgument, mapperParsing, mergeMapping } from '../errors.js';
import { boostOfName, MAX_BOOSTS } from './allBoosts.js';
import {
  Column,
  type CoreOptions,
  FIELD_NAMES,
  type FieldDefinition,
  HIDES,
  INVERTED,
  type LeafField,
  TYPE,
  UNKNOWN_FIELD,
  WITH_NORMS,
} from './field.js';
import { ONE_TERM } from './numbers.js';
import { ObjectField } from './objects.js';
import { OwnUidField } from './parents.js';
import { checkTypeName, overDefault, TypeMapping } from './root.js';
import { PLAIN, type Similarity } from './similarities.js';
import { StringField, type TypeAnalysis } from './strings.js';
import { isObject, type JsonObject } from './values.js';

/** What a model is saved as: plain JSON. */
export interface SavedMapping {
  mappings: JsonObject;
  /** The core's fields in the order of their numbers. */
  /** Types of {@link MappingModel.joining}. */
  joining?: readonly string[];
  fields: (Omit<FieldDefinition, 'field' | 'analyzer'> & { analyzer: string | number })[];
}

/** The first data folders hold the core's number where the analyzer's name stands now. */
function nameOf(analyzer: string | number): string {
  if (typeof analyzer === 'string') return analyzer;
  return analyzer === 0 ? NO_ANALYZER : 'standard';
}

/** A boost that some words of `_all` have, and the core's fields in which those are. */
export interface AllBoost {
  boost: number;
  fields: readonly number[];
}

/** A field that a query named. */
export interface FoundField {
  field: LeafField;
  /** The type, if the name began with one. */
  type: string | undefined;
}

const DEFAULT_TYPE = '_default_';
/** The type of documents that hold queries, and what its mapping starts from. */
const PERCOLATOR_TYPE = '.percolator';
const PERCOLATOR_MAPPING: JsonObject = {
  _id: { index: 'not_analyzed' },
  properties: { query: { type: 'object', enabled: false } },
};
/** Names that are remembered with what was found for them. */
const MAX_FOUND = 10_000;

/** The mappings of an index. */
export class MappingModel {
  /** The analyzers that mappings may name. */
  readonly registry: AnalyzerRegistry;
  readonly #types = new Map<string, TypeMapping>();
  /** The types that are some type's parents. */
  readonly #parents = new Set<string>();
  readonly #ownUid = new OwnUidField();
  #joining = new Set<string>();
  /** The definition of `_default_` as it was given. */
  #default: JsonObject | undefined;
  readonly #fields: Omit<FieldDefinition, 'field'>[] = [];
  readonly #numbers = new Map<string, number[]>();
  #similarities: { version: number; fields: ReadonlyMap<number, Similarity> } | undefined;
  #nested: { version: number; objects: ReadonlyMap<string, ObjectField> } | undefined;
  #found = new Map<string, FoundField | null>();
  #version = 1;
  #allBoosts: { fields: number; boosts: readonly AllBoost[] } | undefined;

  constructor(registry: AnalyzerRegistry, saved?: SavedMapping) {
    this.registry = registry;
    if (saved === undefined) {
      this.#define('_type', ONE_TERM);
      this.#define('_field_names', ONE_TERM);
      return;
    }
    for (const { name, analyzer, ...core } of saved.fields) {
      this.#define(name, { ...core, analyzer: nameOf(analyzer) });
    }
    for (const [name, definition] of Object.entries(saved.mappings)) {
      if (isObject(definition)) this.#load(name, definition);
    }
    this.#joining = new Set(saved.joining);
  }

  /** Types that became parents when they were there already: older documents of theirs are not known to their children yet. */
  get joining(): readonly string[] {
    return [...this.#joining];
  }

  /** All documents of a type are known to their children. */
  joined(type: string): void {
    if (this.#joining.delete(type)) this.#changed();
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** The types but `_default_`. */
  typeNames(): string[] {
    return [...this.#types.keys()];
  }

  hasType(name: string): boolean {
    return this.#types.has(name);
  }

  /** What the documents of a type are known by to their children; undefined if they have none. */
  ownUid(type: string): OwnUidField | undefined {
    return this.#parents.has(type) ? this.#ownUid : undefined;
  }

  /** The mapping of a type. */
  type(name: string): TypeMapping | undefined {
    return this.#types.get(name);
  }

  /**
   * Merges a mapping into a type, or makes the type. `body` is the mapping, or an object with the type's name around
   * it. When this throws, nothing has changed.
   */
  putMapping(type: string, body: unknown, options: { ignoreConflicts?: boolean } = {}): void {
    if (!isObject(body) || Object.keys(body).length === 0) {
      throw mapperParsing('malformed mapping no root object found');
    }
    checkTypeName(type);
    const read = (definition: JsonObject, analysis?: TypeAnalysis) =>
      readGiven(type, definition, this.registry, analysis);
    const keys = Object.keys(body);
    const wrapped = body[type];
    const definition = keys.length === 1 && isObject(wrapped) ? wrapped : body;
    if (type === DEFAULT_TYPE) {
      read(definition);
      this.#default = definition;
      this.#changed();
      return;
    }
    const current = this.#types.get(type);
    if (current === undefined) {
      const base = this.#baseOf(type);
      const whole = base === undefined ? definition : overDefault(base, definition);
      this.#add(read(whole));
      return;
    }
    const incoming = read(definition, current.analysis);
    const conflicts: string[] = [];
    mergeObject(current.root, incoming.root, conflicts, true);
    conflicts.push(...current.conflicts(incoming));
    if (conflicts.length > 0 && options.ignoreConflicts !== true) throw mergeMapping(conflicts);
    mergeObject(current.root, incoming.root, [], false);
    current.mergeSettings(incoming, definition);
    this.#register(current.fields());
    this.#dropNorms(current.fields());
  }

  /** Makes the type of a first document, if it is not there. */
  ensureType(name: string): TypeMapping {
    const current = this.#types.get(name);
    if (current !== undefined) return current;
    checkTypeName(name);
    const type = TypeMapping.read(name, this.#baseOf(name) ?? {}, this.registry);
    this.#add(type);
    return type;
  }

  /** What a new type starts from. */
  #baseOf(type: string): JsonObject | undefined {
    return type === PERCOLATOR_TYPE ? PERCOLATOR_MAPPING : this.#default;
  }

  /** Forgets a type. The numbers of its fields stay taken. */
  deleteType(name: string): void {
    if (this.#types.delete(name)) this.#changed();
  }

  /** Adds a field that a document brought. */
  addField(parent: ObjectField, name: string, field: LeafField | ObjectField): void {
    this.#register(field.leaves());
    parent.children.set(name, field);
  }

  /** The field with the words of a type's `_all` that have a boost. */
  boostedAll(type: TypeMapping, boost: number): StringField {
    const known = this.allBoosts();
    const nearest = known.reduce(
      (a, b) => (Math.abs(b.boost - boost) < Math.abs(a - boost) ? b.boost : a),
      known[0]?.boost ?? boost,
    );
    const kept = known.length < MAX_BOOSTS ? boost : nearest;
    const field = type.boostedAll(kept);
    if (field.number < 0) this.#register([field]);
    return field;
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

  /** Gives a field that waited for its first value its number, in all types. */
  numberOf(field: LeafField): void {
    if (field.number >= 0 || field.core === undefined) return;
    this.#define(field.fullName, field.core);
    for (const type of this.#types.values()) this.#register(type.fields());
  }

  /** The mappings as GET _mapping shows them, by type. */
  toJSON(): JsonObject {
    const json: JsonObject = {};
    if (this.#default !== undefined) {
      json[DEFAULT_TYPE] = TypeMapping.read(DEFAULT_TYPE, this.#default, this.registry).toJSON();
    }
    for (const [name, type] of this.#types) json[name] = type.toJSON();
    return json;
  }

  /** Everything, for the constructor of a later model. */
  save(): SavedMapping {
    const saved = { mappings: this.toJSON(), fields: this.#fields };
    return this.#joining.size === 0 ? saved : { ...saved, joining: this.joining };
  }

  /** What 1.7 calls the field whose values the core has under a number. */
  fieldName(number: number): string {
    if (number === UIDS_FIELD) return '_uid';
    for (const [name, numbers] of this.#numbers) if (numbers.includes(number)) return name;
    return String(number);
  }

  /** The core's fields in the order of their numbers; the list only grows. */
  fieldDefinitions(): FieldDefinition[] {
    return this.#fields.map((definition, field) => ({ field, ...definition }));
  }

  /** The same as the core takes them. */
  coreFields(): CoreField[] {
    return this.#fields.map(({ flags, analyzer, boost, positionGap }, field) => ({
      field,
      flags: field === TYPE ? flags | HIDES : flags,
      analyzer: this.registry.core(analyzer),
      boost,
      positionGap: positionGap > 0 ? positionGap : this.registry.positionGap(analyzer),
    }));
  }

  /** A field by its full name, by the last part of it, or with its type in front; where types are searched, one of theirs. */
  find(name: string, types: readonly string[] = []): FoundField | undefined {
    const key = types.length === 0 ? name : `${types.join(',')}\n${name}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = (types.length === 0 ? this.#search(name) : this.#searchIn(types, name)) ?? null;
      // Queries may name whatever they like.
      if (this.#found.size >= MAX_FOUND) this.#found.clear();
      this.#found.set(key, found);
    }
    return found ?? undefined;
  }

  /** The number of the texts of that full name, whatever type has them; that of no field if there are none. */
  textNamed(name: string): number {
    return this.#numbers.get(name)?.find((number) => isText(this.#fields[number]!)) ?? UNKNOWN_FIELD;
  }

  /** The field of the first of these types that has it. */
  #searchIn(types: readonly string[], name: string): FoundField | undefined {
    for (const typeName of types) {
      const type = this.#types.get(typeName);
      if (type === undefined) continue;
      for (const isNamed of WAYS)
        for (const field of type.fields()) if (isNamed(field, name)) return { field, type: undefined };
    }
    return this.#searchTyped(name);
  }

  #search(name: string): FoundField | undefined {
    for (const isNamed of WAYS) {
      for (const type of this.#types.values())
        for (const field of type.fields()) if (isNamed(field, name)) return { field, type: undefined };
    }
    return this.#searchTyped(name);
  }

  /** A field with its type in front. */
  #searchTyped(name: string): FoundField | undefined {
    const dot = name.indexOf('.');
    const type = dot < 0 ? undefined : this.#types.get(name.slice(0, dot));
    if (type === undefined) return undefined;
    const rest = name.slice(dot + 1);
    for (const field of type.root.leaves()) {
      if (field.fullName === rest || field.fullName.endsWith(`.${rest}`)) return { field, type: type.name };
    }
    return undefined;
  }

  /** The fields, of these types where some are searched, that a name with `*` stands for; a plain name stands for itself. */
  names(pattern: string, types: readonly string[] = []): string[] {
    if (!pattern.includes('*')) return [pattern];
    const parts = pattern.split('*');
    const names = new Set<string>();
    for (const type of this.#types.values()) {
      if (types.length > 0 && !types.includes(type.name)) continue;
      for (const { fullName, shortName } of type.root.leaves()) {
        if (matches(parts, fullName) || matches(parts, shortName)) names.add(fullName);
      }
    }
    return [...names];
  }

  /** The nested objects by their paths; of those that several types have, the first. */
  nestedObjects(): ReadonlyMap<string, ObjectField> {
    if (this.#nested?.version === this.#version) return this.#nested.objects;
    const objects = new Map<string, ObjectField>();
    for (const type of this.#types.values()) {
      for (const object of type.root.nestedObjects()) {
        if (!objects.has(object.fullName)) objects.set(object.fullName, object);
      }
    }
    this.#nested = { version: this.#version, objects };
    return objects;
  }

  /** Whether documents may have hidden ones. */
  get hasNested(): boolean {
    return this.nestedObjects().size > 0;
  }

  /** The path of the innermost nested object that a field stands in. */
  nestedPathOf(fullName: string): string | undefined {
    let found: string | undefined;
    for (const path of this.nestedObjects().keys()) {
      if (fullName.startsWith(`${path}.`) && path.length > (found?.length ?? 0)) found = path;
    }
    return found;
  }

  /** The object of that path in the first type that has one. */
  objectAt(path: string): ObjectField | undefined {
    for (const { root } of this.#types.values()) {
      let object: unknown = root;
      for (const name of path.split('.')) {
        object = object instanceof ObjectField ? object.children.get(name) : undefined;
      }
      if (object instanceof ObjectField) return object;
    }
    return undefined;
  }

  /** Whether a name means an object and no field. */
  isObject(name: string): boolean {
    if (name.startsWith('_') || name.includes('*') || this.find(name) !== undefined) return false;
    const inside = `${name}.`;
    for (const type of this.#types.values())
      for (const { fullName } of type.root.leaves()) if (fullName.startsWith(inside)) return true;
    return false;
  }

  /** The leaves of a name for `exists`: the field itself, or all fields of the object of that name. */
  leavesOf(name: string): LeafField[] {
    const exact: LeafField[] = [];
    const inside: LeafField[] = [];
    for (const type of this.#types.values()) {
      for (const field of type.root.leaves()) {
        if (field.fullName === name) exact.push(field);
        else if (field.fullName.startsWith(`${name}.`)) inside.push(field);
      }
    }
    if (exact.length > 0) return exact;
    if (inside.length > 0) return inside;
    if (name.includes('*')) return this.names(name).flatMap((each) => this.find(each)?.field ?? []);
    const found = this.find(name);
    return found === undefined ? [] : [found.field];
  }

  /** The fields of the core that another similarity than the default scores, by number. */
  similarities(): ReadonlyMap<number, Similarity> {
    if (this.#similarities?.version === this.#version) return this.#similarities.fields;
    const fields = new Map<number, Similarity>();
    const { similarities } = this.registry;
    const byDefault = similarities.named('default');
    if (byDefault !== undefined) for (const number of this.#fields.keys()) fields.set(number, byDefault);
    // Stands for what joins fields: no coord, and no norm of queries.
    if (similarities.isPlainlySummed) fields.set(UNKNOWN_FIELD, byDefault ?? PLAIN);
    for (const type of this.#types.values()) {
      for (const { number, similarity } of type.fields()) {
        if (number < 0 || similarity === undefined) continue;
        const own = similarities.named(similarity);
        if (own === undefined) fields.delete(number);
        else fields.set(number, own);
      }
    }
    this.#similarities = { version: this.#version, fields };
    return fields;
  }

  #load(name: string, definition: JsonObject): void {
    if (name === DEFAULT_TYPE) this.#default = definition;
    else this.#add(TypeMapping.read(name, definition, this.registry));
  }

  #add(type: TypeMapping): void {
    if (type.parent !== undefined) {
      const { parentType } = type.parent;
      if (!this.#parents.has(parentType) && this.#types.has(parentType)) this.#joining.add(parentType);
      this.#parents.add(parentType);
      this.#register([this.#ownUid]);
    }
    this.#register(type.fields());
    this.#types.set(type.name, type);
  }

  #register(leaves: Iterable<LeafField>): void {
    for (const leaf of leaves) {
      if (leaf.isLazy && !this.#numbers.has(leaf.fullName)) continue;
      if (leaf.core === undefined || leaf.number >= 0) continue;
      if (leaf instanceof StringField) this.#defineString(leaf, leaf.core);
      else leaf.number = this.#define(leaf.fullName, leaf.core);
    }
    this.#changed();
  }

  /** Fields whose mapping has given up their norms have none in documents to come, of whatever type. */
  #dropNorms(leaves: Iterable<LeafField>): void {
    for (const { core, number } of leaves) {
      const defined = this.#fields[number];
      if (core !== undefined && defined !== undefined && !(core.flags & WITH_NORMS))
        defined.flags &= ~WITH_NORMS;
    }
  }

  /** Strings of one name are one field of the core, however their types cut them: a search must find them all. */
  #defineString(leaf: StringField, core: CoreOptions): void {
    const { fullName } = leaf;
    leaf.number =
      this.#alike(fullName, core) ??
      this.#numbers.get(fullName)?.find((number) => isText(this.#fields[number]!)) ??
      this.#define(fullName, core);
    const defined = this.#fields[leaf.number]!;
    leaf.share(defined, this.#sameAnalyzer(defined.analyzer, core.analyzer));
  }

  /** The number of a field in the core. Types share the fields of one name if they are indexed in the same way. */
  #define(name: string, core: CoreOptions): number {
    const alike = this.#alike(name, core);
    if (alike !== undefined) return alike;
    const number = this.#fields.length;
    if (number >= UNKNOWN_FIELD)
      throw illegalArgument(`an index can't have more than ${UNKNOWN_FIELD} fields`);
    const { flags, analyzer, boost, positionGap } = core;
    this.#fields.push({ name, flags, analyzer, boost, positionGap });
    this.#numbers.set(name, [...(this.#numbers.get(name) ?? []), number]);
    return number;
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
    const { registry } = this;
    return a === b || (registry.core(a) === CORE_STANDARD && registry.core(b) === CORE_STANDARD);
  }

  #changed(): void {
    this.#version++;
    this.#found = new Map();
  }
}

/** Numbers that every model has. */
export const RESERVED_FIELDS = { type: TYPE, fieldNames: FIELD_NAMES } as const;

/** In which ways a name can be that of a field, those that go first before the others. */
const WAYS: readonly ((field: LeafField, name: string) => boolean)[] = [
  ({ fullName }, name) => fullName === name,
  ({ indexName }, name) => indexName === name,
  ({ fullName }, name) => fullName.endsWith(`.${name}`),
];

/** The bits that name a column. */
const COLUMN = Column.ordinal | Column.geo;

/** Whether a field of the core takes texts, cut or whole. */
function isText({ analyzer, flags }: CoreOptions): boolean {
  return analyzer !== NO_ANALYZER || (flags & COLUMN) === Column.ordinal;
}

/** Reads a mapping that somebody gives, other than one that was taken before. */
function readGiven(
  type: string,
  definition: JsonObject,
  registry: AnalyzerRegistry,
  analysis?: TypeAnalysis,
): TypeMapping {
  const read = TypeMapping.read(type, definition, registry, analysis);
  for (const leaf of read.root.leaves()) leaf.checkGiven();
  return read;
}

function mergeObject(mine: ObjectField, its: ObjectField, conflicts: string[], simulate: boolean): void {
  if ((mine.nested === undefined) !== (its.nested === undefined)) {
    const [from, to] = mine.nested === undefined ? ['non-nested', 'nested'] : ['nested', 'non-nested'];
    conflicts.push(`object mapping [${mine.shortName}] can't be changed from ${from} to ${to}`);
    return;
  }
  if (!simulate) {
    if (its.dynamic !== undefined) mine.dynamic = its.dynamic;
    // Sections of a root that begin so are merged one by one.
    for (const [key, value] of Object.entries(its.echoed)) if (!key.startsWith('_')) mine.echoed[key] = value;
  }
  for (const [name, theirs] of its.children) {
    const own = mine.children.get(name);
    if (own === undefined) {
      if (!simulate) mine.children.set(name, theirs);
    } else if (own instanceof ObjectField) {
      if (theirs instanceof ObjectField) mergeObject(own, theirs, conflicts, simulate);
      else conflicts.push(`Can't merge a non object mapping [${name}] with an object mapping [${name}]`);
    } else if (theirs instanceof ObjectField) {
      conflicts.push(differentType(name, own.type, 'ObjectMapper'));
    } else if (own.type !== theirs.type) {
      conflicts.push(differentType(name, own.type, theirs.type));
    } else {
      own.merge(theirs, conflicts, simulate);
      if (!simulate) own.mergeCommon(theirs);
      mergeSubFields(own, theirs, conflicts, simulate);
    }
  }
}

function mergeSubFields(mine: LeafField, its: LeafField, conflicts: string[], simulate: boolean): void {
  for (const [name, theirs] of its.subFields) {
    const own = mine.subFields.get(name);
    if (own === undefined) {
      if (!simulate) mine.subFields.set(name, theirs);
    } else if (own.type !== theirs.type) conflicts.push(differentType(name, own.type, theirs.type));
    else own.merge(theirs, conflicts, simulate);
  }
  if (!simulate) mine.subList = [...mine.subFields.values()];
}

function differentType(name: string, current: string, merged: string): string {
  return `mapper [${name}] of different type, current_type [${current}], merged_type [${merged}]`;
}

/** Whether a text consists of these parts with anything between them. */
function matches(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
