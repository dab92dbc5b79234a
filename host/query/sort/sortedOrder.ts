/** The order of hits of different shards by the keys of a sort. */

import type { SortValue, SortValueType } from '../../core/sortValues.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import { needsAllHits, type Sort, type SortKey } from '../../plan/sortKeys.js';
import type { StoredDocument } from '../../storage/storedDocuments.js';
import { atOnce, type Turns } from '../../workLimit.js';

/** A hit and the values it is sorted by. */
export interface SortedRow {
  key: number;
  score: number;
  values: SortValue[];
}

/** The type of a key's values as the core gives them. */
export function sortValueType(key: SortKey): SortValueType {
  if (key.kind === 'column') return key.type;
  return key.kind === 'document' ? 'long' : 'double';
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** As Java compares floats: -0.0 comes before 0.0. Both are equal by JavaScript. */
function compareZeros(a: number | bigint, b: number | bigint): number {
  return Number(Object.is(b, -0)) - Number(Object.is(a, -0));
}

/** Compares two values by a key: negative if `a` comes first. */
function compareValues(key: SortKey, a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    const last = (key.kind !== 'column' && key.kind !== 'meta') || key.missing !== 'first';
    return (a === null) === last ? 1 : -1;
  }
  let order: number;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    // Indices may have different types under one name.
    if (a instanceof Uint8Array && b instanceof Uint8Array) order = compareBytes(a, b);
    else order = a instanceof Uint8Array ? 1 : -1;
  } else order = a < b ? -1 : a > b ? 1 : compareZeros(a, b);
  return key.descending ? -order : order;
}

/** Compares two rows by the keys: negative if `a` comes first. */
export function compareRows(keys: readonly SortKey[], a: SortedRow, b: SortedRow): number {
  for (let i = 0; i < keys.length; i++) {
    const order = compareValues(keys[i]!, a.values[i]!, b.values[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

const utf8 = new TextEncoder();

/**
 * The rows of one shard with what the core doesn't know put in its place, which decides anew; what it leaves equal stays in order.
 * `document` finds a document by its key.
 */
export function completeRows<Row extends SortedRow>(
  sort: Sort,
  rows: Row[],
  document: (key: number) => StoredDocument | undefined,
): Row[] {
  return atOnce(completeRowsInTurns(sort, rows, document, () => false));
}

/** The same in turns; `isDue` is asked for each row. */
export function* completeRowsInTurns<Row extends SortedRow>(
  sort: Sort,
  rows: Row[],
  document: (key: number) => StoredDocument | undefined,
  isDue: () => boolean,
): Turns<Row[]> {
  const decides = needsAllHits(sort);
  if (!decides && sort.keys.every(({ kind }) => kind !== 'meta')) return rows;
  for (const row of rows) {
    if (isDue()) yield;
    const found = document(row.key);
    let next = 0;
    row.values = sort.keys.map((key) => {
      if (key.kind === 'meta') {
        const text = found === undefined ? null : key.textOf(found);
        if (text !== null) return utf8.encode(text);
        return key.missing instanceof Uint8Array ? key.missing : null;
      }
      const value = row.values[next++]!;
      return key.kind === 'script' && key.textual ? utf8.encode(doubleText(Number(value))) : value;
    });
  }
  return decides ? rows.sort((a, b) => compareRows(sort.keys, a, b)) : rows;
}
