import { compareBytes, prefix8 } from './bytes';

/**
 * Sorts terms by their bytes, in slices: a bottom-up merge sort over items that carry the first 8 bytes.
 *
 *     item    | u64 prefix, big endian | u32 address of the bytes | u32 length |
 */

export const ITEM_BYTES: u32 = 16;
/** Length of the runs that are made by insertion. */
const FIRST_RUN: u32 = 8;

/** Writes the item of a term. */
export function putItem(item: usize, ptr: usize, length: u32): void {
  store<u64>(item, prefix8(ptr, length));
  store<u32>(item, <u32>ptr, 8);
  store<u32>(item, length, 12);
}

/** Whether term a comes before term b. */
function isBefore(a: usize, b: usize): bool {
  const prefixA = load<u64>(a);
  const prefixB = load<u64>(b);
  if (prefixA != prefixB) return prefixA < prefixB;
  return compareBytes(load<u32>(a, 8), load<u32>(a, 12), load<u32>(b, 8), load<u32>(b, 12)) < 0;
}

class Item {
  @inline static copy(to: usize, from: usize): void {
    v128.store(to, v128.load(from));
  }
}

@unmanaged
export class TermSorter {
  /** The items, and room for as many. */
  private items: usize;
  private other: usize;
  private count: u32;
  /** Length of the sorted runs in `items`; 0: none are made yet. */
  private width: u32;
  /** Items of this pass that are done. */
  private at: u32;

  /** Sorts `count` items; `other` has room for as many. */
  start(items: usize, other: usize, count: u32): void {
    this.items = items;
    this.other = other;
    this.count = count;
    this.width = 0;
    this.at = 0;
  }

  /** Where the sorted items are. */
  get sorted(): usize {
    return this.items;
  }

  /** Moves about `budget` items, the largest two runs at least; true when all is sorted. */
  step(budget: u32): bool {
    let left = <i32>budget;
    while (left > 0) {
      if (this.width >= this.count) return true;
      if (this.width == 0) left -= <i32>this.makeRun();
      else left -= <i32>this.mergePair();
      if (this.at >= this.count) {
        this.at = 0;
        if (this.width == 0) {
          this.width = FIRST_RUN;
        } else {
          this.width <<= 1;
          const items = this.items;
          this.items = this.other;
          this.other = items;
        }
      }
    }
    return this.width >= this.count;
  }

  private makeRun(): u32 {
    const n = min(FIRST_RUN, this.count - this.at);
    const first = this.items + <usize>this.at * ITEM_BYTES;
    for (let p = first + ITEM_BYTES, end = first + <usize>n * ITEM_BYTES; p < end; p += ITEM_BYTES) {
      if (!isBefore(p, p - ITEM_BYTES)) continue;
      const item = v128.load(p);
      // The item waits in the other room while those above it move up.
      v128.store(this.other, item);
      let hole = p;
      do {
        Item.copy(hole, hole - ITEM_BYTES);
        hole -= ITEM_BYTES;
      } while (hole > first && isBefore(this.other, hole - ITEM_BYTES));
      v128.store(hole, item);
    }
    this.at += n;
    return n;
  }

  private mergePair(): u32 {
    const width = this.width;
    const start = this.at;
    const middle = min(start + width, this.count);
    const end = min(middle + width, this.count);
    let a = this.items + <usize>start * ITEM_BYTES;
    let b = this.items + <usize>middle * ITEM_BYTES;
    const aEnd = b;
    const bEnd = this.items + <usize>end * ITEM_BYTES;
    let to = this.other + <usize>start * ITEM_BYTES;
    // Terms often come in order: numbers that count up, for one.
    if (b < bEnd && isBefore(b, b - ITEM_BYTES)) {
      while (a < aEnd && b < bEnd) {
        const second = isBefore(b, a);
        const from = second ? b : a;
        Item.copy(to, from);
        to += ITEM_BYTES;
        if (second) b += ITEM_BYTES;
        else a += ITEM_BYTES;
      }
    }
    memory.copy(to, a, aEnd - a);
    memory.copy(to + (aEnd - a), b, bEnd - b);
    this.at = end;
    return end - start;
  }
}
