/** What a sorted search found in one shard, row by row. */

import type { SearchResult } from '../core/result.js';
import { decodeSortValues } from '../core/sortValues.js';
import { coreKeys, needsAllHits, type Sort } from '../dsl/sortKeys.js';
import { compareRows, type SortedRow, sortValueType } from '../dsl/sortedOrder.js';
import { doubleText } from '../mapping/javaNumbers.js';
import type { StoredDocument } from '../storage/records.js';

const utf8 = new TextEncoder();

/** The hits of one shard in their order. `document` finds a document by its key. */
export function sortedRows(
  sort: Sort,
  { keys, scores, sortValues }: SearchResult,
  document: (key: number) => StoredDocument | undefined,
): SortedRow[] {
  const values = decodeSortValues(sortValues, keys.length, coreKeys(sort).map(sortValueType));
  const rows = values.map((own, i) => ({ key: keys[i]!, score: scores[i]!, values: own }));
  const decides = needsAllHits(sort);
  if (!decides && sort.keys.every(({ kind }) => kind !== 'meta')) return rows;
  // What the core doesn't know is put in its place, and decides anew; what it leaves equal stays in order.
  for (const row of rows) {
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
