/** `date` and `boolean` fields. */

import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, mapperParsing } from '../errors.js';
import { invalidDate, parseDate, parseDateMath, parseDateOrMillis, parseSlashes, SLASHES } from './dates.js';
import {
  Column,
  type CoreOptions,
  LeafField,
  type RangeBounds,
  type RangeTerms,
  unknownProperty,
} from './field.js';
import { NumericField, ONE_TERM } from './numbers.js';
import { storeOf } from './strings.js';
import { encodeLong, halves, longTerm, textTerm } from './terms.js';
import { booleanOf, type JsonObject, RawNumber, textOf } from './values.js';

const FORMATS = ['dateOptionalTime', 'date_optional_time', SLASHES];

/** A date: milliseconds since the epoch. */
export class DateField extends NumericField {
  override readonly type = 'date';
  readonly #format: string;

  constructor(fullName: string, definition: JsonObject) {
    super(fullName, definition);
    this.#format = textOf(definition.format) ?? 'dateOptionalTime';
    if (!FORMATS.includes(this.#format)) {
      throw mapperParsing(
        `The date format [${this.#format}] of field [${this.shortName}] is not offered yet`,
      );
    }
  }

  override write(batch: BatchWriter, value: unknown): void {
    let time: number;
    try {
      if (typeof value === 'number') time = Math.trunc(value);
      else if (typeof value === 'string') time = this.#parse(value);
      else if (value === null || value === undefined) {
        const stand = textOf(this.options.nullValue);
        if (stand === undefined) return;
        time = this.#parse(stand);
      } else if (value instanceof RawNumber) time = Math.trunc(Number(value.text));
      else if (typeof value === 'boolean') time = this.#parse(String(value));
      else throw unknownProperty(value);
    } catch (error) {
      if (this.options.ignoreMalformed) return;
      throw error;
    }
    if (this.number < 0) return;
    encodeLong(time);
    batch.term64(this.number, halves.high, halves.low);
  }

  #parse(text: string): number {
    try {
      if (this.#format !== SLASHES) return parseDateOrMillis(text);
      return /^\d+$/.test(text) ? Number(text) : parseSlashes(text);
    } catch (error) {
      if (!(error instanceof ElasticsearchError)) throw error;
      const detail = `failed to parse date field [${text}], tried both date format [${this.#format}], and timestamp number with locale []`;
      throw mapperParsing(detail, error);
    }
  }

  override term(value: unknown): Uint8Array {
    if (typeof value === 'number') return longTerm(Math.trunc(value));
    const text = textOf(value) ?? '';
    if (this.#format === SLASHES) return longTerm(parseSlashes(text));
    if (text === '') throw invalidDate(text);
    return longTerm(parseDate(text));
  }

  /** As a query, an exclusive lower bound is rounded up; as a filter, a lower bound never is. */
  override range(bounds: RangeBounds): RangeTerms {
    return {
      lower: this.#bound(bounds.from, !bounds.asFilter && !bounds.includeLower, bounds),
      upper: this.#bound(bounds.to, bounds.includeUpper, bounds),
    };
  }

  #bound(value: unknown, roundUp: boolean, bounds: RangeBounds): Uint8Array | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number') return longTerm(Math.trunc(value));
    const text = textOf(value) ?? '';
    if (this.#format === SLASHES && /^\d+\//.test(text)) return longTerm(parseSlashes(text));
    return longTerm(parseDateMath(text, roundUp, bounds.zone, bounds.now));
  }

  protected override echo(): JsonObject {
    return { ...super.echo(), format: this.#format };
  }
}

const TRUE = textTerm('T');
const FALSE = textTerm('F');

/** A boolean: the term `T` or `F`. A term query on one is an ordinary, scoring one. */
export class BooleanField extends LeafField {
  override readonly type = 'boolean';
  override readonly core: CoreOptions | undefined;
  readonly #store: boolean;
  #nullValue: unknown;

  constructor(fullName: string, definition: JsonObject) {
    super(fullName);
    this.core = definition.index === 'no' ? undefined : { ...ONE_TERM, flags: Column.ordinal };
    this.#store = definition.store !== undefined && storeOf(definition.store);
    this.#nullValue = definition.null_value ?? undefined;
  }

  override write(batch: BatchWriter, value: unknown): void {
    const given = value === null ? this.#nullValue : value;
    if (given === undefined || this.number < 0) return;
    if (typeof given === 'object' && !(given instanceof RawNumber)) throw unknownProperty(given);
    batch.text(this.number, booleanOf(given) && given !== 'F' ? 'T' : 'F');
  }

  override term(value: unknown): Uint8Array {
    const text = textOf(value) ?? '';
    return text !== 'F' && booleanOf(text) ? TRUE : FALSE;
  }

  protected override echo(): JsonObject {
    const json: JsonObject = { type: 'boolean' };
    if (this.core === undefined) json.index = 'no';
    if (this.#store) json.store = true;
    if (this.#nullValue !== undefined) json.null_value = booleanOf(this.#nullValue);
    return json;
  }

  override merge(other: BooleanField, conflicts: string[], simulate: boolean): void {
    if ((this.core === undefined) !== (other.core === undefined)) {
      conflicts.push(`mapper [${this.shortName}] has different index values`);
    }
    if (this.#store !== other.#store) conflicts.push(`mapper [${this.shortName}] has different store values`);
    if (!simulate) this.#nullValue = other.#nullValue;
  }
}
