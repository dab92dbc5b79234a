/** Whole numbers and fractions, each indexed as one term whose order is that of the values. */

import { NO_ANALYZER } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { type ElasticsearchError, javaArgument, jsonParse, numberFormat } from '../errors.js';
import {
  Column,
  type CoreOptions,
  LeafField,
  type RangeBounds,
  type RangeTerms,
  unknownProperty,
} from './field.js';
import { storeOf } from './strings.js';
import { doubleTerm, encodeDouble, encodeLong, halves, longTerm } from './terms.js';
import {
  booleanOf,
  floatOf,
  intOf,
  type JsonObject,
  parseFraction,
  parseWhole,
  RawNumber,
  textOf,
} from './values.js';

/** One term for a value, documents only. */
export const ONE_TERM: CoreOptions = { flags: 0, analyzer: NO_ANALYZER, boost: 1, positionGap: 0 };
/** The same with a column of whole numbers, or of fractions. */
export const ONE_LONG: CoreOptions = { ...ONE_TERM, flags: Column.long };
const ONE_DOUBLE: CoreOptions = { ...ONE_TERM, flags: Column.double };

const WHOLE = {
  long: { java: 'long', least: -(2n ** 63n), most: 2n ** 63n - 1n },
  integer: { java: 'int', least: -(2n ** 31n), most: 2n ** 31n - 1n },
  short: { java: 'short', least: -(2n ** 15n), most: 2n ** 15n - 1n },
  byte: { java: 'byte', least: -(2n ** 7n), most: 2n ** 7n - 1n },
} as const;

/** The names of the types of numbers. */
export type NumberType = keyof typeof WHOLE | 'double' | 'float';

/** Parameters that numbers and dates share. */
export interface NumberOptions {
  index: boolean;
  store: boolean;
  nullValue: unknown;
  ignoreMalformed: boolean;
  /** Parameters that are shown as they are. */
  echoed: JsonObject;
}

export function readNumberOptions(definition: JsonObject): NumberOptions {
  const echoed: JsonObject = {};
  if (definition.boost !== undefined && floatOf(definition.boost) !== 1)
    echoed.boost = floatOf(definition.boost);
  if (definition.doc_values !== undefined && booleanOf(definition.doc_values)) echoed.doc_values = true;
  if (definition.precision_step !== undefined) echoed.precision_step = intOf(definition.precision_step);
  if (definition.ignore_malformed !== undefined)
    echoed.ignore_malformed = booleanOf(definition.ignore_malformed);
  if (definition.coerce !== undefined) echoed.coerce = booleanOf(definition.coerce);
  return {
    index: definition.index !== 'no',
    store: definition.store !== undefined && storeOf(definition.store),
    nullValue: definition.null_value ?? undefined,
    ignoreMalformed: echoed.ignore_malformed === true,
    echoed,
  };
}

/** A field of numbers. Everything that searches one scores a constant. */
export abstract class NumericField extends LeafField {
  override readonly core: CoreOptions | undefined;
  override readonly isConstant = true;
  protected options: NumberOptions;

  constructor(fullName: string, definition: JsonObject, core = ONE_LONG) {
    super(fullName);
    this.options = readNumberOptions(definition);
    this.core = this.options.index ? core : undefined;
  }

  override get stored(): boolean {
    return this.options.store;
  }

  override allText(value: unknown): string | undefined {
    const isAbsent = value === null || value === undefined || value === '';
    return textOf(isAbsent ? this.options.nullValue : value);
  }

  protected override echo(): JsonObject {
    const { options } = this;
    const json: JsonObject = { type: this.type, ...options.echoed };
    if (!options.index) json.index = 'no';
    if (options.store) json.store = true;
    if (options.nullValue !== undefined) json.null_value = options.nullValue;
    return json;
  }

  override merge(other: NumericField, conflicts: string[], simulate: boolean): void {
    const [mine, its] = [this.options, other.options];
    if (mine.index !== its.index) conflicts.push(`mapper [${this.shortName}] has different index values`);
    if (mine.store !== its.store) conflicts.push(`mapper [${this.shortName}] has different store values`);
    if (simulate) return;
    this.options = {
      ...mine,
      nullValue: its.nullValue,
      ignoreMalformed: its.echoed.ignore_malformed === undefined ? mine.ignoreMalformed : its.ignoreMalformed,
      echoed: { ...mine.echoed, ...its.echoed },
    };
  }
}

/** `long`, `integer`, `short`, `byte`, `double`, `float`. */
export class NumberField extends NumericField {
  override readonly type: NumberType | 'token_count';
  readonly #number: NumberType;
  readonly #whole: (typeof WHOLE)[keyof typeof WHOLE] | undefined;
  readonly #single: boolean;

  /** @param name the type as the mapping calls it, where it is counted rather than read */
  constructor(fullName: string, type: NumberType, definition: JsonObject, name?: 'token_count') {
    const fraction = type === 'double' || type === 'float';
    super(fullName, definition, fraction ? ONE_DOUBLE : ONE_LONG);
    this.type = name ?? type;
    this.#number = type;
    this.#whole = fraction ? undefined : WHOLE[type];
    this.#single = type === 'float';
  }

  override write(batch: BatchWriter, given: unknown): void {
    let value = given;
    if (value === null || value === undefined || value === '') {
      value = this.options.nullValue;
      if (value === undefined) return;
    }
    let parsed: number | bigint;
    try {
      parsed = this.#parseDocument(value);
    } catch (error) {
      if (this.options.ignoreMalformed) return;
      throw error;
    }
    if (this.number < 0) return;
    if (this.#whole === undefined) encodeDouble(parsed as number);
    else encodeLong(parsed);
    batch.term64(this.number, halves.high, halves.low);
  }

  #parseDocument(value: unknown): number | bigint {
    const coerce = this.options.echoed.coerce !== false;
    if (typeof value === 'string') {
      if (!coerce) throw javaArgument(`${JAVA_NAMES[this.#number]} value passed as String`);
      return this.#parseText(value);
    }
    if (typeof value === 'boolean') {
      const token = value ? 'VALUE_TRUE' : 'VALUE_FALSE';
      throw jsonParse(`Current token (${token}) not numeric, can not use numeric value accessors`);
    }
    if (typeof value !== 'number' && !(value instanceof RawNumber)) throw unknownProperty(value);
    if (this.#whole === undefined) return this.#rounded(Number(value));
    if (value instanceof RawNumber && value.isWhole) return this.#inRange(BigInt(value.text), value.text);
    const number = Number(value);
    if (!Number.isInteger(number) && !coerce) {
      throw javaArgument(`${number} cannot be converted to ${JAVA_NAMES[this.#number]} without data loss`);
    }
    const cut = Math.trunc(number);
    if (!Number.isFinite(cut)) throw this.#outOfRange(String(value));
    return Number.isSafeInteger(cut) && this.#number === 'long'
      ? cut
      : this.#inRange(BigInt(cut), String(value));
  }

  /** As the type has it: cut, rounded, read from a text. */
  override valueForSearch(value: unknown): unknown {
    const parsed = this.#parseDocument(value);
    return typeof parsed === 'bigint' ? new RawNumber(String(parsed)) : parsed;
  }

  #inRange(value: bigint, text: string): number | bigint {
    const { least, most } = this.#whole!;
    if (value >= least && value <= most) {
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
    }
    throw this.#outOfRange(text);
  }

  #outOfRange(text: string): ElasticsearchError {
    const { java, least, most } = this.#whole!;
    const bounds = java === 'long' || java === 'int' ? `${java} (${least} - ${most})` : `Java ${java}`;
    return jsonParse(`Numeric value (${text}) out of range of ${bounds}`);
  }

  #rounded(value: number): number {
    return this.#single ? Math.fround(value) : value;
  }

  #parseText(text: string): number | bigint {
    if (this.#whole === undefined) return this.#rounded(parseFraction(text));
    return parseWhole(text, this.#whole.least, this.#whole.most);
  }

  /** A value of a query: numbers are cut to the type as Java cuts them, texts are parsed. */
  #parseQuery(value: unknown): number | bigint {
    if (typeof value !== 'number' && !(value instanceof RawNumber)) {
      const text = textOf(value);
      if (text === undefined) throw numberFormat(Array.isArray(value) ? ']' : '{');
      return this.#parseText(text);
    }
    const number = Number(value);
    if (this.#whole === undefined) return this.#rounded(number);
    if (value instanceof RawNumber && value.isWhole)
      return BigInt.asIntN(BITS[this.#number], BigInt(value.text));
    if (!Number.isFinite(number)) return 0;
    const cut = BigInt(Math.trunc(number));
    const { least, most } = this.#whole;
    if (!Number.isSafeInteger(number)) return cut < least ? least : cut > most ? most : cut;
    return Number(BigInt.asIntN(BITS[this.#number], cut));
  }

  override term(value: unknown): Uint8Array {
    return this.#termOf(this.#parseQuery(value));
  }

  override range(bounds: RangeBounds): RangeTerms {
    const bound = (value: unknown) =>
      value === undefined || value === null ? undefined : this.#termOf(this.#parseQuery(value));
    return { lower: bound(bounds.from), upper: bound(bounds.to) };
  }

  #termOf(value: number | bigint): Uint8Array {
    return this.#whole === undefined ? doubleTerm(value as number) : longTerm(value);
  }
}

const BITS: Record<NumberType, number> = { long: 64, integer: 32, short: 16, byte: 8, double: 64, float: 64 };

const JAVA_NAMES: Record<NumberType, string> = {
  long: 'Long',
  integer: 'Integer',
  short: 'Short',
  byte: 'Byte',
  double: 'Double',
  float: 'Float',
};
