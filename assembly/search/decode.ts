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
  PLAN_POST_FILTER,
  PLAN_SORT,
} from '../abi/plan';
import { ERR_PLAN, OK } from '../abi/status';
import { aggregationsNext } from '../aggregation/decode';
import { setPointer } from '../memory/pointers';
import { Shard } from '../segment/shards';
import { isModel } from '../similarity/probability';
import { nodeNext } from './decodeNodes';
import { Decoding } from './decoding';
import { Plan, Rescore } from './plan';
import { DFS_FIELD_BYTES, DFS_TERM_BYTES } from './dfsStatistics';
import {
  at,
  bytesNext,
  f32Next,
  pointers,
  readAll,
  startReading,
  structNext,
  u8Next,
  u16Next,
  u32Next,
} from '../plan/planReader';
import { sectionNext, SortSection } from '../sort/sortKeys';
import { fail, requestStatus } from '../requestStatus';

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

/** The options that stand before the root. */
function headNext(plan: Plan): void {
  const options = plan.options;
  if (options & OPTION_MIN_SCORE) plan.minScore = f32Next();
  plan.terminateAfter = options & OPTION_TERMINATE ? u32Next() : 0;
  plan.explainedCount = options & OPTION_EXPLAIN ? u32Next() : 0;
  plan.explained = bytesNext(<usize>min<u64>((<u64>plan.explainedCount) << 3, u32.MAX_VALUE));
  plan.similarityCount = options & OPTION_SIMILARITIES ? <u32>u16Next() : 0;
  plan.similarities = bytesNext(<usize>plan.similarityCount * SIMILARITY_BYTES);
  for (let i: u32 = 0; i < plan.similarityCount && requestStatus == OK; i++) {
    const similarity = plan.similarities + <usize>(i * SIMILARITY_BYTES);
    const kind = load<u8>(similarity, 2);
    const basic = load<u8>(similarity, 3);
    if (!isModel(kind, basic, load<u8>(similarity, 4), load<u8>(similarity, 5))) fail(ERR_PLAN);
  }
  plan.termStatisticsCount = 0;
  plan.fieldStatisticsCount = 0;
  if (options & OPTION_STATISTICS) {
    plan.termStatisticsCount = u32Next();
    plan.termStatistics = at;
    for (let i: u32 = 0; i < plan.termStatisticsCount && requestStatus == OK; i++) {
      bytesNext(DFS_TERM_BYTES - 2);
      bytesNext(<usize>u16Next());
    }
    plan.fieldStatisticsCount = <u32>u16Next();
    plan.fieldStatistics = bytesNext(<usize>plan.fieldStatisticsCount * DFS_FIELD_BYTES);
  }
}

/** The options that stand behind the post filter. */
function tailNext(d: Decoding): void {
  const plan = d.plan;
  plan.rescoreCount = plan.options & OPTION_RESCORE ? <u32>u16Next() : 0;
  plan.rescores = pointers(plan.rescoreCount, 14);
  for (let i: u32 = 0; i < plan.rescoreCount && requestStatus == OK; i++) {
    const made = structNext(offsetof<Rescore>());
    if (!made) return;
    const rescore = changetype<Rescore>(made);
    setPointer(plan.rescores, i, made);
    rescore.window = u32Next();
    rescore.queryWeight = f32Next();
    rescore.rescoreWeight = f32Next();
    rescore.mode = u8Next();
    if (rescore.mode > 4) fail(ERR_PLAN);
    const query = nodeNext(d, 1, true);
    if (requestStatus == OK) rescore.query = query!;
  }
  plan.namedCount = plan.options & OPTION_NAMED ? <u32>u16Next() : 0;
  plan.named = queriesNext(d, plan.namedCount);
}

/** Which keys of the sort go by nested documents, and by which. */
function nestedSortNext(d: Decoding): void {
  const sort = d.plan.sort;
  const n = <u32>u8Next();
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const number = <u32>u8Next();
    if (number >= sort.count || sort.key(number).kind < KEY_COLUMN) fail(ERR_PLAN);
    const query = nodeNext(d, 1, false);
    if (requestStatus == OK) sort.key(number).nestedQuery = changetype<usize>(query);
  }
}

/** An array of filters. */
function queriesNext(d: Decoding, n: u32): usize {
  const queries = pointers(n, 1);
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const query = nodeNext(d, 1, false);
    if (requestStatus == OK) setPointer(queries, i, changetype<usize>(query));
  }
  return queries;
}

/** Decodes the plan at `ptr` for a shard; null where the request fails. */
export function decodePlan(shard: Shard, ptr: usize, length: u32): Plan | null {
  startReading(ptr, length);
  // One block: small searches notice each allocation.
  const made = structNext(offsetof<Plan>() + offsetof<SortSection>() + offsetof<Decoding>());
  if (!made) return null;
  const plan = changetype<Plan>(made);
  plan.sort = changetype<SortSection>(made + offsetof<Plan>());
  const d = changetype<Decoding>(made + offsetof<Plan>() + offsetof<SortSection>());
  d.plan = plan;
  d.shard = shard;
  if (u32Next() != MAGIC || u8Next() != VERSION) fail(ERR_PLAN);
  plan.flags = u8Next();
  plan.options = u16Next();
  if (plan.flags > 31 || plan.options & ~OPTIONS) fail(ERR_PLAN);
  d.readsFilters = plan.isExplaining || plan.isGathering;
  plan.hits = u32Next();
  headNext(plan);
  const root = nodeNext(d, 1, true);
  if (requestStatus == OK) plan.root = root!;
  if (requestStatus == OK && plan.flags & PLAN_POST_FILTER) plan.postFilter = nodeNext(d, 1, false);
  if (requestStatus == OK) tailNext(d);
  if (requestStatus == OK && plan.flags & PLAN_SORT) {
    const section = sectionNext();
    if (section) plan.sort = changetype<SortSection>(section);
  }
  if (requestStatus == OK && plan.options & OPTION_NESTED_SORT) nestedSortNext(d);
  if (requestStatus == OK && plan.isAggregating) {
    plan.filterCount = <u32>u16Next();
    plan.filters = queriesNext(d, plan.filterCount);
    const aggregations = aggregationsNext(plan.filterCount);
    if (aggregations !== null) plan.aggregations = aggregations;
  }
  if (requestStatus == OK && !readAll()) fail(ERR_PLAN);
  return requestStatus == OK ? plan : null;
}
