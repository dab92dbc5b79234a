/** The terms of numbers, dates and addresses read back: their values, what is around them, and how Lucene prints them. */

import { numberFormat } from '../../errors.js';
import { parseWhole } from '../../json/values.js';
import type { LeafField, RangeBounds } from '../../mapping/field.js';
import { doubleTerm, longTerm } from '../../mapping/terms.js';
import { doubleText, floatText } from '../../numbers/javaNumbers.js';
import { boundsText } from '../../plan/termRange.js';
import { UTC } from '../../time/calendar.js';
import { TIME_UNITS } from '../../time/durations.js';
import { amountOf, type Fuzziness, longAmountOf } from './fuzziness.js';

/** Types with terms of eight bytes: how Lucene holds their values. */
const WIDTHS = new Map<string, 'int' | 'long' | 'float' | 'double'>([
  ['long', 'long'],
  ['date', 'long'],
  ['ip', 'long'],
  ['integer', 'int'],
  ['short', 'int'],
  ['byte', 'int'],
  ['token_count', 'int'],
  ['double', 'double'],
  ['float', 'float'],
  ['murmur3', 'long'],
]);

/** How many bits whole numbers have. */
const BITS = new Map([
  ['long', 64],
  ['integer', 32],
  ['short', 16],
  ['byte', 8],
  ['token_count', 32],
]);

/** Whether a field of the type has such terms. */
export function isNumeric(type: string): boolean {
  return WIDTHS.has(type);
}

/** The whole number of a term, signed; of a fraction its bits in their order. */
export function wholeOf(term: Uint8Array): bigint {
  const view = new DataView(term.buffer, term.byteOffset, term.byteLength);
  return BigInt.asIntN(64, view.getBigUint64(0) ^ 0x8000_0000_0000_0000n);
}

function doubleOf(term: Uint8Array): number {
  const view = new DataView(new ArrayBuffer(8));
  const bits = wholeOf(term);
  view.setBigInt64(0, bits < 0 ? bits ^ 0x7fff_ffff_ffff_ffffn : bits);
  return view.getFloat64(0);
}

/** The value as Java prints it: whole, or with a fraction. */
export function valueText(type: string, term: Uint8Array): string {
  const width = WIDTHS.get(type);
  if (width === 'double') return doubleText(doubleOf(term));
  if (width === 'float') return floatText(doubleOf(term));
  return String(wholeOf(term));
}

/** A range as Lucene prints it. */
export function numericRangeText(
  type: string,
  lower: Uint8Array | undefined,
  upper: Uint8Array | undefined,
  { includeLower, includeUpper }: Pick<RangeBounds, 'includeLower' | 'includeUpper'>,
): string {
  const text = (term: Uint8Array | undefined) => (term === undefined ? undefined : valueText(type, term));
  return boundsText(text(lower), text(upper), includeLower, includeUpper);
}

/** The term that Lucene has for the value: a byte for the width, then seven bits in each. */
export function prefixCoded(type: string, term: Uint8Array): string {
  const width = WIDTHS.get(type);
  let bits = BigInt.asUintN(64, wholeOf(term));
  let [first, count] = [0x20, 10];
  if (width === 'int' || width === 'float') {
    [first, count] = [0x60, 5];
    if (width === 'float') {
      const view = new DataView(new ArrayBuffer(4));
      view.setFloat32(0, doubleOf(term));
      const int = view.getInt32(0);
      bits = BigInt(int < 0 ? int ^ 0x7fff_ffff : int);
    }
    bits = BigInt.asUintN(32, bits) ^ 0x8000_0000n;
  } else bits ^= 0x8000_0000_0000_0000n;
  let text = '';
  for (let i = 0; i < count; i++) {
    text = String.fromCharCode(Number(bits & 0x7fn)) + text;
    bits >>= 7n;
  }
  return String.fromCharCode(first) + text;
}

/**
 * The term of a text as Java reads numbers of the type: a fraction is none of a whole number.
 * @param now what that stands for in dates with date math; undefined where there is none
 */
export function parsedTerm(field: LeafField, text: string, now?: number): Uint8Array {
  const { type } = field;
  const bits = BITS.get(type);
  if (bits !== undefined) {
    const most = 2n ** BigInt(bits - 1);
    return longTerm(BigInt(parseWhole(text, -most, most - 1n)));
  }
  if (type !== 'date' || now === undefined) return field.term(text);
  const bounds = { includeLower: true, includeUpper: true, zone: UTC, asFilter: false, now };
  return field.range({ from: text, to: undefined, ...bounds }).lower!;
}

/** The bounds around a value: as far as the fuzziness says, of a date a time. */
export function around(
  field: LeafField,
  text: string,
  fuzziness: Fuzziness,
  now: number,
): { lower: Uint8Array; upper: Uint8Array } {
  const { type } = field;
  const term = parsedTerm(field, text, now);
  const width = WIDTHS.get(type);
  if (width === 'double' || width === 'float') {
    const [value, off] = [doubleOf(term), amountOf(fuzziness)];
    return { lower: doubleTerm(value - off), upper: doubleTerm(value + off) };
  }
  const value = wholeOf(term);
  let off: bigint;
  if (type === 'ip' && /^\d+(\.\d+){3}$/.test(String(fuzziness)))
    off = wholeOf(field.term(String(fuzziness)));
  else if (type === 'date') off = BigInt(Math.trunc(durationOf(fuzziness)));
  else off = longAmountOf(fuzziness);
  return { lower: longTerm(value - off), upper: longTerm(value + off) };
}

/** Milliseconds. */
function durationOf(fuzziness: Fuzziness): number {
  const text = String(fuzziness);
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)?$/i.exec(text) ?? [];
  if (digits === undefined) {
    if (/^auto$/i.test(text)) return 1;
    throw numberFormat(text);
  }
  return Number(digits) * TIME_UNITS[unit.toLowerCase()]!;
}
