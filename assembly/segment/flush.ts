import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { Bitset } from '../memory/bitset';
import { ERR_MEMORY, OK } from '../status';
import { ITEM_BYTES, putItem, TermSorter } from '../terms/termSorter';
import { Buffer } from './buffer';
import { copyLive, docOfKey, FIELD_NORMS, openSegment, Segment } from './segment';
import { Shard } from './shards';
import { KIND_DOC, KIND_FIELD, TokenLog } from './tokenLog';
import { SegmentWriter } from './writer';

/**
 * Turns a buffer into a segment, in slices; at the end of a refresh also makes it, the segments flushed before and the
 * deletions visible, all at once.
 *
 * The terms are sorted (field, then bytes); their occurrences are moved from the log, which is in the order of the documents,
 * to runs in the order of the terms:
 *
 *     occurrence    | u32 document | u32 position |
 *
 * and written out run after run. While terms are sorted and written, a record's first word is its count; while occurrences
 * move it is the number of the one that comes next.
 *
 * When memory runs out a step changes nothing that the next attempt would miss.
 */

const COLLECT: u32 = 0;
const SORT: u32 = 1;
const ARRANGE: u32 = 2;
const MOVE: u32 = 3;
const START_WRITING: u32 = 4;
const WRITE: u32 = 5;
const ASSEMBLE: u32 = 6;
const KEYS: u32 = 7;
const FINISH: u32 = 8;
const KILL: u32 = 9;
const COMMIT: u32 = 10;
export const FLUSH_DONE: u32 = 11;

/** What a step without a measure of its own costs in postings, and what a deletion costs. */
const STEP_COST: u32 = 64;
const KILL_COST: u32 = 16;
/** Bytes of the image that count as one posting of the budget. */
const BYTES_PER_POSTING: u32 = 16;
/** Most bytes handled in a slice. */
const MAX_SLICE_BYTES: u32 = 4 << 20;
const MIN_SLICE_BYTES: u32 = 256 << 10;

/** Bytes of an image to handle in a slice. */
export function sliceBytes(budget: u32): u32 {
  return max(min(budget, MAX_SLICE_BYTES / BYTES_PER_POSTING) * BYTES_PER_POSTING, MIN_SLICE_BYTES);
}

/** A field of the buffer. */
@unmanaged
class Group {
  /** Terms that occur. */
  terms: u32;
  /** Index of the group's first item. */
  first: u32;
  /** A byte per document; 0 if the field has none. */
  norms: usize;
  /** Documents that have a term. */
  docs: u32;
}

@unmanaged
export class FlushJob {
  shard: Shard;
  private buffer: Buffer | null;
  /** Whether this ends in a refresh, and how many of the shard's deletions it covers. */
  refresh: bool;
  private killMark: u32;
  phase: u32;
  /** Work done in the last step, in postings. */
  cost: u32;

  /** Groups by slot, and the slots in order of their fields (u32 each). */
  private groups: usize;
  private order: usize;
  private slots: u32;
  private itemCount: u32;
  private items: usize;
  private otherItems: usize;
  private sorter: TermSorter;
  private runs: usize;
  /** Reading of the log: document, position of the next occurrence. */
  private doc: u32;
  private position: u32;
  /** Index in `order` and item within the group, or next document or deletion, by phase. */
  private at: u32;
  private item: u32;
  /** The field of the group at hand was begun. */
  private inField: bool;
  /** Next occurrence to write, if the item's were cut off by a slice's end. */
  private resume: usize;
  private writer: SegmentWriter | null;

  /** A job over the shard's buffer, which it takes over; null without memory, then nothing has changed. */
  static start(shard: Shard, refresh: bool): FlushJob | null {
    const at = heapAllocZeroed(offsetof<FlushJob>());
    if (!at) return null;
    const job = changetype<FlushJob>(at);
    job.sorter = changetype<TermSorter>(heapAllocZeroed(offsetof<TermSorter>()));
    if (!changetype<usize>(job.sorter)) {
      heapFree(at);
      return null;
    }
    job.shard = shard;
    job.refresh = refresh;
    job.killMark = shard.killCount;
    job.buffer = shard.buffer;
    job.slots = shard.fieldCount;
    job.doc = u32.MAX_VALUE;
    if (!shard.buffer) job.phase = KILL;
    shard.buffer = null;
    shard.flush = job;
    return job;
  }

  /** Frees the job and what it holds. */
  free(): void {
    const buffer = this.buffer;
    if (buffer) buffer.free();
    const writer = this.writer;
    if (writer) {
      // The writer of a complete image no longer knows of norms.
      if (this.phase <= WRITE) writer.freeAllButNorms();
      else writer.free();
    }
    if (this.phase <= WRITE && this.groups) {
      for (let slot: u32 = 0; slot < this.slots; slot++) heapFree(this.group(slot).norms);
    }
    heapFree(this.groups);
    heapFree(this.order);
    heapFree(this.items);
    heapFree(this.otherItems);
    heapFree(this.runs);
    heapFree(changetype<usize>(this.sorter));
    heapFree(changetype<usize>(this));
  }

  /** Whether documents or deletions came in since the job started. */
  isOutdated(): bool {
    return this.shard.buffer != null || this.shard.killCount > this.killMark;
  }

  /** Documents of the buffer being flushed. */
  get bufferedDocs(): u32 {
    const buffer = this.buffer;
    return buffer ? buffer.docCount : 0;
  }

  /** Works on for about `budget` postings, of which `cost` were used; OK or ERR_MEMORY. `phase` says when all is done. */
  step(budget: u32): i32 {
    let cost = STEP_COST;
    let ok = true;
    switch (this.phase) {
      case COLLECT:
        ok = this.collect();
        cost = this.itemCount >> 2;
        break;
      case SORT:
        cost = this.sort(budget);
        break;
      case ARRANGE:
        ok = this.arrange();
        cost = this.itemCount >> 3;
        break;
      case MOVE:
        cost = this.move(budget);
        break;
      case START_WRITING:
        ok = this.startWriting();
        break;
      case WRITE:
        ok = this.write(budget);
        cost = this.cost;
        break;
      case ASSEMBLE:
        ok = this.assemble();
        break;
      case KEYS:
        cost = this.putKeys(budget);
        break;
      case FINISH:
        cost = min(budget, this.writer!.length / BYTES_PER_POSTING);
        ok = this.finish(budget);
        break;
      case KILL:
        cost = min(budget, (this.killMark - this.at) * KILL_COST);
        ok = this.kill(budget);
        break;
      case COMMIT:
        this.commit();
        break;
      default:
    }
    this.cost = cost;
    return ok ? OK : ERR_MEMORY;
  }

  @inline private group(slot: u32): Group {
    return changetype<Group>(this.groups + <usize>slot * offsetof<Group>());
  }

  @inline private slotAt(i: u32): u32 {
    return load<u32>(this.order + (<usize>i << 2));
  }

  /** Bytes of a record. */
  private recordBytes(record: usize): u32 {
    return 8 + ((<u32>load<u16>(record, 6) + 7) & ~7);
  }

  /** Groups the terms by field. */
  private collect(): bool {
    const buffer = this.buffer!;
    const slots = this.slots;
    if (!this.groups) this.groups = heapAllocZeroed(slots * offsetof<Group>());
    if (!this.order) this.order = heapAlloc(slots << 2);
    if (!this.items) this.items = heapAlloc(buffer.termCount * ITEM_BYTES);
    if (!this.otherItems) this.otherItems = heapAlloc(max(buffer.termCount, 1) * ITEM_BYTES);
    if (!this.groups || !this.order || !this.items || !this.otherItems) return false;
    const first = buffer.records + 8;
    const end = buffer.records + buffer.recordsEnd;
    for (let record = first; record < end; record += this.recordBytes(record)) {
      if (load<u32>(record)) ++this.group(load<u16>(record, 4)).terms;
    }
    this.sortSlots();
    let index: u32 = 0;
    for (let i: u32 = 0; i < slots; i++) {
      const group = this.group(this.slotAt(i));
      group.first = index;
      index += group.terms;
      group.terms = 0;
    }
    this.itemCount = index;
    for (let record = first; record < end; record += this.recordBytes(record)) {
      if (!load<u32>(record)) continue;
      const group = this.group(load<u16>(record, 4));
      putItem(this.items + <usize>(group.first + group.terms++) * ITEM_BYTES, record + 8, load<u16>(record, 6));
    }
    this.at = 0;
    this.nextSort();
    return true;
  }

  /** Orders the slots by field. */
  private sortSlots(): void {
    const order = this.order;
    const shard = this.shard;
    for (let slot: u32 = 0; slot < this.slots; slot++) {
      const field = shard.slot(slot).field;
      let at = order + (<usize>slot << 2);
      for (; at > order && shard.slot(load<u32>(at - 4)).field > field; at -= 4) store<u32>(at, load<u32>(at - 4));
      store<u32>(at, slot);
    }
  }

  /** Starts to sort the next group, if there is one. */
  private nextSort(): void {
    this.phase = SORT;
    if (this.at == this.slots) {
      this.phase = ARRANGE;
      return;
    }
    const group = this.group(this.slotAt(this.at));
    const start = <usize>group.first * ITEM_BYTES;
    this.sorter.start(this.items + start, this.otherItems + start, group.terms);
  }

  private sort(budget: u32): u32 {
    // Moving an item costs about a quarter of a posting.
    const moves = budget > 1 << 28 ? 1 << 30 : max(budget << 2, 1);
    const group = this.group(this.slotAt(this.at));
    if (!this.sorter.step(moves)) return budget;
    const sorted = this.sorter.sorted;
    const place = this.items + <usize>group.first * ITEM_BYTES;
    if (sorted != place) memory.copy(place, sorted, group.terms * ITEM_BYTES);
    ++this.at;
    this.nextSort();
    return min(budget, group.terms);
  }

  /** Gives every term the place of its run, and the fields room for their norms. */
  private arrange(): bool {
    const buffer = this.buffer!;
    if (!this.runs) this.runs = heapAlloc(max(buffer.tokens, 1) << 3);
    if (!this.runs) return false;
    const shard = this.shard;
    for (let slot: u32 = 0; slot < this.slots; slot++) {
      const group = this.group(slot);
      if (group.norms || !group.terms || !(shard.slot(slot).flags & FIELD_NORMS)) continue;
      group.norms = heapAllocZeroed(buffer.docCount);
      if (!group.norms) return false;
    }
    heapFree(this.otherItems);
    this.otherItems = 0;
    heapFree(buffer.table);
    buffer.table = 0;
    let next: u32 = 0;
    for (let i: u32 = 0; i < this.itemCount; i++) {
      const record = <usize>load<u32>(this.items + <usize>i * ITEM_BYTES, 8) - 8;
      const count = load<u32>(record);
      store<u32>(record, next);
      next += count;
    }
    this.phase = MOVE;
    return true;
  }

  /** Moves occurrences from the log to their runs, a few chunks of the log. */
  private move(budget: u32): u32 {
    const buffer = this.buffer!;
    const records = buffer.records;
    const runs = this.runs;
    let doc = this.doc;
    let position = this.position;
    let cost: u32 = 0;
    while (cost < budget) {
      let word = buffer.log.frontStart();
      if (!word) {
        this.phase = START_WRITING;
        break;
      }
      const end = buffer.log.frontEnd();
      // Moving an occurrence costs about half a posting.
      cost += <u32>(end - word) >> 3;
      for (; word < end; word += 4) {
        const value = load<u32>(word);
        if (!TokenLog.isMarker(value)) {
          const record = records + (<usize>value << 3);
          const place = load<u32>(record);
          store<u32>(record, place + 1);
          store<u64>(runs + (<usize>place << 3), <u64>doc | (<u64>position << 32));
          ++position;
          continue;
        }
        const payload = TokenLog.payload(value);
        const kind = TokenLog.kind(value);
        if (kind == KIND_DOC) {
          ++doc;
          position = 0;
        } else if (kind == KIND_FIELD) {
          const group = this.group(payload >> 8);
          ++group.docs;
          if (group.norms) store<u8>(group.norms + doc, <u8>payload);
        } else {
          position = payload;
        }
      }
      buffer.log.dropFront();
    }
    this.doc = doc;
    this.position = position;
    return cost;
  }

  private startWriting(): bool {
    this.writer = SegmentWriter.make(this.buffer!.docCount);
    if (!this.writer) return false;
    this.at = 0;
    this.item = 0;
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
    const writer = this.writer!;
    const postings = writer.postings;
    let left = <i32>min(budget, i32.MAX_VALUE);
    while (this.at < this.slots) {
      const slot = this.slotAt(this.at);
      const group = this.group(slot);
      const definition = this.shard.slot(slot);
      if (!group.terms) {
        ++this.at;
        continue;
      }
      if (!this.inField && !writer.startField(definition.field, definition.flags, group.norms)) {
        return this.writeAgain();
      }
      this.inField = true;
      while (this.item < group.terms) {
        if (left <= 0) {
          this.cost = budget;
          return writer.failed ? this.writeAgain() : true;
        }
        const index = group.first + this.item;
        const item = this.items + <usize>index * ITEM_BYTES;
        const bytes = <usize>load<u32>(item, 8);
        const end = this.runs + (<usize>load<u32>(bytes - 8) << 3);
        let from = this.resume;
        if (!from) {
          from = this.runs;
          if (index) from += <usize>load<u32>(<usize>load<u32>(item - ITEM_BYTES, 8) - 8) << 3;
          postings.startTerm();
        }
        const until = min(end, from + (<usize>left << 3));
        postings.addOccurrences(from, until);
        left -= <i32>((until - from) >> 3);
        if (until < end) {
          this.resume = until;
          continue;
        }
        this.resume = 0;
        writer.endTerm(bytes, load<u32>(item, 12));
        --left;
        ++this.item;
      }
      writer.endField(group.docs);
      this.inField = false;
      this.item = 0;
      ++this.at;
    }
    if (writer.failed) return this.writeAgain();
    this.cost = budget - <u32>max(left, 0);
    heapFree(this.runs);
    heapFree(this.items);
    this.runs = 0;
    this.items = 0;
    this.phase = ASSEMBLE;
    return true;
  }

  private assemble(): bool {
    const buffer = this.buffer!;
    const last = buffer.keys + (<usize>(buffer.docCount - 1) << 3);
    if (!this.writer!.assemble(load<u64>(buffer.keys), load<u64>(last))) return false;
    this.at = 0;
    this.phase = this.writer!.excessBits ? KEYS : FINISH;
    return true;
  }

  private putKeys(budget: u32): u32 {
    const buffer = this.buffer!;
    const writer = this.writer!;
    const from = this.at;
    const end = from + min(buffer.docCount - from, budget);
    for (let doc = from; doc < end; doc++) writer.putKey(doc, load<u64>(buffer.keys + (<usize>doc << 3)));
    this.at = end;
    if (end == buffer.docCount) this.phase = FINISH;
    return end - from;
  }

  /** Completes the image and appends the segment to the shard's, not yet visible. */
  private finish(budget: u32): bool {
    const writer = this.writer!;
    if (!writer.finish(sliceBytes(budget))) return true;
    const shard = this.shard;
    if (!shard.reserveSegment()) return false;
    const seg = openSegment(writer.image, writer.length, shard.newId());
    if (!seg) return false;
    shard.insertSegment(shard.allCount, seg);
    writer.takeImage();
    writer.free();
    this.writer = null;
    this.buffer!.free();
    this.buffer = null;
    this.at = 0;
    this.phase = this.refresh ? KILL : FLUSH_DONE;
    return true;
  }

  /** Enters deletions into the sets that become visible with the refresh. */
  private kill(budget: u32): bool {
    const shard = this.shard;
    const end = this.at + min(this.killMark - this.at, max(budget / KILL_COST, 1));
    for (; this.at < end; ++this.at) {
      const key = load<u64>(shard.kills + (<usize>this.at << 3));
      const seg = segmentOfKey(shard, key);
      if (!seg) continue;
      const doc = docOfKey(seg, key);
      if (doc < 0) continue;
      if (!seg.nextLive) {
        if (!seg.isLive(doc)) continue;
        seg.nextLive = copyLive(seg);
        if (!seg.nextLive) return false;
        seg.nextLiveCount = seg.liveCount;
      }
      if (!Bitset.get(seg.nextLive, doc)) continue;
      Bitset.clear(seg.nextLive, doc);
      --seg.nextLiveCount;
    }
    if (this.at == this.killMark) this.phase = COMMIT;
    return true;
  }

  /** Makes everything visible. Segments without live documents go, unless a merge is reading them. */
  private commit(): void {
    const shard = this.shard;
    for (let i: u32 = 0; i < shard.allCount; i++) {
      const seg = shard.segment(i);
      if (!seg.nextLive) continue;
      heapFree(seg.live);
      seg.live = seg.nextLive;
      seg.liveCount = seg.nextLiveCount;
      seg.nextLive = 0;
    }
    shard.segmentCount = shard.allCount;
    shard.dropKills(this.killMark);
    shard.dropEmptySegments();
    this.phase = FLUSH_DONE;
  }
}

/** The segment among whose keys the given one lies, or null. */
function segmentOfKey(shard: Shard, key: u64): Segment | null {
  let low: i32 = 0;
  let high: i32 = <i32>shard.allCount - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const seg = shard.segment(middle);
    if (key < seg.firstKey) high = middle - 1;
    else if (key > seg.lastKey) low = middle + 1;
    else return seg;
  }
  return null;
}
