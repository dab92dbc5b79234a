/** Search, multi-search, and whether a search finds anything. */

import type { Engine } from '../../engine/engine.js';
import {
  ElasticsearchError,
  reductionFailed,
  searchPhaseFailed,
  toElasticsearchError,
  validationFailed,
} from '../../errors.js';
import { looksLikeJson } from '../../json/laxJson.js';
import { isObject } from '../../json/values.js';
import type { SearchTarget } from '../../metadata/targets.js';
import { atMost } from '../../search/atMost.js';
import { chosenShards } from '../../search/chosenShards.js';
import type { PhaseTimes, SearchRequest } from '../../search/searchRequest.js';
import { inTurns, inTurnsIfLong, type WorkLimit } from '../../workLimit.js';
import { bodyText } from '../body.js';
import { type EndpointGroup, ofTypes, SEARCH, SEARCH_PLACE } from '../endpoint.js';
import { type Json, Raw } from '../json.js';
import { notLines } from '../lines.js';
import { writeAtOnce, writeInTurns } from '../longJson.js';
import { flag, isPlain, JSON_TYPE, json, type RestResponse, type RoutedRequest } from '../request.js';
import { tookSince } from '../took.js';
import { HitWriter } from './hitWriter.js';
import { readMultiSearch } from './multiSearchBody.js';
import { plainAnswer } from './plainAnswer.js';
import { scrollId } from './scroll.js';
import { copyChoice, readBody, readSearchCall, type SearchCall } from './searchCall.js';
import { renderSearch, searchStatus } from './searchResponse.js';

const SEARCHING = {
  methods: ['GET', 'POST'],
  privilege: 'read',
  pool: 'search',
  readOnly: true,
  onlyReads: true,
} as const;
export const searchEndpoints: EndpointGroup = {
  name: 'Search',
  purpose: 'Searches, several of them at once, whether one finds anything.',
  tag: 'core',
  endpoints: [
    {
      ...SEARCHING,
      paths: ofTypes('/_search'),
      action: 'indices:data/read/search',
      parameters: [...SEARCH, 'phase_took'],
      ignored: ['query_cache'],
      body: 'json',
      handler: search,
    },
    {
      ...SEARCHING,
      paths: ofTypes('/_search/exists'),
      action: 'indices:data/read/exists',
      parameters: SEARCH,
      ignored: ['min_score'],
      body: 'json',
      handler: exists,
    },
    {
      ...SEARCHING,
      paths: ofTypes('/_msearch'),
      action: 'indices:data/read/msearch',
      parameters: SEARCH_PLACE,
      indicesInBody: 'headers',
      handler: multiSearch,
    },
  ],
};

function search(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { query, limit } = request;
  const write = HitWriter.of(engine.breakers, request);
  const phases = flag(query, 'phase_took') ? { plan: 0, dfs: 0, query: 0, fetch: 0, expand: 0 } : undefined;
  return runSearch(engine, readSearchCall(request), limit, write, isPlain(query), phases).then(
    ({ status, body, written }) =>
      written === undefined ? json(request, status, body) : { status, contentType: JSON_TYPE, body: written },
  );
}

/** The answer to a search. */
export interface Searched {
  status: number;
  body: Json;
  /** The body as bytes, where it was written at once; `body` is null then. */
  written?: Uint8Array;
}

/**
 * Carries a search out and renders its answer.
 * @param write writes hits ahead of the answer
 * @param plain whether the answer may be written at once
 * @param phases told how long each phase took; the answer says so
 */
export async function runSearch(
  engine: Engine,
  call: SearchCall,
  limit: WorkLimit,
  write: HitWriter | undefined,
  plain = false,
  phases?: PhaseTimes,
): Promise<Searched> {
  const started = performance.now();
  const { index, names, routing, types, onlyShards } = call;
  const copies = copyChoice(engine, call.preference);
  const targets = engine.targets(index, routing, { ...names, keepsFilters: true });
  const scan = call.type === 'scan';
  const asked: SearchRequest = {
    body: bodyOf(call),
    text: call.text,
    unreadable: call.unreadable,
    types: types.length === 0 ? undefined : types,
    onlyShards,
    copies,
    phase: scan ? 'init_scan' : call.type === 'count' ? 'query' : undefined,
    dfs: call.type.startsWith('dfs_'),
    pagePerShard: call.type.endsWith('_and_fetch'),
    limit,
    phases,
  };
  const took = () => tookSince(started);
  const work = limit.untimed();
  if (call.scroll === undefined) {
    if (scan) throw scanFailed(engine, targets, onlyShards);
    const found = await engine.search(targets, asked);
    const written = plain && phases === undefined ? plainAnswer(found, took()) : undefined;
    if (written !== undefined) return { status: 200, body: null, written };
    const rendered = inTurnsIfLong(renderSearch(found, took(), work, write), work);
    const body = rendered instanceof Promise ? await rendered : rendered;
    return { status: searchStatus(found), body: phases === undefined ? body : withPhases(body, phases) };
  }
  if (call.type === 'count') {
    // 1.7 finds no hits to go on with when it brings the shards' answers together.
    throw reductionFailed(
      'query',
      new ElasticsearchError('ElasticsearchIllegalStateException', null, { status: 503 }),
    );
  }
  const { response, number } = await engine.openScroll(targets, asked, call.scroll);
  // The one shard of a search hands its hits over at once.
  const atOnce = asked.pagePerShard === true || response.shards.total === 1;
  const kind = scan ? 'scan' : atOnce ? 'queryAndFetch' : 'queryThenFetch';
  // Hits that a page leaves out are on none.
  const page = { ...response, until: work };
  const steps = renderSearch(page, took(), work, write, scrollId(engine, number, kind));
  const body = await inTurns(steps, work);
  return { status: searchStatus(response), body };
}

/** An answer with the times of its phases, as OpenSearch has them, to a hundredth of a millisecond; 1.7 has no such parameter. */
function withPhases(body: Json, { plan, dfs, query, fetch, expand }: PhaseTimes): Json {
  const ms = (time: number) => Math.round(time * 100) / 100;
  const took = {
    plan: ms(plan),
    dfs_pre_query: ms(dfs),
    query: ms(query),
    fetch: ms(fetch),
    expand: ms(expand),
  };
  return { ...(body as Record<string, Json>), phase_took: took };
}

/** 500: every shard says that a scan must be gone on with. */
function scanFailed(
  engine: Engine,
  targets: readonly SearchTarget[],
  only: ReadonlySet<number> | undefined,
): ElasticsearchError {
  const error = new ElasticsearchError('ElasticsearchException', 'Scroll must be provided when scanning...');
  const failures = targets.flatMap(({ index, routing }) =>
    chosenShards(index, routing, only)
      .slice(0, 1)
      .map(({ number }) => ({ node: engine.nodeId, index: index.name, shard: number, error })),
  );
  return searchPhaseFailed('init_scan', failures);
}

/** What is searched for, by the body and the kind of search. */
function bodyOf({ body, unreadable, type }: SearchCall): unknown {
  if (!isObject(body) || unreadable !== undefined || type !== 'scan') return body;
  // A scan neither scores nor sorts: every document gets the same score, and they come as they lie.
  const { query = { match_all: {} }, sort: _sort, track_scores: _track, rescore: _rescore, ...rest } = body;
  return { ...rest, query: { constant_score: { query } } };
}

async function exists(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const call = readSearchCall(request);
  const targets = engine.targets(call.index, call.routing, { ...call.names, keepsFilters: true });
  // A body is nothing but a query, and goes before the parameters.
  const given = bodyText(request);
  const { query } = ((given === '' ? call.body : readBody(given, {}, request.read).body) ?? {}) as {
    query?: unknown;
  };
  const parts = given === '' ? ['query'] : Object.keys(readBody(given, {}, request.read).body ?? {});
  if (parts.length !== 1 || parts[0] !== 'query') return json(request, 404, { exists: false });
  const body = query === undefined ? { size: 0 } : { query, size: 0 };
  const { types, text, onlyShards } = call;
  const unreadable = call.unreadable === undefined ? {} : { unreadable: call.unreadable };
  const asked = {
    body,
    text,
    ...unreadable,
    ...(types.length === 0 ? {} : { types }),
    onlyShards,
    copies: copyChoice(engine, call.preference),
    limit: request.limit,
  };
  // What can't be searched for is nowhere, as in 1.7.
  const total = await engine.search(targets, asked).then(
    (found) => found.total,
    (e) => {
      if (toElasticsearchError(e).exception === 'SearchPhaseExecutionException') return 0;
      throw e;
    },
  );
  return json(request, total > 0 ? 200 : 404, { exists: total > 0 });
}

async function multiSearch(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const source = request.query.get('source');
  const body = request.body.length > 0 ? request.body : new TextEncoder().encode(source ?? '');
  if (body.length === 0 || (!looksLikeJson(body) && body[0] !== LINE_FEED)) throw notLines(body);
  const calls = readMultiSearch(body, request);
  if (calls.length === 0) throw validationFailed('no requests added');
  const held = engine.breakers.hold('request', 0, LABEL);
  try {
    const plain = isPlain(request.query);
    const work = request.limit.untimed();
    const responses = await atMost(SEARCHES_AT_ONCE, calls, async (call) => {
      if (work.due) await work.yield();
      try {
        const { body: response } = await runSearch(
          engine,
          call,
          request.limit.fresh(),
          plain ? HitWriter.of(engine.breakers, request) : undefined,
        );
        // As values an answer takes more than as bytes, and bytes can be counted.
        const bytes =
          writeAtOnce(response, false) ?? (await inTurns(writeInTurns(response, false, work), work));
        engine.breakers.grow('request', held, bytes.length, LABEL);
        return plain ? new Raw(bytes) : response;
      } catch (e) {
        return { error: toElasticsearchError(e).render() };
      }
    });
    return json(request, 200, { responses });
  } finally {
    held.release();
  }
}

const LINE_FEED = 10;
/** Searches of one request that are carried out together. */
const SEARCHES_AT_ONCE = 16;
/** What the breakers call it. */
const LABEL = '<msearch>';
