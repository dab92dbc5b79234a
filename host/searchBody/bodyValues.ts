/** Numbers and times in the body of a search. */

import { ElasticsearchError, numberFormat, parseFailure } from '../errors.js';
import { isObject, strictIntOf, textOf } from '../json/values.js';

/** Undefined for null and objects, which 1.7 reads over. */
export function pageOf(key: 'from' | 'size', value: unknown): number | undefined {
  if (value === null || isObject(value)) return undefined;
  if (Array.isArray(value)) throw parseFailure(`Expected field name but got END_ARRAY "${key}"`);
  const number = strictIntOf(value);
  if (number < 0) {
    const detail = `${key} is set to [${number}] and is expected to be higher or equal to 0`;
    throw new ElasticsearchError('SearchParseException', detail);
  }
  return number;
}

/** Milliseconds of a unit of time. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };

/** Milliseconds; a number without a unit is one of them. */
export function durationOf(value: unknown): number {
  const text = textOf(value) ?? '{';
  const [, amount, unit = 'ms'] = /^(-?\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w|S|M|H|D|W)?$/.exec(text) ?? [];
  if (amount === undefined) throw parseFailure(`Failed to parse [${text}]`, numberFormat(text));
  return Number(amount) * UNITS[unit.toLowerCase()]!;
}
