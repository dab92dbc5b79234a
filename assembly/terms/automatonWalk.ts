import { Vint, vintNext } from '../codec/vint';
import { requestAlloc } from '../memory/arena';
import { spend } from '../workLimit';
import { Automaton } from './automaton';
import { AutomatonRows } from './automatonRows';
import { commonPrefix, compareBytes } from './bytes';
import { BLOCK_TERMS, MAX_TERM_BYTES, TERM_BUFFER_BYTES, TermCursor } from './dictionary';

// The terms of a dictionary that an automaton accepts, ascending. The front-coded entries are read in place: one that shares the
// byte at which the automaton refused the term before it is refused as well, and skipped unread; of another one only
// the bytes behind those it shares are run. Where the automaton refuses a term it tells the next bytes that it could
// accept, and blocks that end below them are passed over.

/** Refused terms of a block after which it is asked whether the rest of it can be passed over. */
const PATIENCE: u32 = 14;

@unmanaged
export class AutomatonWalk {
  /** The current term. Its buffer holds the bytes read so far, `depth` and the refused one, of the last entry that was run. */
  terms: TermCursor;
  /** What it accepts with. */
  accepted: u32;
  private rows: AutomatonRows;
  /** After 0, 1, … `depth` bytes the address of the state's row, or its tag: u32. */
  private path: usize;
  private depth: u32;
  /** The last entry was refused at byte `depth`, else it was read to its end. */
  private refused: bool;
  /** The next bytes that the automaton could accept, their number, and the first eight of them. */
  private target: usize;
  private targetLength: u32;
  private targetPrefix: u64;

  /** A walk that sets the fields of `terms`; null where the arena has no room. */
  static make(automaton: Automaton, terms: TermCursor): AutomatonWalk | null {
    const at = requestAlloc(offsetof<AutomatonWalk>());
    const path = requestAlloc((MAX_TERM_BYTES + 2) << 2);
    const target = requestAlloc(TERM_BUFFER_BYTES);
    const rows = AutomatonRows.make(automaton);
    if (!at || !path || !target || rows === null) return null;
    const walk = changetype<AutomatonWalk>(at);
    walk.terms = terms;
    walk.rows = rows;
    walk.path = path;
    walk.target = target;
    walk.rewind();
    return walk;
  }

  /** The cursor is before its first term again. */
  rewind(): void {
    store<u32>(this.path, AutomatonRows.tag(0));
    this.depth = 0;
    this.refused = false;
  }

  /** Terms that accept with more than `most` are refused from now on. */
  refuseAbove(most: u32): void {
    this.unbind(this.depth);
    // States on the path that no longer count lead nowhere: their rows have nothing in them.
    this.rows.refuseAbove(most);
  }

  /** Moves to the next term that is accepted; false at the end. */
  next(): bool {
    const terms = this.terms;
    const dict = terms.dict;
    const termCount = dict.termCount;
    const end = dict.end;
    const buffer = terms.termPtr;
    const path = this.path;
    const classes = this.rows.classes;
    let ordinal = terms.ordinal;
    let p = terms.entry;
    let postings = terms.postingsOffset;
    let depth = this.depth;
    let refused = this.refused;
    let patience = PATIENCE;
    while (ordinal < termCount) {
      let inBlock = ordinal & (BLOCK_TERMS - 1);
      if ((!inBlock || !patience) && !spend(BLOCK_TERMS)) break;
      if (refused && (!inBlock || !patience)) {
        this.depth = depth;
        const block = ordinal / BLOCK_TERMS;
        const next = this.passOver(block);
        if (next == dict.blockCount) break;
        if (next > block) {
          ordinal = next * BLOCK_TERMS;
          inBlock = 0;
        }
        patience = PATIENCE;
      }
      let shared: u32 = 0;
      if (inBlock) {
        shared = <u32>load<u8>(p++);
        if (shared >= 0x80) {
          shared = Vint.read(p - 1);
          p = vintNext;
        }
      } else {
        p = dict.block(ordinal / BLOCK_TERMS);
        postings = 0;
      }
      if (p >= end) break;
      const rest = Vint.read(p);
      const bytes = vintNext;
      if (bytes > end || rest > <u32>(end - bytes) || rest > MAX_TERM_BYTES - shared) break;
      const behind = bytes + rest;
      p = behind;
      const df = Vint.read(p);
      postings += Vint.read(vintNext);
      p = vintNext;
      ordinal++;
      if (shared > depth) {
        patience--;
        continue;
      }
      let i = inBlock ? shared : commonPrefix(buffer, bytes, min(depth, rest));
      const from = bytes + (i - shared);
      let at = from;
      let row = this.rowAt(i);
      while (at < behind) {
        const column = (<usize>load<u8>(classes + load<u8>(at))) << 2;
        let next = AutomatonRows.next(row, column);
        if (!next) break;
        if (next & 1) next = <u32>this.enter(row, column, i);
        row = next;
        at++;
        i++;
        store<u32>(path + ((<usize>i) << 2), <u32>row);
      }
      depth = i;
      refused = at < behind;
      if (at == from) {
        if (refused) store<u8>(buffer + i, load<u8>(at));
      } else if (rest <= 16) {
        // The buffer and the image have room behind a term.
        v128.store(buffer + shared, v128.load(bytes));
      } else {
        memory.copy(buffer + shared, bytes, rest);
      }
      if (refused) {
        patience--;
        continue;
      }
      this.accepted = AutomatonRows.accept(row);
      if (!this.accepted) continue;
      if (!dict.accepts(df, postings)) break;
      this.depth = depth;
      this.refused = false;
      terms.termLength = depth;
      terms.df = df;
      terms.postingsOffset = postings;
      terms.entry = p;
      terms.ordinal = ordinal;
      return true;
    }
    terms.ordinal = termCount;
    terms.termLength = 0;
    terms.df = 0;
    return false;
  }

  /** The row of the state after `i` bytes, up to which the path is known. */
  @inline private rowAt(i: u32): usize {
    const row = load<u32>(this.path + ((<usize>i) << 2));
    return row & 1 ? this.bind(i) : <usize>row;
  }

  private bind(i: u32): usize {
    const slot = this.path + ((<usize>i) << 2);
    const state = AutomatonRows.tagged(load<u32>(slot));
    if (this.rows.isFull()) {
      this.unbind(max(i, this.depth));
      this.rows.clear();
    }
    const row = this.rows.row(state);
    store<u32>(slot, <u32>row);
    return row;
  }

  /** The row whose tag stands in a column of the row after `i` bytes. */
  private enter(row: usize, column: usize, i: u32): usize {
    const state = AutomatonRows.tagged(AutomatonRows.next(row, column));
    if (this.rows.isFull()) {
      this.unbind(i);
      this.rows.clear();
      return this.rows.row(state);
    }
    const to = this.rows.row(state);
    AutomatonRows.setNext(row, column, to);
    return to;
  }

  /** Lets go of the rows of the path's first `depth` bytes. */
  private unbind(depth: u32): void {
    for (let i: usize = 0; i <= <usize>depth; i++) {
      const row = load<u32>(this.path + (i << 2));
      if (!(row & 1)) store<u32>(this.path + (i << 2), AutomatonRows.tagOf(row));
    }
  }

  /**
   * The block, `block` itself or a later one, in which the first term lies that may be accepted, the last one being refused;
   * the number of all blocks where there is none.
   */
  private passOver(block: u32): u32 {
    const dict = this.terms.dict;
    if (!this.aim()) return dict.blockCount;
    let low = block;
    let step: u32 = 1;
    let high = block + 1;
    while (high < dict.blockCount && this.beginsBelow(high)) {
      low = high;
      high += step;
      step <<= 1;
    }
    high = min(high, dict.blockCount);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.beginsBelow(middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Works out the target: the smallest bytes above the refused ones that the automaton could go on from; false if there are none. */
  private aim(): bool {
    const buffer = this.terms.termPtr;
    for (let i = this.depth; i != u32.MAX_VALUE; i--) {
      const row = this.rowAt(i);
      const byte = AutomatonRows.nextByte(row, <u32>load<u8>(buffer + i) + 1);
      if (byte < 0) continue;
      const target = this.target;
      if (i < 16) v128.store(target, v128.load(buffer));
      else memory.copy(target, buffer, i);
      store<u8>(target + i, <u8>byte);
      this.targetLength = i + 1;
      this.targetPrefix = AutomatonWalk.firstEight(target, i + 1);
      return true;
    }
    return false;
  }

  /** The first eight bytes as a big-endian number, zeros behind the end; eight bytes can be read. */
  @inline private static firstEight(ptr: usize, length: u32): u64 {
    const all = bswap(load<u64>(ptr));
    return length >= 8 ? all : length ? all & ((<u64>-1) << (<u64>(64 - (length << 3)))) : 0;
  }

  /** Whether a block's first term is not above the target. */
  private beginsBelow(block: u32): bool {
    const dict = this.terms.dict;
    const entry = dict.block(block);
    if (entry >= dict.end) return false;
    const length = Vint.read(entry);
    const bytes = vintNext;
    const prefix = AutomatonWalk.firstEight(bytes, length);
    if (prefix != this.targetPrefix) return prefix < this.targetPrefix;
    const room = bytes < dict.end ? <u32>(dict.end - bytes) : 0;
    return compareBytes(bytes, min(length, room), this.target, this.targetLength) <= 0;
  }
}
