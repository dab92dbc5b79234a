import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { ITEM_BYTES, putItem, TermSorter } from '../terms/termSorter';
import { Buffer } from './buffer';
import { FIELD_NORMS } from './segment';
import { Shard } from './shards';
import { KIND_DOC, KIND_FIELD, TokenLog } from './tokenLog';

/**
 * Brings a buffer's occurrences into the order of its terms (field, then bytes), in slices. The terms are sorted; then the
 * occurrences move from the log, which is in the order of the documents, to runs in the order of the terms:
 *
 *     occurrence    | u32 document | u32 position |
 *
 * A record's first word is its count of occurrences first, then the number of the occurrence that comes next, and in the end
 * the number of the first occurrence of the next term.
 */

const COLLECT: u32 = 0;
const SORT: u32 = 1;
const ARRANGE: u32 = 2;
const MOVE: u32 = 3;
const DONE: u32 = 4;

/** A field of the buffer. */
@unmanaged
export class Group {
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
export class TermRuns {
  private shard: Shard;
  private buffer: Buffer;
  private phase: u32;
  /** Work done in the last step, in postings. */
  cost: u32;
  /** Groups by slot, and the slots in order of their fields (u32 each). */
  private groups: usize;
  private order: usize;
  slots: u32;
  /** The terms that occur. */
  private itemCount: u32;
  private items: usize;
  private otherItems: usize;
  private sorter: TermSorter;
  /** Index in `order` of the group being sorted. */
  private at: u32;
  private runs: usize;
  /** Reading of the log: document, position of the next occurrence. */
  private doc: u32;
  private position: u32;

  /** Nothing is done yet; null without memory. */
  static make(shard: Shard, buffer: Buffer): TermRuns | null {
    const at = heapAllocZeroed(offsetof<TermRuns>());
    const sorter = heapAllocZeroed(offsetof<TermSorter>());
    if (!at || !sorter) {
      heapFree(at);
      heapFree(sorter);
      return null;
    }
    const runs = changetype<TermRuns>(at);
    runs.sorter = changetype<TermSorter>(sorter);
    runs.shard = shard;
    runs.buffer = buffer;
    runs.slots = shard.fieldCount;
    runs.doc = u32.MAX_VALUE;
    return runs;
  }

  /** Frees all but the norms that were taken. */
  free(): void {
    if (this.groups) {
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

  get isDone(): bool {
    return this.phase == DONE;
  }

  /** The field of a slot. */
  @inline group(slot: u32): Group {
    return changetype<Group>(this.groups + <usize>slot * offsetof<Group>());
  }

  /** The i-th slot in order of the fields. */
  @inline slotAt(i: u32): u32 {
    return load<u32>(this.order + ((<usize>i) << 2));
  }

  /** Address of a term's bytes. */
  @inline termPtr(i: u32): usize {
    return <usize>load<u32>(this.items + <usize>i * ITEM_BYTES, 8);
  }

  @inline termLength(i: u32): u32 {
    return load<u32>(this.items + <usize>i * ITEM_BYTES, 12);
  }

  /** Address after a term's occurrences, which is that of the next term's. */
  @inline runEnd(i: u32): usize {
    return this.runs + ((<usize>load<u32>(this.termPtr(i) - 8)) << 3);
  }

  /** Address of a term's occurrences. */
  @inline runStart(i: u32): usize {
    return i ? this.runEnd(i - 1) : this.runs;
  }

  /** The norms belong to the caller from now on. */
  dropNorms(): void {
    for (let slot: u32 = 0; slot < this.slots; slot++) this.group(slot).norms = 0;
  }

  /** Works on for about `budget` postings; false without memory, the step may then be tried again. */
  step(budget: u32): bool {
    switch (this.phase) {
      case COLLECT:
        if (!this.collect()) return false;
        this.cost = this.itemCount >> 2;
        return true;
      case SORT:
        this.cost = this.sort(budget);
        return true;
      case ARRANGE:
        if (!this.arrange()) return false;
        this.cost = this.itemCount >> 3;
        return true;
      case MOVE:
        this.cost = this.move(budget);
        return true;
      default:
        return true;
    }
  }

  /** Bytes of a record. */
  private recordBytes(record: usize): u32 {
    return 8 + ((<u32>load<u16>(record, 6) + 7) & ~7);
  }

  /** Groups the terms by field. */
  private collect(): bool {
    const buffer = this.buffer;
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
      putItem(
        this.items + <usize>(group.first + group.terms++) * ITEM_BYTES,
        record + 8,
        load<u16>(record, 6),
      );
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
      let at = order + ((<usize>slot) << 2);
      for (; at > order && shard.slot(load<u32>(at - 4)).field > field; at -= 4)
        store<u32>(at, load<u32>(at - 4));
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
    const buffer = this.buffer;
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
      const record = this.termPtr(i) - 8;
      const count = load<u32>(record);
      store<u32>(record, next);
      next += count;
    }
    this.phase = MOVE;
    return true;
  }

  /** Moves occurrences from the log to their runs, a few chunks of the log. */
  private move(budget: u32): u32 {
    const buffer = this.buffer;
    const records = buffer.records;
    const runs = this.runs;
    let doc = this.doc;
    let position = this.position;
    let cost: u32 = 0;
    while (cost < budget) {
      let word = buffer.log.frontStart();
      if (!word) {
        this.phase = DONE;
        break;
      }
      const end = buffer.log.frontEnd();
      // Moving an occurrence costs about half a posting.
      cost += <u32>(end - word) >> 3;
      for (; word < end; word += 4) {
        const value = load<u32>(word);
        if (!TokenLog.isMarker(value)) {
          const record = records + ((<usize>value) << 3);
          const place = load<u32>(record);
          store<u32>(record, place + 1);
          store<u64>(runs + ((<usize>place) << 3), <u64>doc | ((<u64>position) << 32));
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
}
