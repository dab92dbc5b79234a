/** What `resilin/core` exports on every platform besides `loadCore`. */
import { ABI_VERSION } from '../core/instance.js';

/**
 * The version of the core's interface. It changes with the bytes of plans or results and with what a call takes or gives; bytes that were made
 * under another number mean something else, or nothing.
 */
export const abiVersion: number = ABI_VERSION;

export type { SegmentInfo } from '../core/result.js';
export type { Explanation } from '../explain/explanation.js';
export { CoreError, type CoreStatus } from './coreErrors.js';
export type {
  CoreDocument,
  FieldDefinition,
  Normalized,
  ShardDefinition,
  Similarity,
  TextDefinition,
  Value,
  ValueDefinition,
} from './definitions.js';
export type { CoreSource, ResilinCore } from './loadedCore.js';
export type { Plan, PlanOptions, SortBy } from './plan.js';
export type {
  Bounds,
  Clauses,
  FunctionScoreOptions,
  FuzzyOptions,
  ManyTerms,
  MatchOptions,
  PhraseOptions,
  Query,
  ScoreFunction,
  SpanQuery,
} from './queries.js';
export {
  all,
  bool,
  boosted,
  constant,
  demoting,
  disMax,
  exists,
  filtered,
  functionScore,
  fuzzy,
  keys,
  match,
  none,
  phrase,
  prefix,
  range,
  regexp,
  spanFirst,
  spanNear,
  spanNot,
  spanOr,
  spanTerm,
  term,
  terms,
  wildcard,
} from './queries.js';
export type { CoreHit, CoreResult, FieldFacts, SearchOptions, Shard, SortValue } from './shard.js';
export type { FieldCounts, ScoringStatistics, TermCounts } from './statistics.js';
export { sumStatistics } from './statistics.js';
