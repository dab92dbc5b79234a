/** The answer of a search. */
import type { ShardFailure } from '../../errors.js';
import { HIT_STEPS } from '../../search/ranking.js';
import type { SearchResponse } from '../../search/searchResponse.js';
import type { Turns, WorkLimit } from '../../workLimit.js';
import { Float, type Json } from '../json.js';
import { aggregationsJson } from './aggregations.js';
import { renderHit } from './hit.js';
import type { HitWriter } from './hitWriter.js';
import { suggestionsJson } from './suggest.js';

/** How many shards took part, and what the failing ones said. */
export function shardCounts({ total, failed, failures }: SearchResponse['shards']): Json {
  return {
    total,
    successful: total - failed,
    failed,
    failures: failed === 0 ? undefined : failures.map(failureOf),
  };
}

function failureOf({ index, shard, error }: ShardFailure): Json {
  return { index, shard, status: error.status, reason: error.render() };
}

/** The status: the highest of the failures where no shard succeeded, as hits may fail on all of them when they are read. */
export function searchStatus({ shards: { total, failed, failures } }: SearchResponse): number {
  return failed < total ? 200 : failures.reduce((highest, { error }) => Math.max(highest, error.status), 200);
}

/** What showing hits may take in any case. */
const LEAST_MS = 50;

/**
 * The whole of it; `work` counts the steps. Hits that there is no time for are left out.
 * @param ahead writes the hits of a turn before the next one
 */
export function* renderSearch(
  response: SearchResponse,
  took: number,
  work: WorkLimit,
  ahead: HitWriter | undefined,
  scrollId?: string,
): Turns<Json> {
  const { shards, total, maxScore, node, facets, aggregations } = response;
  const { hits, isLate } = yield* shownHits(response, work, ahead);
  const timedOut = isLate || response.timedOut;
  return {
    _scroll_id: scrollId,
    took,
    timed_out: timedOut,
    terminated_early: response.terminatedEarly,
    _shards: shardCounts(shards),
    hits: { total, max_score: maxScore === null ? null : new Float(maxScore), hits },
    facets: facets === undefined ? undefined : yield* aggregationsJson(facets, node, work),
    aggregations: aggregations === undefined ? undefined : yield* aggregationsJson(aggregations, node, work),
    suggest:
      response.suggestions === undefined ? undefined : yield* suggestionsJson(response.suggestions, work),
  };
}

function* shownHits(
  response: SearchResponse,
  work: WorkLimit,
  ahead: HitWriter | undefined,
): Turns<{ hits: Json[]; isLate: boolean }> {
  // What was read in time is shown, unless that takes long by itself.
  const until = response.until.atLeast(LEAST_MS);
  const written: Json[] = [];
  let hits: Json[] = [];
  let isLate = false;
  try {
    for (const hit of response.hits) {
      if (work.isDue(HIT_STEPS)) {
        isLate = until.late;
        if (isLate) break;
        if (ahead !== undefined && hits.length > 0) {
          written.push(ahead.write(hits));
          hits = [];
        }
        yield;
      }
      hits.push(renderHit(hit, response));
    }
  } finally {
    ahead?.release();
  }
  written.push(...hits);
  return { hits: written, isLate };
}
