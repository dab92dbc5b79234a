import {
  OPTION_EXPLAIN,
  OPTION_GATHER,
  OPTION_MIN_SCORE,
  OPTION_PARTIAL,
  PLAN_AGGREGATIONS,
  PLAN_EXHAUSTIVE,
  PLAN_IN_ORDER,
} from '../abi/plan';
import { ERR_INTERRUPTED, ERR_MEMORY, ERR_UIDS, OK } from '../abi/status';
import {
  aggregatedAt,
  aggregatedBytes,
  aggregatedDocs,
  endAggregations,
  finishAggregations,
  startAggregations,
} from '../aggregation/aggregate';
import { bitsOf } from '../docset/matcher';
import { requestAlloc, requestKeep, requestMark, requestRelease } from '../memory/arena';
import { SEGMENT } from '../memory/lifetimes';
import { fail, requestStatus, startRequest } from '../requestStatus';
import { setResult } from '../result';
import { topHitsStart } from '../score/topHits';
import { keyOf, Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { exhausted, startWorkLimit } from '../workLimit';
import { aggregateFamilies, aggregateSegment } from './aggregated';
import { compileFiltering, compileQuery } from './compile';
import { compileFor } from './compiling';
import { runConjunction } from './conjunction';
import { leadOf } from './conjuncts';
import { constantFits, runConstant } from './constant';
import {
  decodePlan,
  planExplained,
  planExplainedCount,
  planFieldStatistics,
  planFieldStatisticsCount,
  planFilterCount,
  planFilters,
  planFlags,
  planHits,
  planMinScore,
  planNamed,
  planNamedCount,
  planOptions,
  planPostFilter,
  planRescoreCount,
  planRescores,
  planRoot,
  planTerminateAfter,
  planTermStatistics,
  planTermStatisticsCount,
  Rescore,
  seenOf,
} from './decode';
import { functionsNeedUids } from './decodeParts';
import { startGiven } from './dfsStatistics';
import { expand } from './expand';
import { explain, explained, explainedLength } from './explain';
import { startFilters } from './filterCache';
import { Hits, locate, locatedDoc, makeHits, takeTopHits } from './hits';
import { runJoins } from './joins';
import { matchNamed, namedWords } from './named';
import { planJoins, planScored } from './planTraits';
import { Query } from '../plan/query';
import { applyRescore } from './rescore';
import { Run } from './run';
import { runSingle, singleOf } from './single';
import { largestScore, resetLargestScore, runSorted } from './sorted';
import {
  endSortedSegment,
  sortedDoc,
  sortedScore,
  sortedSize,
  sortedStart,
  sortValuesBytes,
  writeSortValues,
} from './sortedHits';
import { openKeys, SortKeys, sortKeyCount, sortTracksScores } from '../sort/sortKeys';
import { findTerms, gatherTerms, unboundedWeights, weigh } from './statistics';
import { writeStatistics } from './statisticsResult';
import { isThinning, matchesLeft, restoreMatchesLeft, startThinning, terminatedEarly } from './thin';
import { runUnion, unionFits } from './union';
import { runWindows } from './window';

// A search: decode the plan, gather the statistics of the whole shard, then compile and execute it segment by segment.

/** Most bytes of a result. */
const MAX_RESULT: u64 = 0x40000000;

const run = changetype<Run>(memory.data(offsetof<Run>(), 16));

/** The plan's query and post filter, rewritten for the shard. */
let root: Query | null = null;
let postFilter: Query | null = null;
/** The named nodes, rewritten: array of Query pointers. */
let namedNodes: usize = 0;

function execute(): i64 {
  if (sortKeyCount && planHits) return runSorted(run);
  if (isThinning()) return runWindows(run);
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
function aggregate(shard: Shard, seg: Segment, index: u32): i64 {
  const left = matchesLeft();
  const before = aggregatedDocs;
  const bulk = !(planFlags & PLAN_IN_ORDER);
  if (!aggregateSegment(shard, seg, index, root!, bulk, planFilters, planFilterCount, postFilter)) return -1;
  if (requestStatus != OK) return -1;
  if (!aggregatesOnly()) restoreMatchesLeft(left);
  return <i64>(aggregatedDocs - before);
}

/** Whether the documents that are aggregated are those that count, and no hits are wanted. */
function aggregatesOnly(): bool {
  return (planFlags & PLAN_AGGREGATIONS) != 0 && !planHits && postFilter === null;
}

/** Compiles which nested documents have the values of keys; false where the search fails. */
function openNestedKeys(seg: Segment, index: u32): bool {
  for (let i: u32 = 0; i < sortKeyCount; i++) {
    const key = SortKeys.at(i);
    if (!key.nestedQuery || !seg.parents) continue;
    const matcher = compileQuery(seg, index, seg.live, changetype<Query>(key.nestedQuery), false, false);
    if (requestStatus != OK) return false;
    key.nested = matcher === null ? 0 : bitsOf(matcher, seg.docCount);
    if (requestStatus != OK) return false;
  }
  return true;
}

/** Searches one segment; adds to the hits and returns the number of its matches, or -1 where the search fails. */
function searchSegment(shard: Shard, seg: Segment, index: u32, docBase: u32): i64 {
  if (planFlags & PLAN_AGGREGATIONS) {
    const found = aggregate(shard, seg, index);
    if (found < 0 || aggregatesOnly()) return found;
  }
  const bulk = !(planFlags & PLAN_IN_ORDER);
  const tree = compileQuery(seg, index, seenOf(seg), root!, true, bulk);
  if (requestStatus != OK) return -1;
  if (tree === null) return 0;
  run.root = tree;
  run.postFilter = 0;
  if (postFilter !== null) {
    const filter = compileFiltering(seg, index, seenOf(seg), postFilter!);
    if (requestStatus != OK) return -1;
    if (filter === null) return 0;
    run.postFilter = changetype<usize>(filter);
  }
  run.live = seenOf(seg);
  run.docCount = seg.docCount;
  run.view = seg.view;
  run.docBase = docBase;
  run.exhaustive = unboundedWeights || (planFlags & PLAN_EXHAUSTIVE) != 0;
  run.countOnly = planHits == 0;
  if (sortKeyCount && (!openKeys(shard, seg) || !openNestedKeys(seg, index))) return -1;
  const total = execute();
  return requestStatus == OK ? total : -1;
}

/** Bytes behind the hits and their sort values: named nodes beyond the first 32, and how the search ended. */
function trailerBytes(n: u32): u64 {
  const words = namedWords(planNamedCount);
  return (
    (words > 1 ? (<u64>n * (words - 1)) << 2 : 0) +
    (planTerminateAfter ? 4 : 0) +
    (planOptions & OPTION_PARTIAL ? 4 : 0) +
    aggregatesBytes()
  );
}

/** Bytes of the partials of aggregations and of their number. */
function aggregatesBytes(): u64 {
  return planFlags & PLAN_AGGREGATIONS ? <u64>aggregatedBytes() + 4 : 0;
}

/** Which of the named nodes each hit matches: the first 32 with the hits, the others behind all. False without room. */
function writeTrailer(shard: Shard, hits: Hits, out: usize, trailer: usize): bool {
  const words = namedWords(planNamedCount);
  let at = trailer;
  if (words) {
    const named = matchNamed(shard, hits, namedNodes, planNamedCount);
    if (!named) return false;
    for (let i: usize = 0; i < <usize>hits.count; i++) {
      const from = named + ((i * <usize>words) << 2);
      store<u32>(out + 16 + (i << 4), load<u32>(from), 12);
      const more = (<usize>words - 1) << 2;
      memory.copy(at, from + 4, more);
      at += more;
    }
  }
  if (planFlags & PLAN_AGGREGATIONS) {
    memory.copy(at, aggregatedAt(), aggregatedBytes());
    store<u32>(at + aggregatedBytes(), aggregatedBytes());
    at += aggregatedBytes() + 4;
  }
  if (planTerminateAfter) {
    store<u32>(at, <u32>terminatedEarly);
    at += 4;
  }
  if (planOptions & OPTION_PARTIAL) store<u32>(at, <u32>exhausted);
  return true;
}

/** Writes the result (README.md) of a search with the given total; false where the search fails. */
function writeResult(shard: Shard, total: u64): bool {
  const hits = takeTopHits();
  if (hits === null) return false;
  const largest: f32 = hits.count ? hits.score(0) : NaN;
  for (let i: u32 = 0; i < planRescoreCount; i++) {
    if (!applyRescore(shard, hits, changetype<Rescore>(load<usize>(planRescores + ((<usize>i) << 2)))))
      return false;
  }
  hits.count = min(hits.count, planHits);
  const n = hits.count;
  const bytes = 16 + ((<u64>n) << 4) + trailerBytes(n);
  let out: usize = 0;
  if (bytes <= MAX_RESULT) out = requestAlloc(<u32>bytes);
  if (!out) return false;
  store<f64>(out, <f64>total);
  store<f32>(out, largest, 8);
  store<u32>(out, n, 12);
  for (let i: u32 = 0; i < n; i++) {
    const at = out + 16 + ((<usize>i) << 4);
    const seg = locate(shard, hits.doc(i));
    store<u64>(at, keyOf(seg, locatedDoc));
    store<f32>(at, hits.score(i), 8);
    store<u32>(at, 0, 12);
  }
  if (!writeTrailer(shard, hits, out, out + 16 + ((<usize>n) << 4))) return false;
  setResult(out, <u32>bytes);
  return true;
}

/** Writes the result of a sorted search: as above, then the sort values of the hits. */
function writeSorted(shard: Shard, total: u64): bool {
  const n = sortedSize();
  const hits = makeHits(n);
  if (hits === null) return false;
  let bytes: u64 = 16 + ((<u64>n) << 4) + trailerBytes(n);
  for (let i: u32 = 0; i < n; i++) bytes += sortValuesBytes(i);
  let out: usize = 0;
  if (bytes <= MAX_RESULT) out = requestAlloc(<u32>bytes);
  if (!out) return false;
  store<f64>(out, <f64>total);
  store<f32>(out, sortTracksScores ? largestScore : NaN, 8);
  store<u32>(out, n, 12);
  let values = out + 16 + ((<usize>n) << 4);
  for (let i: u32 = 0; i < n; i++) {
    hits.set(i, sortedDoc(i), sortedScore(i));
    const at = out + 16 + ((<usize>i) << 4);
    const seg = locate(shard, sortedDoc(i));
    store<u64>(at, keyOf(seg, locatedDoc));
    store<f32>(at, sortedScore(i), 8);
    store<u32>(at, 0, 12);
    values = writeSortValues(i, values);
  }
  if (!writeTrailer(shard, hits, out, values)) return false;
  setResult(out, <u32>bytes);
  return true;
}

/** Expands and looks up a query of the plan; null where the search fails. */
function prepare(shard: Shard, maxDoc: u32, query: Query, scoring: bool): Query | null {
  const made = expand(shard, maxDoc, query, scoring);
  if (requestStatus != OK) return null;
  let fine = findTerms(shard, made);
  if (fine && planJoins && !(planOptions & OPTION_GATHER)) fine = runJoins(shard, made, maxDoc, planHits);
  if (!fine) fail(ERR_MEMORY);
  return fine && requestStatus == OK ? made : null;
}

/** Prepares the queries that rescore hits and those that name them; false where the search fails. */
function prepareOthers(shard: Shard, maxDoc: u32): bool {
  for (let i: u32 = 0; i < planRescoreCount; i++) {
    const rescore = changetype<Rescore>(load<usize>(planRescores + ((<usize>i) << 2)));
    const query = prepare(shard, maxDoc, rescore.query, true);
    if (query === null) return false;
    weigh(shard, query, maxDoc);
    if (requestStatus != OK) return false;
    rescore.query = query;
  }
  namedNodes = planNamed;
  for (let i: u32 = 0; i < planNamedCount; i++) {
    const at = planNamed + ((<usize>i) << 2);
    const query = prepare(shard, maxDoc, changetype<Query>(load<usize>(at)), false);
    if (query === null) return false;
    store<usize>(at, changetype<usize>(query));
  }
  for (let i: u32 = 0; i < sortKeyCount; i++) {
    const key = SortKeys.at(i);
    if (!key.nestedQuery) continue;
    const query = prepare(shard, maxDoc, changetype<Query>(key.nestedQuery), false);
    if (query === null) return false;
    key.nestedQuery = changetype<usize>(query);
  }
  for (let i: u32 = 0; i < planFilterCount; i++) {
    const at = planFilters + ((<usize>i) << 2);
    const query = prepare(shard, maxDoc, changetype<Query>(load<usize>(at)), false);
    if (query === null) return false;
    store<usize>(at, changetype<usize>(query));
  }
  return true;
}

/** Executes the plan at `ptr`; false where the search fails: without room, unless it has said why. */
function executePlan(shard: Shard, ptr: usize, length: u32): bool {
  if (!decodePlan(shard, ptr, length)) return false;
  let maxDoc: u32 = 0;
  for (let i: u32 = 0; i < shard.segmentCount; i++) {
    maxDoc += shard.segment(i).docCount;
    if (functionsNeedUids && !shard.segment(i).uids) fail(ERR_UIDS);
  }
  if (requestStatus != OK) return false;
  startGiven(planTermStatistics, planTermStatisticsCount, planFieldStatistics, planFieldStatisticsCount);
  root = prepare(shard, maxDoc, planRoot!, true);
  if (root === null) return false;
  if (planOptions & OPTION_GATHER) return gatherTerms(root!) && writeStatistics(shard, maxDoc);
  postFilter = null;
  if (planPostFilter !== null) {
    postFilter = prepare(shard, maxDoc, planPostFilter!, false);
    if (postFilter === null) return false;
  }
  weigh(shard, root!, maxDoc);
  if (requestStatus != OK) return false;
  if (planOptions & OPTION_EXPLAIN) {
    compileFor(shard);
    if (!explain(shard, root!, ptr, planExplained, planExplainedCount, maxDoc)) return false;
    setResult(explained(), explainedLength);
    return true;
  }
  if (!prepareOthers(shard, maxDoc)) return false;
  startThinning(planTerminateAfter, (planOptions & OPTION_MIN_SCORE) != 0, planMinScore, planScored);
  let wanted = planHits;
  for (let i: u32 = 0; i < planRescoreCount && wanted; i++)
    wanted = max(wanted, changetype<Rescore>(load<usize>(planRescores + ((<usize>i) << 2))).window);
  if (!topHitsStart(sortKeyCount ? 0 : min(wanted, maxDoc))) return false;
  if (sortKeyCount && !sortedStart(min(planHits, maxDoc))) return false;
  resetLargestScore();
  compileFor(shard);
  let total: u64 = 0;
  let docBase: u32 = 0;
  for (let i: u32 = 0; i < shard.segmentCount && !exhausted; i++) {
    const seg = shard.segment(i);
    const mark = requestMark(SEGMENT);
    const found = searchSegment(shard, seg, i, docBase);
    if (sortKeyCount && found > 0) {
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
  if (planFlags & PLAN_AGGREGATIONS) {
    if (!aggregateFamilies(shard, planFilters, planFilterCount)) return false;
    if (!finishAggregations(shard)) return false;
  }
  return sortKeyCount ? writeSorted(shard, total) : writeResult(shard, total);
}

/** Whether the plan takes part of an answer: statistics and explanations are whole or nothing. */
function answersPartially(): bool {
  return (planOptions & OPTION_PARTIAL) != 0 && !(planOptions & (OPTION_GATHER | OPTION_EXPLAIN));
}

/** Executes the plan at `ptr` on the shard; the result range then holds the result. */
export function searchShard(shard: Shard, ptr: usize, length: u32): i32 {
  startRequest();
  startWorkLimit();
  startAggregations();
  startFilters();
  if (!executePlan(shard, ptr, length)) fail(ERR_MEMORY);
  endAggregations();
  if (exhausted && requestStatus == OK && !answersPartially()) return ERR_INTERRUPTED;
  return requestStatus;
}
