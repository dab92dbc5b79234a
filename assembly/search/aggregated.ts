import { OK } from '../abi/status';
import {
  closeBelow,
  closeSegment,
  endPass,
  hasGlobal,
  hasParentOrdinals,
  openBelow,
  openSegment,
  startPass,
  takeChildren,
  takeWindow,
  visitParentOrdinals,
  wantsEmptyBelow,
} from '../aggregation/aggregate';
import { Aggregation } from '../aggregation/aggregation';
import { fill, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc, requestMark, requestRelease } from '../memory/arena';
import { fillOnes } from '../memory/bitset';
import { SEGMENT } from '../memory/lifetimes';
import { parentOrdinals } from '../segment/parentOrdinals';
import { Segment } from '../segment/segment';
import { exhausted, spend } from '../workLimit';
import { compileFiltering, compileQuery } from './compile';
import { Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
import { Search } from './context';
import { fillVisible, WINDOW } from './visible';
import { Run } from './run';
import { thinForAggregations } from './thin';

// The documents of a segment that go into aggregations: those of the query, whatever the post filter says, and once more all that
// are alive where an aggregation is global.

const run = changetype<Run>(memory.data(offsetof<Run>(), 16));

/** The documents of a window that count, besides `bits`, which has as much room behind; those of the post filter, if anything passes it. */
function fillCounted(base: u32, size: u32, counted: usize, nothingPasses: bool): void {
  if (run.postFilter) {
    memory.fill(counted, 0, windowBytes(size));
    fill(run.postFilterMatcher, base, size, counted);
  } else if (nothingPasses) memory.fill(counted, 0, windowBytes(size));
  else fillOnes(counted, size);
}

/**
 * Takes the documents of `tree` in, or all without one; false without memory. `bits` has room for two windows.
 * @param nothingPasses whether there is a post filter which nothing in the segment passes
 */
function pass(search: Search, seg: Segment, tree: Matcher | null, bits: usize, nothingPasses: bool): bool {
  const context = search.plan.aggregations;
  startPass(context, tree === null ? 0 : changetype<usize>(tree));
  for (let base: u32 = 0; base < seg.docCount && spend(WINDOW >> 1); base += WINDOW) {
    const size = min(WINDOW, seg.docCount - base);
    const words = (size + 63) >> 6;
    fillVisible(seg, tree, base, size, bits);
    if (exhausted && tree !== null) break;
    if (tree !== null && search.thinning.isNeeded) {
      const counted = bits + windowBytes(WINDOW);
      fillCounted(base, size, counted, nothingPasses);
      const ended = thinForAggregations(run, base, size, bits, counted);
      if (ended < 0) return false;
      // No aggregation sees the last one.
      if (ended) context.matched++;
    }
    if (!takeWindow(context, base, words, bits)) return false;
  }
  return endPass(context);
}

/** The filters of aggregations, compiled for a segment: array of Matcher pointers, 0 where nothing matches; 0 without memory. */
function compileFilters(search: Search, seg: Segment, index: u32): usize {
  const filters = search.plan.filters;
  const count = search.plan.filterCount;
  const array = requestAlloc(max<u32>(count, 1) * <u32>sizeof<usize>());
  if (!array) return 0;
  for (let i: usize = 0; i < <usize>count; i++) {
    const query = changetype<Query>(load<usize>(filters + i * sizeof<usize>()));
    const matcher = compileFiltering(search, seg, index, seg.live, query);
    if (requestStatus != OK) return 0;
    store<usize>(array + i * sizeof<usize>(), changetype<usize>(matcher));
  }
  return array;
}

/**
 * Aggregates a segment's documents that match the root, after compiling it and the filters for itself; those that the post filter
 * leaves out too, but a search that ends early counts those alone that pass it. False without memory.
 */
export function aggregateSegment(search: Search, seg: Segment, index: u32, bulk: bool): bool {
  const context = search.plan.aggregations;
  const postFilter = search.postFilter;
  const tree = compileQuery(search, seg, index, seg.visible, search.root, true, bulk);
  if (requestStatus != OK) return false;
  const matchers = compileFilters(search, seg, index);
  const bits = requestAlloc(windowBytes(WINDOW) << 1);
  if (!matchers || !bits || !openSegment(context, search.shard, seg, matchers)) return false;
  if (tree !== null) {
    run.search = search;
    run.root = tree;
    run.postFilter = 0;
    let nothingPasses = false;
    if (postFilter !== null && search.thinning.isNeeded) {
      const filter = compileFiltering(search, seg, index, seg.visible, postFilter);
      if (requestStatus != OK) return false;
      nothingPasses = filter === null;
      run.postFilter = changetype<usize>(filter);
    }
    run.live = seg.visible;
    run.docCount = seg.docCount;
    if (!pass(search, seg, tree, bits, nothingPasses)) return false;
  }
  if (hasGlobal(context) && !pass(search, seg, null, bits, false)) return false;
  return closeSegment(context);
}

/** The children in one segment, whose first document has a number in the shard, of the documents that an aggregation has noted. */
function childrenIn(
  search: Search,
  agg: Aggregation,
  seg: Segment,
  index: u32,
  docBase: u32,
  numbers: usize,
): bool {
  const matchers = compileFilters(search, seg, index);
  const bits = requestAlloc(windowBytes(WINDOW));
  if (!matchers || !bits || !openBelow(agg, search.shard, seg, docBase, matchers)) return false;
  const filter = load<usize>(matchers + <usize>load<u16>(agg.ranges) * sizeof<usize>());
  for (let base: u32 = 0; base < seg.docCount && filter && numbers; base += WINDOW) {
    const size = min(WINDOW, seg.docCount - base);
    if (!spend(size)) break;
    const words = (size + 63) >> 6;
    fillVisible(seg, changetype<Matcher>(filter), base, size, bits);
    if (exhausted) break;
    if (!takeChildren(agg, numbers, base, words, bits)) return false;
  }
  return closeBelow(agg);
}

function childrenOf(agg: Aggregation, caller: usize): bool {
  if (!agg.linkCount) return true;
  const search = changetype<Search>(caller);
  const shard = search.shard;
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const numbers = parentOrdinals(seg, agg.childField);
    // The terms of a segment without children count as well.
    if (numbers || wantsEmptyBelow(agg)) {
      const mark = requestMark(SEGMENT);
      const fine = childrenIn(search, agg, seg, s, docBase, numbers);
      requestRelease(mark);
      if (!fine) return false;
    }
    docBase += seg.docCount;
  }
  return true;
}

/** Aggregates the children of the documents of all segments, which have been gone through; false without memory. */
export function aggregateFamilies(search: Search): bool {
  const context = search.plan.aggregations;
  return !hasParentOrdinals(context) || visitParentOrdinals(context, childrenOf, changetype<usize>(search));
}
