import {
  KEY_COLUMN,
  OPTION_EXPLAIN,
  OPTION_GATHER,
  OPTION_MIN_SCORE,
  OPTION_NAMED,
  OPTION_NESTED,
  OPTION_NESTED_SORT,
  OPTION_PARTIAL,
  OPTION_RESCORE,
  OPTION_SIMILARITIES,
  OPTION_STATISTICS,
  OPTION_TERMINATE,
  PLAN_AGGREGATIONS,
  PLAN_POST_FILTER,
  PLAN_SORT,
} from '../abi/plan';
import { ERR_PLAN, OK } from '../abi/status';
import { aggregationsNext, clearAggregations } from '../aggregation/decode';
import { setPointer } from '../memory/pointers';
import { fail, requestStatus } from '../requestStatus';
import { Segment } from '../segment/segment';
import { Shard } from '../segment/shards';
import { isModel } from '../similarity/probability';
import { nodeNext, readFilters, startNodes } from './decodeNodes';
import { DFS_FIELD_BYTES, DFS_TERM_BYTES } from './dfsStatistics';
import {
  at,
  bytesLeft,
  bytesNext,
  f32Next,
  pointers,
  readAgain,
  readAll,
  startReading,
  structNext,
  u8Next,
  u16Next,
  u32Next,
} from '../plan/planReader';
import { Query } from '../plan/query';
import { clearSort, decodeSort, SortKeys, sortBytes, sortKeyCount } from '../sort/sortKeys';

// Reads a plan (README.md): what stands around its nodes.

const MAGIC: u32 = 0x4e4c5052;
const VERSION: u8 = 1;
/** A similarity: u16 field, u8 kind, u8 basic, u8 effect, u8 normalization, f32, f32. */
export const SIMILARITY_BYTES: u32 = 14;

const OPTIONS: u16 =
  OPTION_MIN_SCORE |
  OPTION_RESCORE |
  OPTION_STATISTICS |
  OPTION_NAMED |
  OPTION_TERMINATE |
  OPTION_EXPLAIN |
  OPTION_GATHER |
  OPTION_SIMILARITIES |
  OPTION_NESTED_SORT |
  OPTION_NESTED |
  OPTION_PARTIAL;

/** What `decodePlan` leaves. */
export let planFlags: u8 = 0;
export let planOptions: u16 = 0;
export let planHits: u32 = 0;
export let planRoot: Query | null = null;
export let planPostFilter: Query | null = null;
export let planMinScore: f32 = 0;
export let planTerminateAfter: u32 = 0;
/** Address and number of similarities (similarities.ts). */
export let planSimilarities: usize = 0;
export let planSimilarityCount: u32 = 0;
/** Statistics in place of the shard's: address and number of the terms, and of the fields (given.ts). */
export let planTermStatistics: usize = 0;
export let planTermStatisticsCount: u32 = 0;
export let planFieldStatistics: usize = 0;
export let planFieldStatisticsCount: u32 = 0;
/** Address and number of the keys of the documents to explain. */
export let planExplained: usize = 0;
export let planExplainedCount: u32 = 0;
/** Array and number of Rescore pointers, of named Query pointers. */
export let planRescores: usize = 0;
export let planRescoreCount: u32 = 0;
export let planNamed: usize = 0;
export let planNamedCount: u32 = 0;
/** Array and number of the filters of aggregations: Query pointers. */
export let planFilters: usize = 0;
export let planFilterCount: u32 = 0;

/** One rescoring of the first hits. */
@unmanaged
export class Rescore {
  window: u32;
  queryWeight: f32;
  rescoreWeight: f32;
  mode: u8;
  query: Query;
}

/** The documents of a segment that the search sees; 0: all. */
export function seenOf(seg: Segment): usize {
  return planOptions & OPTION_NESTED ? seg.live : seg.visible;
}

/** Whether documents are explained, and none searched for. */
export function isExplaining(): bool {
  return (planOptions & OPTION_EXPLAIN) != 0;
}

/** The options that stand before the root. */
function headNext(): void {
  const options = planOptions;
  if (options & OPTION_MIN_SCORE) planMinScore = f32Next();
  planTerminateAfter = options & OPTION_TERMINATE ? u32Next() : 0;
  planExplainedCount = options & OPTION_EXPLAIN ? u32Next() : 0;
  planExplained = bytesNext(<usize>min<u64>((<u64>planExplainedCount) << 3, u32.MAX_VALUE));
  planSimilarityCount = options & OPTION_SIMILARITIES ? <u32>u16Next() : 0;
  planSimilarities = bytesNext(<usize>planSimilarityCount * SIMILARITY_BYTES);
  for (let i: u32 = 0; i < planSimilarityCount && requestStatus == OK; i++) {
    const similarity = planSimilarities + <usize>(i * SIMILARITY_BYTES);
    const kind = load<u8>(similarity, 2);
    const basic = load<u8>(similarity, 3);
    if (!isModel(kind, basic, load<u8>(similarity, 4), load<u8>(similarity, 5))) fail(ERR_PLAN);
  }
  planTermStatisticsCount = 0;
  planFieldStatisticsCount = 0;
  if (options & OPTION_STATISTICS) {
    planTermStatisticsCount = u32Next();
    planTermStatistics = at;
    for (let i: u32 = 0; i < planTermStatisticsCount && requestStatus == OK; i++) {
      bytesNext(DFS_TERM_BYTES - 2);
      bytesNext(<usize>u16Next());
    }
    planFieldStatisticsCount = <u32>u16Next();
    planFieldStatistics = bytesNext(<usize>planFieldStatisticsCount * DFS_FIELD_BYTES);
  }
}

/** The options that stand behind the post filter. */
function tailNext(): void {
  planRescoreCount = planOptions & OPTION_RESCORE ? <u32>u16Next() : 0;
  planRescores = pointers(planRescoreCount, 14);
  for (let i: u32 = 0; i < planRescoreCount && requestStatus == OK; i++) {
    const made = structNext(offsetof<Rescore>());
    if (!made) return;
    const rescore = changetype<Rescore>(made);
    setPointer(planRescores, i, made);
    rescore.window = u32Next();
    rescore.queryWeight = f32Next();
    rescore.rescoreWeight = f32Next();
    rescore.mode = u8Next();
    if (rescore.mode > 4) fail(ERR_PLAN);
    const query = nodeNext(1, true);
    if (requestStatus == OK) rescore.query = query!;
  }
  planNamedCount = planOptions & OPTION_NAMED ? <u32>u16Next() : 0;
  planNamed = queriesNext(planNamedCount);
}

/** Which keys of the sort go by nested documents, and by which. */
function nestedSortNext(): void {
  const n = <u32>u8Next();
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const number = <u32>u8Next();
    if (number >= sortKeyCount || SortKeys.at(number).kind < KEY_COLUMN) fail(ERR_PLAN);
    const query = nodeNext(1, false);
    if (requestStatus == OK) SortKeys.at(number).nestedQuery = changetype<usize>(query);
  }
}

/** An array of filters. */
function queriesNext(n: u32): usize {
  const queries = pointers(n, 1);
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const query = nodeNext(1, false);
    if (requestStatus == OK) setPointer(queries, i, changetype<usize>(query));
  }
  return queries;
}

/** Decodes the plan at `ptr` for a shard; the outcome is in `planRoot` and its neighbours. False where it is none. */
export function decodePlan(shard: Shard, ptr: usize, length: u32): bool {
  startReading(ptr, length);
  planRoot = null;
  planPostFilter = null;
  startNodes(shard);
  if (u32Next() != MAGIC || u8Next() != VERSION) fail(ERR_PLAN);
  planFlags = u8Next();
  planOptions = u16Next();
  if (planFlags > 31 || planOptions & ~OPTIONS) fail(ERR_PLAN);
  // What is told of filters, and of the terms in them, takes their nodes.
  if (planOptions & (OPTION_EXPLAIN | OPTION_GATHER)) readFilters();
  planHits = u32Next();
  headNext();
  planRoot = nodeNext(1, true);
  if (requestStatus == OK && planFlags & PLAN_POST_FILTER) planPostFilter = nodeNext(1, false);
  if (requestStatus == OK) tailNext();
  clearSort();
  if (requestStatus == OK && planFlags & PLAN_SORT) {
    const start = at;
    decodeSort(at, at + bytesLeft());
    readAgain(start);
    bytesNext(sortBytes);
  }
  if (requestStatus == OK && planOptions & OPTION_NESTED_SORT) nestedSortNext();
  clearAggregations();
  planFilterCount = 0;
  if (requestStatus == OK && planFlags & PLAN_AGGREGATIONS) {
    planFilterCount = <u32>u16Next();
    planFilters = queriesNext(planFilterCount);
    if (requestStatus == OK) aggregationsNext(planFilterCount);
  }
  if (requestStatus == OK && !readAll()) fail(ERR_PLAN);
  return requestStatus == OK;
}
