import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { TokenLog } from './tokenLog';

/**
 * The documents that are not yet in a segment: a table of the distinct terms and a log of their occurrences.
 *
 * A term is a record, 8-byte aligned; its *reference* is its offset from the first record divided by 8, at least 1:
 *
 *     | u32 occurrences | u16 slot of the field | u16 length | bytes, zeros up to a multiple of 8 |
 *
 * The hash table is open addressed and at most two thirds full; an entry is 8 bytes, 0 if free:
 *
 *     | u32 hash of term and slot | u32 reference |
 *
 * All parts start small and grow with use.
 */

const RECORD_HEADER: u32 = 8;
const FIRST_RECORDS: u32 = 2048;
const FIRST_TABLE: u32 = 128;
const FIRST_KEYS: u32 = 16;
/** References have 29 bits. */
const MAX_RECORDS: u32 = 0xfffff000;
const SLOT_HASH: u32 = 0x9e3779b1;

/** What the buffer knows of a field in the document being added. */
@unmanaged
export class FieldState {
  /** Number of the document it speaks of, plus one. */
  stamp: u32;
  /** Tokens so far, and those among them with a position increment above 0. */
  tokens: u32;
  length: u32;
  /** Position of the token before. */
  position: i32;
  /** Product of the boosts of the values so far. */
  boost: f32;
}

@unmanaged
export class Buffer {
  table: usize;
  /** Entries of the table minus one. */
  mask: u32;
  /** Terms that the table takes before it grows. */
  private termLimit: u32;
  /** Distinct terms. */
  termCount: u32;
  records: usize;
  /** Bytes of records in use, and allocated. */
  recordsEnd: u32;
  private recordsRoom: u32;
  /** Occurrences in the log. */
  tokens: u32;
  log: TokenLog;
  /** Keys of the documents, u64 each. */
  keys: usize;
  docCount: u32;
  private keyRoom: u32;
  /** A FieldState per slot. */
  states: usize;
  /** Slots of the current document's fields, u32 each, in order of appearance. */
  touched: usize;
  touchedCount: u32;
  private stateRoom: u32;

  /** An empty buffer, or null without memory. */
  static make(): Buffer | null {
    const at = heapAllocZeroed(offsetof<Buffer>());
    if (!at) return null;
    const buffer = changetype<Buffer>(at);
    const log = TokenLog.make();
    buffer.log = changetype<TokenLog>(changetype<usize>(log));
    buffer.table = heapAllocZeroed(FIRST_TABLE << 3);
    buffer.mask = FIRST_TABLE - 1;
    buffer.termLimit = FIRST_TABLE / 2;
    buffer.records = heapAlloc(FIRST_RECORDS);
    buffer.recordsRoom = FIRST_RECORDS;
    buffer.recordsEnd = 8;
    buffer.keys = heapAlloc(FIRST_KEYS << 3);
    buffer.keyRoom = FIRST_KEYS;
    if (!log || !buffer.table || !buffer.records || !buffer.keys) {
      buffer.free();
      return null;
    }
    return buffer;
  }

  /** Frees the buffer and all it still holds. */
  free(): void {
    if (changetype<usize>(this.log)) this.log.free();
    heapFree(this.table);
    heapFree(this.records);
    heapFree(this.keys);
    heapFree(this.states);
    heapFree(this.touched);
    heapFree(changetype<usize>(this));
  }

  /** Bytes that the documents take up. */
  get bytes(): u64 {
    return <u64>this.recordsEnd + ((<u64>this.mask + 1) << 3) + this.log.bytes + ((<u64>this.docCount) << 3);
  }

  /** Makes room for the states of `slots` fields. */
  reserveSlots(slots: u32): bool {
    if (slots <= this.stateRoom) return true;
    const states = heapRealloc(this.states, slots * offsetof<FieldState>());
    if (!states) return false;
    this.states = states;
    const touched = heapRealloc(this.touched, slots << 2);
    if (!touched) return false;
    this.touched = touched;
    const known = this.stateRoom * offsetof<FieldState>();
    memory.fill(states + known, 0, slots * offsetof<FieldState>() - known);
    this.stateRoom = slots;
    return true;
  }

  /** Begins a document; false without memory. */
  startDoc(key: u64): bool {
    if (this.docCount == this.keyRoom) {
      const room = this.keyRoom << 1;
      const keys = heapRealloc(this.keys, room << 3);
      if (!keys) return false;
      this.keys = keys;
      this.keyRoom = room;
    }
    if (!this.log.startDoc()) return false;
    store<u64>(this.keys + ((<usize>this.docCount) << 3), key);
    ++this.docCount;
    this.touchedCount = 0;
    return true;
  }

  /** The state of a field in the current document. */
  state(slot: u32): FieldState {
    const state = changetype<FieldState>(this.states + <usize>slot * offsetof<FieldState>());
    if (state.stamp != this.docCount) {
      state.stamp = this.docCount;
      state.tokens = 0;
      state.length = 0;
      state.position = -1;
      state.boost = 1;
      store<u32>(this.touched + ((<usize>this.touchedCount) << 2), slot);
      ++this.touchedCount;
    }
    return state;
  }

  /**
   * Adds an occurrence of a term. `hash` is that of its bytes, which are followed by zeros up to a multiple of 8. `position`
   * is not negative and counts only in fields that store positions. False without memory.
   */
  add(slot: u32, ptr: usize, length: u32, hash: u32, position: u32, positional: bool): bool {
    const log = this.log;
    if (!log.reserve()) return false;
    const mixed = hash ^ (slot * SLOT_HASH);
    const identity = slot | (length << 16);
    const mask = this.mask;
    const table = this.table;
    const records = this.records;
    let i = mixed & mask;
    let entry = load<u64>(table + ((<usize>i) << 3));
    while (entry) {
      if (<u32>entry == mixed) {
        const reference = <u32>(entry >> 32);
        const record = records + ((<usize>reference) << 3);
        if (load<u32>(record, 4) == identity) {
          let at: u32 = 0;
          while (at < length && load<u64>(record + at, 8) == load<u64>(ptr + at)) at += 8;
          if (at >= length) {
            store<u32>(record, load<u32>(record) + 1);
            ++this.tokens;
            log.add(reference, position, positional);
            return true;
          }
        }
      }
      i = (i + 1) & mask;
      entry = load<u64>(table + ((<usize>i) << 3));
    }
    return this.addNew(slot, ptr, length, mixed, position, positional);
  }

  /** Adds the first occurrence of a term. */
  private addNew(slot: u32, ptr: usize, length: u32, mixed: u32, position: u32, positional: bool): bool {
    const padded = (length + 7) & ~7;
    const end = this.recordsEnd;
    if (this.recordsRoom - end < RECORD_HEADER + padded && !this.growRecords(RECORD_HEADER + padded))
      return false;
    if (this.termCount >= this.termLimit && !this.growTable()) return false;
    const record = this.records + end;
    store<u32>(record, 1);
    store<u16>(record, <u16>slot, 4);
    store<u16>(record, <u16>length, 6);
    for (let at: u32 = 0; at < padded; at += 8) store<u64>(record + at, load<u64>(ptr + at), 8);
    this.recordsEnd = end + RECORD_HEADER + padded;
    const reference = end >> 3;
    this.enter(mixed, reference);
    ++this.termCount;
    ++this.tokens;
    this.log.add(reference, position, positional);
    return true;
  }

  private enter(mixed: u32, reference: u32): void {
    let i = mixed & this.mask;
    while (load<u64>(this.table + ((<usize>i) << 3))) i = (i + 1) & this.mask;
    store<u64>(this.table + ((<usize>i) << 3), <u64>mixed | ((<u64>reference) << 32));
  }

  private growRecords(more: u32): bool {
    const wanted = <u64>this.recordsRoom + max(this.recordsRoom >> 1, more);
    if (<u64>this.recordsEnd + more > MAX_RECORDS) return false;
    const room = <u32>min(wanted, <u64>MAX_RECORDS) & ~7;
    const moved = heapRealloc(this.records, room);
    if (!moved) return false;
    this.records = moved;
    this.recordsRoom = room;
    return true;
  }

  private growTable(): bool {
    const old = this.table;
    const oldEntries = this.mask + 1;
    if (oldEntries >= 1 << 28) return false;
    const entries = oldEntries << (oldEntries < 1 << 16 ? 2 : 1);
    const table = heapAllocZeroed(entries << 3);
    if (!table) return false;
    this.table = table;
    this.mask = entries - 1;
    this.termLimit = (entries >> 1) + (entries >> 3);
    const mask = this.mask;
    for (let p = old, end = old + ((<usize>oldEntries) << 3); p < end; p += 8) {
      const entry = load<u64>(p);
      if (!entry) continue;
      let i = <u32>entry & mask;
      while (load<u64>(table + ((<usize>i) << 3))) i = (i + 1) & mask;
      store<u64>(table + ((<usize>i) << 3), entry);
    }
    heapFree(old);
    return true;
  }

  /** Takes back what was added since the log and the documents stood at the given marks. */
  rollback(docCount: u32, logMark: u64): void {
    const log = this.log;
    log.rewind(logMark);
    for (;;) {
      const word = log.next();
      if (!word) break;
      if (TokenLog.isMarker(word)) continue;
      const record = this.records + ((<usize>word) << 3);
      store<u32>(record, load<u32>(record) - 1);
      --this.tokens;
    }
    log.truncate(logMark);
    this.docCount = docCount;
    // The states speak of documents by number, and the numbers will be given out again.
    memory.fill(this.states, 0, this.stateRoom * offsetof<FieldState>());
  }
}
