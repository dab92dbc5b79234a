import type { ElasticsearchError } from '../errors.js';

/** A shard that could not answer. */
export interface QueryFailure {
  index: string;
  shard: number;
  error: ElasticsearchError;
}
