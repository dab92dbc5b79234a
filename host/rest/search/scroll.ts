/** Going on with a search, and letting go of it. */

import type { Engine } from '../../engine/engine.js';
import { ElasticsearchError, illegalArgument, isRefusedMemory, validationFailed } from '../../errors.js';
import { findInner } from '../../search/innerHits.js';
import { readKept } from '../../search/keptValues.js';
import { inTurns } from '../../workLimit.js';
import { bodyText } from '../body.js';
import type { EndpointGroup } from '../endpoint.js';
import { json, millis, type RestResponse, type RoutedRequest } from '../request.js';
import { tookSince } from '../took.js';
import { HitWriter } from './hitWriter.js';
import { renderSearch, searchStatus } from './searchResponse.js';

const SCROLL = {
  paths: ['/_search/scroll', '/_search/scroll/{id}'],
  privilege: 'authenticated',
  pool: 'search',
} as const;

export const scrollEndpoints: EndpointGroup = {
  name: 'Scroll',
  purpose: 'The next page of a search, and letting go of it.',
  tag: 'core',
  endpoints: [
    {
      ...SCROLL,
      methods: ['GET', 'POST'],
      action: 'indices:data/read/scroll',
      parameters: ['scroll', 'scroll_id'],
      readOnly: true,
      handler: page,
    },
    {
      ...SCROLL,
      methods: ['DELETE'],
      action: 'indices:data/read/scroll/clear',
      parameters: ['scroll_id'],
      handler: clear,
    },
  ],
};

/** How a scroll's pages are found, as ids tell it. */
export type ScrollKind = 'scan' | 'queryThenFetch' | 'queryAndFetch';

/** A scroll's number as clients carry it: the kind of search, one context, the node that has it. */
export function scrollId(engine: Engine, number: number, kind: ScrollKind): string {
  return btoa(`${kind};1;${number}:${engine.nodeId};0;`);
}

/** The number in an id, and the node it is of; throws for what is no id. */
export function readScrollId(id: string): { number: number; node: string; kind: ScrollKind } {
  const text = decode(id);
  const parts = text.split(';');
  const [kind, contexts, context] = parts;
  const match = /^(\d+):(.+)$/.exec(context ?? '');
  const known = kind === 'scan' || kind === 'queryThenFetch' || kind === 'queryAndFetch';
  if (!known || contexts !== '1' || match === null) throw illegalArgument(`Malformed scrollId [${id}]`);
  return { number: Number(match[1]), node: match[2]!, kind };
}

const encoder = new TextEncoder();

/** Characters of an id; this server's have less than a hundred. */
const MAX_ID = 4096;
/** Characters of a list of ids. */
const MAX_IDS = 1024 * 1024;

function decode(id: string): string {
  if (id === '') throw illegalArgument('Malformed scrollId []');
  if (id.length > MAX_ID) throw illegalArgument(`Malformed scrollId of ${id.length} characters`);
  const strange = [...id].findIndex((c) => !/[\w+/=-]/.test(c));
  if (id.length < 4) {
    const detail = `Base64-encoded string must have at least four characters, but length specified was ${id.length}`;
    throw failed(new ElasticsearchError('IllegalArgumentException', detail, { status: 400 }));
  }
  if (strange >= 0) {
    const detail = `Bad Base64 input character decimal ${id.charCodeAt(strange)} in array position ${strange}`;
    throw failed(new ElasticsearchError('IOException', detail, { status: 400 }));
  }
  try {
    return atob(id.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw illegalArgument(`Malformed scrollId [${id}]`);
  }
}

function failed(cause: ElasticsearchError): ElasticsearchError {
  return illegalArgument('Failed to decode scrollId', cause);
}

/** The ids of a request: in the path, as a parameter, or the body (or what stands in for it) as it is. */
function idOf(request: RoutedRequest): string {
  const id = request.path.id ?? request.query.get('scroll_id') ?? bodyText(request);
  return id.trim();
}

async function page(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const started = performance.now();
  const keepAlive = millis(request.query, 'scroll');
  const id = idOf(request);
  const { number, node, kind } = readScrollId(id);
  const found =
    node === engine.nodeId ? await engine.scrolls.page(number, keepAlive, request.limit) : undefined;
  if (found === undefined) {
    if (node !== engine.nodeId)
      return (await atItsNode(engine, request, node, id)) ?? json(request, 503, elsewhere(id));
    const phase = kind === 'scan' ? 'scan' : kind === 'queryAndFetch' ? 'query_fetch' : 'query';
    const detail = `Failed to execute phase [${phase}], all shards failed; shardFailures {SearchContextMissingException[No search context found for id [${number}]]}`;
    throw new ElasticsearchError('SearchPhaseExecutionException', detail, { status: 404 });
  }
  await findInner(found.hits, () => {}, request.limit.untimed());
  await readKept(found.hits, found.fielddata, request.limit);
  const took = tookSince(started);
  const shown = keepAlive === undefined ? undefined : scrollId(engine, number, kind);
  const work = request.limit.untimed();
  // Hits that a page leaves out are on none.
  const write = HitWriter.of(engine.breakers, request);
  const body = await inTurns(renderSearch({ ...found, until: work }, took, work, write, shown), work);
  return json(request, searchStatus(found), body);
}

/** What the node of a scroll answers, which is told who asks; undefined where there is no such node. */
async function atItsNode(
  { replication, isWhole }: Engine,
  { method, uri, query, principal, limit, node: names }: RoutedRequest,
  node: string,
  ids: string,
): Promise<RestResponse | undefined> {
  if (replication === undefined || names.isAsked === true) return undefined;
  if (!replication.nodes.ids.includes(node)) return undefined;
  const given = uri.includes('?') ? uri.slice(uri.indexOf('?') + 1).split('&') : [];
  const kept = given.filter((each) => !each.startsWith('scroll_id=') && !each.startsWith('format='));
  const format = query.get('format');
  if (format !== undefined) kept.push(`format=${encodeURIComponent(format)}`);
  const path = `/_search/scroll${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
  try {
    const asking = isWhole ? {} : { principal: principal.identity };
    const request = { method, uri: path, body: encoder.encode(ids), ...asking };
    return await replication.forward(node, request, limit);
  } catch (e) {
    if (limit.cancelled || isRefusedMemory(e)) throw e;
    return undefined;
  }
}

/** The answer of 1.7 where the node of a scroll is not there. */
function elsewhere(id: string) {
  return {
    _scroll_id: id,
    took: 0,
    timed_out: false,
    _shards: { total: 1, successful: 0, failed: 0 },
    hits: { total: 0, max_score: 0, hits: [] },
  };
}

async function clear(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const text = idOf(request);
  if (text === '') throw validationFailed('no scroll ids specified');
  if (text === '_all') {
    engine.scrolls.freeAll();
    const others = engine.replication?.nodes.ids.filter((id) => id !== engine.nodeId) ?? [];
    await Promise.all(others.map((node) => atItsNode(engine, request, node, '_all')));
    return json(request, 200, {});
  }
  if (text.length > MAX_IDS)
    throw illegalArgument(`scroll ids may have at most ${MAX_IDS} characters, these have ${text.length}`);
  const ids = text.split(',').map((each) => readScrollId(each.trim()));
  const freed = ids.filter(({ number, node }) => node === engine.nodeId && engine.scrolls.free(number));
  let isFreed = freed.length > 0;
  for (const other of new Set(ids.map(({ node }) => node))) {
    if (other === engine.nodeId) continue;
    const there = text.split(',').filter((_, i) => ids[i]!.node === other);
    const answer = await atItsNode(engine, request, other, there.join());
    if (answer?.status === 200) isFreed = true;
  }
  return json(request, isFreed ? 200 : 404, {});
}
