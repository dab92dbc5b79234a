/**
 * The order in which rows are best written: neighbours of a tree of keys one after the other, so that its pages are found, split
 * and filled one after the other too. A commit that hops about leaves half-full pages behind, and writes several times as many.
 */
import type { Entry } from './storage.js';

/** Fewer rows are written as they come. */
const FEW = 64;
/** Bytes by which rows are told apart that have nothing to do with one another: the kind and the shard of `records.ts`. */
const FAMILY_BYTES = 5;
/** Bits of a whole number that a double holds. */
const BITS = 53;

/** The rows, neighbours together as far as a few bytes of their keys tell. Those of the same key stay in their order. */
export function inKeyOrder(rows: readonly Entry[]): readonly Entry[] {
  if (rows.length < FEW) return rows;
  const ordered: Entry[] = [];
  for (const family of families(rows)) {
    if (family.length === 1) ordered.push(family[0]!);
    else addSorted(family, ordered);
  }
  return ordered;
}

function families(rows: readonly Entry[]): Iterable<Entry[]> {
  const families = new Map<number, Entry[]>();
  for (const row of rows) {
    const name = digits(row[0], 0, FAMILY_BYTES);
    const family = families.get(name);
    if (family === undefined) families.set(name, [row]);
    else family.push(row);
  }
  return families.values();
}

/** Sorts by a number of the first bytes in which keys differ, with the row's own number behind it. */
function addSorted(rows: readonly Entry[], into: Entry[]): void {
  const from = commonBytes(rows);
  const indexBits = 32 - Math.clz32(rows.length - 1);
  const bytes = (BITS - indexBits) >>> 3;
  const span = 2 ** indexBits;
  const order = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) order[i] = digits(rows[i]![0], from, bytes) * span + i;
  order.sort();
  for (let i = 0; i < order.length; i++) into.push(rows[order[i]! % span]!);
}

/** How many bytes all keys begin with alike. */
function commonBytes(rows: readonly Entry[]): number {
  const first = rows[0]![0];
  let common = first.length;
  for (let i = 1; i < rows.length && common > 0; i++) {
    const key = rows[i]![0];
    if (key.length < common) common = key.length;
    for (let at = 0; at < common; at++) if (key[at] !== first[at]) common = at;
  }
  return common;
}

/** Bytes of a key as a number, big endian; zeros behind its end. */
function digits(key: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) value = value * 256 + (at < key.length ? key[at]! : 0);
  return value;
}
