/** What a sorted search found in one shard, row by row. */

import type { SearchResult } from '../core/result.js';
import { decodeSortValues } from '../core/sortValues.js';
import { coreKeys, type Sort } from '../plan/sortKeys.js';
import { completeRows, type SortedRow, sortValueType } from '../query/sort/sortedOrder.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** The hits of one shard in their order. `document` finds a document by its key. */
export function sortedRows(
  sort: Sort,
  { keys, scores, sortValues }: SearchResult,
  document: (key: number) => StoredDocument | undefined,
): SortedRow[] {
  const values = decodeSortValues(sortValues, keys.length, coreKeys(sort).map(sortValueType));
  const rows = values.map((own, i) => ({ key: keys[i]!, score: scores[i]!, values: own }));
  return completeRows(sort, rows, document);
}
