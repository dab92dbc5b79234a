/** What the core tells of a shard (`assembly/segment/README.md`, *shardInfo* and *shardFielddata*). */

/** Counters of a shard. */
export interface CoreStats {
  /** Bytes of documents that are in no segment yet. */
  bufferBytes: number;
  merges: {
    current: number;
    currentDocs: number;
    currentBytes: number;
    total: number;
    totalDocs: number;
    totalBytes: number;
  };
  /** Cached filters. */
  filters: { bytes: number; evictions: number };
  /** Bytes of the sets that tell documents from their nested ones. */
  hidingBytes: number;
}

/** Bytes that searches have needed: a field's values, its numbers for joins, or the uids of documents. */
export interface FieldBytes {
  kind: 'column' | 'family' | 'uids';
  field: number;
  bytes: number;
}

/** What can be dropped; they add up. */
export const Cache = { filters: 1, fielddata: 2, families: 4, all: 7 } as const;

/** What stands for the uids where fields have numbers. */
export const UIDS_FIELD = 0xffff;

const KINDS = ['column', 'family', 'uids'] as const;
const RECORD = 16;

/** Reads the bytes of `shardInfo`. */
export function decodeShardInfo(bytes: Uint8Array): CoreStats {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u32 = (at: number) => view.getUint32(at, true);
  const u64 = (at: number) => Number(view.getBigUint64(at, true));
  return {
    bufferBytes: u64(8),
    merges: {
      current: (u32(68) >>> 1) & 1,
      currentDocs: u64(96),
      currentBytes: u64(104),
      total: u32(76),
      totalDocs: u64(80),
      totalBytes: u64(88),
    },
    filters: { bytes: u64(112), evictions: u64(120) },
    hidingBytes: u64(128),
  };
}

/** Reads the bytes of `shardFielddata`. */
export function decodeFielddata(bytes: Uint8Array): FieldBytes[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / RECORD }, (_, i) => ({
    kind: KINDS[view.getUint32(i * RECORD, true)]!,
    field: view.getUint32(i * RECORD + 4, true),
    bytes: Number(view.getBigUint64(i * RECORD + 8, true)),
  }));
}
