import { fill, Matcher, matches, windowBytes } from '../docset/matcher';
import { andInto, Bitset, sizeInBytes } from '../memory/bitset';
import { Search } from './context';

/**
 * One segment's share of a search: the tree that scores, and around it what decides which documents count. The strategies
 * (single.ts, union.ts, conjunction.ts, window.ts) each execute one of these.
 */
@unmanaged
export class Run {
  search: Search;
  /** Scores, and matches. */
  root: Matcher;
  /** Post filter, or 0. */
  postFilter: usize;
  /** Bitset of the documents that searches see, 0 where they see all. */
  live: usize;
  docCount: u32;
  /** Which of the segment's states `live` is: each has a number of its own. */
  view: u32;
  /** Number of the segment's first document in the shard. */
  docBase: u32;
  /** Score without skipping anything. */
  exhaustive: bool;
  /** No score is wanted. */
  countOnly: bool;

  @inline get postFilterMatcher(): Matcher {
    return changetype<Matcher>(this.postFilter);
  }

  /**
   * Makes `bits` the documents of a window that the tree matches and that count, `filter` being room for as many. A window begins at a
   * multiple of 128.
   */
  fillWindow(base: u32, size: u32, bits: usize, filter: usize): void {
    const used = windowBytes(size);
    memory.fill(bits, 0, used);
    fill(this.root, base, size, bits);
    if (this.postFilter) {
      memory.fill(filter, 0, used);
      fill(this.postFilterMatcher, base, size, filter);
      andInto(bits, filter, used);
    }
    if (this.live) andInto(bits, this.live + (base >> 3), sizeInBytes(size));
  }

  /** Whether a document that the tree matches counts. */
  @inline accepts(doc: u32): bool {
    return (
      (!this.live || Bitset.get(this.live, doc)) && (!this.postFilter || matches(this.postFilterMatcher, doc))
    );
  }
}
