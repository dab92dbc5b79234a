import { OPTION_PARTIAL, PLAN_EXHAUSTIVE, PLAN_IN_ORDER } from '../abi/plan';
import { ERR_INTERRUPTED, ERR_MEMORY, ERR_UIDS, OK } from '../abi/status';
import { finishAggregations } from '../aggregation/aggregate';
import { bitsOf } from '../docset/matcher';
import { requestAlloc, requestKeep, requestMark, requestRelease } from '../memory/arena';
import { SEGMENT } from '../memory/lifetimes';
import { Query } from '../plan/query';
import { fail, requestStatus, startRequest } from '../requestStatus';
import { setResult } from '../result';
import { topHitsStart } from '../score/topHits';
import { keyOf, Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { openKeys } from '../sort/sortKeys';
import { exhausted, startWorkLimit } from '../workLimit';
import { aggregateFamilies, aggregateSegment } from './aggregated';
import { compileFiltering, compileQuery } from './compile';
import { runConjunction } from './conjunction';
import { leadOf } from './conjuncts';
import { constantFits, runConstant } from './constant';
import { Search } from './context';
import { decodePlan } from './decode';
import { explain } from './explain';
import { startFilters } from './filterCache';
import { Hits, locate, locatedDoc, makeHits, takeTopHits } from './hits';
import { matchNamed, namedWords } from './named';
import { Plan } from './plan';
import { precompute } from './precomputed';
import { applyRescore } from './rescore';
import { expand } from './rewriting';
import { Run } from './run';
import { runSingle, singleOf } from './single';
import { runSorted } from './sorted';
import {
  endSortedSegment,
  sortedDoc,
  sortedScore,
  sortedSize,
  sortedStart,
  sortValuesBytes,
  writeSortValues,
} from './sortedHits';
import { findTerms, gatherTerms } from './statistics';
import { writeStatistics } from './statisticsResult';
import { runUnion, unionFits } from './union';
import { weigh } from './weights';
import { runWindows } from './window';

// A search: decode the plan, gather the statistics of the whole shard, then compile and execute it segment by segment.

/** Most bytes of a result. */
const MAX_RESULT: u64 = 0x40000000;

const run = changetype<Run>(memory.data(offsetof<Run>(), 16));

function execute(plan: Plan): i64 {
  if (plan.isSorted && plan.hits) return runSorted(run, plan.sort);
  if (run.search.thinning.isNeeded) return runWindows(run);
  if (constantFits(run)) return runConstant(run);
  const single = singleOf(run);
  if (single !== null) return runSingle(run, single);
  if (unionFits(run)) return runUnion(run);
  const lead = leadOf(run);
  if (lead !== null) return runConjunction(run, lead);
  return runWindows(run);
}

/**
 * Aggregates one segment; returns the number of documents that the query matches, or -1 where the search fails. The search for the hits
 * begins where this one did.
 */
function aggregate(search: Search, seg: Segment, index: u32): i64 {
  const left = search.thinning.left;
  const context = search.plan.aggregations;
  const before = context.matched;
  if (!aggregateSegment(search, seg, index, !(search.plan.flags & PLAN_IN_ORDER))) return -1;
  if (requestStatus != OK) return -1;
  if (!aggregatesOnly(search)) search.thinning.left = left;
  return <i64>(context.matched - before);
}

/** Whether the documents that are aggregated are those that count, and no hits are wanted. */
function aggregatesOnly(search: Search): bool {
  return search.plan.isAggregating && !search.plan.hits && search.postFilter === null;
}

/** Compiles which nested documents have the values of keys; false where the search fails. */
function openNestedKeys(search: Search, seg: Segment, index: u32): bool {
  const sort = search.plan.sort;
  for (let i: u32 = 0; i < sort.count; i++) {
    const key = sort.key(i);
    if (!key.nestedQuery || !seg.parents) continue;
    const query = changetype<Query>(key.nestedQuery);
    const matcher = compileQuery(search, seg, index, seg.live, query, false, false);
    if (requestStatus != OK) return false;
    key.nested = matcher === null ? 0 : bitsOf(matcher, seg.docCount);
    if (requestStatus != OK) return false;
  }
  return true;
}

/** Searches one segment; adds to the hits and returns the number of its matches, or -1 where the search fails. */
function searchSegment(search: Search, seg: Segment, index: u32, docBase: u32): i64 {
  const plan = search.plan;
  if (plan.isAggregating) {
    const found = aggregate(search, seg, index);
    if (found < 0 || aggregatesOnly(search)) return found;
  }
  const seen = plan.seen(seg);
  const tree = compileQuery(search, seg, index, seen, search.root, true, !(plan.flags & PLAN_IN_ORDER));
  if (requestStatus != OK) return -1;
  if (tree === null) return 0;
  run.search = search;
  run.root = tree;
  run.postFilter = 0;
  const postFilter = search.postFilter;
  if (postFilter !== null) {
    const filter = compileFiltering(search, seg, index, seen, postFilter);
    if (requestStatus != OK) return -1;
    if (filter === null) return 0;
    run.postFilter = changetype<usize>(filter);
  }
  run.live = seen;
  run.docCount = seg.docCount;
  run.view = seg.view;
  run.docBase = docBase;
  run.exhaustive = search.unbounded || (plan.flags & PLAN_EXHAUSTIVE) != 0;
  run.countOnly = plan.hits == 0;
  if (plan.isSorted && (!openKeys(plan.sort, search.shard, seg) || !openNestedKeys(search, seg, index)))
    return -1;
  const total = execute(plan);
  return requestStatus == OK ? total : -1;
}

/** Bytes behind the hits and their sort values: named nodes beyond the first 32, and how the search ended. */
function trailerBytes(plan: Plan, n: u32): u64 {
  const words = namedWords(plan.namedCount);
  return (
    (words > 1 ? (<u64>n * (words - 1)) << 2 : 0) +
    (plan.terminateAfter ? 4 : 0) +
    (plan.options & OPTION_PARTIAL ? 4 : 0) +
    aggregatesBytes(plan)
  );
}

/** Bytes of the partials of aggregations and of their number. */
function aggregatesBytes(plan: Plan): u64 {
  return plan.isAggregating ? <u64>plan.aggregations.partials.length + 4 : 0;
}

/** Which of the named nodes each hit matches: the first 32 with the hits, the others behind all. False without room. */
function writeTrailer(search: Search, hits: Hits, out: usize, trailer: usize): bool {
  const plan = search.plan;
  const words = namedWords(plan.namedCount);
  let at = trailer;
  if (words) {
    const named = matchNamed(search, hits);
    if (!named) return false;
    for (let i: usize = 0; i < <usize>hits.count; i++) {
      const from = named + ((i * <usize>words) << 2);
      store<u32>(out + 16 + (i << 4), load<u32>(from), 12);
      const more = (<usize>words - 1) << 2;
      memory.copy(at, from + 4, more);
      at += more;
    }
  }
  if (plan.isAggregating) {
    const partials = plan.aggregations.partials;
    memory.copy(at, partials.out.at, partials.length);
    store<u32>(at + partials.length, partials.length);
    at += partials.length + 4;
  }
  if (plan.terminateAfter) {
    store<u32>(at, <u32>search.thinning.terminatedEarly);
    at += 4;
  }
  if (plan.options & OPTION_PARTIAL) store<u32>(at, <u32>exhausted);
  return true;
}

/**
 * Writes a result (README.md) without what stands behind the hits: room of which `more` bytes are left for that; 0 where the search fails.
 */
function writeHits(search: Search, total: u64, largest: f32, hits: Hits, more: u64): usize {
  const n = hits.count;
  const bytes = 16 + ((<u64>n) << 4) + trailerBytes(search.plan, n) + more;
  let out: usize = 0;
  if (bytes <= MAX_RESULT) out = requestAlloc(<u32>bytes);
  if (!out) return 0;
  setResult(out, <u32>bytes);
  store<f64>(out, <f64>total);
  store<f32>(out, largest, 8);
  store<u32>(out, n, 12);
  for (let i: u32 = 0; i < n; i++) {
    const at = out + 16 + ((<usize>i) << 4);
    const seg = locate(search.shard, hits.doc(i));
    store<u64>(at, keyOf(seg, locatedDoc));
    store<f32>(at, hits.score(i), 8);
    store<u32>(at, 0, 12);
  }
  return out;
}

/** Writes the result of a search with the given total; false where the search fails. */
function writeResult(search: Search, total: u64): bool {
  const plan = search.plan;
  const hits = takeTopHits();
  if (hits === null) return false;
  const largest: f32 = hits.count ? hits.score(0) : NaN;
  for (let i: u32 = 0; i < plan.rescoreCount; i++) {
    if (!applyRescore(search, hits, plan.rescore(i))) return false;
  }
  hits.count = min(hits.count, plan.hits);
  const out = writeHits(search, total, largest, hits, 0);
  return out != 0 && writeTrailer(search, hits, out, out + 16 + ((<usize>hits.count) << 4));
}

/** Writes the result of a sorted search: as above, then the sort values of the hits. */
function writeSorted(search: Search, total: u64): bool {
  const n = sortedSize();
  const hits = makeHits(n);
  if (hits === null) return false;
  let bytes: u64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    hits.set(i, sortedDoc(i), sortedScore(i));
    bytes += sortValuesBytes(i);
  }
  const out = writeHits(
    search,
    total,
    search.plan.sort.tracksScores ? search.largestScore : NaN,
    hits,
    bytes,
  );
  if (!out) return false;
  let values = out + 16 + ((<usize>n) << 4);
  for (let i: u32 = 0; i < n; i++) values = writeSortValues(i, values);
  return writeTrailer(search, hits, out, values);
}

/** Expands and looks up a query of the plan; null where the search fails. */
function prepare(search: Search, query: Query, scoring: bool): Query | null {
  const made = expand(search, query, scoring);
  if (requestStatus != OK) return null;
  const plan = search.plan;
  let fine = findTerms(search.shard, made);
  if (fine && plan.joins && !plan.isGathering) fine = precompute(search, made);
  if (!fine) fail(ERR_MEMORY);
  return fine && requestStatus == OK ? made : null;
}

/** Prepares queries that don't score; false where the search fails. */
function prepareAll(search: Search, queries: usize, n: u32): bool {
  for (let i: u32 = 0; i < n; i++) {
    const at = queries + ((<usize>i) << 2);
    const query = prepare(search, changetype<Query>(load<usize>(at)), false);
    if (query === null) return false;
    store<usize>(at, changetype<usize>(query));
  }
  return true;
}

/** Prepares the queries that rescore hits, name them, say which nested documents they are sorted by, and filter aggregations. */
function prepareOthers(search: Search): bool {
  const plan = search.plan;
  const unbounded = search.unbounded;
  for (let i: u32 = 0; i < plan.rescoreCount; i++) {
    const rescore = plan.rescore(i);
    const query = prepare(search, rescore.query, true);
    if (query === null) return false;
    weigh(search, query);
    if (requestStatus != OK) return false;
    rescore.query = query;
  }
  // They are scored document by document: what bounds hold is said of the root.
  search.unbounded = unbounded;
  const sort = plan.sort;
  for (let i: u32 = 0; i < sort.count; i++) {
    const key = sort.key(i);
    if (!key.nestedQuery) continue;
    const query = prepare(search, changetype<Query>(key.nestedQuery), false);
    if (query === null) return false;
    key.nestedQuery = changetype<usize>(query);
  }
  return (
    prepareAll(search, plan.named, plan.namedCount) && prepareAll(search, plan.filters, plan.filterCount)
  );
}

/** Whether all segments have the uids that a plan needs; else the request fails. */
function hasUids(shard: Shard): bool {
  for (let i: u32 = 0; i < shard.segmentCount; i++) if (!shard.segment(i).uids) fail(ERR_UIDS);
  return requestStatus == OK;
}

/** Starts the collection of hits; false without room. */
function startHits(search: Search): bool {
  const plan = search.plan;
  const sorted = plan.isSorted;
  let wanted = plan.hits;
  for (let i: u32 = 0; i < plan.rescoreCount && wanted; i++) wanted = max(wanted, plan.rescore(i).window);
  if (!topHitsStart(sorted ? 0 : min(wanted, search.maxDoc))) return false;
  return !sorted || sortedStart(plan.sort, min(plan.hits, search.maxDoc));
}

/** Executes a plan, whose bytes are at `ptr`; false where the search fails: without room, unless it has said why. */
function executePlan(shard: Shard, plan: Plan, ptr: usize): bool {
  if (plan.needsUids && !hasUids(shard)) return false;
  const search = Search.make(shard, plan);
  if (search === null) return false;
  const root = prepare(search, plan.root, true);
  if (root === null) return false;
  search.root = root;
  if (plan.isGathering) return gatherTerms(search, root) && writeStatistics(search);
  const postFilter = plan.postFilter;
  if (postFilter !== null) {
    search.postFilter = prepare(search, postFilter, false);
    if (search.postFilter === null) return false;
  }
  weigh(search, root);
  if (requestStatus != OK) return false;
  if (plan.isExplaining) return explain(search, ptr);
  if (!prepareOthers(search) || !startHits(search)) return false;
  const sorted = plan.isSorted;
  let total: u64 = 0;
  let docBase: u32 = 0;
  for (let i: u32 = 0; i < shard.segmentCount && !exhausted; i++) {
    const seg = shard.segment(i);
    const mark = requestMark(SEGMENT);
    const found = searchSegment(search, seg, i, docBase);
    if (sorted && found > 0) {
      // The strings of the hits stay in the arena.
      endSortedSegment();
      requestKeep(mark);
    } else {
      requestRelease(mark);
    }
    if (found < 0 || requestStatus != OK) return false;
    total += found;
    docBase += seg.docCount;
  }
  if (plan.isAggregating && (!aggregateFamilies(search) || !finishAggregations(plan.aggregations, shard)))
    return false;
  return sorted ? writeSorted(search, total) : writeResult(search, total);
}

/** Whether the plan takes part of an answer: statistics and explanations are whole or nothing. */
function answersPartially(plan: Plan): bool {
  return (plan.options & OPTION_PARTIAL) != 0 && !plan.isGathering && !plan.isExplaining;
}

/** Executes the plan at `ptr` on the shard; the result range then holds the result. */
export function searchShard(shard: Shard, ptr: usize, length: u32): i32 {
  startRequest();
  startWorkLimit();
  startFilters();
  const plan = decodePlan(shard, ptr, length);
  if (plan === null) return requestStatus;
  if (!executePlan(shard, plan, ptr)) fail(ERR_MEMORY);
  if (plan.isAggregating) plan.aggregations.vectors.free();
  const ended = exhausted && !answersPartially(plan);
  return ended && requestStatus == OK ? ERR_INTERRUPTED : requestStatus;
}
