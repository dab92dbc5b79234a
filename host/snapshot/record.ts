/** What a snapshot is: everything that a restore needs, by reference to the repository's data. */
import type { IndexMetadata } from '../metadata/openIndex.js';
import type { GlobalState, SavedScript } from '../metadata/stored.js';

/** The newest format that is known. */
export const FORMAT = 1;

/** Bytes in a repository, by their SHA-256 in hexadecimal digits. */
export interface DataRef {
  hash: string;
  bytes: number;
}

/** A shard at one moment, by references to its bytes. */
export interface ShardParts<Ref> {
  /** Every operation up to this one is in the segments. */
  checkpoint: number;
  segments: { image: Ref; live: Ref | undefined; documents: number }[];
  /** The stored documents, oldest first; see packedBlobs.ts. */
  packs: Ref[];
  /** Documents that operations after the checkpoint replaced or deleted: pairs of the operation and the document. */
  kills: [seq: number, old: number][];
  documents: number;
}

/** A shard of a snapshot. */
export interface ShardRecord extends ShardParts<DataRef> {
  started: number;
  /** Milliseconds. */
  took: number;
  /** How many of its files and bytes no earlier snapshot had. */
  fresh: { files: number; bytes: number };
}

/** A shard that could not be kept. */
export interface ShardFailure {
  index: string;
  shard: number;
  reason: string;
}

export interface SnapshotRecord {
  format: number;
  snapshot: string;
  state: 'SUCCESS' | 'PARTIAL' | 'FAILED';
  reason?: string;
  started: number;
  ended: number;
  /** What the cluster keeps beside its indices. Older servers kept scripts there too. */
  global?: GlobalState & { scripts?: Record<string, SavedScript> };
  /** Shards that failed are null. */
  indices: { metadata: IndexMetadata; shards: (ShardRecord | null)[] }[];
  failures: ShardFailure[];
}

/** All data that a snapshot needs. */
export function refsOf({ indices }: SnapshotRecord): DataRef[] {
  return indices.flatMap(({ shards }) => shards.flatMap((shard) => (shard === null ? [] : shardRefs(shard))));
}

/** All data that a shard needs. */
export function shardRefs({ segments, packs }: ShardRecord): DataRef[] {
  return [...segments.flatMap(({ image, live }) => (live === undefined ? [image] : [image, live])), ...packs];
}
