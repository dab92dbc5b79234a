import { MATCH_FILTERED, Matcher, matches } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { contains, currentScore, PostingsCursor, seekBlock } from '../postings/cursor';
import { blockImpact, listImpact } from '../postings/scores';
import { coord } from '../similarity/similarity';
import { offer, offerAnyOrder, threshold } from '../score/topHits';
import { Run } from './run';

// The clauses of the union that is being searched, sorted by what they can add to a score.

/** Bounds are widened by this much, more than all roundings of a score can add up to. */
export const SLACK: f64 = 1.00001;

@unmanaged
export class Union {
  /** Clauses ascending by bound: array of PostingsCursor pointers, f64 bounds and their running sums (n + 1). */
  cursors: usize;
  bounds: usize;
  sums: usize;
  n: u32;
  /** f64 coord factor by number of matching clauses, 0..n. */
  coords: usize;
  bulk: bool;
  /** Bitset of documents that may match, 0 where all may, and whether it is ours to change. */
  mask: usize;
  maskOwned: bool;
  docBase: u32;
  exhaustive: bool;
  /** Clauses below this index are only looked up. */
  first: u32;
  /** Documents of a window. */
  window: u32;
  /** What `countUnion` leaves: the matches, and those of several clauses; 0 where it had no need of them. */
  found: usize;
  several: usize;
  /** Those of three clauses and more, and what the mask leaves without them; 0 where there are no three clauses. */
  many: usize;
  rest: usize;
  /** How many documents are of several clauses, and of three and more. */
  severalCount: u64;
  manyCount: u64;
  /** Documents are offered that stand before others of the same score. */
  anyOrder: bool;

  @inline cursor(i: u32): PostingsCursor {
    return changetype<PostingsCursor>(load<usize>(this.cursors + <usize>i * sizeof<usize>()));
  }
  @inline bound(i: u32): f64 {
    return load<f64>(this.bounds + ((<usize>i) << 3));
  }
  /** Sum of the bounds of the clauses below i. */
  @inline below(i: u32): f64 {
    return load<f64>(this.sums + ((<usize>i) << 3));
  }
  @inline coord(overlap: u32): f64 {
    return load<f64>(this.coords + ((<usize>overlap) << 3));
  }
  /** What a document must exceed to be a hit. */
  @inline threshold(): f64 {
    return this.exhaustive ? -Infinity : <f64>threshold;
  }
  @inline allowed(doc: u32): bool {
    return !this.mask || ((load<u8>(this.mask + (doc >> 3)) >> (doc & 7)) & 1) != 0;
  }
}

export const union = changetype<Union>(memory.data(offsetof<Union>(), 16));

/** Sorts the clauses and works out bounds and coords; false without room. */
export function prepare(m: Matcher): bool {
  const n = m.optionalCount;
  union.n = n;
  union.bulk = m.bulk;
  union.first = 0;
  union.cursors = requestAlloc(n << 2);
  union.bounds = requestAlloc(n << 3);
  union.sums = requestAlloc((n + 1) << 3);
  union.coords = requestAlloc((n + 1) << 3);
  if (!union.cursors || !union.bounds || !union.sums || !union.coords) return false;
  for (let i: u32 = 0; i < n; i++) {
    const cursor = Matcher.at(m.optional, i).cursor;
    const bound = <f64>listImpact(cursor) * <f64>cursor.value * SLACK;
    let k = i;
    while (k > 0 && union.bound(k - 1) > bound) {
      store<f64>(union.bounds + ((<usize>k) << 3), union.bound(k - 1));
      store<usize>(union.cursors + ((<usize>k) << 2), changetype<usize>(union.cursor(k - 1)));
      k--;
    }
    store<f64>(union.bounds + ((<usize>k) << 3), bound);
    store<usize>(union.cursors + ((<usize>k) << 2), changetype<usize>(cursor));
  }
  let sum: f64 = 0;
  for (let i: u32 = 0; i <= n; i++) {
    store<f64>(union.sums + ((<usize>i) << 3), sum);
    if (i < n) sum += union.bound(i);
    store<f64>(union.coords + ((<usize>i) << 3), m.noCoord ? 1 : <f64>coord(i, m.maxCoord));
  }
  return true;
}

/** Leaves out the documents of many clauses, which are done: what is left has two at most, and no better coord than these. */
export function leaveMany(): void {
  union.mask = union.rest;
  union.first = 0;
  union.anyOrder = true;
  const two = union.coord(2);
  for (let i: u32 = 3; i <= union.n; i++) store<f64>(union.coords + ((<usize>i) << 3), two);
}

/** Moves the line below which clauses are only looked up, as the threshold rises. */
export function raiseFirst(): void {
  const threshold = union.threshold();
  let first = union.first;
  while (first < union.n && union.coord(first + 1) * union.below(first + 1) <= threshold) first++;
  union.first = first;
}

/** Completes a document with the clauses that are only looked up, best first, and offers it. */
export function complete(doc: u32, partial: f64, matching: u32): void {
  const threshold = union.threshold();
  let sum = partial;
  let overlap = matching;
  for (let j = union.first; ; j--) {
    const known = sum * SLACK + union.below(j);
    if (union.coord(overlap + j) * known <= threshold) return;
    if (!j) break;
    const cursor = union.cursor(j - 1);
    const presence = cursor.presence;
    if (presence && !((load<u8>(presence + (doc >> 3)) >> (doc & 7)) & 1)) continue;
    if (!seekBlock(cursor, doc)) continue;
    // The block's own bound may spare its decoding.
    const block = <f64>blockImpact(cursor, cursor.block) * <f64>cursor.value * SLACK;
    if (union.coord(overlap + j) * (known - union.bound(j - 1) + block) <= threshold) {
      if (union.coord(overlap + j - 1) * (known - union.bound(j - 1)) <= threshold) return;
    }
    if (contains(cursor, doc)) {
      sum += <f64>currentScore(cursor);
      overlap++;
    }
  }
  const factor = union.coord(overlap);
  const score = union.bulk ? <f32>(sum * factor) : <f32>sum * <f32>factor;
  if (union.anyOrder) offerAnyOrder(score, union.docBase + doc);
  else if (score > threshold) offer(score, union.docBase + doc);
}

/** Whether a document of the union counts, asked of each clause around it. */
export function accepted(run: Run, doc: u32): bool {
  if (run.live && !Bitset.get(run.live, doc)) return false;
  let m: Matcher = run.root;
  for (; m.kind == MATCH_FILTERED; m = Matcher.at(m.optional, 0))
    if (!matches(Matcher.at(m.required, 0), doc)) return false;
  for (let i: u32 = 0; i < m.prohibitedCount; i++)
    if (matches(Matcher.at(m.prohibited, i), doc)) return false;
  return !run.postFilter || matches(run.postFilterMatcher, doc);
}
