import { ERR_MEMORY } from '../abi/status';
import { heapFree, heapRealloc } from '../memory/heap';
import { Analysis } from './token';

/**
 * How offsets in filtered text lead back to the original: for each char filter, ascending pairs
 *
 *     | u32 from this UTF-16 offset of its output on | i32 add this |
 *
 * as Lucene's BaseCharFilter keeps them. The filters' maps are applied from the last filter to the first.
 */
@unmanaged
export class Corrections {
  private pairs: usize;
  private count: u32;
  private room: u32;
  /** How many pairs were before the offset that was corrected last. */
  private near: u32;

  clear(): void {
    this.count = 0;
    this.near = 0;
  }

  /** Adds a pair; one at the same offset as the last replaces it. False without memory, which fails the analysis. */
  add(offset: u32, difference: i32): bool {
    if (this.count > 0 && load<u32>(this.pairs + ((this.count - 1) << 3)) == offset) {
      store<i32>(this.pairs + ((this.count - 1) << 3), difference, 4);
      return true;
    }
    if (this.count == this.room) {
      const room = max(this.room << 1, 64);
      const moved: usize = room > 1 << 26 ? 0 : heapRealloc(this.pairs, room << 3);
      if (!moved) {
        Analysis.status = ERR_MEMORY;
        return false;
      }
      this.pairs = moved;
      this.room = room;
    }
    const at = this.pairs + (this.count << 3);
    store<u32>(at, offset);
    store<i32>(at, difference, 4);
    ++this.count;
    return true;
  }

  /** What the last pair adds. */
  last(): i32 {
    return this.count > 0 ? load<i32>(this.pairs + ((this.count - 1) << 3), 4) : 0;
  }

  /** The offset in the filter's input of one in its output. */
  correct(offset: u32): u32 {
    // Mostly it is a little behind the one asked for before.
    let low = this.near;
    let high = this.count;
    if (low > high || (low > 0 && load<u32>(this.pairs + ((low - 1) << 3)) > offset)) {
      high = min(low, high);
      low = 0;
    } else {
      const most = min(low + 4, high);
      while (low < most && load<u32>(this.pairs + (low << 3)) <= offset) ++low;
      if (low < most) high = low;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (load<u32>(this.pairs + (middle << 3)) <= offset) low = middle + 1;
      else high = middle;
    }
    this.near = low;
    return low == 0 ? offset : offset + load<i32>(this.pairs + ((low - 1) << 3), 4);
  }

  /** Pairs in the map. */
  @inline get size(): u32 {
    return this.count;
  }

  /** The offset from which the i-th pair counts. */
  @inline offsetAt(i: u32): u32 {
    return load<u32>(this.pairs + (i << 3));
  }

  release(): void {
    heapFree(this.pairs);
    this.pairs = 0;
    this.room = 0;
    this.count = 0;
  }
}

/** Addresses of the maps of the analysis that is going on, first filter first. */
const maps: usize = memory.data(64 * 4, 4);
let mapCount: u32 = 0;

export function forgetCorrections(): void {
  mapCount = 0;
}

/** Adds the map of a further char filter (at most 64). */
export function addCorrections(map: Corrections): void {
  store<usize>(maps + (mapCount << 2), changetype<usize>(map));
  ++mapCount;
}

/** The map of the last char filter; null if there is none. */
export function lastCorrections(): Corrections | null {
  return mapCount ? changetype<Corrections>(load<usize>(maps + ((mapCount - 1) << 2))) : null;
}

/** The offset in the original text. */
export function correctOffset(offset: u32): u32 {
  for (let i = mapCount; i > 0; --i) {
    offset = changetype<Corrections>(load<usize>(maps + ((i - 1) << 2))).correct(offset);
  }
  return offset;
}
