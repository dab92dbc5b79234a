/** Searches by template. */

import type { Engine } from '../../engine/engine.js';
import {
  ElasticsearchError,
  illegalArgument,
  parseFailure,
  searchPhaseFailed,
  toElasticsearchError,
} from '../../errors.js';
import { BrokenJson } from '../../json/brokenJson.js';
import { jsonText } from '../../json/jsonText.js';
import { looksLikeJson, parseLax } from '../../json/laxJson.js';
import { isObject, javaText } from '../../json/values.js';
import { Passes } from '../../passes.js';
import { Mustache } from '../../query/compound/mustache.js';
import { chosenShards } from '../../search/chosenShards.js';
import { javaParse, parseBody } from '../body.js';
import { type EndpointGroup, INDICES_OPTIONS, ofTypes } from '../endpoint.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';
import { HitWriter } from './hitWriter.js';
import { runSearch } from './search.js';
import { readBody, readPlace } from './searchCall.js';

export const searchTemplateEndpoints: EndpointGroup = {
  name: 'Search templates',
  purpose: 'Searches with parameters put in.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofTypes('/_search/template'),
      privilege: 'read',
      action: 'indices:data/read/search',
      pool: 'search',
      parameters: ['search_type', 'scroll', 'routing', 'preference', ...INDICES_OPTIONS],
      readOnly: true,
      body: 'json',
      handler: search,
    },
  ],
};

/** Where a template is to be had: it is the text itself, or that is its id, or the name of a file. */
interface Wanted {
  from: 'text' | 'id' | 'file';
  text: string;
}

const SOURCES: Readonly<Record<string, Wanted['from']>> = {
  template: 'text',
  query: 'text',
  id: 'id',
  file: 'file',
};

async function search(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, javaParse);
  const place = readPlace(request.path, request.query);
  let text: string;
  try {
    // Without a body there is no template, and nothing that is searched for.
    const template = body && (await new Passes(request.limit).run(() => templateOf(engine, body)));
    text = template?.render(isObject(body?.params) ? body.params : {}) ?? '';
  } catch (e) {
    // In 1.7 it is the shards that fill templates in; with none of them there is nobody to fail.
    const error = toElasticsearchError(e);
    const targets = engine.targets(place.index, place.routing, { ...place.names, keepsFilters: true });
    const failures = targets.flatMap(({ index, routing }) =>
      chosenShards(index, routing, place.onlyShards).map(({ number }) => ({
        node: engine.nodeId,
        index: index.name,
        shard: number,
        error,
      })),
    );
    const isOne = failures.length === 1 && place.type !== 'count';
    if (failures.length > 0) throw searchPhaseFailed(isOne ? 'query_fetch' : 'query', failures);
    text = '';
  }
  const write = HitWriter.of(engine.breakers, request);
  const answer = await runSearch(engine, { ...place, ...readBody(text, {}) }, request.limit, write);
  return json(request, answer.status, answer.body);
}

/** The template that a body asks for; throws what 1.7 says of one that isn't there or can't be read. */
function templateOf(engine: Engine, body: Record<string, unknown>): Mustache {
  const { from, text } = wantedIn(body);
  if (from === 'file') throw illegalArgument(`Unable to find on disk script ${text}`);
  if (from === 'text') return new Mustache(text);
  return new Mustache(engine.scripts.text('mustache', text));
}

/** The last key that names a template counts; a template of text may itself name another by id or file. */
function wantedIn(body: Record<string, unknown>): Wanted {
  const outer = lastSource(body);
  if (outer === undefined || outer.text === '')
    throw new ElasticsearchError(
      'ElasticsearchParseException',
      'Template must have [template] field configured',
    );
  if (outer.from !== 'text') return outer;
  // A text that is no object is the name of a file, as it was before templates could be texts.
  if (!looksLikeJson(utf8.encode(outer.text.slice(0, 20)))) return { from: 'file', text: outer.text };
  try {
    const parsed = parseLax(outer.text);
    const inner = isObject(parsed) ? lastSource(parsed) : undefined;
    return inner === undefined || inner.from === 'text' || inner.text === '' ? outer : inner;
  } catch (e) {
    // With its holes it need not be JSON, but for what is read in search of another one.
    if (e instanceof BrokenJson && isReadUpTo(outer.text, e))
      throw parseFailure('Failed to parse template', e);
    return outer;
  }
}

/** Whether 1.7 comes to the place where a template is no JSON: it reads on to the first brace that closes an object it doesn't skip. */
function isReadUpTo(text: string, { detail }: BrokenJson): boolean {
  const [, line = '1', column = '1'] = /line: (\d+), column: (\d+)\]$/.exec(detail ?? '') ?? [];
  const lines = text.split('\n');
  // The parser tells the place behind the character.
  const broken =
    lines.slice(0, Number(line) - 1).reduce((sum, each) => sum + each.length + 1, 0) + Number(column) - 2;
  const TOKEN = /"((?:[^"\\]|\\.)*)"\s*(:?)|[{}[\]]/gs;
  let [depth, skipped, name] = [0, 0, ''];
  for (const [token, key = '', colon] of matchesUpTo(text, TOKEN, broken)) {
    if (token === '{' || token === '[') {
      if (skipped > 0 || (token === '{' && depth > 0 && (Object.hasOwn(SOURCES, name) || name === 'params')))
        skipped++;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
      if (skipped > 0) skipped--;
      else if (token === '}') return false;
    } else if (colon === ':' && skipped === 0) name = key;
  }
  return true;
}

/** The tokens of a text that begin ahead of a place. */
function* matchesUpTo(text: string, token: RegExp, end: number): Generator<RegExpExecArray> {
  for (const match of text.slice(0, Math.max(0, end)).matchAll(token)) yield match;
}

const utf8 = new TextEncoder();

function lastSource(body: Record<string, unknown>): Wanted | undefined {
  const key = Object.keys(body).findLast((name) => Object.hasOwn(SOURCES, name));
  if (key === undefined) return undefined;
  const given = body[key];
  return { from: SOURCES[key]!, text: isObject(given) ? jsonText(given) : javaText(given) };
}
