/** How far logs may be trimmed as each node says it: what it has on its disk, it needs no more. */
import { isObject } from '../json/values.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { hasCopy } from '../shard/shardCopy.js';
import { readPlace } from '../storage/logRows.js';
import { decodeJson, shardKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';

/** How far a node may have an index's log trimmed. */
export interface KeptIndex {
  /** The least position that a copy goes on from; undefined where the node has none. */
  copies?: number;
  /** The last change of the mapping that the node has carried out, 0 for none. */
  mapping: number;
}

/** How far a node may have all logs trimmed. */
export interface Kept {
  /** The last change of the metadata that the node has. */
  metadata: number;
  /** By uuid; an index that isn't there is not known to the node yet. */
  indices: Readonly<Record<string, KeptIndex>>;
}

/** The least position that the copies in a store go on from; undefined where it has none, and makes none. */
export function keptByCopies(
  storage: Storage,
  { metadata }: OpenIndex,
  holds: (shard: number) => boolean,
): number | undefined {
  let least: number | undefined;
  metadata.shardUids.forEach((uid, shard) => {
    // One that is being fetched goes on from where the other node has it.
    if (storage.get(shardKey('g', uid)) !== undefined) return;
    if (!hasCopy(storage, uid) && !holds(shard)) return;
    const position = readPlace(storage, uid)?.position ?? 0;
    least = Math.min(least ?? position, position);
  });
  return least;
}

/** What another node says is checked. */
export function readKept(bytes: Uint8Array): Kept {
  const kept: unknown = decodeJson(bytes);
  if (!isObject(kept) || !isObject(kept.indices)) throw new Error('an answer that is none');
  const indices: Record<string, KeptIndex> = {};
  for (const [uuid, each] of Object.entries(kept.indices)) {
    if (!isObject(each)) throw new Error('an answer that is none');
    const copies = each.copies === undefined ? {} : { copies: count(each.copies) };
    indices[uuid] = { ...copies, mapping: count(each.mapping) };
  }
  return { metadata: count(kept.metadata), indices };
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error('a number that is none');
  return value as number;
}
