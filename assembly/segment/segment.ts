import { ERR_FIELDDATA } from '../abi/status';
import { Bitset, fillOnes, sizeInBytes } from '../memory/bitset';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { fail } from '../requestStatus';
import { Dictionary } from '../terms/dictionary';
import { dropFilterList } from './filterList';

/** An opened segment: an image and which of its documents live. README.md draws the image. */

export const MAGIC: u32 = 0x4e4c5352;
export const FORMAT_VERSION: u32 = 2;
/** The oldest version that is read: one without columns. */
export const OLDEST_VERSION: u32 = 1;
export const HEADER_BYTES: u32 = 96;
export const FIELD_ENTRY_BYTES: u32 = 48;
/** Where the checksum starts to count. */
export const CHECKSUM_FROM: u32 = 24;

/** Field flags, as in fieldDefine. */
export const FIELD_FREQS: u32 = 1;
export const FIELD_POSITIONS: u32 = 2;
export const FIELD_NORMS: u32 = 4;
/** Flags of how a field's postings are written, as the field table has them. */
export const FIELD_INVERTED: u32 = FIELD_FREQS | FIELD_POSITIONS | FIELD_NORMS;
/** The kind of the field's column, in bits 3..5 of fieldDefine's flags; 0: its segments hold none. */
export const FIELD_COLUMN_SHIFT: u32 = 3;
export const FIELD_COLUMN: u32 = 7 << FIELD_COLUMN_SHIFT;
/** Tokens at the position of the one before count in norms too. */
export const FIELD_OVERLAPS: u32 = 64;
/** Documents with a term of the field that begins with two underscores are nested (blocks.ts). */
export const FIELD_HIDES: u32 = 128;

/** The kind of the column that fieldDefine's flags ask for. */
export function columnKind(flags: u32): u32 {
  return (flags & FIELD_COLUMN) >> FIELD_COLUMN_SHIFT;
}

@unmanaged
export class Segment {
  /** Address of the image. */
  image: usize;
  /** Bytes of the image. */
  length: u32;
  docCount: u32;
  fieldCount: u32;
  /** Documents that have not been deleted; 0: all. */
  live: usize;
  liveCount: u32;
  /** Unique within the shard. */
  id: u32;
  /** Users besides the shard's list. */
  refs: u32;
  /** The live documents after the refresh in progress (0: as `live`). */
  nextLive: usize;
  nextLiveCount: u32;
  /** Documents that are not nested (blocks.ts); 0: all. */
  parents: usize;
  /** Documents that searches see, those of both `live` and `parents`; 0: all. It is one of them where that says it all. */
  visible: usize;
  /** Counts what `visible` has been. */
  view: u32;
  /** Room for `visible` after the refresh in progress, where it needs some. */
  nextVisible: usize;
  /** Address of the field table. */
  fieldTable: usize;
  firstKey: u64;
  lastKey: u64;
  /** Packed key excesses and their width. */
  excess: usize;
  excessBits: u32;
  /** The first of its cached filters (filterList.ts). */
  filters: usize;
  /** Filters that had to make room for others. */
  filterEvictions: u32;
  /** Address of the column table. */
  columnTable: usize;
  columnCount: u32;
  /** Columns made in memory (fielddata.ts): heap blocks that begin with u32 next block, u32 own size. */
  fielddata: usize;
  /** Which columns of the image searches have asked for, a byte each in the order of the table; 0: none. */
  loaded: usize;
  /** Bytes of these. */
  loadedBytes: u64;
  /** Sums by field entry (search/frequencies.ts), the first negative where not worked out yet; 0 if none are. */
  frequencySums: usize;
  /** The uids of its documents (uids.ts), 0 until they are needed. */
  uids: usize;
  /** Numbers of uids (families.ts): heap blocks that begin with u32 next block, u32 own size. */
  parentOrdinals: usize;

  @inline isLive(doc: u32): bool {
    return !this.live || Bitset.get(this.live, doc);
  }
}

/** An entry of the field table. */
export class FieldEntry {
  @inline static field(entry: usize): u32 {
    return load<u16>(entry);
  }
  @inline static flags(entry: usize): u32 {
    return load<u16>(entry, 2);
  }
  @inline static terms(entry: usize): u32 {
    return load<u32>(entry, 4);
  }
  /** Documents that have a term in the field. */
  @inline static docs(entry: usize): u32 {
    return load<u32>(entry, 44);
  }
  @inline static postings(seg: Segment, entry: usize): usize {
    return seg.image + load<u32>(entry, 24);
  }
  @inline static postingsEnd(seg: Segment, entry: usize): usize {
    return seg.image + load<u32>(entry, 24) + load<u32>(entry, 28);
  }
  /** Address of the positions of long lists; 0 if the field stores none. */
  @inline static positions(seg: Segment, entry: usize): usize {
    const offset = load<u32>(entry, 32);
    return offset ? seg.image + offset : 0;
  }
  @inline static positionsEnd(seg: Segment, entry: usize): usize {
    return seg.image + load<u32>(entry, 32) + load<u32>(entry, 36);
  }
  /** Bytes of the dictionary's blocks, the postings and the positions. */
  @inline static bytes(entry: usize): u64 {
    return <u64>load<u32>(entry, 12) + <u64>load<u32>(entry, 28) + <u64>load<u32>(entry, 36);
  }
  /** Address of the norms, one byte a document; 0 if the field has none. */
  @inline static norms(seg: Segment, entry: usize): usize {
    const offset = load<u32>(entry, 40);
    return offset ? seg.image + offset : 0;
  }
}

/** Address of a field's entry in the field table, or 0. */
export function findField(seg: Segment, field: u32): usize {
  let low: i32 = 0;
  let high: i32 = <i32>seg.fieldCount - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const entry = seg.fieldTable + <usize>middle * FIELD_ENTRY_BYTES;
    const found = FieldEntry.field(entry);
    if (found == field) return entry;
    if (found < field) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** Makes `dict` the view of a field's dictionary. */
export function openDictionary(seg: Segment, entry: usize, dict: Dictionary): void {
  dict.blocks = seg.image + load<u32>(entry, 8);
  dict.end = dict.blocks + load<u32>(entry, 12);
  dict.index = seg.image + load<u32>(entry, 16);
  dict.blockCount = load<u32>(entry, 20);
  dict.termCount = load<u32>(entry, 4);
  dict.docCount = seg.docCount;
  dict.postingsBytes = load<u32>(entry, 28);
}

/** Key of a document below docCount. */
export function keyOf(seg: Segment, doc: u32): u64 {
  const bits = <u64>seg.excessBits;
  let key = seg.firstKey + doc;
  if (bits) {
    const at = <u64>doc * bits;
    key += (load<u64>(seg.excess + <usize>(at >> 3)) >> (at & 7)) & (((<u64>1) << bits) - 1);
  }
  return key;
}

/** Document of a key, live or not, or -1. */
export function docOfKey(seg: Segment, key: u64): i32 {
  if (!seg.docCount || key < seg.firstKey || key > seg.lastKey) return -1;
  if (!seg.excessBits) return <i32>(key - seg.firstKey);
  // A document's key is at least its number above the first, and each step up costs one at least.
  let low: u32 = 0;
  const reach = key - seg.firstKey;
  let high = reach < <u64>seg.docCount ? <u32>reach : seg.docCount - 1;
  const fromEnd = seg.lastKey - key;
  if (fromEnd < <u64>(seg.docCount - 1)) low = seg.docCount - 1 - <u32>fromEnd;
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (keyOf(seg, middle) < key) low = middle + 1;
    else high = middle;
  }
  return keyOf(seg, low) == key ? <i32>low : -1;
}

/** Makes a segment of an image that is known to be well formed; null without memory. */
export function openSegment(image: usize, length: u32, id: u32): Segment | null {
  const at = heapAllocZeroed(offsetof<Segment>());
  if (!at) return null;
  const seg = changetype<Segment>(at);
  seg.image = image;
  seg.length = length;
  seg.docCount = load<u32>(image, 24);
  seg.fieldCount = load<u32>(image, 28);
  seg.liveCount = seg.docCount;
  seg.id = id;
  seg.fieldTable = image + load<u32>(image, 48);
  seg.firstKey = load<u64>(image, 32);
  seg.columnTable = image + load<u32>(image, 52);
  seg.columnCount = load<u32>(image, 56);
  seg.excess = image + load<u32>(image, 40);
  seg.excessBits = load<u32>(image, 44);
  seg.lastKey = seg.docCount ? keyOf(seg, seg.docCount - 1) : seg.firstKey;
  return seg;
}

/** Bytes of what searches need of fields' values, of all segments: columns asked for, those made in memory, uids, numbers of uids. */
export let fielddataBytes: u64 = 0;
/** Most bytes of it. */
let mostFielddata: f64 = Infinity;

/** Bounds what searches may need; what is there stays. */
export function limitFielddata(bytes: f64): void {
  mostFielddata = bytes;
}

/** Whether so many bytes of a field's values may be had besides what there is; else the request fails. */
export function mayHaveFielddata(bytes: u64, field: u32): bool {
  if (<f64>(fielddataBytes + bytes) <= mostFielddata) return true;
  fail(ERR_FIELDDATA - <i32>field);
  return false;
}

/** Accounts for values of a segment. */
export function countFielddata(bytes: u64): void {
  fielddataBytes += bytes;
}

/** Forgets which columns were asked for, and those made in memory. */
export function dropColumns(seg: Segment): void {
  for (let block = seg.fielddata; block; ) {
    const next = <usize>load<u32>(block);
    fielddataBytes -= load<u32>(block, 4);
    heapFree(block);
    block = next;
  }
  seg.fielddata = 0;
  fielddataBytes -= seg.loadedBytes;
  seg.loadedBytes = 0;
  heapFree(seg.loaded);
  seg.loaded = 0;
}

/** Drops the cached filters of a segment. */
export function dropFilters(seg: Segment): void {
  dropFilterList(changetype<usize>(seg) + offsetof<Segment>('filters'));
}

/** Forgets the uids of a segment's documents. */
export function dropUids(seg: Segment): void {
  if (seg.uids) fielddataBytes -= load<u32>(seg.uids);
  heapFree(seg.uids);
  seg.uids = 0;
}

/** Forgets the numbers of a segment's uids. */
export function dropParentOrdinals(seg: Segment): void {
  for (let block = seg.parentOrdinals; block; ) {
    const next = <usize>load<u32>(block);
    fielddataBytes -= load<u32>(block, 4);
    heapFree(block);
    block = next;
  }
  seg.parentOrdinals = 0;
}

/** Frees a segment and all it holds. */
export function freeSegment(seg: Segment): void {
  dropFilters(seg);
  dropColumns(seg);
  dropParentOrdinals(seg);
  heapFree(seg.frequencySums);
  if (seg.visible != seg.live && seg.visible != seg.parents) heapFree(seg.visible);
  dropUids(seg);
  heapFree(seg.live);
  heapFree(seg.nextLive);
  heapFree(seg.parents);
  heapFree(seg.nextVisible);
  heapFree(seg.image);
  heapFree(changetype<usize>(seg));
}

/** A copy of a segment's live set, or a full set where all documents live; 0 without memory. */
export function copyLive(seg: Segment): usize {
  const bytes = sizeInBytes(seg.docCount);
  const set = heapAlloc(bytes);
  if (!set) return 0;
  if (seg.live) memory.copy(set, seg.live, bytes);
  else fillOnes(set, seg.docCount);
  return set;
}
