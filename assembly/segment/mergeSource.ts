import { Bitset, sizeInBytes } from '../memory/bitset';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { PostingsSource } from './postingsSource';
import { FIELD_ENTRY_BYTES, FieldEntry, Segment } from './segment';

/** A segment that is being merged with others. */
@unmanaged
export class MergeSource {
  seg: Segment;
  /** Number in the result of the segment's first live document. */
  base: u32;
  /** The live documents when the merge began; 0: all. */
  live: usize;
  liveCount: u32;
  /** Live documents before each u64 word of `live`, u32 each. */
  private ranks: usize;
  /** Index of the field table's entry that comes next. */
  nextEntry: u32;
  /** The entry of the current field, 0 if the segment hasn't got it. */
  entry: usize;
  dict: Dictionary;
  cursor: TermCursor;
  postings: PostingsSource;

  /** Reads `seg`, whose live documents get the numbers from `base` on; null without memory. */
  static make(seg: Segment, base: u32): MergeSource | null {
    const at = heapAllocZeroed(offsetof<MergeSource>());
    if (!at) return null;
    const source = changetype<MergeSource>(at);
    source.base = base;
    source.liveCount = seg.liveCount;
    source.dict = changetype<Dictionary>(heapAllocZeroed(offsetof<Dictionary>()));
    source.cursor = changetype<TermCursor>(heapAllocZeroed(offsetof<TermCursor>()));
    source.postings = changetype<PostingsSource>(heapAllocZeroed(offsetof<PostingsSource>()));
    const buffer = heapAlloc(TERM_BUFFER_BYTES);
    let ok =
      changetype<usize>(source.dict) &&
      changetype<usize>(source.cursor) &&
      changetype<usize>(source.postings);
    if (ok && buffer) TermCursor.init(source.cursor, source.dict, buffer);
    else heapFree(buffer);
    if (!ok || !buffer || (seg.live && !source.copyLive(seg))) {
      source.free();
      return null;
    }
    source.seg = seg;
    ++seg.refs;
    return source;
  }

  free(): void {
    if (changetype<usize>(this.seg)) --this.seg.refs;
    if (changetype<usize>(this.cursor)) heapFree(this.cursor.termPtr);
    heapFree(changetype<usize>(this.cursor));
    heapFree(changetype<usize>(this.dict));
    heapFree(changetype<usize>(this.postings));
    heapFree(this.live);
    heapFree(this.ranks);
    heapFree(changetype<usize>(this));
  }

  private copyLive(seg: Segment): bool {
    const bytes = sizeInBytes(seg.docCount);
    this.live = heapAlloc(bytes);
    this.ranks = heapAlloc(bytes >> 1);
    if (!this.live || !this.ranks) return false;
    memory.copy(this.live, seg.live, bytes);
    let rank: u32 = 0;
    for (let i: u32 = 0, n = bytes >> 3; i < n; i++) {
      store<u32>(this.ranks + ((<usize>i) << 2), rank);
      rank += <u32>popcnt(load<u64>(this.live + ((<usize>i) << 3)));
    }
    return true;
  }

  /** Whether a document goes into the result. */
  @inline isLive(doc: u32): bool {
    return !this.live || Bitset.get(this.live, doc);
  }

  /** Number in the result of a live document. */
  @inline map(doc: u32): u32 {
    if (!this.live) return this.base + doc;
    const word = load<u64>(this.live + ((<usize>(doc >> 6)) << 3));
    const before = word & ~(~(<u64>0) << (<u64>(doc & 63)));
    return this.base + load<u32>(this.ranks + ((<usize>(doc >> 6)) << 2)) + <u32>popcnt(before);
  }

  /** The field table's entry that comes next, 0 at its end. */
  get upcomingEntry(): usize {
    const seg = this.seg;
    return this.nextEntry < seg.fieldCount ? seg.fieldTable + <usize>this.nextEntry * FIELD_ENTRY_BYTES : 0;
  }

  /** Copies the norms of the live documents from..end-1 in the current field to where the result's are. */
  copyNorms(from: u32, end: u32, to: usize): void {
    const norms = FieldEntry.norms(this.seg, this.entry);
    if (!this.live) {
      memory.copy(to + this.base + from, norms + from, end - from);
      return;
    }
    for (let doc = from; doc < end; doc++) {
      if (this.isLive(doc)) store<u8>(to + this.map(doc), load<u8>(norms + doc));
    }
  }

  /** The first 8 bytes of the cursor's term, big endian, zeros after its end. */
  get prefix(): u64 {
    const length = this.cursor.termLength;
    const prefix = bswap(load<u64>(this.cursor.termPtr));
    return length >= 8 ? prefix : prefix & ~(~(<u64>0) >> <u64>(length << 3));
  }
}
