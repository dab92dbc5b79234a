import { ERR_MEMORY } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { PositionRows } from '../postings/positionRows';
import { PositionsCursor } from '../postings/positions';
import { fail } from '../requestStatus';

// Spans: places of a document from a first position to one behind the last, found by terms and put together by nearness,
// alternatives, exclusion and position. The positions of all terms are read in up to 128 documents at a time (spanFreqs.ts); then,
// document by document, all spans of a node are made at once (spanLists.ts), as two lists.

export const SPAN_TERM: u8 = 0;
export const SPAN_NEAR_ORDERED: u8 = 1;
export const SPAN_NEAR_UNORDERED: u8 = 2;
export const SPAN_OR: u8 = 3;
export const SPAN_NOT: u8 = 4;
export const SPAN_FIRST: u8 = 5;

@unmanaged
export class Spans {
  kind: u8;
  /** They are single words, of any number of terms: no positions are needed to count them. */
  words: bool;
  /** All children are terms. */
  flat: bool;
  /** Terms of other fields than that of the scores are among them. */
  masked: bool;
  /** Array of Spans pointers; of an exclusion the second may be missing. */
  children: usize;
  childCount: u32;
  /** About how many documents have any. */
  cost: u32;
  /** The children by ascending cost. */
  byCost: usize;
  term: PositionsCursor;
  /** Positions of the term in the documents at hand. */
  rows: PositionRows;
  /** Of alternatives and exclusions: 128 × u32, indices of documents that a child is looked for in. */
  indices: usize;
  slop: i32;
  /** Of an exclusion: how far before and behind; of a first span: where it must end, in `post`. */
  pre: i32;
  post: i32;
  /** i32 first positions and positions behind the last; `ends` is 0 where these are the next ones. */
  starts: usize;
  ends: usize;
  count: u32;
  /** The lists that `add` fills. */
  ownStarts: usize;
  ownEnds: usize;
  capacity: u32;
  /** Where a walk through the lists stands. */
  next: u32;

  @inline child(i: u32): Spans {
    return changetype<Spans>(load<usize>(this.children + <usize>i * sizeof<usize>()));
  }
  @inline cheap(i: u32): Spans {
    return changetype<Spans>(load<usize>(this.byCost + <usize>i * sizeof<usize>()));
  }
  @inline start(i: u32): i32 {
    return load<i32>(this.starts + ((<usize>i) << 2));
  }
  @inline end(i: u32): i32 {
    const at = (<usize>i) << 2;
    return this.ends ? load<i32>(this.ends + at) : load<i32>(this.starts + at) + 1;
  }

  /** Starts with no spans, to add some. */
  @inline clear(): void {
    this.starts = this.ownStarts;
    this.ends = this.ownEnds;
    this.count = 0;
  }

  /** Takes the first `count` spans of another node. */
  @inline take(from: Spans, count: u32): void {
    this.starts = from.starts;
    this.ends = from.ends;
    this.count = count;
  }

  add(start: i32, end: i32): void {
    if (this.count == this.capacity && !this.grow()) return;
    store<i32>(this.starts + ((<usize>this.count) << 2), start);
    store<i32>(this.ends + ((<usize>this.count) << 2), end);
    this.count++;
  }

  private grow(): bool {
    const capacity = max<u32>(64, this.capacity << 1);
    const starts = requestAlloc(capacity << 2);
    const ends = requestAlloc(capacity << 2);
    if (!starts || !ends) {
      fail(ERR_MEMORY);
      return false;
    }
    memory.copy(starts, this.starts, (<usize>this.count) << 2);
    memory.copy(ends, this.ends, (<usize>this.count) << 2);
    this.starts = starts;
    this.ends = ends;
    this.ownStarts = starts;
    this.ownEnds = ends;
    this.capacity = capacity;
    return true;
  }
}
