import { MATCH_BOOLEAN, MATCH_FILTERED, MATCH_TERM, Matcher, fill, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andCount, andInto, andNotInto, count } from '../memory/bitset';
import {
  NO_MORE,
  PostingsCursor,
  advance,
  blockImpact,
  contains,
  currentScore,
  enter,
  fillBits,
  listImpact,
  scoreBlock,
  seekBlock,
} from '../postings/cursor';
import { coord } from '../score/similarity';
import { offer, threshold } from '../score/topHits';
import { Run } from './run';

// A union of terms, with or without a filter around it, in two passes over a segment:
//
// 1. Count. All lists are ORed into one bitset (dense blocks as they are, eight bytes at a time), ANDed with the mask of
//    documents that may match at all, and counted.
// 2. Score. Block-max MAXSCORE: clauses are sorted by the largest score they can add. Those at the low end which even
//    together, coord included, cannot lift a document over the k-th best score are only looked up in documents that another
//    clause brings up. coord(|S|) times the sum over S grows with S, so the bound of a set bounds all its subsets.
//    See Turtle and Flood, "Query evaluation: strategies and optimizations" (1995), and Ding and Suel, "Faster top-k
//    document retrieval using block-max indexes" (2011).

/** Documents whose scores are summed at a time. */
const WINDOW: u32 = 2048;
/** Bounds are widened by this much, more than all roundings of a score can add up to. */
const SLACK: f64 = 1.00001;

@unmanaged
class Union {
  /** Clauses ascending by bound: array of PostingsCursor pointers, f64 bounds and their running sums (n + 1). */
  cursors: usize;
  bounds: usize;
  sums: usize;
  n: u32;
  /** f64 coord factor by number of matching clauses, 0..n. */
  coords: usize;
  bulk: bool;
  /** Bitset of documents that may match, 0 where all may. */
  mask: usize;
  docBase: u32;
  exhaustive: bool;
  /** Clauses below this index are only looked up. */
  first: u32;
  /** Scores, clause counts and bitset of the window. */
  totals: usize;
  counts: usize;
  seen: usize;

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
  @inline bar(): f64 {
    return this.exhaustive ? -Infinity : <f64>threshold;
  }
  @inline allowed(doc: u32): bool {
    return !this.mask || ((load<u8>(this.mask + (doc >> 3)) >> (doc & 7)) & 1) != 0;
  }
}

const union = changetype<Union>(memory.data(offsetof<Union>(), 16));

/** The boolean of nothing but optional terms at or below the top, or null. */
function unionOf(m: Matcher): Matcher | null {
  if (m.kind == MATCH_FILTERED) {
    const inner = unionOf(Matcher.at(m.optional, 0));
    // A selective filter leads the search instead.
    if (inner === null || Matcher.at(m.required, 0).cost < inner.cost >> 3) return null;
    return inner;
  }
  if (m.kind != MATCH_BOOLEAN || m.requiredCount || m.minimum > 1) return null;
  for (let i: u32 = 0; i < m.optionalCount; i++)
    if (Matcher.at(m.optional, i).kind != MATCH_TERM) return null;
  return m;
}

/** Whether `run` is a union of terms. */
export function unionFits(run: Run): bool {
  return unionOf(run.root) !== null;
}

/** Narrows the mask to the documents of `m`, or without them; false without room. */
function mask(run: Run, m: Matcher, keep: bool): bool {
  const bytes = windowBytes(run.docCount);
  const bits = requestAlloc(bytes);
  if (!bits) return false;
  memory.fill(bits, 0, bytes);
  fill(m, 0, run.docCount, bits);
  if (!union.mask) {
    union.mask = requestAlloc(bytes);
    if (!union.mask) return false;
    memory.fill(union.mask, 0xff, bytes);
  }
  if (keep) andInto(union.mask, bits, bytes);
  else andNotInto(union.mask, bits, bytes);
  return true;
}

/** Works out which documents may match at all; false without room. */
function makeMask(run: Run, m: Matcher): bool {
  union.mask = 0;
  for (let outer: Matcher = run.root; outer.kind == MATCH_FILTERED; outer = Matcher.at(outer.optional, 0)) {
    if (!mask(run, Matcher.at(outer.required, 0), true)) return false;
  }
  for (let i: u32 = 0; i < m.prohibitedCount; i++)
    if (!mask(run, Matcher.at(m.prohibited, i), false)) return false;
  if (run.postFilter && !mask(run, run.postFilterMatcher, true)) return false;
  if (run.live) {
    if (!union.mask) union.mask = run.live;
    else andInto(union.mask, run.live, ((run.docCount + 127) >> 7) << 4);
  }
  return true;
}

/** Number of documents in the union and the mask; -1 without room. */
function countUnion(run: Run, m: Matcher): i64 {
  if (m.optionalCount == 1 && !union.mask) return Matcher.at(m.optional, 0).cursor.df;
  const bytes = windowBytes(run.docCount);
  const bits = requestAlloc(bytes);
  if (!bits) return -1;
  memory.fill(bits, 0, bytes);
  for (let i: u32 = 0; i < m.optionalCount; i++)
    fillBits(Matcher.at(m.optional, i).cursor, 0, run.docCount, bits);
  const used = ((run.docCount + 127) >> 7) << 4;
  return union.mask ? andCount(bits, union.mask, used) : count(bits, used);
}

/** Sorts the clauses and works out bounds and coords; false without room. */
function prepare(m: Matcher): bool {
  const n = m.optionalCount;
  union.n = n;
  union.bulk = m.bulk;
  union.first = 0;
  union.cursors = requestAlloc(n << 2);
  union.bounds = requestAlloc(n << 3);
  union.sums = requestAlloc((n + 1) << 3);
  union.coords = requestAlloc((n + 1) << 3);
  union.totals = requestAlloc(WINDOW << 3);
  union.counts = requestAlloc(WINDOW << 1);
  union.seen = requestAlloc(WINDOW >> 3);
  if (!union.cursors || !union.bounds || !union.sums || !union.coords) return false;
  if (!union.totals || !union.counts || !union.seen) return false;
  memory.fill(union.totals, 0, WINDOW << 3);
  memory.fill(union.counts, 0, WINDOW << 1);
  memory.fill(union.seen, 0, WINDOW >> 3);
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

/** Moves the line below which clauses are only looked up, as the bar rises. */
function raiseFirst(): void {
  const bar = union.bar();
  let first = union.first;
  while (first < union.n && union.coord(first + 1) * union.below(first + 1) <= bar) first++;
  union.first = first;
}

/** Completes a document with the clauses that are only looked up, best first, and offers it. */
function complete(doc: u32, partial: f64, matching: u32): void {
  const bar = union.bar();
  let sum = partial;
  let overlap = matching;
  for (let j = union.first; ; j--) {
    if (union.coord(overlap + j) * (sum * SLACK + union.below(j)) <= bar) return;
    if (!j) break;
    const cursor = union.cursor(j - 1);
    if (contains(cursor, doc)) {
      sum += <f64>currentScore(cursor);
      overlap++;
    }
  }
  const factor = union.coord(overlap);
  const score = union.bulk ? <f32>(sum * factor) : <f32>sum * <f32>factor;
  if (score > threshold) offer(score, union.docBase + doc);
}

/** One clause is left that can bring up hits: its blocks are the candidates. False without room. */
function runLast(from: u32): bool {
  const last = union.n - 1;
  const c = union.cursor(last);
  if (!seekBlock(c, from)) return true;
  const value = <f64>c.value * SLACK;
  const others = union.below(last);
  const factor = union.coord(union.n);
  while (union.first < union.n) {
    if (factor * (<f64>blockImpact(c, c.block) * value + others) > union.bar()) {
      if (!scoreBlock(c)) return false;
      const docs = c.docs;
      const scores = c.scores;
      const n = (<usize>c.count) << 2;
      for (let i: usize = 0; i < n; i += 4) {
        const score = <f64>load<f32>(scores + i);
        if (factor * (score * SLACK + others) <= union.bar()) continue;
        const doc = load<u32>(docs + i);
        if (doc >= from && union.allowed(doc)) complete(doc, score, 1);
      }
    }
    if (c.block + 1 >= c.blocks) return true;
    enter(c, c.block + 1);
    raiseFirst();
  }
  return true;
}

/** Adds the scores of clause `e` in [base, limit) to the window; false without room. */
function accumulate(e: u32, base: u32, limit: u32): bool {
  const c = union.cursor(e);
  const value = <f64>c.value * SLACK;
  const others = union.below(union.n) - union.bound(e);
  const factor = union.coord(union.n);
  const totals = union.totals;
  const counts = union.counts;
  const seen = union.seen;
  let doc = advance(c, base);
  while (doc < limit) {
    if (factor * (<f64>blockImpact(c, c.block) * value + others) <= union.bar()) {
      if (c.last >= limit) return true;
      doc = advance(c, c.last + 1);
      continue;
    }
    if (!scoreBlock(c)) return false;
    let i = (<usize>c.index) << 2;
    const docs = c.docs;
    const scores = c.scores;
    const end = (<usize>c.count) << 2;
    for (; i < end; i += 4) {
      doc = load<u32>(docs + i);
      if (doc >= limit) break;
      const at = <usize>(doc - base);
      const total = totals + (at << 3);
      store<f64>(total, load<f64>(total) + <f64>load<f32>(scores + i));
      const counter = counts + (at << 1);
      store<u16>(counter, load<u16>(counter) + 1);
      const word = seen + ((at >> 6) << 3);
      store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>(at & 63))));
    }
    c.index = <u32>(i >> 2);
    c.doc = NO_MORE;
    if (i < end) return true;
    doc = advance(c, c.last + 1);
  }
  return true;
}

/** Offers what the window holds and clears it. */
function collect(base: u32): void {
  for (let w: u32 = 0; w < WINDOW >> 6; w++) {
    const at = union.seen + ((<usize>w) << 3);
    let word = load<u64>(at);
    if (!word) continue;
    store<u64>(at, 0);
    while (word) {
      const i = (w << 6) + <u32>ctz<u64>(word);
      word &= word - 1;
      const total = union.totals + ((<usize>i) << 3);
      const counter = union.counts + ((<usize>i) << 1);
      const sum = load<f64>(total);
      const overlap = <u32>load<u16>(counter);
      store<f64>(total, 0);
      store<u16>(counter, 0);
      if (union.allowed(base + i)) complete(base + i, sum, overlap);
    }
  }
}

/** Offers the hits of a union and returns its number of matches; -1 without room. */
export function runUnion(run: Run): i64 {
  const m = unionOf(run.root)!;
  if (!makeMask(run, m)) return -1;
  const total = countUnion(run, m);
  if (total <= 0 || run.countOnly) return total;
  union.docBase = run.docBase;
  union.exhaustive = run.exhaustive;
  if (!prepare(m)) return -1;
  raiseFirst();
  let base: u32 = 0;
  while (union.first < union.n) {
    if (union.first + 1 == union.n) return runLast(base) ? total : -1;
    let next = NO_MORE;
    for (let e = union.first; e < union.n; e++) next = min(next, advance(union.cursor(e), base));
    if (next == NO_MORE) break;
    base = next;
    for (let e = union.first; e < union.n; e++) if (!accumulate(e, base, base + WINDOW)) return -1;
    collect(base);
    base += WINDOW;
    raiseFirst();
  }
  return total;
}
