/** A search as it is answered. */
import type { Rendered } from '../aggregation/rendered.js';
import type { ShardFailure } from '../errors.js';
import type { SortKey } from '../plan/sortKeys.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import type { ScriptField } from '../searchBody/scriptFields.js';
import type { WorkLimit } from '../workLimit.js';
import type { Hit } from './ranking.js';
import type { Suggestions } from './suggesting.js';

/** What a search found. */
export interface SearchResponse {
  shards: { total: number; failures: ShardFailure[]; failed: number };
  total: number;
  /** null where nothing matched. */
  maxScore: number | null;
  hits: Hit[];
  /** How sources are to be shown, and whether versions are. */
  source: CompiledSearch['source'];
  version: boolean;
  /** The keys of a sort. */
  sortKeys: readonly SortKey[] | undefined;
  /** Fields that hits show. */
  fields: readonly string[] | undefined;
  /** Fields of which hits show the values that are indexed. */
  fielddata: readonly string[];
  /** What scripts make of the hits. */
  scriptFields: readonly ScriptField[];
  /** Parts of their sources that hits show as fields. */
  partialFields: CompiledSearch['partialFields'];
  /** Who answered. */
  node: string;
  /** Whether it was answered before all was found. */
  timedOut: boolean;
  /** Until when hits may be shown. */
  until: WorkLimit;
  /** Whether a shard had more documents than it was to count; undefined where it could count all. */
  terminatedEarly: boolean | undefined;
  /** What the aggregations have found; undefined without any. */
  aggregations: Rendered | undefined;
  /** What the facets have found; undefined without any. */
  facets: Rendered | undefined;
  /** What is suggested; undefined where nothing is asked. */
  suggestions: Suggestions | undefined;
}

/** Leaves all hits but these out of a response: there was no time for the others. */
export function leaveOut(response: SearchResponse, reached: readonly Hit[]): void {
  if (reached.length === response.hits.length) return;
  response.hits = [...reached];
  response.timedOut = true;
}
