import { COLUMN_GEO } from '../abi/columns';
import { ERR_ARGUMENT, ERR_LIMIT, ERR_MEMORY, OK } from '../abi/status';
import { ANALYZER_NONE, analyzerDrop, analyzerHold, isAnalyzer } from '../analysis/analyzers';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { Buffer } from './buffer';
import { FlushJob } from './flush';
import { MergeJob } from './merge';
import {
  columnKind,
  FIELD_COLUMN,
  FIELD_FREQS,
  FIELD_HIDES,
  FIELD_INVERTED,
  FIELD_NORMS,
  FIELD_OVERLAPS,
  FIELD_POSITIONS,
  freeSegment,
  Segment,
} from './segment';

/** The state of every shard, by handle. */

const ALL_FLAGS: u32 = FIELD_INVERTED | FIELD_COLUMN | FIELD_OVERLAPS | FIELD_HIDES;
/** Flags that a field may lose. */
const NORM_FLAGS: u32 = FIELD_NORMS | FIELD_OVERLAPS;
/** Fields of a shard: slots plus one fit in 16 bits. */
const MAX_FIELDS: u32 = 0xffff;

/** Bytes of a filter of terms without an automaton (fielddata.ts). */
export const FILTER_BYTES: u32 = 20;

/** Definition of a field, as given to fieldDefine. */
@unmanaged
export class FieldDefinition {
  field: u16;
  flags: u16;
  /** A handle of analysis/analyzers.ts, held as long as the shard lives. */
  analyzer: u32;
  /** Counts once per value in the norm. */
  boost: f32;
  /** Positions between two analyzed values of a document. */
  positionGap: u32;
  /** Which of its terms searches see by document (fielddata.ts): a heap block, 0: all. */
  filter: usize;
  filterLength: u32;
}

/**
 * One shard. Searches see the first `segmentCount` segments with their `live` sets: the state at the end of the last refresh.
 * Segments after these were flushed since, because a buffer was full, and wait for the next refresh; so do the deletions in
 * `deletes`.
 */
@unmanaged
export class Shard {
  handle: u32;
  /** Pointers to the segments, in document order. */
  segments: usize;
  /** How many of them searches see. */
  segmentCount: u32;
  /** How many there are. */
  allCount: u32;
  private segmentRoom: u32;
  private lastId: u32;
  /** Field definitions in the order they were made; a definition's index is its slot. */
  definitions: usize;
  fieldCount: u32;
  private fieldRoom: u32;
  /** u16 per field: its slot plus one, 0 where undefined. */
  private slots: usize;
  private slotRoom: u32;
  /** The smallest key that the next document may have. */
  nextKey: u64;
  /** Documents not yet in a segment; null: none. */
  buffer: Buffer | null;
  flush: FlushJob | null;
  merge: MergeJob | null;
  /** Keys (u64) of deletions that the next refresh makes visible. */
  deletes: usize;
  deleteCount: u32;
  deleteRoom: u32;
  /** A refresh was asked for while a flush was on its way. */
  refreshWanted: bool;
  /** A merge failed; no other is tried before something changes. */
  mergesBlocked: bool;
  /** Segments that a forced merge goes down to; 0: none is wanted. */
  forceTo: u32;
  /** One more than the field whose terms hide documents (blocks.ts); 0: none does. */
  hiding: u32;
  /** The numbers given to uids lie below this (families.ts). */
  familyCount: u32;
  /** The fields by whose terms they were given, as `fieldPair` writes them; 0 before there were any. */
  familyFields: u32;
  /** Merges that were done, and documents and image bytes that they read. */
  mergeCount: u32;
  mergedDocs: u64;
  mergedBytes: u64;
  /** Filters of segments that are gone that had had to make room for others. */
  filterEvictions: u64;
  /** How often what searches see has changed. */
  changes: u32;

  /** The i-th segment in document order. */
  @inline segment(i: u32): Segment {
    return changetype<Segment>(load<usize>(this.segments + ((<usize>i) << 2)));
  }

  /** The definition in a slot. */
  @inline slot(i: u32): FieldDefinition {
    return changetype<FieldDefinition>(this.definitions + <usize>i * offsetof<FieldDefinition>());
  }

  /** Slot of a field, or -1. */
  @inline slotOf(field: u32): i32 {
    return field < this.slotRoom ? <i32>load<u16>(this.slots + ((<usize>field) << 1)) - 1 : -1;
  }

  /** The definition of a field, or null. */
  definition(field: u32): FieldDefinition | null {
    const slot = this.slotOf(field);
    return slot < 0 ? null : this.slot(slot);
  }

  /** Kind of a field's column, 0 if it has none or isn't defined. */
  columnKind(field: u32): u32 {
    const slot = this.slotOf(field);
    return slot < 0 ? 0 : columnKind(<u32>this.slot(slot).flags);
  }

  /** Flags of a field, or -1 if it isn't defined. */
  fieldFlags(field: u32): i32 {
    const slot = this.slotOf(field);
    return slot < 0 ? -1 : <i32>this.slot(slot).flags;
  }

  /** Makes sure that one more segment can be inserted. */
  reserveSegment(): bool {
    if (this.allCount < this.segmentRoom) return true;
    const room = max(this.segmentRoom << 1, 4);
    const moved = heapRealloc(this.segments, room << 2);
    if (!moved) return false;
    this.segments = moved;
    this.segmentRoom = room;
    return true;
  }

  /** An id for a new segment. */
  newId(): u32 {
    return ++this.lastId;
  }

  /** No other segment gets that id. */
  usedId(id: u32): void {
    this.lastId = max(this.lastId, id);
  }

  /** Inserts a segment; `reserveSegment` has made room. It is visible if those after it are. */
  insertSegment(at: u32, seg: Segment): void {
    const place = this.segments + ((<usize>at) << 2);
    memory.copy(place + 4, place, (this.allCount - at) << 2);
    store<usize>(place, changetype<usize>(seg));
    ++this.allCount;
    if (at >= this.segmentCount) return;
    ++this.segmentCount;
    ++this.changes;
  }

  /** Takes `count` segments out of the list and frees them. */
  removeSegments(at: u32, count: u32): void {
    for (let i = at; i < at + count; i++) {
      const seg = this.segment(i);
      this.filterEvictions += seg.filterEvictions;
      freeSegment(seg);
    }
    const place = this.segments + ((<usize>at) << 2);
    memory.copy(place, place + ((<usize>count) << 2), (this.allCount - at - count) << 2);
    this.allCount -= count;
    if (at >= this.segmentCount) return;
    this.segmentCount -= count;
    ++this.changes;
  }

  /** Removes the segments without live documents that no job is reading. */
  dropEmptySegments(): void {
    for (let i = this.allCount; i > 0; i--) {
      const seg = this.segment(i - 1);
      if (!seg.liveCount && !seg.refs) this.removeSegments(i - 1, 1);
    }
  }

  /** Adds the definition of a field, or takes its norms away. */
  define(field: u32, flags: u32, analyzer: u32, boost: f32, positionGap: u32): i32 {
    if (field > 0xffff || flags & ~ALL_FLAGS || !isAnalyzer(analyzer)) return ERR_ARGUMENT;
    if (flags & FIELD_POSITIONS && !(flags & FIELD_FREQS)) return ERR_ARGUMENT;
    // A column holds terms as they were given.
    if (flags & FIELD_COLUMN && analyzer != ANALYZER_NONE) return ERR_ARGUMENT;
    if (columnKind(flags) > COLUMN_GEO) return ERR_ARGUMENT;
    const known = this.definition(field);
    if (known) {
      // Norms may be given up: documents from now on have none.
      const same =
        (known.flags == flags || (<u32>known.flags & ~NORM_FLAGS) == flags) &&
        known.analyzer == analyzer &&
        reinterpret<u32>(known.boost) == reinterpret<u32>(boost) &&
        known.positionGap == positionGap;
      if (!same) return ERR_ARGUMENT;
      known.flags = <u16>flags;
      return OK;
    }
    if (this.fieldCount == MAX_FIELDS) return ERR_LIMIT;
    if (field >= this.slotRoom) {
      const room = max(field + 1, min(this.slotRoom << 1, 0x10000));
      const slots = heapRealloc(this.slots, room << 1);
      if (!slots) return ERR_MEMORY;
      memory.fill(slots + ((<usize>this.slotRoom) << 1), 0, (room - this.slotRoom) << 1);
      this.slots = slots;
      this.slotRoom = room;
    }
    if (this.fieldCount == this.fieldRoom) {
      const room = max(this.fieldRoom << 1, 8);
      const definitions = heapRealloc(this.definitions, room * offsetof<FieldDefinition>());
      if (!definitions) return ERR_MEMORY;
      this.definitions = definitions;
      this.fieldRoom = room;
    }
    const added = this.slot(this.fieldCount++);
    added.field = <u16>field;
    added.flags = <u16>flags;
    added.analyzer = analyzer;
    analyzerHold(analyzer);
    added.boost = boost;
    added.positionGap = positionGap;
    added.filter = 0;
    added.filterLength = 0;
    store<u16>(this.slots + ((<usize>field) << 1), <u16>this.fieldCount);
    if (flags & FIELD_HIDES) this.hiding = field + 1;
    return OK;
  }

  /** Says which terms of a field columns made from now on have: all without bytes. */
  filterTerms(field: u32, ptr: usize, length: u32): i32 {
    const definition = this.definition(field);
    if (!definition || (length && length < FILTER_BYTES)) return ERR_ARGUMENT;
    const filter = length ? heapAlloc(length) : 0;
    if (length && !filter) return ERR_MEMORY;
    memory.copy(filter, ptr, length);
    heapFree(definition.filter);
    definition.filter = filter;
    definition.filterLength = length;
    return OK;
  }

  /** Adds a deletion; false without memory. */
  addDelete(key: u64): bool {
    if (this.deleteCount == this.deleteRoom) {
      const room = max(this.deleteRoom << 1, 16);
      const moved = heapRealloc(this.deletes, room << 3);
      if (!moved) return false;
      this.deletes = moved;
      this.deleteRoom = room;
    }
    store<u64>(this.deletes + ((<usize>this.deleteCount) << 3), key);
    ++this.deleteCount;
    return true;
  }

  /** Drops the oldest `count` deletions, and the list when that empties it. */
  dropDeletes(count: u32): void {
    this.deleteCount -= count;
    if (this.deleteCount) {
      memory.copy(this.deletes, this.deletes + ((<usize>count) << 3), this.deleteCount << 3);
      return;
    }
    heapFree(this.deletes);
    this.deletes = 0;
    this.deleteRoom = 0;
  }

  /** Drops all but the oldest `count` deletions. */
  dropNewDeletes(count: u32): void {
    this.deleteCount = count;
    if (!count) this.dropDeletes(0);
  }

  /** Frees the shard and all it holds. */
  free(): void {
    const buffer = this.buffer;
    if (buffer) buffer.free();
    const flush = this.flush;
    if (flush) flush.free();
    const merge = this.merge;
    if (merge) merge.free();
    if (this.allCount) this.removeSegments(0, this.allCount);
    for (let i: u32 = 0; i < this.fieldCount; i++) {
      analyzerDrop(this.slot(i).analyzer);
      heapFree(this.slot(i).filter);
    }
    heapFree(this.segments);
    heapFree(this.definitions);
    heapFree(this.slots);
    heapFree(this.deletes);
    heapFree(changetype<usize>(this));
  }
}

/** Shards by handle - 1, 0 where dropped. */
let shards: usize = 0;
let shardRoom: u32 = 0;
/** Handles below this one are taken. */
let firstFree: u32 = 1;

/** The shard of a handle, or null. */
export function getShard(handle: u32): Shard | null {
  if (handle - 1 >= shardRoom) return null;
  return changetype<Shard | null>(load<usize>(shards + ((<usize>(handle - 1)) << 2)));
}

/** Makes an empty shard and returns its handle, or ERR_MEMORY. */
export function shardCreate(): i32 {
  let handle = firstFree;
  while (getShard(handle)) ++handle;
  if (handle > shardRoom) {
    const room = max(shardRoom << 1, 16);
    const moved = heapAlloc(room << 2);
    if (!moved) return ERR_MEMORY;
    memory.copy(moved, shards, shardRoom << 2);
    memory.fill(moved + ((<usize>shardRoom) << 2), 0, (room - shardRoom) << 2);
    heapFree(shards);
    shards = moved;
    shardRoom = room;
  }
  const at = heapAllocZeroed(offsetof<Shard>());
  if (!at) return ERR_MEMORY;
  changetype<Shard>(at).handle = handle;
  store<usize>(shards + ((<usize>(handle - 1)) << 2), at);
  firstFree = handle + 1;
  return <i32>handle;
}

/** Frees a shard; its handle may be given out again. */
export function shardDrop(handle: u32): i32 {
  const shard = getShard(handle);
  if (!shard) return ERR_ARGUMENT;
  shard.free();
  store<usize>(shards + ((<usize>(handle - 1)) << 2), 0);
  firstFree = min(firstFree, handle);
  return OK;
}
