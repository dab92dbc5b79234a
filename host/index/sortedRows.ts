/** What a sorted search found in one shard, row by row, and the order of rows of different shards. */

import type { SearchResult } from '../core/result.js';
import { decodeSortValues, type SortValue, type SortValueType } from '../core/sortValues.js';
import { coreKeys, needsAllHits, type Sort, type SortKey } from '../dsl/sortKeys.js';
import { doubleText } from '../mapping/javaNumbers.js';
import type { StoredDocument } from '../storage/records.js';

/** A hit and the values it is sorted by. */
export interface SortedRow {
  key: number;
  score: number;
  values: SortValue[];
}

const utf8 = new TextEncoder();

/** The type of a key's values as the core gives them. */
function typeOf(key: SortKey): SortValueType {
  if (key.kind === 'column') return key.type;
  return key.kind === 'document' ? 'long' : 'double';
}

/** The hits of one shard in their order. `document` finds a document by its key. */
export function sortedRows(
  sort: Sort,
  { keys, scores, sortValues }: SearchResult,
  document: (key: number) => StoredDocument | undefined,
): SortedRow[] {
  const values = decodeSortValues(sortValues, keys.length, coreKeys(sort).map(typeOf));
  const rows = values.map((own, i) => ({ key: keys[i]!, score: scores[i]!, values: own }));
  if (!needsAllHits(sort)) return rows;
  // What the core doesn't know is put in its place, and decides anew; what it leaves equal stays in order.
  for (const row of rows) {
    const found = document(row.key);
    const uid = found === undefined ? null : utf8.encode(`${found.type}#${found.id}`);
    let next = 0;
    row.values = sort.keys.map((key) => {
      if (key.kind === 'uid') return uid;
      const value = row.values[next++]!;
      return key.kind === 'script' && key.textual ? utf8.encode(doubleText(Number(value))) : value;
    });
  }
  return rows.sort((a, b) => compareRows(sort.keys, a, b));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares two values by a key: negative if `a` comes first. */
function compareValues(key: SortKey, a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    const last = key.kind !== 'column' || key.missing !== 'first';
    return (a === null) === last ? 1 : -1;
  }
  let order: number;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    // Indices may have different types under one name.
    if (a instanceof Uint8Array && b instanceof Uint8Array) order = compareBytes(a, b);
    else order = a instanceof Uint8Array ? 1 : -1;
  } else order = a < b ? -1 : a > b ? 1 : 0;
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
