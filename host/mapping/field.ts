/** One mapped field: how its values are indexed, which terms search it, and how it shows in GET _mapping. */

import { ColumnType } from '../core/abi/columns.js';
import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError } from '../errors.js';
import type { Zone } from '../time/calendar.js';
import type { DateFormat } from '../time/dateFormats.js';
import { isJustName } from './fieldParameters.js';
import { Float } from '../numbers/javaNumbers.js';
import {
  type FieldTraits,
  mergeTraits,
  shownTraits,
  TERM_TRAITS,
  traitConflicts,
  usualTraits,
} from './fieldTraits.js';
import { booleanOf, isObject, type JsonObject, textOf } from '../json/values.js';

/** Flags of a field in the core. */
export const FREQS = 1;
export const POSITIONS = 2;
export const NORMS = 4;
/** Tokens at the position of the one before count in norms too. */
export const OVERLAPS = 64;

/** The kind of a field's column, as flags: whole numbers, fractions, ordinals of terms, points. */
export const Column = {
  long: ColumnType.long << 3,
  double: ColumnType.double << 3,
  ordinal: ColumnType.ordinal << 3,
  geo: ColumnType.geo << 3,
} as const;
/** What a field loses with its norms. */
export const WITH_NORMS = NORMS | OVERLAPS;
/** The flags that say how postings are written; those above name a column. */
export const INVERTED = FREQS | POSITIONS | NORMS | OVERLAPS;

/** Documents with a term that begins with two underscores are nested: parts of the next one without (nested objects). */
export const HIDES = 128;

/** The field with the type of each document. */
export const TYPE = 0;
/** The field with the names of fields that a document has although they may have no term. */
export const FIELD_NAMES = 1;
/** A field that no shard knows: what it is asked for is nowhere. */
export const UNKNOWN_FIELD = 0xffff;

/** What the core must know of a field before the first document that uses it. */
export interface FieldDefinition {
  field: number;
  name: string;
  flags: number;
  /** The name of the analyzer; empty: each value is one term. */
  analyzer: string;
  boost: number;
  positionGap: number;
}

/** What decides whether two types can share a field of the core. */
export type CoreOptions = Pick<FieldDefinition, 'flags' | 'analyzer' | 'boost' | 'positionGap'>;

/** The bounds of a range as a query has them. */
export interface RangeBounds {
  from: unknown;
  to: unknown;
  includeLower: boolean;
  includeUpper: boolean;
  zone: Zone;
  /** A filter and a query round dates differently. */
  asFilter: boolean;
  now: number;
  /** How dates are read in place of the field's own format. */
  format?: DateFormat | undefined;
}

/** The bounds as terms. */
export interface RangeTerms {
  lower: Uint8Array | undefined;
  upper: Uint8Array | undefined;
}

/** A field of the core without a name; its number is -1 before it joins a model. */
export interface UnnamedField {
  readonly core: CoreOptions;
  number: number;
}

/** A leaf of a mapping. */
export abstract class LeafField {
  readonly fullName: string;
  abstract readonly type: string;
  /** The field's number in the core; -1 if it is not indexed. Set when the field joins a model. */
  number = -1;
  /** Whether it gets its number with its first value only. */
  get isLazy(): boolean {
    return false;
  }

  /** How its mapping wants it to be kept. */
  readonly traits: FieldTraits;

  /** The name of the similarity that scores it, where that isn't the default. */
  get similarity(): string | undefined {
    return undefined;
  }
  /** Whether its values are kept by themselves, and so are shown where the source isn't. */
  get stored(): boolean {
    return this.traits.stored;
  }
  /** Whether queries find its values; where they are doc values alone, the core keeps terms that nothing asks for. */
  get isIndexed(): boolean {
    return this.core !== undefined && !this.hasOnlyDocValues;
  }
  /** Whether its values can be sorted and aggregated, but not searched. */
  get hasOnlyDocValues(): boolean {
    return false;
  }
  /** Whether its values are kept, but not indexed: only its name is, by which documents have it. */
  get isKeptOnly(): boolean {
    return !this.isIndexed && (this.traits.stored || this.traits.docValues);
  }

  /** Whether the mapping forbids to sort and to aggregate by it. */
  get forbidsFielddata(): boolean {
    return this.traits.fielddata?.format === 'disabled';
  }
  /** Where its values stand in a source, if not under its own name. */
  #sourcePath: string | undefined;
  /** Multi-fields, by their short names. */
  readonly subFields = new Map<string, LeafField>();
  /** All multi-fields in order: what indexing walks. */
  subList: readonly LeafField[] = [];
  /** Fields that this one fills with what it makes of its values, such as a point's latitude. */
  readonly parts: LeafField[] = [];
  /** More fields of the core that its values fill, which nothing but itself asks. */
  readonly unnamed: readonly UnnamedField[] = [];
  /** Whether the document is given to it, as `document`, before its values are written. */
  readonly wantsDocument: boolean = false;
  document: { type: string; source: JsonObject } | undefined;
  /** Whether its values are made of those of a document: by id they are only shown where they are stored. */
  readonly generated: boolean = false;
  /** Whether null stands for no value; 1.7 refuses it elsewhere. */
  readonly takesNull: boolean = true;
  /** Bytes of a value from which on writing it may have long parts (passes.ts), which `prepare` has too. */
  longFrom = Number.POSITIVE_INFINITY;
  /** Whether an array is one value, or is read by the field itself. */
  readonly ownsArrays: boolean = false;
  /** Whether its values join `_all`; undefined: as the objects around it say, and otherwise if it is indexed. */
  includeInAll: boolean | undefined = undefined;
  /** Whether its mapping can say so. */
  readonly mayJoinAll: boolean = false;
  /** The full names of the fields that get its values too. */
  copyTo: readonly string[] = [];
  /** A name of older versions, by which the field is found too. */
  #indexName: string | undefined;
  /** Whether queries may leave out the objects around it, by the mapping of the last of them. */
  isJustName = false;
  /** The same of its multi-fields. */
  #namesJust = false;

  constructor(fullName: string, traits: FieldTraits = usualTraits(TERM_TRAITS)) {
    this.fullName = fullName;
    this.traits = traits;
  }

  get shortName(): string {
    return this.fullName.slice(this.fullName.lastIndexOf('.') + 1);
  }

  /** The other name that queries may give it, behind those of the objects it stands in. */
  get indexName(): string | undefined {
    if (this.isJustName) return this.#indexName ?? this.shortName;
    if (this.#indexName === undefined) return undefined;
    return this.fullName.slice(0, this.fullName.length - this.shortName.length) + this.#indexName;
  }

  /** The path of its values in a source. */
  get sourcePath(): string {
    return this.#sourcePath ?? this.fullName;
  }

  /** Tells multi-fields and parts of the field around them, whose values they have. */
  shareValues(): void {
    for (const sub of this.subFields.values()) sub.isJustName = this.#namesJust;
    for (const part of this.parts) part.#sourcePath = this.sourcePath;
    for (const sub of this.subList) {
      sub.#sourcePath = this.sourcePath;
      sub.shareValues();
    }
  }

  /** The field itself, what it fills, and its multi-fields with theirs. */
  *leaves(): Generator<LeafField> {
    yield this;
    yield* this.parts;
    for (const sub of this.subList) yield* sub.leaves();
  }

  /** The parts of a long list that the field reads itself, each a list whose reading is as good; undefined if there are none. */
  partsOf(_list: readonly unknown[]): Iterable<readonly unknown[]> | undefined {
    return undefined;
  }

  /** Carries out the long parts of writing a value, without effects; throws as writing does. */
  prepare(_value: unknown): void {}

  /** A value of a document as it is shown of a stored field. */
  valueForSearch(value: unknown): unknown {
    return value;
  }

  /** The same of a field that reads arrays itself: all that it makes of what a document has. */
  valuesForSearch(value: unknown): unknown[] {
    return [this.valueForSearch(value)];
  }

  /** A value as it is shown where it is read out of the source, by the id of the document. */
  valueOfSource(value: unknown): unknown {
    return value;
  }

  /** What stands for null; undefined where nothing does. */
  get nullValue(): unknown {
    return undefined;
  }

  /** Whether a value is indexed and stored, and not left out. */
  keeps(_value: unknown): boolean {
    return true;
  }

  /** How the core indexes it, undefined if it doesn't. */
  abstract readonly core: CoreOptions | undefined;

  /** Whether a match query is a term query of the whole text. */
  readonly isExact: boolean = true;
  /** Whether a term query scores a constant. */
  readonly isConstant: boolean = false;
  /** The analyzer of its values: what is not indexed has that of texts. */
  indexAnalyzer(): string {
    return this.isIndexed ? 'keyword' : 'default';
  }

  /** The analyzer of queries. */
  searchAnalyzer(): string {
    return 'keyword';
  }

  /** Whether a value may come with a boost of its own, as `{"value": …, "boost": …}`. */
  readonly takesBoosts: boolean = false;
  /** Whether it keeps norms, in which boosts count. */
  get hasNorms(): boolean {
    return ((this.core?.flags ?? 0) & NORMS) !== 0;
  }

  /** The boost that the mapping gives its values. */
  get boost(): number {
    return 1;
  }

  /** The analyzer of quoted parts of query strings. */
  quoteAnalyzer(): string {
    return this.searchAnalyzer();
  }

  /** What a value adds to `_all`; undefined: nothing. */
  allText(value: unknown): string | undefined {
    return textOf(value);
  }

  /** Indexes one value: a scalar or null, never an array. `boost` is that of the mapping unless the value has its own. */
  abstract write(batch: BatchWriter, value: unknown, boost?: number): void;

  /** The term that a query looks for. */
  abstract term(value: unknown): Uint8Array;

  /** The terms of a range; numbers and dates override. */
  range(bounds: RangeBounds): RangeTerms {
    return { lower: this.#bound(bounds.from), upper: this.#bound(bounds.to) };
  }

  #bound(value: unknown): Uint8Array | undefined {
    return value === undefined || value === null ? undefined : this.term(value);
  }

  /** What its type shows in GET _mapping, its name first. */
  protected abstract echo(): JsonObject;

  /** The mapping as GET _mapping shows it, without what every field can have besides. */
  protected get shown(): JsonObject {
    const { type, ...own } = this.echo();
    return { type, ...shownTraits(this.traits), ...own };
  }

  /** What 1.7 calls the analyzer that its values are indexed with. */
  protected get analyzerName(): string {
    return 'default';
  }

  /** What every mapping of the type says without being told. */
  protected defaults(): JsonObject {
    return {
      index_name: this.shortName,
      boost: new Float(1),
      index: 'not_analyzed',
      store: false,
      doc_values: false,
      term_vector: 'no',
      norms: { enabled: false },
      index_options: 'docs',
      postings_format: 'default',
      doc_values_format: 'default',
      similarity: 'default',
      fielddata: {},
    };
  }

  /** Merges another mapping of the field in; conflicts are added to the list. */
  merge(other: LeafField, conflicts: string[], simulate: boolean): void {
    const found = traitConflicts(this.traits, other.traits);
    if (this.analyzerName !== other.analyzerName) found.push('has different index_analyzer');
    if (this.indexName !== other.indexName) found.push('has different index_name');
    if (this.traits.similarity !== other.traits.similarity) found.push('has different similarity');
    conflicts.push(...found.map((what) => `mapper [${this.fullName}] ${what}`));
    this.#mergeSubFields(other, conflicts, simulate);
    this.mergeOwn(other, conflicts, simulate);
    if (simulate) return;
    mergeTraits(this.traits, other.traits);
    this.includeInAll = other.includeInAll;
    this.copyTo = other.copyTo;
  }

  /** Merges what only its type has. */
  protected mergeOwn(_other: LeafField, _conflicts: string[], _simulate: boolean): void {}

  #mergeSubFields(other: LeafField, conflicts: string[], simulate: boolean): void {
    for (const [name, theirs] of other.subFields) {
      const own = this.subFields.get(name);
      if (own === undefined) {
        if (!simulate) this.subFields.set(name, theirs);
      } else if (own.type !== theirs.type) conflicts.push(own.conflictOfType(theirs.type));
      else own.merge(theirs, conflicts, simulate);
    }
    if (!simulate) this.subList = [...this.subFields.values()];
  }

  /** What 1.7 says where it is to become a field of another type. */
  conflictOfType(merged: string): string {
    return `mapper [${this.fullName}] of different type, current_type [${this.type}], merged_type [${merged}]`;
  }

  /** What every field can have, from its definition. */
  readCommon(definition: JsonObject): void {
    if (definition.include_in_all !== undefined) {
      const joins = booleanOf(definition.include_in_all);
      if (this.mayJoinAll) this.includeInAll = joins;
    }
    const indexName = textOf(definition.index_name);
    if (indexName !== undefined && indexName !== this.shortName) this.#indexName = indexName;
    this.#namesJust = isJustName(this.shortName, definition.path);
    const copies = definition.copy_to;
    if (copies !== undefined && copies !== null)
      this.copyTo = (Array.isArray(copies) ? copies : [copies]).map((name) => textOf(name) ?? '');
  }

  /** Takes over what the object that it joins says of its values and `_all`, unless its own mapping does. */
  inheritAll(joins: boolean): void {
    if (this.mayJoinAll) this.includeInAll ??= joins;
  }

  /** Throws what a new mapping is refused with although it can be read. */
  checkGiven(): void {}

  /** As GET _mapping shows it; with `all`, what is as it always is too. */
  toJSON(all = false): JsonObject {
    const json = all ? { ...this.defaults(), ...this.shown } : this.shown;
    if (this.#indexName !== undefined) json.index_name = this.#indexName;
    if (this.includeInAll !== undefined) json.include_in_all = this.includeInAll;
    if (this.copyTo.length > 0) json.copy_to = [...this.copyTo];
    if (this.#namesJust) json.path = 'just_name';
    if (this.subFields.size > 0) {
      const sorted = [...this.subFields].sort(([a], [b]) => (a < b ? -1 : 1));
      json.fields = Object.fromEntries(sorted.map(([name, field]) => [name, field.toJSON(all)]));
    }
    return json;
  }
}

/** 400: the value of a leaf is an object; 1.7 names its first key that means nothing. */
export function unknownProperty(value: unknown): ElasticsearchError {
  const key = isObject(value) ? (Object.keys(value)[0] ?? '') : '';
  return new ElasticsearchError('ElasticsearchIllegalArgumentException', `unknown property [${key}]`);
}

/** The text of a scalar value. */
export function scalarText(value: unknown): string {
  const text = textOf(value);
  if (text === undefined) throw unknownProperty(value);
  return text;
}

/** The number of a field whose values are looked at document by document. */
export function columnOf(field: LeafField | undefined): number {
  return field === undefined || field.number < 0 ? UNKNOWN_FIELD : field.number;
}
