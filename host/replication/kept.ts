/** How far logs may be trimmed as each node says it: what it has on its disk, it needs no more. */
import { countOf } from './message.js';
import { isObject } from '../json/values.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { readPlace } from '../storage/logRows.js';
import { decodeJson } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';

/** How far a node may have an index's log trimmed. */
export interface KeptIndex {
  /** The least position that a copy goes on from; undefined where the node has none. */
  copies?: number;
  /** The shards that the node has copies of, whose positions are among those; a node of an earlier version doesn't say. */
  shards?: readonly number[];
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

/** What of logs a node needs. */
export interface NeededLogs {
  storage: Storage;
  /** The last change of the metadata that it has carried out. */
  metadata: number;
  /** The indices that it follows. */
  indices: Iterable<{ index: OpenIndex; mappingPosition: number }>;
  /** Where copies of an index begin that it fetches, or hands over. */
  moving: readonly { keptOf(uuid: string): number | undefined }[];
}

/** How far a node may have logs trimmed. */
export function keptOf({ storage, metadata, indices, moving }: NeededLogs): Kept {
  const kept = [...indices].map(({ index, mappingPosition }) => {
    const { uuid } = index.metadata;
    const positions = [keptByCopies(storage, index), ...moving.map((copies) => copies.keptOf(uuid))].filter(
      (position) => position !== undefined,
    );
    const copies = positions.length === 0 ? {} : { copies: Math.min(...positions) };
    const shards = index.copies.map(({ number }) => number);
    return [uuid, { ...copies, shards, mapping: mappingPosition }] as const;
  });
  return { metadata, indices: Object.fromEntries(kept) };
}

/** The least position that the copies of a node go on from, those too that are being made; undefined where it has none. */
function keptByCopies(storage: Storage, { copies }: OpenIndex): number | undefined {
  const positions = copies.map(({ uid }) => readPlace(storage, uid)?.position ?? 0);
  return positions.length === 0 ? undefined : Math.min(...positions);
}

/** The least position of an index's log from which any of some copies goes on; undefined where none is of that index. */
export function leastPosition(
  copies: Iterable<{ uuid: string; position: number }>,
  uuid: string,
): number | undefined {
  let least: number | undefined;
  for (const copy of copies)
    if (copy.uuid === uuid) least = Math.min(least ?? Number.POSITIVE_INFINITY, copy.position);
  return least;
}

/** What another node says is checked. */
export function readKept(bytes: Uint8Array): Kept {
  const kept: unknown = decodeJson(bytes);
  if (!isObject(kept) || !isObject(kept.indices)) throw new Error('an answer that is none');
  const indices: Record<string, KeptIndex> = {};
  for (const [uuid, each] of Object.entries(kept.indices)) {
    if (!isObject(each)) throw new Error('an answer that is none');
    const copies = each.copies === undefined ? {} : { copies: countOf(each.copies) };
    const shards = Array.isArray(each.shards) ? { shards: each.shards.map(countOf) } : {};
    indices[uuid] = { ...copies, ...shards, mapping: countOf(each.mapping) };
  }
  return { metadata: countOf(kept.metadata), indices };
}
