import { ERR_MEMORY } from '../abi/status';
import { unpack128 } from '../codec/bitpack128';
import { Vint, vintNext } from '../codec/vint';
import { requestAlloc } from '../memory/arena';
import { fail } from '../requestStatus';
import {
  CODE_BITSET,
  contains,
  currentIndex,
  decodeDocs,
  decodeFreqs,
  find,
  NO_MORE,
  PostingsCursor,
  reach,
  seekBlock,
} from './cursor';
import { PositionRows } from './positionRows';

// Positions of one term in many documents at a time (bytes: segment/README.md).
//
// Of a block of postings the frequencies are summed up once, so that each posting knows where its positions begin; of the positions
// themselves a block of 128 is unpacked at a time, the one asked for last.

const TAIL: u8 = 0xff;
/** Positions of a position block. */
const POSITIONS: u32 = 128;

@unmanaged
export class PositionsCursor {
  postings: PostingsCursor;
  /**
   * The block of postings that is summed up, plus one, and where the positions of each of its postings begin: u32 numbers, counted
   * from the first of the position block in which the block's own begin; and behind them where the last one's end.
   */
  private summed: u32;
  private sums: usize;
  private end: u32;
  /** A position block and the number of its first position. */
  private at: usize;
  private first: u32;
  /** The position block whose gaps are in `gaps` (its address), and of one coded in vints where they end. */
  private unpacked: usize;
  private gaps: usize;
  private after: usize;
  /** Of the posting looked at: the number of its first position and how many it has. */
  private wanted: u32;
  private count: u32;
  /** Four positions. */
  private four: usize;
  /** Where `readBlock` has put the last index. */
  kept: usize;

  static make(postings: PostingsCursor): PositionsCursor | null {
    const ptr = requestAlloc(offsetof<PositionsCursor>());
    if (!ptr) return null;
    memory.fill(ptr, 0, offsetof<PositionsCursor>());
    const p = changetype<PositionsCursor>(ptr);
    p.postings = postings;
    return p;
  }

  /** Sums the current block of postings up; false where the arena has no room. */
  private sumUp(): bool {
    if (!this.sums) {
      this.sums = requestAlloc((POSITIONS << 3) + 48);
      if (!this.sums) return false;
      // Behind the sums there is one more, behind the gaps room to read on.
      this.gaps = this.sums + (POSITIONS << 2) + 16;
      this.four = this.gaps + (POSITIONS << 2) + 16;
    }
    const c = this.postings;
    decodeFreqs(c);
    const freqs = c.freqs;
    const sums = this.sums;
    let before = i32x4.splat(0);
    if (!c.short) before = i32x4.splat(load<u8>(c.metas + ((<usize>c.block) << 4), 14));
    const none = i32x4.splat(0);
    for (let i: usize = 0; i < (<usize>c.count) << 2; i += 16) {
      const own = v128.load(freqs + i);
      let sum = i32x4.add(own, v128.shuffle<i32>(own, none, 4, 0, 1, 2));
      sum = i32x4.add(sum, v128.shuffle<i32>(sum, none, 4, 4, 0, 1));
      sum = i32x4.add(sum, before);
      v128.store(sums + i, i32x4.sub(sum, own));
      before = v128.shuffle<i32>(sum, sum, 3, 3, 3, 3);
    }
    const last = (<usize>c.count - 1) << 2;
    this.end = load<u32>(sums + last) + load<u32>(freqs + last);
    store<u32>(sums + last, this.end, 4);
    this.summed = c.block + 1;
    this.rewind();
    return true;
  }

  /** Goes back to the position block in which the block's positions begin. */
  private rewind(): void {
    const c = this.postings;
    this.first = 0;
    if (c.short) {
      this.at = c.positions;
    } else {
      this.at = c.positions + load<u32>(c.metas + ((<usize>c.block) << 4), 8);
      // How much of a tail is unpacked depends on the block of postings.
      if (load<u8>(this.at) == TAIL) this.unpacked = 0;
    }
  }

  /** Unpacks the position block that holds the number `wanted`. */
  private moveTo(wanted: u32): void {
    if (wanted < this.first) this.rewind();
    const vints = this.postings.short;
    while (wanted - this.first >= POSITIONS) {
      if (vints) {
        if (this.unpacked != this.at) this.readVints(this.at);
        this.at = this.after;
      } else {
        this.at += 1 + ((<usize>load<u8>(this.at)) << 4);
      }
      this.first += POSITIONS;
    }
    if (this.unpacked == this.at) return;
    if (vints) {
      this.readVints(this.at);
      return;
    }
    const bits = load<u8>(this.at);
    if (bits == TAIL) {
      this.readVints(this.at + 1);
      return;
    }
    unpack128(this.at + 1, this.gaps, bits);
    this.unpacked = this.at;
  }

  /** Reads up to a block of vints, which are the current one's. */
  private readVints(from: usize): void {
    const n = min<u32>(POSITIONS, this.end - this.first);
    const gaps = this.gaps;
    let at = from;
    for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
      store<u32>(gaps + i, Vint.read(at));
      at = vintNext;
    }
    this.after = at;
    this.unpacked = this.at;
  }

  /**
   * Unpacks what holds the first positions of the posting that stands at `index` in its block, and notes where they are; false where
   * the arena has no room.
   */
  @inline private open(index: u32): bool {
    if (this.summed != this.postings.block + 1 && !this.sumUp()) return false;
    const sum = this.sums + ((<usize>index) << 2);
    const wanted = load<u32>(sum);
    this.wanted = wanted;
    this.count = load<u32>(sum, 4) - wanted;
    if (wanted - this.first >= POSITIONS || this.unpacked != this.at) this.moveTo(wanted);
    return true;
  }

  /** Positions of the posting that stands at `index` in its block, to become row `i`; false where the arena has no room. */
  @inline read(index: u32, rows: PositionRows, i: u32): bool {
    if (!this.open(index)) return false;
    const count = this.count;
    const out = rows.room(count);
    if (!out) return false;
    const skip = this.wanted - this.first;
    if (skip + count > POSITIONS) this.readAcross(this.wanted, count, out);
    else this.sumGaps(skip, count, out, i32x4.splat(0));
    rows.put(i, count);
    return true;
  }

  /**
   * Reads on from `from` in a list of indices (`readPositions`) as far as documents are in the current block, which is decoded; the
   * indices of those that are in the list go to `to`, behind which is `kept` then. Returns where it stopped; 0 where the arena has
   * no room.
   */
  readBlock(docs: usize, from: usize, end: usize, to: usize, rows: PositionRows): usize {
    const c = this.postings;
    if (this.summed != c.block + 1 && !this.sumUp()) return 0;
    const own = c.docs;
    const last = c.last;
    const sums = this.sums;
    let index = c.index;
    let kept = to;
    let k = from;
    for (; k < end; k += 4) {
      const i = load<u32>(k);
      const doc = load<u32>(docs + ((<usize>i) << 2));
      if (doc > last) break;
      if (load<u32>(own + ((<usize>index) << 2), 4) == doc) {
        index++;
      } else {
        c.index = index;
        index = find(c, doc);
        if (load<u32>(own + ((<usize>index) << 2)) != doc) continue;
      }
      const sum = sums + ((<usize>index) << 2);
      const wanted = load<u32>(sum);
      const count = load<u32>(sum, 4) - wanted;
      const out = rows.room(count);
      if (!out) return 0;
      let skip = wanted - this.first;
      if (skip >= POSITIONS || this.unpacked != this.at) {
        this.moveTo(wanted);
        skip = wanted - this.first;
      }
      if (skip + count > POSITIONS) this.readAcross(wanted, count, out);
      else this.sumGaps(skip, count, out, i32x4.splat(0));
      rows.put(i, count);
      store<u32>(kept, i);
      kept += 4;
    }
    c.index = index;
    c.doc = NO_MORE;
    this.kept = kept;
    return k;
  }

  /** How many positions of the posting at `index` are below `limit`; `rows` is scratch. -1 where the arena has no room. */
  @inline countBelow(index: u32, limit: i32, rows: PositionRows): i32 {
    if (!this.open(index)) return -1;
    const count = this.count;
    const skip = this.wanted - this.first;
    if (count > 4 || skip + count > POSITIONS) {
      rows.used = 0;
      if (!this.read(index, rows, 0)) return -1;
      let found: u32 = 0;
      while (found < count && load<i32>(rows.at(0) + ((<usize>found) << 2)) < limit) found++;
      return found;
    }
    this.sumGaps(skip, 4, this.four, i32x4.splat(0));
    const below = i32x4.bitmask(i32x4.lt_s(v128.load(this.four), i32x4.splat(limit)));
    return popcnt<i32>(below & ((1 << count) - 1));
  }

  /**
   * Sums `count` gaps from number `skip` of the block up, four at a time, since most often there are no more: what is read and written
   * behind them is of no account. `before` is the position before them in each lane.
   */
  @inline private sumGaps(skip: u32, count: u32, to: usize, before: v128): void {
    const none = i32x4.splat(0);
    let from = this.gaps + ((<usize>skip) << 2);
    let out = to;
    let sum = before;
    const end = from + ((<usize>count) << 2);
    do {
      const gaps = v128.load(from);
      const pairs = i32x4.add(gaps, v128.shuffle<i32>(gaps, none, 4, 0, 1, 2));
      const four = i32x4.add(pairs, v128.shuffle<i32>(pairs, none, 4, 4, 0, 1));
      const positions = i32x4.add(four, sum);
      v128.store(out, positions);
      sum = v128.shuffle<i32>(positions, positions, 3, 3, 3, 3);
      from += 16;
      out += 16;
    } while (from < end);
  }

  /** The same of positions that go on in the next position block. */
  private readAcross(start: u32, count: u32, to: usize): void {
    let wanted = start;
    let left = count;
    let out = to;
    let before: u32 = 0;
    while (left) {
      this.moveTo(wanted);
      const skip = wanted - this.first;
      const n = min<u32>(left, POSITIONS - skip);
      this.sumGaps(skip, n, out, i32x4.splat(before));
      wanted += n;
      left -= n;
      out += (<usize>n) << 2;
      before = load<u32>(out - 4);
    }
  }
}

/** How many documents ahead must be in the same block for it to be worth decoding whole, where it is a bitset. */
const AHEAD: usize = 4;

/**
 * Reads the positions in the documents that `alive` names, `n` ascending u32 indices into `docs` (u32 each), into the rows of these
 * indices. Those whose document the list has are kept in `alive`; returns how many.
 */
export function readPositions(
  p: PositionsCursor,
  docs: usize,
  alive: usize,
  n: usize,
  rows: PositionRows,
): usize {
  const c = p.postings;
  const end = alive + (n << 2);
  rows.used = 0;
  let kept = alive;
  for (let k = alive; k < end; ) {
    const i = load<u32>(k);
    const doc = load<u32>(docs + ((<usize>i) << 2));
    if (!seekBlock(c, doc)) break;
    const ahead = k + (AHEAD << 2);
    if (
      c.code != CODE_BITSET ||
      c.docsReady ||
      (ahead < end && load<u32>(docs + ((<usize>load<u32>(ahead)) << 2)) <= c.last)
    ) {
      decodeDocs(c);
      k = p.readBlock(docs, k, end, kept, rows);
      kept = p.kept;
      if (!k) {
        fail(ERR_MEMORY);
        return 0;
      }
      continue;
    }
    k += 4;
    if (!contains(c, doc)) continue;
    if (!p.read(currentIndex(c), rows, i)) {
      fail(ERR_MEMORY);
      return 0;
    }
    store<u32>(kept, i);
    kept += 4;
  }
  return (kept - alive) >> 2;
}

/** Adds the positions of one of several lists to the rows, in order; documents that it lacks keep what they have. */
export function addPositions(
  p: PositionsCursor,
  docs: usize,
  alive: usize,
  n: usize,
  rows: PositionRows,
): void {
  const c = p.postings;
  for (let k: usize = 0; k < n; ) {
    const i = load<u32>(alive + (k << 2));
    const doc = load<u32>(docs + ((<usize>i) << 2));
    const found = reach(c, doc);
    if (found == NO_MORE) return;
    if (found > doc) {
      // The next candidate that the list can have.
      let low = k + 1;
      let high = n;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (load<u32>(docs + ((<usize>load<u32>(alive + (middle << 2))) << 2)) < found) low = middle + 1;
        else high = middle;
      }
      k = low;
      continue;
    }
    const count = rows.count(i);
    const first = rows.first(i);
    if (!p.read(currentIndex(c), rows, i) || (count && !rows.merge(i, first, count))) {
      fail(ERR_MEMORY);
      return;
    }
    k++;
  }
}

/** Numbers of positions below `limit` in each of `n` documents (u32 each), 0 where the list lacks them, as f32 times `weight` to `out`. */
export function countPositions(
  p: PositionsCursor,
  docs: usize,
  n: usize,
  limit: i32,
  rows: PositionRows,
  weight: f32,
  out: usize,
): void {
  const c = p.postings;
  for (let k: usize = 0; k < n << 2; k += 4) {
    const doc = load<u32>(docs + k);
    let found: i32 = 0;
    if (c.stepsTo(doc) || contains(c, doc)) found = p.countBelow(currentIndex(c), limit, rows);
    if (found < 0) {
      fail(ERR_MEMORY);
      return;
    }
    store<f32>(out + k, <f32>found * weight);
  }
}
