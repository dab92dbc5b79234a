import { ERR_MEMORY, OK } from '../abi/status';
import { heapAllocZeroed, heapFree } from '../memory/heap';
import { findBlocks } from './blocks';
import { Buffer } from './buffer';
import { applyDeletes, showRefresh } from './deletes';
import { FIELD_NORMS, freeSegment, openSegment } from './segment';
import { Shard } from './shards';
import { TermRuns } from './termRuns';
import { SegmentWriter } from './writer';

/**
 * Turns a buffer into a segment, in slices; at the end of a refresh also makes it, the segments flushed before and the
 * deletions visible, all at once. When memory runs out a step changes nothing that the next attempt would miss.
 */

const SORT: u32 = 0;
const START_WRITING: u32 = 1;
const WRITE: u32 = 2;
const ASSEMBLE: u32 = 3;
const KEYS: u32 = 4;
const FINISH: u32 = 5;
const DELETE: u32 = 6;
const SHOW: u32 = 7;
export const FLUSH_DONE: u32 = 8;

/** What a step without a measure of its own costs in postings, and what a deletion costs. */
const STEP_COST: u32 = 64;
const DELETE_COST: u32 = 16;
/** Most occurrences written in a slice. */
const MAX_STEP: u32 = 1 << 24;
/** Bytes of the image that count as one posting of the budget. */
const BYTES_PER_POSTING: u32 = 16;
/** Most and fewest bytes handled in a slice. */
const MAX_SLICE_BYTES: u32 = 4 << 20;
const MIN_SLICE_BYTES: u32 = 16 << 10;

/** Bytes of an image to handle in a slice. */
export function sliceBytes(budget: u32): u32 {
  return max(min(budget, MAX_SLICE_BYTES / BYTES_PER_POSTING) * BYTES_PER_POSTING, MIN_SLICE_BYTES);
}

@unmanaged
export class FlushJob {
  shard: Shard;
  private buffer: Buffer | null;
  private runs: TermRuns | null;
  private writer: SegmentWriter | null;
  /** Whether this ends in a refresh, and how many of the shard's deletions it covers. */
  refresh: bool;
  private deleteMark: u32;
  phase: u32;
  /** Work done in the last step, in postings. */
  cost: u32;
  /** Next group; next document; next deletion: by phase. */
  private at: u32;
  /** The field of the group at hand was begun; next term of the group. */
  private inField: bool;
  private term: u32;
  /** Next occurrence of the term, if a slice's end has cut them off. */
  private resume: usize;

  /** A job over the shard's buffer, which it takes over; null without memory, then nothing has changed. */
  static start(shard: Shard, refresh: bool): FlushJob | null {
    const at = heapAllocZeroed(offsetof<FlushJob>());
    if (!at) return null;
    const job = changetype<FlushJob>(at);
    job.shard = shard;
    const buffer = shard.buffer;
    if (buffer) {
      job.runs = TermRuns.make(shard, buffer);
      if (!job.runs) {
        heapFree(at);
        return null;
      }
      job.buffer = buffer;
      shard.buffer = null;
    } else {
      job.phase = DELETE;
    }
    job.refresh = refresh;
    job.deleteMark = shard.deleteCount;
    shard.flush = job;
    return job;
  }

  /** Frees the job and what it holds. */
  free(): void {
    const buffer = this.buffer;
    if (buffer) buffer.free();
    const runs = this.runs;
    if (runs) runs.free();
    const writer = this.writer;
    if (writer) {
      // Until all is written the norms are those of the runs.
      if (runs) writer.freeAllButNorms();
      else writer.free();
    }
    heapFree(changetype<usize>(this));
  }

  /** Whether documents or deletions came in since the job started. */
  isOutdated(): bool {
    return this.shard.buffer != null || this.shard.deleteCount > this.deleteMark;
  }

  /** Documents of the buffer being flushed. */
  get bufferedDocs(): u32 {
    const buffer = this.buffer;
    return buffer ? buffer.docCount : 0;
  }

  /** Works on for about `budget` postings, of which `cost` were used; OK or ERR_MEMORY. `phase` says when all is done. */
  step(budget: u32): i32 {
    this.cost = STEP_COST;
    let ok = true;
    switch (this.phase) {
      case SORT: {
        const runs = this.runs!;
        ok = runs.step(budget);
        this.cost = runs.cost;
        if (runs.isDone) this.phase = START_WRITING;
        break;
      }
      case START_WRITING:
        ok = this.startWriting();
        break;
      case WRITE:
        ok = this.write(budget);
        break;
      case ASSEMBLE:
        ok = this.assemble();
        break;
      case KEYS:
        this.putKeys(budget);
        break;
      case FINISH:
        ok = this.finish(budget);
        break;
      case DELETE:
        ok = this.kill(budget);
        break;
      case SHOW:
        showRefresh(this.shard, this.deleteMark);
        this.phase = FLUSH_DONE;
        break;
      default:
    }
    return ok ? OK : ERR_MEMORY;
  }

  private startWriting(): bool {
    this.writer = SegmentWriter.make(this.buffer!.docCount);
    if (!this.writer) return false;
    this.at = 0;
    this.term = 0;
    this.resume = 0;
    this.inField = false;
    this.phase = WRITE;
    return true;
  }

  /** Gives up what was written and starts to write anew at the next step. */
  private writeAgain(): bool {
    this.writer!.freeAllButNorms();
    this.writer = null;
    this.phase = START_WRITING;
    return false;
  }

  private write(budget: u32): bool {
    const runs = this.runs!;
    const writer = this.writer!;
    const postings = writer.postings;
    const limit = <i32>min(budget, MAX_STEP);
    let left = limit;
    for (; this.at < runs.slots && left > 0; ++this.at) {
      const slot = runs.slotAt(this.at);
      const group = runs.group(slot);
      if (!group.terms) continue;
      if (!this.inField) {
        const definition = this.shard.slot(slot);
        // The field may have given up its norms after they were gathered, or before.
        const norms: u32 = group.norms ? FIELD_NORMS : 0;
        const flags = (<u32>definition.flags & ~FIELD_NORMS) | norms;
        if (!writer.startField(definition.field, flags, group.norms)) return this.writeAgain();
        this.inField = true;
      }
      for (; this.term < group.terms && left > 0; ++this.term) {
        const i = group.first + this.term;
        const end = runs.runEnd(i);
        let from = this.resume;
        if (!from) {
          from = runs.runStart(i);
          postings.startTerm();
        }
        const until = min(end, from + ((<usize>left) << 3));
        postings.addOccurrences(from, until);
        left -= <i32>((until - from) >> 3) + 1;
        this.resume = until;
        if (until < end) break;
        this.resume = 0;
        writer.endTerm(runs.termPtr(i), runs.termLength(i));
      }
      if (this.term < group.terms) break;
      writer.endField(group.docs);
      this.inField = false;
      this.term = 0;
    }
    if (writer.failed) return this.writeAgain();
    this.cost = limit - left;
    if (this.at < runs.slots) return true;
    // The norms now belong to the writer alone.
    runs.dropNorms();
    runs.free();
    this.runs = null;
    this.phase = ASSEMBLE;
    return true;
  }

  private assemble(): bool {
    const buffer = this.buffer!;
    const last = buffer.keys + ((<usize>(buffer.docCount - 1)) << 3);
    if (!this.writer!.assemble(load<u64>(buffer.keys), load<u64>(last))) return false;
    this.at = 0;
    this.phase = this.writer!.excessBits ? KEYS : FINISH;
    return true;
  }

  private putKeys(budget: u32): void {
    const buffer = this.buffer!;
    const writer = this.writer!;
    const from = this.at;
    const end = from + min(buffer.docCount - from, budget);
    for (let doc = from; doc < end; doc++) writer.putKey(doc, load<u64>(buffer.keys + ((<usize>doc) << 3)));
    this.at = end;
    this.cost = end - from;
    if (end == buffer.docCount) this.phase = FINISH;
  }

  /** Completes the image and appends the segment to the shard's, not yet visible. */
  private finish(budget: u32): bool {
    const writer = this.writer!;
    this.cost = min(budget, writer.length / BYTES_PER_POSTING);
    if (!writer.finish(sliceBytes(budget))) return !writer.outOfMemory;
    const shard = this.shard;
    if (!shard.reserveSegment()) return false;
    const seg = openSegment(writer.image, writer.length, shard.newId());
    if (!seg) return false;
    if (!findBlocks(shard, seg)) {
      seg.image = 0;
      freeSegment(seg);
      return false;
    }
    shard.insertSegment(shard.allCount, seg);
    writer.takeImage();
    writer.free();
    this.writer = null;
    this.buffer!.free();
    this.buffer = null;
    this.at = 0;
    this.phase = this.refresh ? DELETE : FLUSH_DONE;
    return true;
  }

  /** Enters deletions into the sets that become visible with the refresh. */
  private kill(budget: u32): bool {
    const end = this.at + min(this.deleteMark - this.at, max(budget / DELETE_COST, 1));
    this.cost = (end - this.at) * DELETE_COST;
    this.at = applyDeletes(this.shard, this.at, end);
    if (this.at < end) return false;
    if (end == this.deleteMark) this.phase = SHOW;
    return true;
  }
}
