/** What calls that ask all shards say of those that failed. */
import { ElasticsearchError } from '../errors.js';
import type { QueryFailure } from '../search/queryFailure.js';
import type { Json } from './json.js';

/** A shard's failure as such calls tell it. */
export function broadcastFailure({ index, shard, error }: QueryFailure): ElasticsearchError {
  return new ElasticsearchError('BroadcastShardOperationFailedException', `[${index}][${shard}] `, {
    status: error.status,
    nested: error,
  });
}

/** How many shards answered, and what the others said. */
export function broadcastCounts(total: number, failures: readonly QueryFailure[]): Json {
  return {
    total,
    successful: total - failures.length,
    failed: failures.length,
    failures:
      failures.length === 0
        ? undefined
        : failures.map((failure) => ({
            index: failure.index,
            shard: failure.shard,
            status: failure.error.status,
            reason: broadcastFailure(failure).render(),
          })),
  };
}

/** 200 if any shard answered, else the largest of the statuses. */
export function worstStatus(total: number, failures: readonly QueryFailure[]): number {
  if (total === 0 || failures.length < total) return 200;
  return failures.reduce((most, { error }) => Math.max(most, error.status), 0);
}
