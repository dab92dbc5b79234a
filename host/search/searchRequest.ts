/** A search as it is asked for. */
import type { ElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';
import { timeoutOf } from '../searchBody/bodyValues.js';
import type { WorkLimit } from '../workLimit.js';
import type { CopyChoice } from './chosenShards.js';

/** What is searched. */
export interface SearchRequest {
  /** The parsed body; undefined matches everything. */
  body: unknown;
  /** The body as text, for the texts of errors. */
  text: string;
  /** Why the body can't be read; every shard then says so. */
  unreadable?: ElasticsearchError | undefined;
  types?: string[] | undefined;
  /** Only the shards of these numbers. */
  onlyShards?: ReadonlySet<number> | undefined;
  /** Which copies of shards are asked; any without it. */
  copies?: CopyChoice | undefined;
  /** What errors call the first phase; a scan has a name of its own. */
  phase?: 'init_scan' | 'query' | undefined;
  /** Whether all shards score by the statistics of all. */
  dfs?: boolean;
  /** Whether every shard answers with its own page: there are up to `size` hits of each. */
  pagePerShard?: boolean;
  /** What it may do; without one whatever it takes. */
  limit: WorkLimit;
  /** Told how long each phase took. */
  phases?: PhaseTimes | undefined;
}

/** Milliseconds of each phase of a search, as its coordinator sees them: its shards work side by side. */
export interface PhaseTimes {
  /** JSON becomes plans. */
  plan: number;
  /** Statistics of all shards. */
  dfs: number;
  /** The best documents of each shard, and aggregations. */
  query: number;
  /** The best of all, and their documents. */
  fetch: number;
  /** Explanations, inner hits, values of fields. */
  expand: number;
}

/** What a search's body wants it to be counted under. */
export function groupsOf(body: unknown): readonly string[] {
  const groups = isObject(body) ? body.stats : undefined;
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : NO_GROUPS;
}

const NO_GROUPS: readonly string[] = [];

/** The limit of a search whose body may say how long it may take. */
export function limitOf({ body, limit }: SearchRequest): WorkLimit {
  if (!isObject(body) || body.timeout === undefined) return limit;
  const timeout = timeoutOf(body.timeout);
  return timeout === undefined ? limit : limit.lasting(timeout);
}
