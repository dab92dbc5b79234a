/** Numbers and times in the body of a search. */

import { ElasticsearchError, numberFormat, parseFailure } from '../errors.js';
import { isNumber, isObject, longOf, strictIntOf, textOf } from '../json/values.js';

/** Where hits begin, or how many there are. */
export function pageOf(key: 'from' | 'size', value: unknown): number {
  const number = strictIntOf(value);
  if (number < 0) {
    const detail = `${key} is set to [${number}] and is expected to be higher or equal to 0`;
    throw new ElasticsearchError('SearchParseException', detail);
  }
  return number;
}

/** Milliseconds of a unit of time. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5 };

const DURATION = /^(-?\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w|S|M|H|D|W)?$/;

/** Milliseconds; a number without a unit is one of them. Of what is no text 1.7 reads the token's. */
export function durationOf(value: unknown): number {
  if (isNumber(value)) return Number(longOf(value));
  const text = textOf(value) ?? (value === null ? 'null' : isObject(value) ? '{' : '[');
  const [, amount, unit = 'ms'] = DURATION.exec(text) ?? [];
  if (amount === undefined) throw parseFailure(`Failed to parse [${text}]`, numberFormat(text));
  return Number(amount) * UNITS[unit.toLowerCase()]!;
}

/** The milliseconds that a search may take, from 1; undefined where it may take any time, and where it doesn't say how long. */
export function timeoutOf(value: unknown): number | undefined {
  const text = textOf(value) ?? '';
  if (!DURATION.test(text)) return undefined;
  const ms = durationOf(text);
  return ms >= 0 ? Math.max(1, Math.ceil(ms)) : undefined;
}
