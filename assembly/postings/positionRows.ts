import { requestAlloc } from '../memory/arena';

// Positions of up to 128 documents, a row each, one row after the other in a buffer that grows.

/** Most rows. */
export const ROWS: u32 = 128;

@unmanaged
export class PositionRows {
  /** u32 positions of all rows. */
  private buffer: usize;
  /** How many of them there are, and how many there is room for. */
  used: u32;
  private capacity: u32;
  /** u32 index in the buffer of each row's first position. */
  private firsts: usize;
  /** u32 number of positions in each row. */
  counts: usize;

  /** Rows that must be cleared before they are used; null where the arena has no room. */
  static make(): PositionRows | null {
    const at = requestAlloc(offsetof<PositionRows>());
    const tables = requestAlloc(ROWS << 3);
    if (!at || !tables) return null;
    memory.fill(at, 0, offsetof<PositionRows>());
    const rows = changetype<PositionRows>(at);
    rows.firsts = tables;
    rows.counts = tables + (ROWS << 2);
    return rows;
  }

  /** Empties all rows. */
  clear(): void {
    this.used = 0;
    memory.fill(this.counts, 0, ROWS << 2);
  }

  /** Number of positions in row `i`. */
  @inline count(i: u32): u32 {
    return load<u32>(this.counts + ((<usize>i) << 2));
  }

  /** Index in the buffer of the first position of row `i`. */
  @inline first(i: u32): u32 {
    return load<u32>(this.firsts + ((<usize>i) << 2));
  }

  /** Address of the positions of row `i`, good until there is room for more. */
  @inline at(i: u32): usize {
    return this.buffer + ((<usize>this.first(i)) << 2);
  }

  /** Room for `n` more positions behind those there are, and three to write over; 0 where the arena has none. */
  @inline room(n: u32): usize {
    return n + 3 <= this.capacity - this.used || this.grow(n) ? this.buffer + ((<usize>this.used) << 2) : 0;
  }

  /** The `n` positions written last where there was room for them become row `i`. */
  @inline put(i: u32, n: u32): void {
    store<u32>(this.firsts + ((<usize>i) << 2), this.used);
    store<u32>(this.counts + ((<usize>i) << 2), n);
    this.used += n;
  }

  /** Joins `n` positions from index `first` with row `i`, both ascending; false where the arena has no room. */
  merge(i: u32, first: u32, n: u32): bool {
    const count = this.count(i);
    let out = this.room(n + count);
    if (!out) return false;
    let a = this.buffer + ((<usize>first) << 2);
    let b = this.at(i);
    const aEnd = a + ((<usize>n) << 2);
    const bEnd = b + ((<usize>count) << 2);
    for (; a < aEnd || b < bEnd; out += 4) {
      if (b == bEnd || (a < aEnd && load<u32>(a) <= load<u32>(b))) {
        store<u32>(out, load<u32>(a));
        a += 4;
      } else {
        store<u32>(out, load<u32>(b));
        b += 4;
      }
    }
    this.put(i, n + count);
    return true;
  }

  private grow(n: u32): bool {
    const wanted = <u64>this.used + <u64>n + 3;
    if (wanted > 1 << 27) return false;
    let capacity = max<u32>(512, this.capacity << 1);
    while (<u64>capacity < wanted) capacity <<= 1;
    const grown = requestAlloc(capacity << 2);
    if (!grown) return false;
    memory.copy(grown, this.buffer, (<usize>this.used) << 2);
    this.buffer = grown;
    this.capacity = capacity;
    return true;
  }
}
