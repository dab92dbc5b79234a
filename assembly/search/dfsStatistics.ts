import { QueryTerm } from '../plan/query';
import { Plan } from './plan';

// Statistics of all shards that a plan gives in place of the shard's own (README.md).

/** Bytes before the term itself: u16 field, u32 document frequency, f64 occurrences, u16 length. */
export const DFS_TERM_BYTES: usize = 16;
/** u16 field, u32 documents, f64 occurrences of all its terms. */
export const DFS_FIELD_BYTES: usize = 14;

/** What the plan doesn't say. */
export const NOT_GIVEN: f64 = -3;

/** Address of what is given of a term; 0 if nothing is. */
function find(plan: Plan, field: u32, term: QueryTerm): usize {
  let at = plan.termStatistics;
  for (let i: u32 = 0; i < plan.termStatisticsCount; i++) {
    const length = <u32>load<u16>(at, 14);
    if (
      <u32>load<u16>(at) == field &&
      length == term.length &&
      memory.compare(at + DFS_TERM_BYTES, term.ptr, length) == 0
    )
      return at;
    at += DFS_TERM_BYTES + length;
  }
  return 0;
}

/** A term's document frequency over all shards, where the plan gives it; else that of this one. */
export function dfsDf(plan: Plan, field: u32, term: QueryTerm, own: u32): u32 {
  const at = find(plan, field, term);
  return at ? load<u32>(at, 2) : own;
}

/** How often a term occurs in all shards, -1 where that is unknown; NOT_GIVEN where the plan does not say. */
export function dfsTermFrequency(plan: Plan, field: u32, term: QueryTerm): f64 {
  const at = find(plan, field, term);
  return at ? load<f64>(at, 6) : NOT_GIVEN;
}

/** Address of what is given of a field; 0 if nothing is. */
function findGiven(plan: Plan, field: u32): usize {
  for (let i: u32 = 0; i < plan.fieldStatisticsCount; i++) {
    const at = plan.fieldStatistics + <usize>i * DFS_FIELD_BYTES;
    if (<u32>load<u16>(at) == field) return at;
  }
  return 0;
}

/** How many documents there are to terms of a field: those of the shards that look for some, where the plan gives it; else `own`. */
export function dfsDocs(plan: Plan, field: u32, own: u32): u32 {
  const at = findGiven(plan, field);
  return at ? load<u32>(at, 2) : own;
}

/** How many terms a field has in all shards, likewise. */
export function dfsFieldFrequency(plan: Plan, field: u32): f64 {
  const at = findGiven(plan, field);
  return at ? load<f64>(at, 6) : NOT_GIVEN;
}
