/** A search over several indices: one plan per index, all shards at once, the best hits of all, their documents. */
import type { Breakers, Held } from '../limits/breakers.js';
import type { SearchTarget } from '../metadata/targets.js';
import type { QueryContext } from '../query/compiler.js';
import type { SlowLog } from '../settings/slowlog.js';
import type { CompiledSearch } from '../searchBody/compile.js';
import { inTurnsIfLong, type WorkLimit } from '../workLimit.js';
import { explainHits } from './explainHits.js';
import { CopyGone } from '../shard/copyReads.js';
import { readElsewhere, type SearchedShard } from '../shard/searchedShard.js';
import { findInner } from './innerHits.js';
import { readKept } from './keptValues.js';
import { type Later, type Merged, merge, prefetchPage } from './merging.js';
import type { Part } from './part.js';
import { Planning } from './planning.js';
import { runQuery, shareStatistics, tellOfFetch } from './queryPhase.js';
import { limitOf, type SearchRequest } from './searchRequest.js';
import { leaveOut, type SearchResponse } from './searchResponse.js';

/** What a search needs of the engine. */
export interface SearchServices {
  node: string;
  breakers: Breakers;
  /** Told of searches that took long. */
  slow: SlowLog;
  /** What a query is compiled with for an index. */
  context(target: SearchTarget): QueryContext;
}

/** What the breakers call it. */
const LABEL = '<search>';

/** A search whose shards have answered. */
export interface Execution extends Merged {
  /** The memory that the results take, as the breakers know it. */
  held: Held;
  /** Lets the shards go; the hits can't be read any more. */
  release(): void;
}

/** Runs a search; fails if every shard does. */
export async function search(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  services: SearchServices,
): Promise<SearchResponse> {
  const { response, held, release } = await execute(targets, request, services);
  held.release();
  release();
  return response;
}

/**
 * Runs a search and keeps its shards until it is let go; fails if every shard does.
 * @param all every hit is found, not only those of the first page, which then begins at the first of them
 */
export async function execute(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  services: SearchServices,
  all = false,
): Promise<Execution> {
  try {
    return await executeOnce(targets, request, services, all, false);
  } catch (e) {
    if (!(e instanceof SearchAgain)) throw e;
  }
  return executeOnce(targets, request, services, all, true);
}

/** A copy has gone between the phases: what it has found can't be read any more. */
class SearchAgain extends Error {}

function isElsewhere({ shard }: Part): boolean {
  return shard.elsewhere !== undefined;
}

/** Whether a copy has gone that something was read of. */
function hasGone({ shard, error }: Part): boolean {
  const gone = shard.elsewhere?.failure ?? error;
  return gone instanceof CopyGone && gone.wasRead;
}

/** @param again whether it is carried out once more */
async function executeOnce(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  services: SearchServices,
  all: boolean,
  again: boolean,
): Promise<Execution> {
  const { node, breakers, slow } = services;
  const until = limitOf(request);
  const held = breakers.hold('request', 0, LABEL);
  const weigh = (bytes: number) => breakers.grow('request', held, bytes, LABEL);
  const holds: (() => void)[] = [];
  // When it is chosen: a copy may be let go of while a plan is made.
  const hold = (shard: SearchedShard) => holds.push(shard.hold());
  const release = () => {
    for (const each of holds.splice(0)) each();
  };
  try {
    const began = performance.now();
    const planning = new Planning(targets, request, all, services.context, until, weigh, hold).planFrom(0);
    const { parts, compiled } = planning instanceof Promise ? await planning : planning;
    const planned = performance.now();
    if (request.dfs === true) await shareStatistics(parts, until);
    const shared = performance.now();
    if (parts.length === 1) await runQuery(parts[0]!, 1, until, request, slow, weigh);
    else await Promise.all(parts.map((part) => runQuery(part, parts.length, until, request, slow, weigh)));
    const fetching = performance.now();
    const reading = prefetchPage(parts, { request, compiled });
    if (reading !== undefined) await reading;
    let later: Later = { explained: [], valued: [] };
    const work = request.limit.untimed();
    const mergeNow = (weighed = weigh) =>
      inTurnsIfLong(merge(parts, { request, compiled, node, weigh: weighed, later, work, until }), work);
    let merging: Merged | Promise<Merged>;
    if (!parts.some(isElsewhere)) merging = mergeNow();
    else {
      let weighed = 0;
      const shards = parts.map(({ shard }) => shard);
      merging = readElsewhere(shards, work, () => {
        weigh(-weighed);
        weighed = 0;
        later = { explained: [], valued: [] };
        return mergeNow((bytes) => {
          weighed += bytes;
          weigh(bytes);
        });
      });
    }
    const found = merging instanceof Promise ? await merging : merging;
    if (!again && parts.some(hasGone)) throw new SearchAgain();
    const fetched = performance.now();
    tellOfFetch(parts, fetched - fetching, request, slow);
    // A page that is gone on with is read to its end.
    if (asksAgain(found.response, compiled, later))
      await askAgain(found.response, parts, compiled, later, weigh, all ? work : until, request.limit);
    const { response, hits, ranking, size } = found;
    const { phases } = request;
    if (phases !== undefined) {
      phases.plan = planned - began;
      phases.dfs = shared - planned;
      phases.query = fetching - shared;
      phases.fetch = fetched - fetching;
      phases.expand = performance.now() - fetched;
    }
    return { response, hits, ranking, size, held, release };
  } catch (e) {
    held.release();
    release();
    throw e;
  }
}

/** Whether shards are to be asked about hits that they have found. */
function asksAgain(response: SearchResponse, compiled: CompiledSearch | undefined, later: Later): boolean {
  return (
    compiled?.explain === true ||
    response.fielddata.length > 0 ||
    later.explained.length + later.valued.length > 0 ||
    response.hits.some(({ wanted }) => wanted !== undefined)
  );
}

/** Asks shards about hits that they have found: for inner hits, for values of fields, for explanations. */
async function askAgain(
  response: SearchResponse,
  parts: readonly Part[],
  compiled: CompiledSearch | undefined,
  { explained, valued }: Later,
  weigh: (bytes: number) => void,
  reading: WorkLimit,
  limit: WorkLimit,
): Promise<void> {
  if (response.hits.some(({ wanted }) => wanted !== undefined))
    leaveOut(response, await findInner(response.hits, weigh, reading));
  if (response.fielddata.length > 0) valued.push({ hits: response.hits, names: response.fielddata });
  for (const { hits, names } of valued) await readKept(hits, names, limit);
  if (compiled?.explain === true) explained.push(...response.hits);
  if (explained.length > 0) await explainHits(explained, parts, response, reading);
}
