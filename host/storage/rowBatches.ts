/**
 * Commits as a journal keeps them, one batch behind the other, little endian:
 *
 *     u32   XXH32 of the rest of the batch
 *     u32   bytes of the changes
 *           changes: u32 bytes of the key, u32 bytes of the value (ffffffff: the key is deleted), key, value
 */
import type { Entry } from './storage.js';
import { xxh32 } from './xxh32.js';

const HEAD_BYTES = 8;
const CHANGE_BYTES = 8;
const DELETED = 0xffff_ffff;

/** What a commit does. */
export interface RowBatch {
  puts: readonly Entry[];
  deletes: readonly Uint8Array[];
}

/** Bytes that a batch takes. */
export function batchBytes({ puts, deletes }: RowBatch): number {
  let bytes = HEAD_BYTES + CHANGE_BYTES * (puts.length + deletes.length);
  for (const [key, value] of puts) bytes += key.length + value.length;
  for (const key of deletes) bytes += key.length;
  return bytes;
}

/** Batches in their order. */
export function encodeBatches(batches: readonly RowBatch[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(batches.reduce((sum, batch) => sum + batchBytes(batch), 0));
  const view = new DataView(out.buffer);
  let at = 0;
  const add = (key: Uint8Array, value: Uint8Array | undefined) => {
    view.setUint32(at, key.length, true);
    view.setUint32(at + 4, value === undefined ? DELETED : value.length, true);
    out.set(key, at + CHANGE_BYTES);
    at += CHANGE_BYTES + key.length;
    if (value === undefined) return;
    out.set(value, at);
    at += value.length;
  };
  for (const { puts, deletes } of batches) {
    const from = at;
    at += HEAD_BYTES;
    for (const [key, value] of puts) add(key, value);
    for (const key of deletes) add(key, undefined);
    view.setUint32(from + 4, at - from - HEAD_BYTES, true);
    view.setInt32(from, xxh32(view, from + 4, at), true);
  }
  return out;
}

/** The batch at a place, and where it ends; undefined where none is whole there. Keys and values have bytes of their own. */
export function batchAt(bytes: Uint8Array, from: number): (RowBatch & { end: number }) | undefined {
  if (from + HEAD_BYTES > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = from + HEAD_BYTES + view.getUint32(from + 4, true);
  if (end > bytes.length || view.getInt32(from, true) !== xxh32(view, from + 4, end)) return undefined;
  const puts: Entry[] = [];
  const deletes: Uint8Array[] = [];
  for (let at = from + HEAD_BYTES; at < end; ) {
    if (at + CHANGE_BYTES > end) return undefined;
    const valueAt = at + CHANGE_BYTES + view.getUint32(at, true);
    const length = view.getUint32(at + 4, true);
    const next = length === DELETED ? valueAt : valueAt + length;
    if (next > end) return undefined;
    const key = bytes.slice(at + CHANGE_BYTES, valueAt);
    if (length === DELETED) deletes.push(key);
    else puts.push([key, bytes.slice(valueAt, next)]);
    at = next;
  }
  return { puts, deletes, end };
}
