/** A search as a request asks for it: what is searched, the body, and what the parameters put over it. */
import type { Engine } from '../../engine/engine.js';
import { ElasticsearchError, illegalArgument, noContent, toElasticsearchError } from '../../errors.js';
import { BrokenJson } from '../../json/brokenJson.js';
import { looksLikeJson, parseRepeating } from '../../json/laxJson.js';
import { isObject, type JsonObject } from '../../json/values.js';
import { DOCUMENT_CALL, type NameOptions, nameOptions } from '../../metadata/names.js';
import type { CopyChoice } from '../../search/chosenShards.js';
import type { SearchRequest } from '../../search/searchRequest.js';
import { parseTime } from '../../time/durations.js';
import { bodyText } from '../body.js';
import { parsedValue, type ReadText } from '../readText.js';
import { flag, int, type RoutedRequest, terminateAfterOf } from '../request.js';
import { RepeatedBodies } from './repeatedBodies.js';
import { sourceParams } from './sourceParams.js';

/** How a search is carried out. */
export type SearchType =
  | 'query_then_fetch'
  | 'query_and_fetch'
  | 'dfs_query_then_fetch'
  | 'dfs_query_and_fetch'
  | 'count'
  | 'scan';

/** What is searched for. */
type SearchBody = Pick<SearchRequest, 'body' | 'text' | 'unreadable'>;

/** One search. */
export interface SearchCall extends SearchBody {
  /** An expression; undefined means all indices. */
  index: string | undefined;
  names: NameOptions;
  types: string[];
  routing: string[] | undefined;
  /** Which copies are preferred, as 1.7 writes it. */
  preference: string;
  /** Only these shards of each index. */
  onlyShards: ReadonlySet<number> | undefined;
  type: SearchType;
  /** How long the search can be gone on with, in milliseconds. */
  scroll: number | undefined;
}

/** Everything of a search but its body. */
type SearchPlace = Omit<SearchCall, keyof SearchBody>;

const TYPES: Record<string, SearchType> = {
  query_then_fetch: 'query_then_fetch',
  query_and_fetch: 'query_and_fetch',
  dfs_query_then_fetch: 'dfs_query_then_fetch',
  dfs_query_and_fetch: 'dfs_query_and_fetch',
  count: 'count',
  scan: 'scan',
};

/** Reads a search request. */
export function readSearchCall(request: RoutedRequest): SearchCall {
  const read = readSearch(request);
  return searchCall(readPlace(request.path, request.query), read);
}

/** A search of its parts, in one literal: Node 20 makes a slow object of one that gets new properties behind a spread. */
export function searchCall(
  { index, names, types, routing, preference, onlyShards, type, scroll }: SearchPlace,
  { body, text, unreadable }: SearchBody,
): SearchCall {
  return {
    index,
    names,
    types,
    routing,
    preference,
    onlyShards,
    type,
    scroll,
    body,
    text,
    unreadable,
  };
}

/** Everything of a search but its body. */
export function readPlace(
  path: Readonly<Record<string, string | undefined>>,
  query: ReadonlyMap<string, string>,
): SearchPlace {
  const scroll = query.get('scroll');
  return {
    index: path.index,
    names: nameOptions(query, DOCUMENT_CALL),
    types: list(path.type),
    routing: query
      .get('routing')
      ?.split(',')
      .filter((value) => value !== ''),
    preference: preferredCopies(query.get('preference')),
    onlyShards: preferredShards(query.get('preference')),
    type: searchType(query.get('search_type')),
    scroll: scroll === undefined ? undefined : parseTime(scroll),
  };
}

/** The names of a comma list. */
export function list(text: string | undefined): string[] {
  return text?.split(',').filter((part) => part !== '') ?? [];
}

export function searchType(name: string | undefined): SearchType {
  if (name === undefined) return 'query_then_fetch';
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (type === undefined) throw illegalArgument(`No search type for [${name}]`);
  return type;
}

/** The shards that a preference is about; the rest of it is checked. */
export function preferredShards(preference: string | undefined): ReadonlySet<number> | undefined {
  const { shards, rest } = parted(preference);
  const [name = ''] = rest.split(':');
  if (name.startsWith('_') && !PREFERENCES.has(name)) throw illegalArgument(`no Preference for [${name}]`);
  return shards === undefined ? undefined : new Set(shards.split(',').map(shardNumber));
}

const PREFERENCES = new Set([
  '_prefer_node',
  '_local',
  '_primary',
  '_primary_first',
  '_primaryFirst',
  '_only_local',
  '_onlyLocal',
  '_only_node',
]);

/** Which copies a preference is for, without the shards that it may begin with. */
export function preferredCopies(preference: string | undefined): string {
  return parted(preference).rest;
}

/** The choice that a preference of copies makes; 400 where it allows only a node that is none. */
export function copyChoice(engine: Engine, preference: string): CopyChoice | undefined {
  const { nodeId, replication } = engine;
  const node = /^_only_node:(.*)/.exec(preference)?.[1];
  if (node !== undefined && !(replication?.nodes.data ?? [{ id: nodeId }]).some(({ id }) => id === node))
    throw illegalArgument(`No data node with id[${node}] found`);
  return engine.copyChoice(preference);
}

/** A preference may begin with shards; another may follow. */
function parted(preference = ''): { shards: string | undefined; rest: string } {
  const [, shards, rest] = /^_shards:([^;]*);?(.*)$/s.exec(preference) ?? [];
  return { shards, rest: rest ?? preference };
}

function shardNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ElasticsearchError('NumberFormatException', `For input string: "${text}"`, { status: 500 });
}

/** What a body says does not depend on where it is sent to. */
const repeatedBodies = new RepeatedBodies();

/** The body, with the parameters of the URL over it. */
export function readSearch(request: RoutedRequest): SearchBody {
  const { body, query, read } = request;
  const over = query.size === 0 ? NOTHING : parameters(query);
  const isAlone = over === NOTHING || Object.keys(over).length === 0;
  const repeated =
    isAlone && read === undefined && body.length > 0 ? repeatedBodies.of(body, readBytes) : undefined;
  if (repeated !== undefined) return repeated;
  return readBody(bodyText(request), over, read);
}

function readBytes(bytes: Uint8Array): SearchBody {
  return readBody(utf8.decode(bytes), NOTHING);
}

const NOTHING: Record<string, unknown> = {};
const utf8 = new TextDecoder();

/**
 * A body, with other keys over it.
 * @param read the body, if it has been parsed
 */
export function readBody(text: string, over: Record<string, unknown>, read?: ReadText): SearchBody {
  if (text === '') return { body: over, text: Object.keys(over).length === 0 ? '' : JSON.stringify(over) };
  if (text[0] !== '{' && !looksLikeJson(new TextEncoder().encode(text.slice(0, 20))))
    return { body: undefined, text: '_na_', unreadable: noContent() };
  try {
    const body = read?.text === text ? parsedValue(read) : parseRepeating(text);
    if (!isObject(body)) return { body, text };
    return { body: Object.keys(over).length === 0 ? body : { ...body, ...withFields(over, body) }, text };
  } catch (e) {
    const body = e instanceof BrokenJson ? e.before : undefined;
    return { body, text, unreadable: toElasticsearchError(e) };
  }
}

/** Parameters, whose fields go beside those of the body. */
function withFields(over: Record<string, unknown>, body: JsonObject): Record<string, unknown> {
  const out = { ...over };
  for (const name of ['fields', 'fielddata_fields']) {
    const own = body[name];
    if (Array.isArray(out[name]) && (typeof own === 'string' || Array.isArray(own)))
      out[name] = [own, out[name]].flat();
  }
  return out;
}

/** The keys of a body that parameters stand for. */
function parameters(query: ReadonlyMap<string, string>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const field = query.get('suggest_field');
  if (field !== undefined) {
    const mode = query.get('suggest_mode');
    const term = {
      field,
      size: int(query, 'suggest_size') ?? 5,
      ...(mode === undefined ? {} : { suggest_mode: mode }),
    };
    const words = query.get('suggest_text') ?? query.get('q');
    out.suggest = { [field]: { ...(words === undefined ? {} : { text: words }), term } };
  }
  for (const name of ['from', 'size']) {
    const value = int(query, name);
    if (value !== undefined && value >= 0) out[name] = value;
  }
  const timeout = query.get('timeout');
  if (timeout !== undefined) {
    parseTime(timeout);
    out.timeout = timeout;
  }
  const terminateAfter = terminateAfterOf(query);
  if (terminateAfter !== undefined) out.terminate_after = terminateAfter;
  const q = queryString(query);
  if (q !== undefined) out.query = q;
  for (const name of ['version', 'explain', 'track_scores']) {
    if (query.has(name)) out[name] = flag(query, name);
  }
  const source = sourceParams(query);
  if (source !== undefined)
    out._source = source.enabled ? { include: [...source.includes], exclude: [...source.excludes] } : false;
  for (const name of ['fields', 'fielddata_fields', 'stats'])
    if (query.has(name)) out[name] = list(query.get(name));
  const sort = sortKeys(query.get('sort'));
  if (sort.length > 0) out.sort = sort;
  return out;
}

/** `f:desc,g`; an order that is none leaves its field out, as in 1.7. */
function sortKeys(text: string | undefined): unknown[] {
  return list(text).flatMap((part): unknown[] => {
    const at = part.lastIndexOf(':');
    if (at < 0) return [part === '_score' ? part : { [part]: {} }];
    const order = part.slice(at + 1);
    return order === 'asc' || order === 'desc' ? [{ [part.slice(0, at)]: { order } }] : [];
  });
}

/** The query that `q` and its companions stand for; undefined without `q`. */
export function queryString(query: ReadonlyMap<string, string>): unknown {
  const q = query.get('q');
  if (q === undefined) return undefined;
  const operator = query.get('default_operator');
  if (operator !== undefined && operator !== 'OR' && operator !== 'AND') {
    throw illegalArgument(`Unsupported defaultOperator [${operator}], can either be [OR] or [AND]`);
  }
  const df = query.get('df');
  const analyzer = query.get('analyzer');
  return {
    query_string: {
      query: q,
      ...(df === undefined ? {} : { default_field: df }),
      ...(operator === undefined ? {} : { default_operator: operator.toLowerCase() }),
      ...(analyzer === undefined ? {} : { analyzer }),
      lowercase_expanded_terms: flag(query, 'lowercase_expanded_terms', true),
      analyze_wildcard: flag(query, 'analyze_wildcard', false),
      ...(query.has('lenient') ? { lenient: flag(query, 'lenient') } : {}),
    },
  };
}
