/** Search. */
import { illegalArgument, jsonParse, noContent, notOffered } from '../errors.js';
import type { Engine } from '../index/engine.js';
import { looksLikeJson, parseLax } from '../index/laxJson.js';
import { nameOptions } from '../index/names.js';
import type { SearchRequest, SearchResponse } from '../index/search.js';
import { parseTime } from '../index/settings.js';
import { bodyText } from './body.js';
import { Float, type Json } from './json.js';
import { flag, int, json, type RestResponse, type RoutedRequest } from './request.js';
import type { Route } from './router.js';
import { shownSource, sourceParams } from './sourceParams.js';

/** The routes of this family. */
export function searchRoutes(engine: Engine): Route[] {
  const handler = (request: RoutedRequest) => search(engine, request);
  return [
    ['GET|POST', '/_search', handler],
    ['GET|POST', '/{index}/_search', handler],
    ['GET|POST', '/{index}/{type}/_search', handler],
  ];
}

/** Parameters that would change the answer and that aren't offered yet. */
const NOT_OFFERED = [
  'q',
  'sort',
  'fields',
  'fielddata_fields',
  'scroll',
  'explain',
  'suggest_field',
  'terminate_after',
];
const SEARCH_TYPES = [
  'query_then_fetch',
  'dfs_query_then_fetch',
  'query_and_fetch',
  'dfs_query_and_fetch',
  'count',
  'scan',
];

async function search(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const started = performance.now();
  const { path, query } = request;
  const indices = engine.resolve(path.index, nameOptions(query));
  const types = path.type?.split(',').filter((type) => type !== '');
  const response = await engine.search(indices, {
    ...readBody(request),
    ...(types === undefined || types.length === 0 ? {} : { types }),
    routing: query.get('routing')?.split(','),
  });
  return json(request, 200, render(response, Math.round(performance.now() - started)));
}

/** The body, with the parameters of the URL over it. */
function readBody(request: RoutedRequest): Pick<SearchRequest, 'body' | 'text' | 'unreadable'> {
  const text = bodyText(request);
  const over = parameters(request.query);
  if (text === '') return { body: over, text };
  const bytes = request.body.length > 0 ? request.body : new TextEncoder().encode(text);
  if (!looksLikeJson(bytes)) return { body: undefined, text: '_na_', unreadable: noContent() };
  try {
    const body = parseLax(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body, text };
    return { body: { ...body, ...over }, text };
  } catch (e) {
    return {
      body: undefined,
      text,
      unreadable:
        e instanceof Error && 'render' in e ? (e as ReturnType<typeof jsonParse>) : jsonParse(String(e)),
    };
  }
}

function parameters(query: ReadonlyMap<string, string>): Record<string, unknown> {
  for (const name of NOT_OFFERED) {
    if (query.has(name) && query.get(name) !== 'false')
      throw notOffered(`the parameter [${name}] of a search`);
  }
  const out: Record<string, unknown> = {};
  for (const name of ['from', 'size']) {
    const value = int(query, name);
    if (value !== undefined && value >= 0) out[name] = value;
  }
  const type = query.get('search_type');
  if (type !== undefined) {
    if (!SEARCH_TYPES.includes(type)) throw illegalArgument(`No search type for [${type}]`);
    if (type === 'count') out.size = 0;
    else if (!type.startsWith('query_')) throw notOffered(`the search type [${type}]`);
  }
  const preference = query.get('preference');
  if (preference?.startsWith('_') && !['_primary', '_primary_first', '_local'].includes(preference)) {
    if (/^_(shards|only_node|prefer_node):/.test(preference))
      throw notOffered(`the preference [${preference}]`);
    throw illegalArgument(`no Preference for [${preference}]`);
  }
  const timeout = query.get('timeout');
  if (timeout !== undefined) parseTime(timeout);
  if (flag(query, 'version')) out.version = true;
  const source = sourceParams(query);
  if (source !== undefined)
    out._source = source.enabled ? { include: [...source.includes], exclude: [...source.excludes] } : false;
  return out;
}

function render(response: SearchResponse, took: number): Json {
  const { shards, total, maxScore, hits, source, version } = response;
  return {
    took,
    timed_out: false,
    _shards: {
      total: shards.total,
      successful: shards.total - shards.failed,
      failed: shards.failed,
      failures:
        shards.failed === 0
          ? undefined
          : shards.failures.map(({ index, shard, error }) => ({
              index,
              shard,
              status: error.status,
              reason: error.render(),
            })),
    },
    hits: {
      total,
      max_score: maxScore === null ? null : new Float(maxScore),
      hits: hits.map(({ index, score, document }) => ({
        _index: index,
        _type: document.type,
        _id: document.id,
        _version: version ? document.version : undefined,
        _score: new Float(score),
        _source: shownSource(document.source, source),
      })),
    },
  };
}
