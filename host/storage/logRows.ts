/** The rows that say how far a shard has followed the log of its index; they are in the transaction of what the log made of it. */
import { textKey, shardKey, kindRange, decodeKeyText } from './records.js';
import type { Entry, Storage } from './storage.js';

/** A message of a log, as the shard that carries it out knows it. */
export interface LogPlace {
  position: number;
  /** Of the message at that position. */
  checksum: number;
  /** When the newest message was made, in milliseconds. */
  time: number;
  /** Deletions from before count no more: the newest that messages have said. */
  horizon: number;
  /** Who wrote it, by process, and the number of the message among those of that writer for the shard. */
  writer: string;
  number: number;
  /** Whether copies are compared by its checksum, and not by its outcomes alone. */
  isCompared?: boolean | undefined;
  /** Writers of whom nothing will come any more: what is remembered of them goes with it. */
  forgotten?: readonly string[];
}

/** How far a shard is. */
export interface ShardPlace {
  position: number;
  checksum: number;
  time: number;
  horizon: number;
}

const PLACE_BYTES = 28;

/** The row of a place. */
export function placeRow(shard: number, place: ShardPlace): Entry {
  const bytes = new Uint8Array(PLACE_BYTES);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, place.position);
  view.setFloat64(8, place.time);
  view.setFloat64(16, place.horizon);
  view.setUint32(24, place.checksum);
  return [shardKey('p', shard), bytes];
}

/** How far a shard of the store is; undefined where it follows no log, or has read nothing of it. */
export function readPlace(storage: Storage, shard: number): ShardPlace | undefined {
  const bytes = storage.get(shardKey('p', shard));
  if (bytes === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    position: view.getFloat64(0),
    time: view.getFloat64(8),
    horizon: view.getFloat64(16),
    checksum: view.getUint32(24),
  };
}

/** The row of the last message of a writer. */
export function writerRow(shard: number, { writer, number, time }: LogPlace): Entry {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, number);
  view.setFloat64(8, time);
  return [writerKey(shard, writer), bytes];
}

/** The key of what is remembered of a writer. */
export function writerKey(shard: number, writer: string): Uint8Array {
  return textKey('w', shard, writer);
}

/** The last message of a writer, and when it was made. */
export interface LastMessage {
  number: number;
  time: number;
}

/** The last message of each writer of a shard. */
export function readWriters(storage: Storage, shard: number): Map<string, LastMessage> {
  const writers = new Map<string, LastMessage>();
  for (const [key, value] of storage.range(...kindRange('w', shard))) {
    const view = new DataView(value.buffer, value.byteOffset);
    writers.set(decodeKeyText(key), { number: view.getFloat64(0), time: view.getFloat64(8) });
  }
  return writers;
}
