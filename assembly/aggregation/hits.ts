import { ERR_MEMORY, OK } from '../abi/status';
import { bitsOf, Matcher } from '../docset/matcher';
import { Bitset } from '../memory/bitset';
import { BATCH as SCORED, scoreBatch } from '../score/batch';
import { openKeys, rankOf, SortKey, SortSection } from '../sort/sortKeys';
import { keyOf, Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { compareBytes } from '../terms/bytes';
import { fail, requestStatus } from '../requestStatus';
import { Aggregation, BATCH } from './aggregation';
import { AggregationContext } from './context';
import { intern, seekOrdinal, termBytesAt, termLength } from './terms';

// The best documents of each bucket, by score or by the keys of a sort. Each owner has a heap whose root is the worst:
//
//     owner   u32 hits | f32 largest score, where there are scores | room for `shardSize` hits
//     hit     u64 key of the document | f32 score | u32 zero | keys × i64 rank; of a string the number of its term in the shard
//
// Ranks are as in sort/sortKeys.ts, except that strings are compared by their bytes, so that hits of all segments compare.

const HEAD: u32 = 8;
/** What stands for a string that isn't there and goes to an end. */
const NO_TERM: i64 = -1;
const NO_SCORE: f32 = NaN;

/** Scores of the batch that came in at the top. */
const scores: usize = memory.data(BATCH * 4, 16);

/** Starts a pass through a segment whose first document has a number in the shard; no document has a score yet. */
export function startHits(context: AggregationContext, seg: Segment, base: u32): void {
  context.segment = seg;
  context.docBase = base;
  context.scorer = 0;
  context.scoredCount = 0;
}

/** Scores a batch of the top, ascending; false without memory. */
export function scoreTop(context: AggregationContext, docs: usize, n: u32): bool {
  context.scoredDocs = docs;
  context.scoredCount = n;
  if (!context.scorer) {
    for (let i: usize = 0; i < (<usize>n) << 2; i += 4) store<f32>(scores + i, 1);
    return true;
  }
  const root = changetype<Matcher>(context.scorer);
  for (let from: u32 = 0; from < n; from += SCORED) {
    const m = min(n - from, SCORED);
    if (!scoreBatch(root, docs + ((<usize>from) << 2), m)) return false;
    memory.copy(scores + ((<usize>from) << 2), root.batch, (<usize>m) << 2);
  }
  return true;
}

/** The score of a document of the batch of the top, and of its nested ones; of any other, 1. */
function scoreOf(context: AggregationContext, doc: u32): f32 {
  const docs = context.scoredDocs;
  const count = context.scoredCount;
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(docs + ((<usize>middle) << 2)) < doc) low = middle + 1;
    else high = middle;
  }
  const found = low < count && load<u32>(docs + ((<usize>low) << 2)) == doc;
  const parents = context.segment.parents;
  const nested = parents != 0 && low < count && !Bitset.get(parents, doc);
  return found || nested ? load<f32>(scores + ((<usize>low) << 2)) : 1;
}

function sectionOf(agg: Aggregation): SortSection {
  return changetype<SortSection>(agg.sort);
}

/** Whether an aggregation wants scores. */
export function wantsScores(agg: Aggregation): bool {
  return !agg.sort || sectionOf(agg).needsScores;
}

function strideOf(agg: Aggregation): u32 {
  return 16 + ((agg.sort ? sectionOf(agg).count : 0) << 3);
}

/** Finds the nested documents of a segment that have the values of keys. */
function openNested(section: SortSection, seg: Segment, matchers: usize): void {
  for (let k: u32 = 0; k < section.count; k++) {
    const key = section.key(k);
    if (!key.nestedQuery || !seg.parents) continue;
    const matcher = load<usize>(matchers + (key.nestedQuery - 1) * sizeof<usize>());
    if (matcher) key.nested = bitsOf(changetype<Matcher>(matcher), seg.docCount);
  }
}

/** Buckets that may be asked for more hits than there are documents. */
const MANY_HITS: u32 = 1024;

/** No bucket has more hits than the shard has documents. */
function limitHits(agg: Aggregation, shard: Shard): void {
  let docs: u32 = 0;
  for (let i: u32 = 0; i < shard.segmentCount; i++) docs += shard.segment(i).docCount;
  agg.shardSize = max<u32>(1, min(agg.shardSize, docs));
}

/** Opens the keys in a segment, for which the plan's filters are compiled; false without memory. */
export function openHits(agg: Aggregation, shard: Shard, seg: Segment, matchers: usize): bool {
  if (agg.shardSize > MANY_HITS && !agg.stateCount) limitHits(agg, shard);
  if (!agg.sort) return true;
  const section = sectionOf(agg);
  if (!openKeys(section, shard, seg)) return false;
  openNested(section, seg, matchers);
  let ordinals: u64 = 0;
  for (let k: u32 = 0; k < section.count; k++) {
    const key = section.key(k);
    if (!key.isString || !key.terms) continue;
    key.firstTerm = <u32>ordinals;
    ordinals += key.termCount;
  }
  if (!agg.segmentTerms.reserve(ordinals << 2)) return false;
  if (ordinals) memory.fill(agg.segmentTerms.at, 0, <usize>(ordinals << 2));
  return true;
}

/** Prepares for owners below `n`; false without memory. */
export function startOwners(agg: Aggregation, n: u32): bool {
  const bytes = <u64>HEAD + <u64>agg.shardSize * strideOf(agg);
  if (!agg.state.reserve(<u64>n * bytes) || !agg.counts.reserve((<u64>n) << 2)) return false;
  for (; agg.stateCount < n; agg.stateCount++)
    store<f32>(agg.state.at + <usize>agg.stateCount * <usize>bytes, NO_SCORE, 4);
  return true;
}

/** What stands for a string in a hit: the number of its term, NO_TERM where there is none. */
function termRank(agg: Aggregation, key: SortKey, rank: i64): i64 {
  let number: i32;
  if (rank == key.missingRank) {
    if (!key.hasMissingTerm) return NO_TERM;
    number = intern(agg, key.missingTerm, key.missingLength);
  } else {
    const ordinal = <u32>(key.rank(rank) >> 1);
    const known = agg.segmentTerms.at + ((<usize>(key.firstTerm + ordinal)) << 2);
    if (load<u32>(known)) return <i64>(load<u32>(known) - 1);
    const terms = seekOrdinal(key.terms, ordinal);
    number = intern(agg, terms.termPtr, terms.termLength);
    store<u32>(known, <u32>number + 1);
  }
  if (number < 0) fail(ERR_MEMORY);
  return <i64>number;
}

function compareStrings(agg: Aggregation, key: SortKey, a: i64, b: i64): i32 {
  if (a == b) return 0;
  if (a == NO_TERM || b == NO_TERM) return (a == NO_TERM) == key.missingGoesLast ? 1 : -1;
  const x = <u32>a;
  const y = <u32>b;
  const order = compareBytes(
    termBytesAt(agg, x),
    termLength(agg, x),
    termBytesAt(agg, y),
    termLength(agg, y),
  );
  return key.descending ? -order : order;
}

/** Whether hit `a` comes after `b`. */
function isWorse(agg: Aggregation, a: usize, b: usize): bool {
  if (!agg.sort) {
    const x = load<f32>(a, 8);
    const y = load<f32>(b, 8);
    if (x != y) return x < y;
    return load<u64>(a) > load<u64>(b);
  }
  const section = sectionOf(agg);
  for (let k: u32 = 0; k < section.count; k++) {
    const at: usize = 16 + ((<usize>k) << 3);
    const x = load<i64>(a + at);
    const y = load<i64>(b + at);
    if (x == y) continue;
    const key = section.key(k);
    if (!key.isString) return x > y;
    const order = compareStrings(agg, key, x, y);
    if (order) return order > 0;
  }
  return load<u64>(a) > load<u64>(b);
}

/** Puts a hit in the place of the root of a heap of `n` hits. */
function siftDown(agg: Aggregation, hits: usize, n: u32, hit: usize, stride: usize): void {
  let i: u32 = 0;
  for (let child: u32 = 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && isWorse(agg, hits + <usize>(child + 1) * stride, hits + <usize>child * stride))
      child++;
    if (!isWorse(agg, hits + <usize>child * stride, hit)) break;
    memory.copy(hits + <usize>i * stride, hits + <usize>child * stride, stride);
    i = child;
  }
  memory.copy(hits + <usize>i * stride, hit, stride);
}

function offer(agg: Aggregation, owner: u32, hit: usize, stride: u32): void {
  const state = agg.state.at + <usize>owner * <usize>(HEAD + agg.shardSize * stride);
  const hits = state + HEAD;
  const n = load<u32>(state);
  if (n == agg.shardSize) {
    if (isWorse(agg, hits, hit)) siftDown(agg, hits, n, hit, stride);
    return;
  }
  let i = n;
  while (i > 0) {
    const parent = hits + <usize>((i - 1) >> 1) * stride;
    if (!isWorse(agg, hit, parent)) break;
    memory.copy(hits + <usize>i * stride, parent, stride);
    i = (i - 1) >> 1;
  }
  memory.copy(hits + <usize>i * stride, hit, stride);
  store<u32>(state, n + 1);
}

/** A hit that is offered, and one that is moved: 16 bytes and at most 64 keys. */
const offered: usize = memory.data(528, 16);
const moved: usize = memory.data(528, 16);

/** Takes in a batch; false without memory. */
export function collectHits(agg: Aggregation, docs: usize, owners: usize, n: u32): bool {
  const stride = strideOf(agg);
  const scored = wantsScores(agg);
  const context = agg.context;
  const segment = context.segment;
  const keyCount: u32 = agg.sort ? sectionOf(agg).count : 0;
  for (let i: u32 = 0; i < n; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    const owner = load<u32>(owners + ((<usize>i) << 2));
    const score = scored ? scoreOf(context, doc) : NO_SCORE;
    const count = agg.counts.at + ((<usize>owner) << 2);
    store<u32>(count, load<u32>(count) + 1);
    const most = agg.state.at + <usize>owner * <usize>(HEAD + agg.shardSize * stride) + 4;
    if ((!agg.sort || sectionOf(agg).tracksScores) && !(score <= load<f32>(most))) store<f32>(most, score);
    store<u64>(offered, keyOf(segment, doc));
    store<f32>(offered, score, 8);
    for (let k: u32 = 0; k < keyCount; k++) {
      const key = sectionOf(agg).key(k);
      const rank = rankOf(key, doc, context.docBase, score);
      store<i64>(offered + ((<usize>k) << 3), key.isString ? termRank(agg, key, rank) : rank, 16);
    }
    if (requestStatus != OK) return false;
    offer(agg, owner, offered, stride);
  }
  return true;
}

/** How many hits an owner has. */
export function hitCountOf(agg: Aggregation, owner: u32): u32 {
  if (owner >= agg.stateCount) return 0;
  return load<u32>(agg.state.at + <usize>owner * <usize>(HEAD + agg.shardSize * strideOf(agg)));
}

/** Brings the hits of an owner in order, best first; their address. */
export function sortedHitsOf(agg: Aggregation, owner: u32): usize {
  const stride = strideOf(agg);
  const hits = agg.state.at + <usize>owner * <usize>(HEAD + agg.shardSize * stride) + HEAD;
  for (let n = hitCountOf(agg, owner); n > 1; n--) {
    const last = hits + <usize>(n - 1) * stride;
    memory.copy(moved, last, stride);
    memory.copy(last, hits, stride);
    siftDown(agg, hits, n - 1, moved, stride);
  }
  return hits;
}

/** The largest score of an owner's documents; no number where there are none or no scores. */
export function largestScoreOf(agg: Aggregation, owner: u32): f32 {
  if (owner >= agg.stateCount) return NO_SCORE;
  return load<f32>(agg.state.at + <usize>owner * <usize>(HEAD + agg.shardSize * strideOf(agg)), 4);
}

/** Bytes of a hit. */
export function hitBytes(agg: Aggregation): u32 {
  return strideOf(agg);
}

/** A section's vectors of terms. */
export function makeHits(agg: Aggregation): bool {
  const vectors = agg.context.vectors;
  const made = vectors.make();
  const offsets = vectors.make();
  const bytes = vectors.make();
  const table = vectors.make();
  if (made === null || offsets === null || bytes === null || table === null) return false;
  agg.segmentTerms = made;
  agg.termOffsets = offsets;
  agg.termBytes = bytes;
  agg.termTable = table;
  return true;
}
