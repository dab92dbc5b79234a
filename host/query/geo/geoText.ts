/**
 * Ranges of geo points. To 1.7 a point is the text of its coordinates, `40.7,-74.0`, and ranges go by the order of texts; here
 * terms are in the order of the numbers. A bound is therefore taken apart into the ways in which a text can be below it, each of
 * which is an interval of numbers: below `42` are those that begin with `-`, with 0 to 3, with `40` and `41`.
 */

import { textOf } from '../../json/values.js';
import type { RangeBounds } from '../../mapping/field.js';
import { fractionOf } from '../../mapping/fielddata.js';
import { doubleTerm } from '../../mapping/terms.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { PlanNode } from '../../plan/nodes.js';
import { orderedOf } from '../../plan/sortKeys.js';
import { NONE } from '../context.js';
import { combine } from '../sets.js';

/** Numbers from the first up to, but not including, the second. */
type Interval = readonly [from: number, to: number];

/** The characters of a point's text, in their order. */
const CHARACTERS = ',-.0123456789';
/** No coordinates are longer. */
const MAX_TEXT = 64;
/** Digits that a number has ahead of its point, at most; Java writes larger ones with an exponent. */
const MAX_DIGITS = 7;

/** The documents of a field with a point within bounds. */
export function pointRange(field: number, { from, to, includeLower, includeUpper }: RangeBounds): PlanNode {
  const [lower, upper] = [textOf(from), textOf(to)];
  const above: PlanNode = upper === undefined ? { kind: 'exists', field } : below(field, upper, includeUpper);
  if (lower === undefined) return above;
  return combine([above], [], [below(field, lower, !includeLower)])!;
}

/** The documents with a point whose text is below a bound, or the bound itself. */
function below(field: number, bound: string, included: boolean): PlanNode {
  const text = bound.slice(0, MAX_TEXT);
  const comma = text.indexOf(',');
  const lat = comma < 0 ? text : text.slice(0, comma);
  const ranges = merged(intervals(lat)).map((each) => rangeOf(field, each));
  const known = comma < 0 ? undefined : numberOf(lat);
  if (known !== undefined) {
    const term = doubleTerm(known);
    const lon = text.slice(comma + 1);
    const own = included ? numberOf(lon) : undefined;
    const last: Interval[] = own === undefined ? [] : [[own, after(own)]];
    for (const each of merged([...intervals(lon), ...last])) ranges.push(rangeOf(field, each, term));
  }
  return combine([], ranges, []) ?? NONE;
}

/** The numbers whose texts, with whatever comes behind the number, are below a text. */
function intervals(text: string): Interval[] {
  const found: Interval[] = [];
  for (let i = 0; i <= text.length; i++) {
    const prefix = text.slice(0, i);
    // The number may end here; what comes behind it is below all that a number goes on with.
    const whole = i < text.length && text[i]! > ',' ? numberOf(prefix) : undefined;
    if (whole !== undefined) found.push([whole, after(whole)]);
    for (const next of CHARACTERS.slice(1))
      if (i < text.length && next < text[i]!) found.push(...beginning(prefix + next));
  }
  return found;
}

/** The numbers whose texts begin so; those below a thousandth, which Java writes with an exponent, are taken for 0. */
function beginning(prefix: string): Interval[] {
  const negative = prefix.startsWith('-');
  const digits = negative ? prefix.slice(1) : prefix;
  if (digits === '') return negative ? [[Number.NEGATIVE_INFINITY, 0]] : [];
  const [, whole = '', point, fraction = ''] = /^(0|[1-9]\d*)(\.(\d*))?$/.exec(digits) ?? [];
  if (whole === '') return [];
  const first = BigInt(whole + fraction);
  const scaled = (power: number): Interval => [Number(`${first}e${power}`), Number(`${first + 1n}e${power}`)];
  let found: Interval[] = [scaled(-fraction.length)];
  if (point === undefined && whole !== '0')
    found = Array.from({ length: MAX_DIGITS + 1 - whole.length }, (_, power) => scaled(power));
  return negative ? found.map(([from, to]) => [after(-to), after(-from)]) : found;
}

/** The number that has this text. */
function numberOf(text: string): number | undefined {
  const number = text === '' ? Number.NaN : Number(text);
  return doubleText(number) === text ? number : undefined;
}

/** The next larger number. */
function after(number: number): number {
  return fractionOf(orderedOf(number) + 1n);
}

/** The same numbers in as few intervals as can be. */
function merged(given: readonly Interval[]): Interval[] {
  const sorted = [...given].sort(([a], [b]) => a - b);
  const found: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/** The points of an interval: of latitudes, or of longitudes at the latitude of a term. */
function rangeOf(field: number, [from, to]: Interval, lat?: Uint8Array): PlanNode {
  const term = (number: number) => (lat === undefined ? doubleTerm(number) : joined(lat, doubleTerm(number)));
  return {
    kind: 'range',
    field,
    lower: term(from),
    upper: term(to),
    includeLower: true,
    includeUpper: false,
  };
}

function joined(lat: Uint8Array, lon: Uint8Array): Uint8Array {
  const term = new Uint8Array(lat.length + lon.length);
  term.set(lat);
  term.set(lon, lat.length);
  return term;
}
