/**
 * The order in which rows are best written: neighbours of a tree of keys one after the other, so that its pages are found, split
 * and filled one after the other too. A commit that hops about leaves half-full pages behind, and writes several times as many.
 */
import type { Rows } from './rows.js';

/** Fewer rows are written as they come. */
const FEW = 64;
/** Bytes by which rows are told apart that have nothing to do with one another: the kind and the shard of `records.ts`. */
const FAMILY_BYTES = 5;
/** Bits of a whole number that a double holds. */
const BITS = 53;

/** The numbers of the rows, neighbours together as far as a few bytes of their keys tell. Those of the same key stay in their order. */
export function inKeyOrder(rows: Rows): Uint32Array {
  const order = new Uint32Array(rows.length);
  if (rows.length < FEW) for (let i = 0; i < order.length; i++) order[i] = i;
  else {
    let at = 0;
    for (const end of byFamily(rows, order)) {
      sort(rows, order.subarray(at, end));
      at = end;
    }
  }
  return order;
}

/** Puts the rows of one family after those of another into `order`; returns where each family ends. */
function byFamily(rows: Rows, order: Uint32Array): number[] {
  const families = new Map<number, number>();
  const ends: number[] = [];
  const familyOf = new Uint32Array(order.length);
  // Two kinds take turns in a bulk.
  let name = -1;
  let number = -1;
  let otherName = -1;
  let otherNumber = -1;
  for (let row = 0; row < order.length; row++) {
    const each = digits(rows, row, 0, FAMILY_BYTES);
    if (each !== name) {
      const previous = number;
      number = each === otherName ? otherNumber : (families.get(each) ?? families.size);
      otherName = name;
      otherNumber = previous;
      name = each;
      if (number === ends.length) {
        families.set(each, number);
        ends.push(0);
      }
    }
    familyOf[row] = number;
    ends[number]!++;
  }
  let from = 0;
  for (let family = 0; family < ends.length; family++) {
    const count = ends[family]!;
    ends[family] = from;
    from += count;
  }
  for (let row = 0; row < order.length; row++) order[ends[familyOf[row]!]!++] = row;
  return ends;
}

/** Sorts by a number of the first bytes in which keys differ, with the row's own number behind it. */
function sort(rows: Rows, order: Uint32Array): void {
  if (order.length < 2) return;
  const from = commonBytes(rows, order);
  const indexBits = 32 - Math.clz32(order.length - 1);
  const bytes = (BITS - indexBits) >>> 3;
  const span = 2 ** indexBits;
  const sorted = new Float64Array(order.length);
  let isSorted = true;
  let last = -1;
  for (let i = 0; i < order.length; i++) {
    const key = digits(rows, order[i]!, from, bytes) * span + i;
    sorted[i] = key;
    if (key < last) isSorted = false;
    last = key;
  }
  if (isSorted) return;
  sorted.sort();
  const numbers = order.slice();
  for (let i = 0; i < order.length; i++) order[i] = numbers[sorted[i]! % span]!;
}

/** How many bytes all keys begin with alike. */
function commonBytes(rows: Rows, order: Uint32Array): number {
  const { bytes } = rows;
  const first = rows.keyAt(order[0]!);
  let common = rows.valueAt(order[0]!) - first;
  for (let i = 1; i < order.length && common > 0; i++) {
    const key = rows.keyAt(order[i]!);
    const length = rows.valueAt(order[i]!) - key;
    if (length < common) common = length;
    for (let at = 0; at < common; at++) if (bytes[key + at] !== bytes[first + at]) common = at;
  }
  return common;
}

/** Bytes of a row's key as a number, big endian; zeros behind its end. */
function digits(rows: Rows, row: number, from: number, count: number): number {
  const { bytes } = rows;
  const first = rows.keyAt(row) + from;
  const end = rows.valueAt(row);
  let value = 0;
  for (let at = first; at < first + count; at++) value = value * 256 + (at < end ? bytes[at]! : 0);
  return value;
}
