import {
  MATCH_BOOLEAN,
  MATCH_FILTERED,
  MATCH_SET,
  MATCH_TERM,
  Matcher,
  fill,
  matches,
  windowBytes,
} from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andInto, Bitset, count } from '../memory/bitset';
import { heapAllocZeroed } from '../memory/heap';
import {
  NO_MORE,
  PostingsCursor,
  blockImpact,
  contains,
  currentScore,
  enter,
  fillBits,
  listImpact,
  scoreBlock,
  seekBlock,
  spread,
} from '../postings/cursor';
import { coord } from '../score/similarity';
import { offer, offerAnyOrder, threshold } from '../score/topHits';
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

/** Documents whose scores are summed at a time: few where lists are dense, so that the sums stay in the first-level cache. */
const DENSE_WINDOW: u32 = 2048;
const SPARSE_WINDOW: u32 = 16384;
/** Lists that together have less than this part of the documents are scored whole, and counted on the way. */
const SMALL: u32 = 256;
/** Documents of several clauses are looked up one by one where there are so many postings to one of them. */
const STRATA: u64 = 16;
/** With so many postings to a match (a filter lets few through) matches are looked up instead. */
const LOOK_UP: u64 = 8;
/** With more clauses than this their bitsets would not stay in the second-level cache. */
const KEPT_BITSETS: u32 = 8;
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

// The window: per document f64 sum and u16 number of clauses, and a bitset of those that have any. Zero between searches.
const totals: usize = heapAllocZeroed(SPARSE_WINDOW << 3);
const counts: usize = heapAllocZeroed(SPARSE_WINDOW << 1);
const seen: usize = heapAllocZeroed(SPARSE_WINDOW >> 3);

/** The boolean of nothing but optional terms at or below the top, or null. */
function unionOf(m: Matcher): Matcher | null {
  if (m.kind == MATCH_FILTERED) {
    const inner = unionOf(Matcher.at(m.optional, 0));
    // A selective filter leads the search instead.
    if (inner === null || Matcher.at(m.required, 0).cost < inner.cost >> 2) return null;
    return inner;
  }
  if (m.kind != MATCH_BOOLEAN || m.requiredCount) return null;
  if (m.minimum > 1 && m.optionalCount > KEPT_BITSETS) return null;
  for (let i: u32 = 0; i < m.optionalCount; i++)
    if (Matcher.at(m.optional, i).kind != MATCH_TERM) return null;
  return m;
}

/** Whether `run` is a union of terms. */
export function unionFits(run: Run): bool {
  return unionOf(run.root) !== null;
}

/** Narrows the mask to a set, which stays as it is; false without room. */
function maskSet(run: Run, set: usize): bool {
  const bytes = windowBytes(run.docCount);
  if (!union.mask) {
    union.mask = set;
    union.maskOwned = false;
    return true;
  }
  if (!union.maskOwned) {
    const own = requestAlloc(bytes);
    if (!own) return false;
    memory.copy(own, union.mask, bytes - 16);
    union.mask = own;
    union.maskOwned = true;
  }
  andInto(union.mask, set, bytes - 16);
  return true;
}

/** Narrows the mask to the documents of `m`, or those without it; false without room. */
function mask(run: Run, m: Matcher, keep: bool): bool {
  if (keep && m.kind == MATCH_SET) return maskSet(run, m.bits);
  const bytes = windowBytes(run.docCount);
  const bits = requestAlloc(bytes);
  if (!bits) return false;
  memory.fill(bits, 0, bytes);
  fill(m, 0, run.docCount, bits);
  if (!keep) for (let at = bits; at < bits + bytes; at += 16) v128.store(at, v128.not(v128.load(at)));
  if (union.mask) return maskSet(run, bits);
  union.mask = bits;
  union.maskOwned = true;
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
  return !run.live || maskSet(run, run.live);
}

/** Spreads every clause into its bitset; false without room. */
function spreadAll(run: Run, m: Matcher): bool {
  for (let i: u32 = 0; i < m.optionalCount; i++) {
    if (!spread(Matcher.at(m.optional, i).cursor, Infinity, run.docCount)) return false;
  }
  return true;
}

/** From the clauses' bitsets: those of any clause into `any`, those of two or more into `several`. */
function merge(m: Matcher, any: usize, several: usize, bytes: u32): void {
  const n = m.optionalCount;
  for (let at: usize = 0; at < <usize>bytes; at += 16) {
    let one = i64x2.splat(0);
    let more = i64x2.splat(0);
    for (let i: u32 = 0; i < n; i++) {
      const bits = v128.load(Matcher.at(m.optional, i).cursor.presence + at);
      more = v128.or(more, v128.and(one, bits));
      one = v128.or(one, bits);
    }
    if (union.mask) {
      const allowed = v128.load(union.mask + at);
      one = v128.and(one, allowed);
      more = v128.and(more, allowed);
    }
    v128.store(any + at, one);
    v128.store(several + at, more);
  }
}

/** From the clauses' bitsets: those of at least `m.minimum` of them, counted in four bits of carry-save adders. */
function mergeAtLeast(m: Matcher, enough: usize, bytes: u32): void {
  const n = m.optionalCount;
  const minimum = m.minimum;
  for (let at: usize = 0; at < <usize>bytes; at += 16) {
    let ones = i64x2.splat(0);
    let twos = i64x2.splat(0);
    let fours = i64x2.splat(0);
    let eights = i64x2.splat(0);
    for (let i: u32 = 0; i < n; i++) {
      const bits = v128.load(Matcher.at(m.optional, i).cursor.presence + at);
      const toTwos = v128.and(ones, bits);
      ones = v128.xor(ones, bits);
      const toFours = v128.and(twos, toTwos);
      twos = v128.xor(twos, toTwos);
      const toEights = v128.and(fours, toFours);
      fours = v128.xor(fours, toFours);
      eights = v128.or(eights, toEights);
    }
    let greater = i64x2.splat(0);
    let equal = i64x2.splat(-1);
    if (minimum & 8) equal = v128.and(equal, eights);
    else {
      greater = eights;
      equal = v128.not(eights);
    }
    if (minimum & 4) equal = v128.and(equal, fours);
    else {
      greater = v128.or(greater, v128.and(equal, fours));
      equal = v128.andnot(equal, fours);
    }
    if (minimum & 2) equal = v128.and(equal, twos);
    else {
      greater = v128.or(greater, v128.and(equal, twos));
      equal = v128.andnot(equal, twos);
    }
    if (minimum & 1) equal = v128.and(equal, ones);
    else {
      greater = v128.or(greater, v128.and(equal, ones));
      equal = v128.andnot(equal, ones);
    }
    let result = v128.or(greater, equal);
    if (union.mask) result = v128.and(result, v128.load(union.mask + at));
    v128.store(enough + at, result);
  }
}

/** Counts the matches; -1 without room. Where there are few clauses their bitsets stay, for look-ups. */
function countUnion(run: Run, m: Matcher): i64 {
  union.found = 0;
  union.several = 0;
  if (m.optionalCount == 1 && !union.mask) return Matcher.at(m.optional, 0).cursor.df;
  const bytes = windowBytes(run.docCount);
  const used = bytes - 16;
  const bits = requestAlloc(bytes);
  if (!bits) return -1;
  if (m.optionalCount > KEPT_BITSETS) {
    memory.fill(bits, 0, bytes);
    for (let i: u32 = 0; i < m.optionalCount; i++)
      fillBits(Matcher.at(m.optional, i).cursor, 0, run.docCount, bits);
    if (union.mask) andInto(bits, union.mask, used);
    return count(bits, used);
  }
  if (!spreadAll(run, m)) return -1;
  union.found = bits;
  if (m.minimum > 1) {
    mergeAtLeast(m, bits, used);
  } else {
    union.several = requestAlloc(bytes);
    if (!union.several) return -1;
    merge(m, bits, union.several, used);
  }
  return count(bits, used);
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
  if (!union.cursors || !union.bounds || !union.sums || !union.coords) return false;
  if (!totals || !counts || !seen) return false;
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
    const known = sum * SLACK + union.below(j);
    if (union.coord(overlap + j) * known <= bar) return;
    if (!j) break;
    const cursor = union.cursor(j - 1);
    const presence = cursor.presence;
    if (presence && !((load<u8>(presence + (doc >> 3)) >> (doc & 7)) & 1)) continue;
    if (!seekBlock(cursor, doc)) continue;
    // The block's own bound may spare its decoding.
    const block = <f64>blockImpact(cursor, cursor.block) * <f64>cursor.value * SLACK;
    if (union.coord(overlap + j) * (known - union.bound(j - 1) + block) <= bar) {
      if (union.coord(overlap + j - 1) * (known - union.bound(j - 1)) <= bar) return;
    }
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

/** The next document of a clause that is walked, or one not above it. */
function upcoming(c: PostingsCursor): u32 {
  if (c.block >= c.blocks) return NO_MORE;
  return c.docsReady ? load<u32>(c.docs + ((<usize>c.index) << 2)) : <u32>(c.previous + 1);
}

/** Adds the scores of clause `e` in [base, limit) to the window; false without room. Blocks that cannot matter are left out. */
function accumulate(e: u32, base: u32, limit: u32): bool {
  const c = union.cursor(e);
  const value = <f64>c.value * SLACK;
  const others = union.below(union.n) - union.bound(e);
  const factor = union.coord(union.n);
  while (c.block < c.blocks) {
    if (c.index == 0 && factor * (<f64>blockImpact(c, c.block) * value + others) <= union.bar()) {
      leaveBlock(c);
      if (<u32>(c.previous + 1) >= limit) return true;
      continue;
    }
    if (!scoreBlock(c)) return false;
    const docs = c.docs;
    const scores = c.scores;
    const end = (<usize>c.count) << 2;
    let i = (<usize>c.index) << 2;
    for (; i < end; i += 4) {
      const doc = load<u32>(docs + i);
      if (doc >= limit) break;
      const at = <usize>(doc - base);
      const total = totals + (at << 3);
      store<f64>(total, load<f64>(total) + <f64>load<f32>(scores + i));
      const counter = counts + (at << 1);
      store<u16>(counter, load<u16>(counter) + 1);
      const word = seen + ((at >> 6) << 3);
      store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>(at & 63))));
    }
    if (i < end) {
      c.index = <u32>(i >> 2);
      return true;
    }
    leaveBlock(c);
  }
  return true;
}

/** Goes on to the next block, or past the end. */
function leaveBlock(c: PostingsCursor): void {
  if (c.short) c.block = c.blocks;
  else enter(c, c.block + 1);
}

/** Offers what the window holds and clears it. `run`: test each document against the tree and count. Returns the count. */
function collect(base: u32, run: Run | null): u32 {
  let found: u32 = 0;
  for (let w: u32 = 0; w < union.window >> 6; w++) {
    const at = seen + ((<usize>w) << 3);
    let word = load<u64>(at);
    if (!word) continue;
    store<u64>(at, 0);
    // A bar of this moment: it only rises, and `complete` looks again.
    const bar = union.bar();
    while (word) {
      const i = (w << 6) + <u32>ctz<u64>(word);
      word &= word - 1;
      const total = totals + ((<usize>i) << 3);
      const counter = counts + ((<usize>i) << 1);
      const sum = load<f64>(total);
      const overlap = <u32>load<u16>(counter);
      store<f64>(total, 0);
      store<u16>(counter, 0);
      const doc = base + i;
      if (run !== null) {
        if (!accepted(run, doc)) continue;
        found++;
      }
      if (union.coord(overlap + union.first) * (sum * SLACK + union.below(union.first)) <= bar) continue;
      if (union.allowed(doc)) complete(doc, sum, overlap);
    }
  }
  return found;
}

/** Whether a document of the union counts, asked of each clause around it. */
function accepted(run: Run, doc: u32): bool {
  if (run.live && !Bitset.get(run.live, doc)) return false;
  let m: Matcher = run.root;
  for (; m.kind == MATCH_FILTERED; m = Matcher.at(m.optional, 0))
    if (!matches(Matcher.at(m.required, 0), doc)) return false;
  for (let i: u32 = 0; i < m.prohibitedCount; i++)
    if (matches(Matcher.at(m.prohibited, i), doc)) return false;
  return !run.postFilter || matches(run.postFilterMatcher, doc);
}

/** Walks the essential clauses window by window; returns the count where `run` is given, or -1 without room. */
function walk(run: Run | null): i64 {
  let total: i64 = 0;
  for (let e: u32 = 0; e < union.n; e++) enter(union.cursor(e), 0);
  let base: u32 = 0;
  while (union.first < union.n) {
    if (run === null && union.first + 1 == union.n) return runLast(base) ? total : -1;
    let next = NO_MORE;
    for (let e = union.first; e < union.n; e++) next = min(next, upcoming(union.cursor(e)));
    if (next == NO_MORE) break;
    base = next;
    for (let e = union.first; e < union.n; e++) if (!accumulate(e, base, base + union.window)) return -1;
    total += collect(base, run);
    base += union.window;
    if (run === null) raiseFirst();
  }
  return total;
}

/** Most clauses of a union that `mergeLists` takes. */
const MERGE_CLAUSES: u32 = 4;
/** Per clause of a merge: address of its next document and of that document's score. */
const heads: usize = memory.data(32, 16);

/**
 * Scores and counts a small union of few clauses by merging their lists: which heads stand on the smallest document is worked out
 * without branches, that no prediction could get right (6 ns a document where windows take 10). -1 without room.
 */
function mergeLists(run: Run, m: Matcher): i64 {
  const n = m.optionalCount;
  const bytes = (<usize>n) << 3;
  for (let k: u32 = 0; k < n; k++) {
    const c = Matcher.at(m.optional, k).cursor;
    enter(c, 0);
    if (!scoreBlock(c)) return -1;
    store<u32>(heads + ((<usize>k) << 3), <u32>c.docs);
    store<u32>(heads + ((<usize>k) << 3), <u32>c.scores, 4);
  }
  let total: i64 = 0;
  while (true) {
    let doc = NO_MORE;
    for (let h: usize = 0; h < bytes; h += 8) doc = min(doc, load<u32>(<usize>load<u32>(heads + h)));
    if (doc == NO_MORE) break;
    let sum: f64 = 0;
    let overlap: u32 = 0;
    for (let h: usize = 0; h < bytes; h += 8) {
      const at = load<u32>(heads + h);
      const scores = load<u32>(heads + h, 4);
      const here = load<u32>(<usize>at) == doc;
      sum += here ? <f64>load<f32>(<usize>scores) : 0;
      overlap += <u32>here;
      const next = at + ((<u32>here) << 2);
      store<u32>(heads + h, next);
      store<u32>(heads + h, scores + ((<u32>here) << 2), 4);
      if (load<u32>(<usize>next) == NO_MORE) {
        const c = Matcher.at(m.optional, <u32>(h >> 3)).cursor;
        if (c.block + 1 < c.blocks) {
          enter(c, c.block + 1);
          if (!scoreBlock(c)) return -1;
          store<u32>(heads + h, <u32>c.docs);
          store<u32>(heads + h, <u32>c.scores, 4);
        }
      }
    }
    if (!accepted(run, doc)) continue;
    total++;
    const factor = union.coord(overlap);
    const score = union.bulk ? <f32>(sum * factor) : <f32>sum * <f32>factor;
    if (score > threshold) offer(score, union.docBase + doc);
  }
  return total;
}

/** Looks the documents of a bitset up one by one. */
function lookUp(bits: usize, docCount: u32): void {
  const n = (docCount + 63) >> 6;
  union.first = union.n;
  for (let w: u32 = 0; w < n; w++) {
    let word = load<u64>(bits + ((<usize>w) << 3));
    while (word) {
      const doc = (w << 6) + <u32>ctz<u64>(word);
      word &= word - 1;
      complete(doc, 0, 0);
    }
  }
}

/**
 * Documents of a single clause: they have nothing to hope for from the others, so a block's bound is its own impact. Those of
 * several are done already, and have raised the bar. False without room.
 */
function scoreSingles(): bool {
  const factor = union.coord(1);
  for (let e: u32 = union.n; e > 0; e--) {
    const c = union.cursor(e - 1);
    if (factor * union.bound(e - 1) <= union.bar()) continue;
    const value = <f64>c.value * SLACK * factor;
    for (let block: u32 = 0; block < c.blocks; block++) {
      if (<f64>blockImpact(c, block) * value <= union.bar()) continue;
      enter(c, block);
      if (!scoreBlock(c)) return false;
      const n = (<usize>c.count) << 2;
      for (let i: usize = 0; i < n; i += 4) {
        const partial = <f64>load<f32>(c.scores + i);
        if (partial * SLACK * factor < union.bar()) continue;
        const doc = load<u32>(c.docs + i);
        if (((load<u8>(union.several + (doc >> 3)) >> (doc & 7)) & 1) != 0 || !union.allowed(doc)) continue;
        const score = union.bulk ? <f32>(partial * factor) : <f32>partial * <f32>factor;
        offerAnyOrder(score, union.docBase + doc);
      }
    }
  }
  return true;
}

/** Offers the hits of a union and returns its number of matches; -1 without room. */
export function runUnion(run: Run): i64 {
  const m = unionOf(run.root)!;
  union.docBase = run.docBase;
  union.exhaustive = run.exhaustive;
  union.mask = 0;
  let postings: u64 = 0;
  for (let i: u32 = 0; i < m.optionalCount; i++) postings += Matcher.at(m.optional, i).cursor.df;
  if (!run.countOnly && m.minimum <= 1 && postings < <u64>(run.docCount / SMALL)) {
    if (!prepare(m)) return -1;
    if (m.optionalCount <= MERGE_CLAUSES) return mergeLists(run, m);
    union.window = SPARSE_WINDOW;
    // Every posting must be seen to be counted.
    union.exhaustive = true;
    return walk(run);
  }
  if (!makeMask(run, m)) return -1;
  const total = countUnion(run, m);
  if (total <= 0 || run.countOnly) return total;
  if (!prepare(m)) return -1;
  if (union.found && <u64>total * LOOK_UP < postings) {
    lookUp(union.found, run.docCount);
    return total;
  }
  if (union.several && <u64>count(union.several, windowBytes(run.docCount) - 16) * STRATA < postings) {
    lookUp(union.several, run.docCount);
    return scoreSingles() ? total : -1;
  }
  if (m.minimum > 1) union.mask = union.found;
  union.window = DENSE_WINDOW;
  raiseFirst();
  return walk(null) < 0 ? -1 : total;
}
