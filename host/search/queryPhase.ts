/** The query phase of a search: what each shard has found. */
import { takeStopped } from '../core/result.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { type SlowLog, slowLevel, slowSource } from '../settings/slowlog.js';
import type { WorkLimit } from '../workLimit.js';
import { gatherStatistics } from './explaining.js';
import type { Part } from './part.js';
import { isLate } from './planning.js';
import { queryError } from './searchFailures.js';
import { groupsOf, type SearchRequest } from './searchRequest.js';

/**
 * Runs a search on a shard, and tells of it where that takes longer than its index's settings want to hear of.
 * @param weigh told of the bytes of a long plan; throws when that is too much
 */
export async function runQuery(
  part: Part,
  totalShards: number,
  limit: WorkLimit,
  request: SearchRequest,
  slow: SlowLog,
  weigh: (bytes: number) => void,
): Promise<void> {
  const started = performance.now();
  const { shard, suggest } = part;
  try {
    if (part.isAsked) {
      const query = shard.searches.query(() => part.plan(weigh), limit, groupsOf(request.body));
      if (suggest === undefined) part.result = await query;
      else [part.result, part.suggestions] = await Promise.all([query, inTime(suggest, limit)]);
      part.timedOut = takeStopped(part.result) || (suggest !== undefined && part.suggestions === undefined);
    }
  } catch (e) {
    part.error = queryError(e, part);
  }
  tellIfSlow('query', part, performance.now() - started, totalShards, request, slow);
}

/** Tells of a fetch phase that took long. It is carried out for all shards together: each index is told of it once. */
export function tellOfFetch(
  parts: readonly Part[],
  took: number,
  request: SearchRequest,
  slow: SlowLog,
): void {
  const told = new Set<OpenIndex>();
  for (const part of parts) {
    if (told.has(part.index)) continue;
    told.add(part.index);
    tellIfSlow('fetch', part, took, parts.length, request, slow);
  }
}

function tellIfSlow(
  kind: 'query' | 'fetch',
  { index, shard, result }: Part,
  took: number,
  totalShards: number,
  request: SearchRequest,
  slow: SlowLog,
): void {
  const { settings } = index;
  const level = slowLevel(settings, kind, took);
  if (level === undefined) return;
  slow({
    kind,
    level,
    index: index.name,
    shard: shard.number,
    took,
    source: slowSource(settings, kind, request.text),
    types: request.types ?? [],
    groups: groupsOf(request.body),
    searchType: searchTypeOf(request, totalShards),
    total: result?.total ?? 0,
    totalShards,
  });
}

/** As 1.7 carries a search out: one of a single shard reads its hits at once. */
function searchTypeOf({ phase, dfs, pagePerShard }: SearchRequest, shards: number): string {
  if (phase === 'init_scan') return 'SCAN';
  if (shards === 1) return 'QUERY_AND_FETCH';
  return `${dfs ? 'DFS_' : ''}QUERY_${pagePerShard ? 'AND' : 'THEN'}_FETCH`;
}

/** What shards suggest; undefined where there is no time for it. */
function inTime<T>(suggest: () => Promise<T>, limit: WorkLimit): Promise<T | undefined> {
  return suggest().catch((e) => {
    if (isLate(e, limit)) return undefined;
    throw e;
  });
}

/** Gives every shard the statistics of all. */
export async function shareStatistics(parts: readonly Part[], limit: WorkLimit): Promise<void> {
  const asked = parts.flatMap((part) =>
    part.search === undefined || part.error !== undefined ? [] : [{ part, search: part.search }],
  );
  const searches = asked.map(({ part: { index, shard }, search }) => ({ index, shard, search }));
  const all = await gatherStatistics(searches, limit).catch((e) => {
    if (isLate(e, limit)) return undefined;
    throw e;
  });
  if (all === undefined) {
    for (const { part } of asked) part.timedOut = true;
    return;
  }
  asked.forEach(({ part }, i) => {
    part.statistics = all[i];
  });
}
