/**
 * Bytes that a shard's rows take in the store, from a sample of its documents. An ordered store doesn't tell how much lies between two keys;
 * rows of documents are numbered by operations, so places that are spread evenly over these numbers are as good as any chosen by chance:
 *
 *     bytes = (newest − oldest + 1) × mean over the places of (bytes of the next document ÷ its distance from the one before)
 *
 * A document stands for as many places as there are numbers since the one before it, which the division makes up for: numbers without a
 * row, of nested and of deleted documents, count nothing.
 */
import { documentUid } from '../storage/storedDocuments.js';
import { kindRange, SEQ_KEY_BYTES, seqKey, seqOfKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';

/** Documents that are looked at; a shard of no more than twice as many numbers is counted. */
const SAMPLES = 64;
/** What LMDB needs for a row beside its key and value: the head of a node and where it is. */
const NODE_BYTES = 10;
/** Larger rows have pages of their own. */
const MOST_IN_PAGE = 2034;
const PAGE_BYTES = 4096;
const PAGE_HEAD_BYTES = 24;
/** Behind each value. */
const CHECKSUM_BYTES = 4;
/** The record of an id, without the id. */
const ID_ROW_BYTES = NODE_BYTES + 5 + 10;

const ONE = { limit: 1, keysOnly: true } as const;
const nothing = () => {};

/** Numbers that documents of a shard have: from the oldest, so many; undefined without any. */
function numbersOf(storage: Storage, uid: number): { oldest: number; span: number } | undefined {
  const [from, to] = kindRange('d', uid);
  const [first] = storage.range(from, to, ONE);
  const [last] = storage.range(from, to, { ...ONE, reverse: true });
  if (first === undefined || last === undefined) return undefined;
  const oldest = seqOfKey(first[0]);
  return { oldest, span: seqOfKey(last[0]) - oldest + 1 };
}

function place(uid: number, { oldest, span }: { oldest: number; span: number }, i: number): Uint8Array {
  return seqKey('d', uid, oldest + Math.floor(((i + 0.5) * span) / SAMPLES));
}

/** Keys near which {@link rowBytes} will read, so that they can be read into memory before; none where it counts. */
export function sampledKeys(storage: Storage, uid: number): Uint8Array[] {
  const numbers = numbersOf(storage, uid);
  if (numbers === undefined || numbers.span <= 2 * SAMPLES) return [];
  return Array.from({ length: SAMPLES }, (_, i) => place(uid, numbers, i));
}

/** Bytes of the documents of a shard in the store, and of the records of their ids. @param uid the shard's number in the store */
export function rowBytes(storage: Storage, uid: number): number {
  const numbers = numbersOf(storage, uid);
  if (numbers === undefined) return 0;
  const { oldest, span } = numbers;
  const [from, to] = kindRange('d', uid);
  let sum = dictionaryBytes(storage, uid);
  if (span <= 2 * SAMPLES) {
    for (const [, row] of storage.range(from, to, { damaged: nothing })) sum += bytesOf(row);
    return sum;
  }
  let share = 0;
  for (let i = 0; i < SAMPLES; i++) {
    const at = place(uid, numbers, i);
    const [next] = storage.range(at, to, { limit: 1, damaged: nothing });
    if (next === undefined) continue;
    const [before] = storage.range(from, at, { ...ONE, reverse: true });
    const distance = seqOfKey(next[0]) - (before === undefined ? oldest - 1 : seqOfKey(before[0]));
    share += bytesOf(next[1]) / distance;
  }
  return sum + Math.round((span * share) / SAMPLES);
}

/** A document's row, and the record of its id. */
function bytesOf(row: Uint8Array): number {
  return nodeBytes(SEQ_KEY_BYTES, row.length) + ID_ROW_BYTES + documentUid(row).length;
}

/** What LMDB needs for a row. */
function nodeBytes(key: number, value: number): number {
  const length = value + CHECKSUM_BYTES;
  if (NODE_BYTES - 2 + key + length <= MOST_IN_PAGE) return NODE_BYTES + key + length;
  return NODE_BYTES + key + 8 + PAGE_BYTES * Math.ceil((PAGE_HEAD_BYTES + length) / PAGE_BYTES);
}

/** What sources are compressed with. */
function dictionaryBytes(storage: Storage, uid: number): number {
  let sum = 0;
  for (const [key, row] of storage.range(...kindRange('z', uid), { damaged: nothing }))
    sum += nodeBytes(key.length, row.length);
  return sum;
}
