/** Whole numbers and fractions, each indexed as one term whose order is that of the values. */

import { NO_ANALYZER } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, javaArgument, jsonParse, numberFormat } from '../errors.js';
import { checkBoost } from './boosted.js';
import {
  Column,
  type CoreOptions,
  LeafField,
  type RangeBounds,
  type RangeTerms,
  unknownProperty,
} from './field.js';
import { NUMBER_TRAITS, readTraits } from './fieldTraits.js';
import { type IndexDefaults, PLAIN_DEFAULTS } from '../settings/indexDefaults.js';
import { doubleText, floatText } from '../numbers/javaNumbers.js';
import { doubleTerm, encodeDouble, encodeLong, halves, longTerm } from './terms.js';
import {
  booleanOf,
  castTo,
  intOf,
  isNumber,
  type JsonObject,
  parseFraction,
  parseWhole,
  RawNumber,
  textOf,
} from '../json/values.js';

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

/** The step of numbers that have one term. */
const ONE_STEP = 0x7fff_ffff;

/** The names of the types of numbers. */
export type NumberType = keyof typeof WHOLE | 'double' | 'float';

/** Parameters that numbers and dates share. */
export interface NumberOptions {
  nullValue: unknown;
  ignoreMalformed: boolean;
  coerce: boolean;
  /** The bits that one term of a number leaves out; what is none is none. */
  precisionStep: number | undefined;
  /** Parameters that are shown as they are. */
  echoed: JsonObject;
}

export function readNumberOptions(definition: JsonObject, defaults = PLAIN_DEFAULTS): NumberOptions {
  const echoed: JsonObject = {};
  if (definition.ignore_malformed !== undefined)
    echoed.ignore_malformed = booleanOf(definition.ignore_malformed);
  if (definition.coerce !== undefined) echoed.coerce = booleanOf(definition.coerce);
  return {
    nullValue: definition.null_value ?? undefined,
    ignoreMalformed: (echoed.ignore_malformed as boolean | undefined) ?? defaults.ignoreMalformed,
    precisionStep: definition.precision_step === undefined ? undefined : intOf(definition.precision_step),
    coerce: (echoed.coerce as boolean | undefined) ?? defaults.coerce,
    echoed,
  };
}

/** What reading a malformed value throws; other refusals, such as those of the JSON parser, stand. */
const MALFORMED = new Set([
  'IllegalArgumentException',
  'NumberFormatException',
  'IllegalFieldValueException',
  'MapperParsingException',
]);

/** A field of numbers. Everything that searches one scores a constant. */
export abstract class NumericField extends LeafField {
  override readonly core: CoreOptions | undefined;
  override readonly isConstant = true;
  override readonly takesBoosts: boolean = true;
  override readonly mayJoinAll = true;
  protected options: NumberOptions;

  constructor(fullName: string, definition: JsonObject, core = ONE_LONG, defaults = PLAIN_DEFAULTS) {
    super(fullName, readTraits(definition, NUMBER_TRAITS));
    this.options = readNumberOptions(definition, defaults);
    this.core = this.traits.indexed || this.traits.docValues ? core : undefined;
  }

  override get hasOnlyDocValues(): boolean {
    return this.traits.docValues && !this.traits.indexed;
  }

  override get boost(): number {
    return this.traits.boost;
  }

  override get nullValue(): unknown {
    return this.options.nullValue;
  }

  /** Refuses the boost of a value where no norm could hold it. */
  protected checkBoost(boost: number): void {
    if (boost !== 1) checkBoost(this.traits, boost);
  }

  /** Whether a value that can't be read for that reason is left out. */
  protected passesOver(error: unknown): boolean {
    return (
      this.options.ignoreMalformed && error instanceof ElasticsearchError && MALFORMED.has(error.exception)
    );
  }

  override allText(value: unknown): string | undefined {
    const isAbsent = value === null || value === undefined || value === '';
    return textOf(isAbsent ? this.options.nullValue : value);
  }

  protected override echo(): JsonObject {
    const { options } = this;
    const json: JsonObject = { type: this.type, ...options.echoed };
    if (this.#shownStep !== this.precisionStep) json.precision_step = this.#shownStep;
    if (options.nullValue !== undefined) json.null_value = options.nullValue;
    return json;
  }

  /** The bits that one term of a number leaves out, by default. */
  protected get precisionStep(): number {
    return 16;
  }

  /** The bits of a number as terms have it. */
  protected get bits(): number {
    return 64;
  }

  /** What 1.7 calls the analyzers of its terms. */
  protected get termsName(): string {
    return this.type;
  }

  get #step(): number {
    return this.options.precisionStep ?? this.precisionStep;
  }

  /** What leaves all bits out, or none, is one term. */
  get #shownStep(): number {
    return this.#step <= 0 || this.#step >= this.bits ? ONE_STEP : this.#step;
  }

  protected override get analyzerName(): string {
    return `_${this.termsName}/${this.#step === ONE_STEP ? 'max' : this.#step}`;
  }

  protected override defaults(): JsonObject {
    const { ignoreMalformed, coerce } = this.options;
    return {
      ...super.defaults(),
      index: 'not_analyzed',
      norms: { enabled: this.boost !== 1 },
      index_options: 'docs',
      index_analyzer: this.analyzerName,
      search_analyzer: `_${this.termsName}/max`,
      ignore_malformed: ignoreMalformed,
      coerce,
      precision_step: this.#shownStep,
      null_value: null,
      include_in_all: false,
    };
  }

  protected override mergeOwn(other: NumericField, _conflicts: string[], simulate: boolean): void {
    if (simulate) return;
    const [mine, its] = [this.options, other.options];
    this.options = {
      ...mine,
      precisionStep: its.precisionStep,
      nullValue: its.nullValue,
      ignoreMalformed: its.echoed.ignore_malformed === undefined ? mine.ignoreMalformed : its.ignoreMalformed,
      coerce: its.echoed.coerce === undefined ? mine.coerce : its.coerce,
      echoed: { ...mine.echoed, ...its.echoed },
    };
  }
}

/** `long`, `integer`, `short`, `byte`, `double`, `float`. */
export class NumberField extends NumericField {
  override readonly type: NumberType | 'token_count' | 'murmur3';
  readonly #number: NumberType;
  readonly #whole: (typeof WHOLE)[keyof typeof WHOLE] | undefined;
  readonly #single: boolean;

  /** @param name the type as the mapping calls it, where it is made of a value rather than read */
  constructor(
    fullName: string,
    type: NumberType,
    definition: JsonObject,
    defaults: IndexDefaults = PLAIN_DEFAULTS,
    name?: 'token_count' | 'murmur3',
  ) {
    const fraction = type === 'double' || type === 'float';
    super(fullName, definition, fraction ? ONE_DOUBLE : ONE_LONG, defaults);
    this.type = name ?? type;
    this.#number = type;
    this.#whole = fraction ? undefined : WHOLE[type];
    this.#single = type === 'float';
  }

  override checkGiven(): void {
    const { nullValue } = this.options;
    if (typeof nullValue === 'string' || typeof nullValue === 'boolean') this.#parseText(String(nullValue));
  }

  protected override get precisionStep(): number {
    const { type } = this;
    return STEPS[type === 'token_count' || type === 'murmur3' ? this.#number : type];
  }

  protected override get bits(): number {
    return this.#single ? 32 : Math.max(32, BITS[this.#number]);
  }

  protected override get termsName(): string {
    return this.#number === 'integer' ? 'int' : this.#number;
  }

  override write(batch: BatchWriter, given: unknown, boost = this.boost): void {
    const isAbsent = given === null || given === undefined || given === '';
    const { nullValue } = this.options;
    if (isAbsent && nullValue === undefined) return;
    let parsed: number | bigint;
    try {
      parsed = isAbsent ? this.#parseQuery(nullValue) : this.#parseDocument(given);
    } catch (error) {
      if (this.passesOver(error)) return;
      throw error;
    }
    this.checkBoost(boost);
    this.writeNumber(batch, parsed);
  }

  /** Indexes a number of the type. */
  protected writeNumber(batch: BatchWriter, value: number | bigint): void {
    if (this.number < 0) return;
    if (this.#whole === undefined) encodeDouble(value as number);
    else encodeLong(value);
    batch.term64(this.number, halves.high, halves.low);
  }

  #parseDocument(value: unknown): number | bigint {
    const { coerce } = this.options;
    if (typeof value === 'string') {
      if (!coerce) throw javaArgument(`${JAVA_NAMES[this.#number]} value passed as String`);
      return this.#number === 'byte'
        ? this.#wrapped(BigInt(readWhole(value, WHOLE.short)), value)
        : this.#parseText(value);
    }
    if (typeof value === 'boolean') {
      const token = value ? 'VALUE_TRUE' : 'VALUE_FALSE';
      throw jsonParse(`Current token (${token}) not numeric, can not use numeric value accessors`);
    }
    if (!isNumber(value)) throw unknownProperty(value);
    if (this.#whole === undefined) return this.#rounded(doubleOf(value));
    if (value instanceof RawNumber && value.isWhole) return this.#wrapped(BigInt(value.text), value.text);
    const number = Number(value);
    if (!Number.isInteger(number) && !coerce) {
      throw javaArgument(`${number} cannot be converted to ${JAVA_NAMES[this.#number]} without data loss`);
    }
    const cut = Math.trunc(number);
    if (!Number.isFinite(cut)) throw this.#outOfRange(String(value));
    return Number.isSafeInteger(cut) && this.#number === 'long'
      ? cut
      : this.#wrapped(BigInt(cut), String(value));
  }

  override allText(value: unknown): string | undefined {
    const isAbsent = value === null || value === undefined || value === '';
    if (!isAbsent || this.options.nullValue === undefined) return super.allText(value);
    return this.#shown(this.#parseQuery(this.options.nullValue)).text;
  }

  protected override echo(): JsonObject {
    const { nullValue } = this.options;
    const json = super.echo();
    return nullValue === undefined ? json : { ...json, null_value: this.#shown(this.#parseQuery(nullValue)) };
  }

  /** As the type has it: cut, rounded, read from a text. */
  override valueForSearch(value: unknown): unknown {
    return this.#shown(this.#parseDocument(value));
  }

  /** A number as Java prints it. */
  #shown(parsed: number | bigint): RawNumber {
    if (this.#whole !== undefined) return new RawNumber(String(parsed));
    return new RawNumber((this.#single ? floatText : doubleText)(Number(parsed)));
  }

  /** A number of a document: that of a byte is read as a short, and cut. */
  #wrapped(value: bigint, text: string): number | bigint {
    if (this.#number !== 'byte') return this.#inRange(value, text);
    if (value < WHOLE.short.least || value > WHOLE.short.most)
      throw jsonParse(`Numeric value (${text}) out of range of Java short`);
    return Number(BigInt.asIntN(8, value));
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
    return readWhole(text, this.#whole);
  }

  /** A value of a query: numbers are cut to the type as Java cuts them, texts are parsed. */
  #parseQuery(value: unknown): number | bigint {
    if (!isNumber(value)) {
      const text = textOf(value);
      if (text === undefined) throw numberFormat(Array.isArray(value) ? ']' : '{');
      return this.#parseText(text);
    }
    if (this.#whole === undefined) return this.#rounded(doubleOf(value));
    return castTo(BITS[this.#number], value);
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

/** A number as a double; a zero of Java's longs has no sign. */
function doubleOf(value: number | RawNumber): number {
  return value instanceof RawNumber && value.isWhole ? Number(value) + 0 : Number(value);
}

/** A text as Java reads it for a type; what is too much for a short or a byte is told in other words. */
function readWhole(text: string, { java, least, most }: (typeof WHOLE)[keyof typeof WHOLE]): number | bigint {
  if (java === 'long' || java === 'int') return parseWhole(text, least, most);
  const value = parseWhole(text, WHOLE.integer.least, WHOLE.integer.most);
  if (value >= least && value <= most) return value;
  const detail = `Value out of range. Value:"${text}" Radix:10`;
  throw new ElasticsearchError('NumberFormatException', detail, { status: 400 });
}

/** Default precision steps. */
const STEPS: Record<NumberType, number> = {
  long: 16,
  integer: 8,
  short: 8,
  byte: 0x7fff_ffff,
  double: 16,
  float: 8,
};

const BITS = { long: 64, integer: 32, short: 16, byte: 8, double: 64, float: 64 } as const;

const JAVA_NAMES: Record<NumberType, string> = {
  long: 'Long',
  integer: 'Integer',
  short: 'Short',
  byte: 'Byte',
  double: 'Double',
  float: 'Float',
};
