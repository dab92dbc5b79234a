import { ERR_MEMORY, OK } from '../abi/status';
import { Bitset, sizeInBytes } from '../memory/bitset';
import { heapAllocZeroed, heapFree } from '../memory/heap';
import { findBlocks, reserveVisible, showLive } from './blocks';
import { sliceBytes } from './flush';
import { MergeSource } from './mergeSource';
import {
  copyLive,
  FIELD_COLUMN,
  FIELD_INVERTED,
  FIELD_NORMS,
  FieldEntry,
  freeSegment,
  keyOf,
  openSegment,
  Segment,
} from './segment';
import { Shard } from './shards';
import { TermMerger } from './termMerger';
import { SegmentWriter } from './writer';

/**
 * Merges adjacent segments into one, in slices: field by field, the norms and then term by term. Documents that are dead when
 * the merge begins are left out; those that die while it runs are dead in the result. The old segments stay in use until the
 * new one takes their place.
 */

const FIELD: u32 = 0;
const NORMS: u32 = 1;
const TERMS: u32 = 2;
const ASSEMBLE: u32 = 3;
const KEYS: u32 = 4;
const FINISH: u32 = 5;
const SWAP: u32 = 6;
export const MERGE_DONE: u32 = 7;

/** What a step without a measure of its own costs in postings. */
const STEP_COST: u32 = 8;
/** Norms that cost as much as a posting, as a power of two; and bytes of the image. */
const NORMS_SHIFT: u32 = 3;
const BYTES_SHIFT: u32 = 4;
/** Most norms copied in a slice. */
const MAX_NORMS: u32 = 1 << 23;
/** Field after all fields. */
const NO_FIELD: u32 = 0x10000;

@unmanaged
export class MergeJob {
  shard: Shard;
  private merger: TermMerger;
  private writer: SegmentWriter | null;
  /** Documents of the result. */
  private docCount: u32;
  phase: u32;
  /** Work done in the last step, in postings. */
  cost: u32;
  /** The current field, the flags that all its sources have, and the norms being gathered. */
  private field: u32;
  private flags: u32;
  private norms: usize;
  /** Source and document of the next norm or key, and the result's document of the next key. */
  private at: u32;
  private doc: u32;
  private nextDoc: u32;

  /** A merge of `count` segments (at most MAX_SOURCES) from the `first` on; null without memory. */
  static start(shard: Shard, first: u32, count: u32): MergeJob | null {
    const at = heapAllocZeroed(offsetof<MergeJob>());
    const merger = at ? TermMerger.make(count) : null;
    if (!merger) {
      heapFree(at);
      return null;
    }
    const job = changetype<MergeJob>(at);
    job.shard = shard;
    job.merger = merger;
    for (let i: u32 = 0; i < count; i++) {
      const source = MergeSource.make(shard.segment(first + i), job.docCount);
      if (!source) {
        job.free();
        return null;
      }
      job.docCount += source.liveCount;
      merger.add(source);
    }
    if (!job.docCount) {
      job.phase = SWAP;
      return job;
    }
    job.writer = SegmentWriter.make(job.docCount);
    if (!job.writer) {
      job.free();
      return null;
    }
    return job;
  }

  free(): void {
    this.merger.free();
    const writer = this.writer;
    if (writer) writer.free();
    heapFree(this.norms);
    heapFree(changetype<usize>(this));
  }

  /** Works on for about `budget` postings, of which `cost` were used; OK, or an error after which the job is of no use. */
  step(budget: u32): i32 {
    this.cost = STEP_COST;
    let ok = true;
    switch (this.phase) {
      case FIELD:
        ok = this.startField();
        break;
      case NORMS:
        ok = this.copyNorms(budget);
        break;
      case TERMS: {
        const status = this.merger.step(budget);
        if (status < 0) return status;
        this.cost = this.merger.cost;
        if (status == OK) this.phase = FIELD;
        break;
      }
      case ASSEMBLE:
        ok = this.assemble();
        break;
      case KEYS:
        this.putKeys(budget);
        break;
      case FINISH: {
        const bytes = sliceBytes(budget);
        this.cost = min(bytes, this.writer!.length) >> BYTES_SHIFT;
        if (this.writer!.finish(bytes)) this.phase = SWAP;
        ok = !this.writer!.outOfMemory;
        break;
      }
      case SWAP:
        ok = this.swap();
        break;
      default:
    }
    return ok ? OK : ERR_MEMORY;
  }

  /** Goes to the next field that a source has; flags that not all of them have are dropped. */
  private startField(): bool {
    const merger = this.merger;
    let field = NO_FIELD;
    for (let i: u32 = 0; i < merger.sourceCount; i++) {
      const entry = merger.source(i).upcomingEntry;
      if (entry) field = min(field, FieldEntry.field(entry));
    }
    if (field == NO_FIELD) {
      this.phase = ASSEMBLE;
      return true;
    }
    let flags = FIELD_INVERTED;
    for (let i: u32 = 0; i < merger.sourceCount; i++) {
      const source = merger.source(i);
      const entry = source.upcomingEntry;
      source.entry = entry && FieldEntry.field(entry) == field ? entry : 0;
      if (source.entry) flags &= FieldEntry.flags(entry);
    }
    if (flags & FIELD_NORMS) {
      this.norms = heapAllocZeroed(this.docCount);
      if (!this.norms) return false;
    }
    this.field = field;
    this.flags = flags | columnFlags(this.shard, field);
    this.at = 0;
    this.doc = 0;
    this.phase = NORMS;
    return true;
  }

  /** Copies norms, and when all are there begins the field's terms. */
  private copyNorms(budget: u32): bool {
    const merger = this.merger;
    const limit = min(budget, MAX_NORMS >> NORMS_SHIFT) << NORMS_SHIFT;
    let left = limit;
    while (this.norms && this.at < merger.sourceCount && left) {
      const source = merger.source(this.at);
      if (source.entry) {
        const from = this.doc;
        const end = from + min(source.seg.docCount - from, left);
        source.copyNorms(from, end, this.norms);
        left -= end - from;
        this.doc = end;
        if (end < source.seg.docCount) break;
        this.doc = 0;
      }
      ++this.at;
    }
    this.cost += (limit - left) >> NORMS_SHIFT;
    if (this.norms && this.at < merger.sourceCount) return true;
    if (!this.writer!.startField(this.field, this.flags, this.norms)) return false;
    this.norms = 0;
    if (!merger.startField(this.writer!, this.flags & FIELD_INVERTED)) return false;
    for (let i: u32 = 0; i < merger.sourceCount; i++) {
      const source = merger.source(i);
      if (source.entry) ++source.nextEntry;
    }
    this.phase = TERMS;
    return true;
  }

  private assemble(): bool {
    const merger = this.merger;
    const writer = this.writer!;
    let first: u64 = 0;
    let last: u64 = 0;
    let some = false;
    for (let i: u32 = 0; i < merger.sourceCount; i++) {
      const source = merger.source(i);
      if (!source.liveCount) continue;
      let doc: u32 = 0;
      if (!some) {
        while (!source.isLive(doc)) ++doc;
        first = keyOf(source.seg, doc);
        some = true;
      }
      doc = source.seg.docCount - 1;
      while (!source.isLive(doc)) --doc;
      last = keyOf(source.seg, doc);
    }
    if (!writer.assemble(first, last)) return false;
    this.at = 0;
    this.doc = 0;
    this.nextDoc = 0;
    this.phase = writer.excessBits ? KEYS : FINISH;
    return true;
  }

  private putKeys(budget: u32): void {
    const merger = this.merger;
    const writer = this.writer!;
    let left = budget;
    while (this.at < merger.sourceCount && left) {
      const source = merger.source(this.at);
      const seg = source.seg;
      const end = this.doc + min(seg.docCount - this.doc, left);
      left -= end - this.doc;
      for (let doc = this.doc; doc < end; doc++) {
        if (source.isLive(doc)) writer.putKey(this.nextDoc++, keyOf(seg, doc));
      }
      this.doc = end;
      if (end < seg.docCount) break;
      this.doc = 0;
      ++this.at;
    }
    this.cost = budget - left;
    if (this.at == merger.sourceCount) this.phase = FINISH;
  }

  /** Documents that the merge reads. */
  get sourceDocs(): u64 {
    let sum: u64 = 0;
    for (let i: u32 = 0; i < this.merger.sourceCount; i++) sum += this.merger.source(i).seg.docCount;
    return sum;
  }

  /** Bytes of the images that the merge reads. */
  get sourceBytes(): u64 {
    let sum: u64 = 0;
    for (let i: u32 = 0; i < this.merger.sourceCount; i++) sum += this.merger.source(i).seg.length;
    return sum;
  }

  /** Puts the result in the place of the sources. */
  private swap(): bool {
    const merger = this.merger;
    const shard = this.shard;
    let merged: Segment | null = null;
    const writer = this.writer;
    if (writer) {
      if (!shard.reserveSegment()) return false;
      merged = openSegment(writer.image, writer.length, shard.newId());
      if (!merged) return false;
      if (!findBlocks(shard, merged) || !this.transferDeaths(merged)) {
        merged.image = 0;
        freeSegment(merged);
        return false;
      }
      writer.takeImage();
    }
    const count = merger.sourceCount;
    let first: u32 = 0;
    const firstSource = changetype<usize>(merger.source(0).seg);
    while (changetype<usize>(shard.segment(first)) != firstSource) ++first;
    const visible = first < shard.segmentCount;
    ++shard.mergeCount;
    shard.mergedDocs += this.sourceDocs;
    shard.mergedBytes += this.sourceBytes;
    merger.freeSources();
    shard.removeSegments(first, count);
    if (merged) {
      shard.insertSegment(first, merged);
      // At the border of what is visible the list can't tell.
      if (visible && first == shard.segmentCount) ++shard.segmentCount;
      shard.dropEmptySegments();
    }
    this.phase = MERGE_DONE;
    return true;
  }

  /** Documents of the sources that died since the merge began die in the result. */
  private transferDeaths(merged: Segment): bool {
    const merger = this.merger;
    let live: usize = 0;
    for (let i: u32 = 0; i < merger.sourceCount; i++) {
      const source = merger.source(i);
      const seg = source.seg;
      if (!seg.live) continue;
      for (let at: usize = 0, bytes = <usize>sizeInBytes(seg.docCount); at < bytes; at += 8) {
        const now = load<u64>(seg.live + at);
        let died = source.live ? load<u64>(source.live + at) & ~now : ~now;
        for (; died; died &= died - 1) {
          const doc = ((<u32>at) << 3) + <u32>ctz(died);
          if (doc >= seg.docCount) break;
          if (!live) {
            live = copyLive(merged);
            if (!live || !reserveVisible(merged)) {
              heapFree(live);
              return false;
            }
          }
          Bitset.clear(live, source.map(doc));
          --merged.liveCount;
        }
      }
    }
    showLive(merged, live);
    return true;
  }
}

/** What the shard's definition says of the column of a field. */
function columnFlags(shard: Shard, field: u32): u32 {
  const definition = shard.definition(field);
  return definition ? <u32>definition.flags & FIELD_COLUMN : 0;
}
