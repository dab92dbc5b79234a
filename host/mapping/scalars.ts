/** `date` and `boolean` fields. */

import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, javaArgument, jsonParse, mapperParsing } from '../errors.js';
import { checkBoost } from './boosted.js';
import { UTC, type Zone } from '../time/calendar.js';
import { type DateFormat, dateFormat } from '../time/dateFormats.js';
import { type DateReader, invalidDate, parseDateMath, parseDateOrMillis } from '../time/dates.js';
import {
  Column,
  type CoreOptions,
  LeafField,
  type RangeBounds,
  type RangeTerms,
  unknownProperty,
} from './field.js';
import { readTraits, TERM_TRAITS } from './fieldTraits.js';
import { PLAIN_DEFAULTS } from '../settings/indexDefaults.js';
import { localeName } from '../time/locales.js';
import { NumericField, ONE_LONG, ONE_TERM } from './numbers.js';
import { encodeLong, halves, longTerm, textTerm } from './terms.js';
import {
  booleanOf,
  castTo,
  isCompound,
  isNumber,
  type JsonObject,
  longOf,
  type RawNumber,
  textOf,
} from '../json/values.js';
import { ownValue } from '../ownNames.js';

/** A date: milliseconds since the epoch. */
export class DateField extends NumericField {
  override readonly type = 'date';
  #format: DateFormat;
  /** Reads dates in the format, and numbers where they are none. */
  #reader: { parse: DateReader };
  /** As Java prints it; empty is the root's. */
  #locale: string;
  /** Milliseconds of a number that stands for a date. */
  readonly #resolution: number;
  /** Whether upper bounds of ranges are rounded up. */
  readonly #roundCeil: boolean;

  constructor(fullName: string, definition: JsonObject, defaults = PLAIN_DEFAULTS) {
    super(fullName, definition, ONE_LONG, defaults);
    const format = textOf(definition.format) ?? 'dateOptionalTime';
    this.#locale = localeName(textOf(definition.locale) ?? 'ROOT');
    this.#format = dateFormat(format, this.#locale);
    this.#resolution = readResolution(textOf(definition.numeric_resolution) ?? 'milliseconds');
    if (this.#resolution !== 1)
      this.options.echoed.numeric_resolution = textOf(definition.numeric_resolution)!.toLowerCase();
    this.#roundCeil = defaults.roundCeil;
    this.#reader = readerOf(this.#format, this.#resolution);
  }

  /** How its values are read and shown. */
  get format(): DateFormat {
    return this.#format;
  }

  override write(batch: BatchWriter, value: unknown, boost = this.boost): void {
    let time: number | bigint;
    try {
      if (isNumber(value)) time = this.#timeOf(value);
      else if (typeof value === 'string') time = this.parse(value);
      else if (value === null || value === undefined) {
        const stand = textOf(this.options.nullValue);
        if (stand === undefined) return;
        time = this.parse(stand);
      } else if (typeof value === 'boolean') time = this.parse(String(value));
      else throw unknownProperty(value);
    } catch (error) {
      if (this.passesOver(error)) return;
      throw error;
    }
    this.checkBoost(boost);
    if (this.number < 0) return;
    encodeLong(time);
    batch.term64(this.number, halves.high, halves.low);
  }

  /** The milliseconds that a number of a document stands for. */
  #timeOf(value: number | RawNumber): number | bigint {
    if (this.#resolution === 1) return Number.isSafeInteger(value) ? (value as number) : longOf(value);
    return Math.trunc(Math.trunc(Number(value)) * this.#resolution);
  }

  /** A number is no word. */
  override allText(value: unknown): string | undefined {
    return isNumber(value) ? undefined : super.allText(value);
  }

  /** A text as the format has it, or a number. */
  protected parse(text: string): number {
    const { parse } = this.#reader;
    try {
      return parse(text, UTC, false);
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      const detail = `failed to parse date field [${text}], tried both date format [${this.#format.text}], and timestamp number with locale [${this.#locale}]`;
      throw mapperParsing(detail, error);
    }
  }

  /** In the field's format. */
  override valueForSearch(value: unknown): unknown {
    const time = isNumber(value) ? Number(this.#timeOf(value)) : this.parse(textOf(value) ?? '');
    return this.#format.print(time, UTC);
  }

  override valueOfSource(value: unknown): unknown {
    return isNumber(value) ? this.valueForSearch(value) : value;
  }

  override term(value: unknown): Uint8Array {
    if (isNumber(value)) return longTerm(castTo(64, value));
    const text = textOf(value) ?? '';
    if (text === '') throw invalidDate(text);
    return longTerm(this.#format.parse(text, UTC));
  }

  /** As a query, an exclusive lower bound is rounded up; as a filter, a lower bound never is. */
  override range(bounds: RangeBounds): RangeTerms {
    return {
      lower: this.#bound(bounds.from, !bounds.asFilter && !bounds.includeLower, bounds),
      upper: this.#bound(bounds.to, bounds.includeUpper && this.#roundCeil, bounds),
    };
  }

  #bound(value: unknown, roundUp: boolean, bounds: RangeBounds): Uint8Array | undefined {
    if (value === undefined || value === null) return undefined;
    if (isNumber(value)) return longTerm(castTo(64, value));
    const text = textOf(value) ?? '';
    const { format } = bounds;
    const { parse } = format === undefined ? this.#reader : readerOf(format);
    const shown = (format ?? this.#format).text;
    const now = text.startsWith('now') ? bounds.now : 0;
    return longTerm(parseDateMath(text, roundUp, bounds.zone, now, parse, shown));
  }

  protected override defaults(): JsonObject {
    return { ...super.defaults(), locale: '', numeric_resolution: 'milliseconds' };
  }

  protected override echo(): JsonObject {
    const json: JsonObject = { ...super.echo(), format: this.#format.text };
    if (this.#locale !== '') json.locale = this.#locale;
    return json;
  }

  protected override mergeOwn(other: DateField, conflicts: string[], simulate: boolean): void {
    super.mergeOwn(other, conflicts, simulate);
    if (simulate) return;
    this.#format = other.#format;
    this.#reader = readerOf(this.#format, this.#resolution);
    this.#locale = other.#locale;
  }
}

/** Reads dates in a format, and numbers of so many milliseconds where they are none. */
function readerOf(format: DateFormat, scale = 1): { parse: DateReader } {
  const one = (text: string, zone: Zone, roundUp: boolean) => format.parse(text, zone, roundUp);
  return { parse: (text, zone, roundUp) => parseDateOrMillis(text, zone, roundUp, one, scale) };
}

/** Milliseconds of Java's units of time. */
const RESOLUTIONS: Readonly<Record<string, number>> = {
  nanoseconds: 1e-6,
  microseconds: 1e-3,
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

function readResolution(given: string): number {
  const found = ownValue(RESOLUTIONS, given.toLowerCase());
  if (found !== undefined) return found;
  throw javaArgument(`No enum constant java.util.concurrent.TimeUnit.${given.toUpperCase()}`);
}

const TRUE = textTerm('T');
const FALSE = textTerm('F');

/** A boolean: the term `T` or `F`. A term query on one is an ordinary, scoring one. */
export class BooleanField extends LeafField {
  override readonly type = 'boolean';
  override readonly core: CoreOptions | undefined;
  #nullValue: unknown;

  constructor(fullName: string, definition: JsonObject) {
    super(fullName, readTraits(definition, TERM_TRAITS));
    // 1.7 reads the option and forgets it.
    this.traits.docValues = false;
    this.core = this.traits.indexed ? { ...ONE_TERM, flags: Column.ordinal } : undefined;
    this.#nullValue = definition.null_value ?? undefined;
  }

  override valueForSearch(value: unknown): unknown {
    return booleanOf(value);
  }

  override valueOfSource(value: unknown): unknown {
    return booleanOf(value);
  }

  override get nullValue(): unknown {
    return this.#nullValue;
  }

  override allText(): undefined {
    return undefined;
  }

  override write(batch: BatchWriter, value: unknown): void {
    const given = value === null ? this.#nullValue : value;
    if (given === undefined) return;
    if (isCompound(given)) throw jsonParse('Current token (START_OBJECT) not of boolean type');
    const text = booleanOf(given) ? 'T' : 'F';
    if (this.traits.boost !== 1) checkBoost(this.traits, this.traits.boost);
    if (this.number >= 0) batch.text(this.number, text);
  }

  override term(value: unknown): Uint8Array {
    const text = textOf(value) ?? '';
    return text !== 'F' && booleanOf(text) ? TRUE : FALSE;
  }

  protected override defaults(): JsonObject {
    return { ...super.defaults(), null_value: null };
  }

  protected override echo(): JsonObject {
    const json: JsonObject = { type: 'boolean' };
    if (this.#nullValue !== undefined) json.null_value = booleanOf(this.#nullValue);
    return json;
  }

  protected override mergeOwn(other: BooleanField, _conflicts: string[], simulate: boolean): void {
    if (!simulate) this.#nullValue = other.#nullValue;
  }
}
