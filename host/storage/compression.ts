/** What compresses documents: a part that browsers load when the first shard has so many documents that it is worth it. */
import { LatePart } from '../latePart.js';
import { kindRange } from './records.js';
import type { Storage } from './storage.js';

export const compression = new LatePart(
  'what compresses documents',
  [],
  () => import('./packedDocuments.js'),
);

/** Of the numbers of shards; no store has it. */
const LAST_SHARD = 0xffff_ffff;

/** Loads what reads packed documents, if a store has any. */
export async function loadForPacked(storage: Pick<Storage, 'range'>): Promise<void> {
  const [from] = kindRange('z', 0);
  const [to] = kindRange('z', LAST_SHARD);
  const [first] = storage.range(from, to, { limit: 1, keysOnly: true });
  if (first !== undefined) await compression.load();
}
