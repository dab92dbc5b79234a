import { MATCH_TERM, Matcher, fillMemoryFailed, resetFillMemory } from '../docset/matcher';
import { phraseMemoryFailed, resetPhraseMemory } from '../docset/phrase';
import { resetSpanMemory, spanMemoryFailed } from '../docset/spans';
import { requestAlloc, requestMark, requestRelease } from '../memory/arena';
import { setResult } from '../result';
import { takeWorst, takenDoc, takenScore, topHitsSize, topHitsStart } from '../score/topHits';
import { Segment, keyOf } from '../segment/segment';
import { Shard } from '../segment/shards';
import { ERR_MEMORY, OK } from '../status';
import { compileQuery, compileStatus } from './compile';
import { leadOf, runConjunction } from './conjunction';
import {
  PLAN_EXHAUSTIVE,
  PLAN_IN_ORDER,
  decodePlan,
  planFlags,
  planHits,
  planPostFilter,
  planRoot,
} from './decode';
import { expand, expandStatus } from './expand';
import { Query } from './query';
import { Run } from './run';
import { runSingle } from './single';
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
import { openKeys, rankMemoryFailed, resetRankMemory, sortKeyCount, sortTracksScores } from './sortKeys';
import { findTerms, statisticsMemoryFailed, unboundedWeights, weigh } from './statistics';
import { runUnion, unionFits } from './union';
import { runWindows } from './window';

// A search: decode the plan, gather the statistics of the whole shard, then compile and execute it segment by segment.

/** Most bytes of a result. */
const MAX_RESULT: u64 = 0x40000000;

const run = changetype<Run>(memory.data(offsetof<Run>(), 16));

/** The plan's query and post filter, rewritten for the shard. */
let root: Query | null = null;
let postFilter: Query | null = null;

function execute(): i64 {
  if (sortKeyCount && planHits) return runSorted(run);
  const tree: Matcher = run.root;
  if (tree.kind == MATCH_TERM) return runSingle(run);
  if (unionFits(run)) return runUnion(run);
  const lead = leadOf(run);
  if (lead !== null) return runConjunction(run, lead);
  return runWindows(run);
}

/** Searches one segment; adds to the hits and returns the number of its matches, or -1 without room. */
function searchSegment(shard: Shard, seg: Segment, index: u32, docBase: u32): i64 {
  const bulk = !(planFlags & PLAN_IN_ORDER);
  const tree = compileQuery(seg, index, root!, true, bulk);
  if (compileStatus != OK) return -1;
  if (tree === null) return 0;
  run.root = tree;
  run.postFilter = 0;
  if (postFilter !== null) {
    const filter = compileQuery(seg, index, postFilter!, false, false);
    if (compileStatus != OK) return -1;
    if (filter === null) return 0;
    run.postFilter = changetype<usize>(filter);
  }
  run.live = seg.live;
  run.docCount = seg.docCount;
  run.docBase = docBase;
  run.exhaustive = unboundedWeights || (planFlags & PLAN_EXHAUSTIVE) != 0;
  run.countOnly = planHits == 0;
  if (sortKeyCount && openKeys(shard, seg) != OK) return -1;
  const total = execute();
  return phraseMemoryFailed || fillMemoryFailed || spanMemoryFailed ? -1 : total;
}

/** Writes the result (README.md) of a search with the given total. */
function writeResult(shard: Shard, total: u64): i32 {
  const n = topHitsSize();
  const bytes = 16 + (n << 4);
  const out = requestAlloc(bytes);
  if (!out) return ERR_MEMORY;
  store<f64>(out, <f64>total);
  store<f32>(out, NaN, 8);
  store<u32>(out, n, 12);
  for (let i = n; i > 0; i--) {
    takeWorst();
    let doc = takenDoc;
    let s: u32 = 0;
    while (doc >= shard.segment(s).docCount) {
      doc -= shard.segment(s).docCount;
      s++;
    }
    const at = out + ((<usize>i) << 4);
    store<u64>(at, keyOf(shard.segment(s), doc));
    store<f32>(at, takenScore, 8);
    store<u32>(at, 0, 12);
    if (i == 1) store<f32>(out, takenScore, 8);
  }
  setResult(out, bytes);
  return OK;
}

/** Writes the result of a sorted search: as above, then the sort values of the hits. */
function writeSorted(shard: Shard, total: u64): i32 {
  const n = sortedSize();
  let bytes: u64 = 16 + ((<u64>n) << 4);
  for (let i: u32 = 0; i < n; i++) bytes += sortValuesBytes(i);
  let out: usize = 0;
  if (bytes <= MAX_RESULT) out = requestAlloc(<u32>bytes);
  if (!out) return ERR_MEMORY;
  store<f64>(out, <f64>total);
  store<f32>(out, sortTracksScores ? largestScore : NaN, 8);
  store<u32>(out, n, 12);
  let values = out + 16 + ((<usize>n) << 4);
  for (let i: u32 = 0; i < n; i++) {
    let doc = sortedDoc(i);
    let s: u32 = 0;
    while (doc >= shard.segment(s).docCount) {
      doc -= shard.segment(s).docCount;
      s++;
    }
    const at = out + 16 + ((<usize>i) << 4);
    store<u64>(at, keyOf(shard.segment(s), doc));
    store<f32>(at, sortedScore(i), 8);
    store<u32>(at, 0, 12);
    values = writeSortValues(i, values);
  }
  setResult(out, <u32>bytes);
  return OK;
}

/** Executes the plan at `ptr` on the shard; the result range then holds the result. */
export function searchShard(shard: Shard, ptr: usize, length: u32): i32 {
  const status = decodePlan(ptr, length);
  if (status != OK) return status;
  let maxDoc: u32 = 0;
  for (let i: u32 = 0; i < shard.segmentCount; i++) maxDoc += shard.segment(i).docCount;
  root = expand(shard, maxDoc, planRoot!, true);
  if (expandStatus != OK) return expandStatus;
  postFilter = planPostFilter;
  if (planPostFilter !== null) {
    postFilter = expand(shard, maxDoc, planPostFilter!, false);
    if (expandStatus != OK) return expandStatus;
  }
  if (!findTerms(shard, root!) || (postFilter !== null && !findTerms(shard, postFilter!))) return ERR_MEMORY;
  weigh(root!, maxDoc);
  if (statisticsMemoryFailed) return ERR_MEMORY;
  if (!topHitsStart(sortKeyCount ? 0 : min(planHits, maxDoc))) return ERR_MEMORY;
  if (sortKeyCount && !sortedStart(min(planHits, maxDoc))) return ERR_MEMORY;
  resetLargestScore();
  resetRankMemory();
  resetPhraseMemory();
  resetFillMemory();
  resetSpanMemory();
  let total: u64 = 0;
  let docBase: u32 = 0;
  for (let i: u32 = 0; i < shard.segmentCount; i++) {
    const seg = shard.segment(i);
    const mark = requestMark();
    const found = searchSegment(shard, seg, i, docBase);
    if (sortKeyCount && found > 0) {
      // The strings of the hits stay in the arena.
      endSortedSegment();
      if (rankMemoryFailed) return ERR_MEMORY;
    } else {
      requestRelease(mark);
    }
    if (found < 0) return ERR_MEMORY;
    total += found;
    docBase += seg.docCount;
  }
  return sortKeyCount ? writeSorted(shard, total) : writeResult(shard, total);
}
