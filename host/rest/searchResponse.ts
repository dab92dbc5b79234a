/** The answer of a search. */
import type { ShardFailure } from '../errors.js';
import type { SearchResponse } from '../index/search.js';
import { aggregationsJson } from './aggregations.js';
import { renderHit } from './hit.js';
import { Float, type Json } from './json.js';
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

/** The whole of it. */
export function renderSearch(response: SearchResponse, took: number, scrollId?: string): Json {
  const { shards, total, maxScore, hits } = response;
  return {
    _scroll_id: scrollId,
    took,
    timed_out: response.timedOut,
    terminated_early: response.terminatedEarly,
    _shards: shardCounts(shards),
    hits: {
      total,
      max_score: maxScore === null ? null : new Float(maxScore),
      hits: hits.map((hit) => renderHit(hit, response)),
    },
    facets: response.facets === undefined ? undefined : aggregationsJson(response.facets, response.node),
    aggregations:
      response.aggregations === undefined
        ? undefined
        : aggregationsJson(response.aggregations, response.node),
    suggest: response.suggestions === undefined ? undefined : suggestionsJson(response.suggestions),
  };
}
