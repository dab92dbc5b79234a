import { requestAlloc } from '../memory/arena';
import { Automaton } from './automaton';

// The states of an automaton as rows in which a byte is looked up by its class, made when they are first entered. Bytes
// that no transition tells apart are of one class.
//
//   row   u32 state | u32 what a word accepts with that ends here | 32 bytes: bit b, byte b leads on | u32 × classes:
//         0 leads nowhere, odd: the tag of a state, else the address of its row
//
// Rows lie in a pool of bounded size; when it is full they are all given up, and made anew as they are needed. Who holds a row
// must let go of it before (`tagOf`).

const ROW_MASK: usize = 8;
const ROW_NEXT: usize = 40;

/** Bytes of the pool at most. */
const POOL_BYTES: u32 = 128 << 10;

@unmanaged
export class AutomatonRows {
  private automaton: Automaton;
  /** Class of each byte: u8 × 256. */
  classes: usize;
  /** Per state the address of its row, 0 without one: u32. */
  private rows: usize;
  private rowBytes: u32;
  private pool: usize;
  private poolEnd: usize;
  private poolTop: usize;
  /** Words that accept with more are refused. */
  private most: u32;

  /** null where the arena has no room. */
  static make(automaton: Automaton): AutomatonRows | null {
    const at = requestAlloc(offsetof<AutomatonRows>());
    const classes = requestAlloc(256);
    const rows = requestAlloc(automaton.states << 2);
    if (!at || !classes || !rows) return null;
    const made = changetype<AutomatonRows>(at);
    const n = automaton.classify(classes);
    made.automaton = automaton;
    made.classes = classes;
    made.rows = rows;
    made.rowBytes = (<u32>ROW_NEXT + (n << 2) + 7) & ~7;
    const bytes = <u32>min<u64>(<u64>automaton.states * <u64>made.rowBytes, POOL_BYTES);
    made.pool = requestAlloc(bytes);
    if (!made.pool) return null;
    made.poolEnd = made.pool + bytes;
    made.most = u32.MAX_VALUE;
    made.clear();
    return made;
  }

  /** Gives all rows up. */
  clear(): void {
    memory.fill(this.rows, 0, this.automaton.states << 2);
    this.poolTop = this.pool;
  }

  /** Words that accept with more than `most` are refused from now on; all rows held are void. */
  refuseAbove(most: u32): void {
    this.most = most;
    this.clear();
  }

  /** Whether the next row that is made takes the place of others: `clear` first. */
  @inline isFull(): bool {
    return <u32>(this.poolEnd - this.poolTop) < this.rowBytes;
  }

  /** The row of a state, made if there is none. */
  row(state: u32): usize {
    const row = <usize>load<u32>(this.rows + ((<usize>state) << 2));
    return row ? row : this.fill(state);
  }

  private fill(state: u32): usize {
    const row = this.poolTop;
    this.poolTop += this.rowBytes;
    memory.fill(row, 0, this.rowBytes);
    const automaton = this.automaton;
    store<u32>(row, state);
    store<u32>(row, automaton.accept(state), 4);
    const classes = this.classes;
    const n = automaton.edges(state);
    for (let i: u32 = 0; i < n; i++) {
      const to = automaton.target(state, i);
      if (automaton.least(to) > this.most) continue;
      const first = automaton.first(state, i);
      const last = automaton.last(state, i);
      const known = load<u32>(this.rows + ((<usize>to) << 2));
      const next = known ? known : AutomatonRows.tag(to);
      const end = <u32>load<u8>(classes + last);
      for (let c = <u32>load<u8>(classes + first); c <= end; c++)
        store<u32>(row + ROW_NEXT + ((<usize>c) << 2), next);
      AutomatonRows.mark(row + ROW_MASK, first, last);
    }
    store<u32>(this.rows + ((<usize>state) << 2), <u32>row);
    return row;
  }

  /** Sets the bits from `first` to `last`. */
  private static mark(mask: usize, first: u32, last: u32): void {
    for (let word = first >> 6; word <= last >> 6; word++) {
      const low = word == first >> 6 ? first & 63 : 0;
      const high = word == last >> 6 ? last & 63 : 63;
      const at = mask + ((<usize>word) << 3);
      store<u64>(at, load<u64>(at) | ((<u64>-1 >> <u64>(63 - high + low)) << (<u64>low)));
    }
  }

  /** What stands for a state whose row may not be made yet: odd, as no row's address is. */
  @inline static tag(state: u32): u32 {
    return (state << 1) | 1;
  }
  /** A row's tag. */
  @inline static tagOf(row: usize): u32 {
    return AutomatonRows.tag(load<u32>(row));
  }
  /** The state of a tag. */
  @inline static tagged(tag: u32): u32 {
    return tag >> 1;
  }
  @inline static accept(row: usize): u32 {
    return load<u32>(row, 4);
  }
  /** What stands in a column, which is a class times 4. */
  @inline static next(row: usize, column: usize): u32 {
    return load<u32>(row + column, ROW_NEXT);
  }

  /** Puts a row in a column. */
  @inline static setNext(row: usize, column: usize, next: usize): void {
    store<u32>(row + column, <u32>next, ROW_NEXT);
  }

  /** The smallest byte from `byte` on, up to 256, that leads on; -1 if there is none. */
  static nextByte(row: usize, byte: u32): i32 {
    if (byte > 255) return -1;
    let word = byte >> 6;
    let bits = load<u64>(row + ROW_MASK + ((<usize>word) << 3)) & ((<u64>-1) << (<u64>(byte & 63)));
    while (!bits) {
      if (++word == 4) return -1;
      bits = load<u64>(row + ROW_MASK + ((<usize>word) << 3));
    }
    return <i32>((word << 6) + <u32>ctz(bits));
  }
}
