/** Many documents by their ids. */
import {
  illegalArgument,
  noContent,
  parseFailure,
  toElasticsearchError,
  validationFailed,
} from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { inTurnsIfLong, type Turns } from '../../workLimit.js';
import type { NameOptions } from '../../metadata/names.js';
import { HIT_BYTES } from '../../search/ranking.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { parseVersionType } from '../../shard/operation.js';
import { isFalse, isTrue } from '../../numbers/javaBooleans.js';
import { booleanOf, isCompound, isNumber, isObject } from '../../json/values.js';
import { javaParse, parseBody } from '../body.js';
import { find, render, type Shown, type Wanted, type FetchedShards, fetchWanted } from './documents.js';
import type { Json } from '../json.js';
import { flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, ofTypes, SOURCE_FILTER } from '../endpoint.js';
import { type SourceChoice, sourceParams } from '../search/sourceParams.js';
import { bodyVersion } from './versions.js';

export const mgetEndpoints: EndpointGroup = {
  name: 'Multi-get',
  purpose: 'Many documents by their ids.',
  tag: 'core',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofTypes('/_mget'),
      privilege: 'read',
      action: 'indices:data/read/mget',
      pool: 'get',
      parameters: ['fields', ...SOURCE_FILTER, 'realtime', 'refresh', 'routing'],
      ignored: ['preference'],
      readOnly: true,
      onlyReads: true,
      body: 'json',
      indicesInBody: 'json',
      handler: mget,
    },
  ],
};

/** Steps of a work limit that reading a document takes. */
const ITEM_STEPS = 128;

/** And reading which document is meant. */
const READ_STEPS = 16;

/** What more documents come to has no place in one answer. */
const MAX_ITEMS = 100_000;
/** What the breakers call it. */
const LABEL = '<mget>';

/** One document of the request; without a type it is looked for in all of them. */
type Item = Partial<Omit<Wanted, 'type'>> & Shown & { type: string | undefined };
/** One that says enough to be looked for. */
type CompleteItem = Omit<Wanted, 'type'> & Shown & { type: string | undefined };

async function mget(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, javaParse);
  if (body === undefined) throw noContent();
  const items = await inTurnsIfLong(readItems(body, request), request.limit);
  if (items.length === 0) throw validationFailed('no documents to get');
  if (items.length > MAX_ITEMS) throw illegalArgument(`more than ${MAX_ITEMS} documents at once`);
  const problems = items.flatMap(({ index, id }, i) => [
    ...(index === undefined ? [`index is missing for doc ${i}`] : []),
    ...(id === undefined ? [`id is missing for doc ${i}`] : []),
  ]);
  if (problems.length > 0) throw validationFailed(...problems);
  const wanted = items as CompleteItem[];
  if (flag(request.query, 'refresh')) await refresh(engine, wanted);
  // An item whose index is closed ends the whole request, as in 1.7.
  for (const index of new Set(wanted.map(({ index }) => index))) openIndices(engine, index);
  const held = engine.breakers.hold('request', 0, LABEL);
  try {
    const fetched = await fetchWanted(engine, wanted.map(withType), request.limit);
    const docs: Json[] = [];
    for (const item of wanted) {
      docs.push(
        answer(engine, item, fetched, (bytes) => engine.breakers.grow('request', held, bytes, LABEL)),
      );
      if (request.limit.isDue(ITEM_STEPS)) await request.limit.yield();
    }
    return json(request, 200, { docs });
  } finally {
    held.release();
  }
}

/** The indices of an item; none of those that may not be seen: their refusal is the item's alone. */
function openIndices(engine: Engine, index: string, options: NameOptions = {}): OpenIndex[] {
  try {
    return engine.resolve(index, { ...options, ignoreUnavailable: true });
  } catch (e) {
    if (toElasticsearchError(e).exception === 'AuthorizationException') return [];
    throw e;
  }
}

async function refresh(engine: Engine, items: readonly CompleteItem[]): Promise<void> {
  const names = new Set(items.map(({ index }) => index));
  await engine.refresh([...names].flatMap((name) => openIndices(engine, name, { forbidClosed: true })));
}

/** Errors of an item that end the whole request. */
const ENDING = new Set(['IndexClosedException', 'CircuitBreakingException']);
/** Errors of which an item of the answer shows the text alone. */
const BARE = new Set(['IndexMissingException', 'RoutingMissingException']);

/** Without a type, the first type that has the id is meant. */
function withType(item: CompleteItem): Wanted {
  return { ...item, type: item.type ?? '_all' };
}

function answer(
  engine: Engine,
  item: CompleteItem,
  fetched: FetchedShards | undefined,
  weigh: (bytes: number) => void,
): Json {
  const type = item.type ?? null;
  try {
    const found = find(engine, withType(item), fetched);
    const { index, document } = found;
    if (document !== undefined) {
      weigh(HIT_BYTES + document.source.length);
      return render(found, document, item);
    }
    return { _index: index.name, _type: type, _id: item.id, found: false };
  } catch (e) {
    const error = toElasticsearchError(e);
    if (ENDING.has(error.exception)) throw error;
    const text = BARE.has(error.exception) ? error.detail : error.render();
    return { _index: item.index, _type: type, _id: item.id, error: text };
  }
}

function* readItems(body: Record<string, unknown>, { path, query, limit }: RoutedRequest): Turns<Item[]> {
  const defaults: Item = {
    type: path.type,
    routing: query.get('routing'),
    version: undefined,
    versionType: 'internal',
    realtime: flag(query, 'realtime', true),
    fields: query.get('fields')?.split(','),
    source: sourceParams(query),
    ...(path.index === undefined ? {} : { index: path.index }),
  };
  const items: Item[] = [];
  if (Array.isArray(body.docs)) {
    for (const doc of body.docs) {
      if (limit.isDue(READ_STEPS)) yield;
      items.push(readDoc(doc, defaults));
    }
  }
  if (Array.isArray(body.ids)) {
    for (const id of body.ids) {
      if (limit.isDue(READ_STEPS)) yield;
      if (id === null || isCompound(id)) throw illegalArgument('ids array element should only contain ids');
      items.push({ id: String(id), ...defaults });
    }
  }
  return items;
}

function readDoc(doc: unknown, defaults: Item): Item {
  if (!isObject(doc)) throw illegalArgument('docs array element should include an object');
  const text = (...names: string[]) => {
    const value = names.map((name) => doc[name]).find((each) => each !== undefined && each !== null);
    return value === undefined || value === null || isCompound(value) ? undefined : String(value);
  };
  const index = text('_index') ?? defaults.index;
  const id = text('_id');
  const source = sourceOf(doc._source) ?? defaults.source;
  return {
    ...defaults,
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: text('_type') ?? defaults.type,
    routing: text('_routing', 'routing') ?? text('_parent', 'parent') ?? defaults.routing,
    version: bodyVersion(doc._version ?? doc.version),
    versionType: parseVersionType(text('_version_type', '_versionType', 'version_type', 'versionType')),
    fields: fieldsOf(doc.fields) ?? defaults.fields,
    source,
  };
}

function fieldsOf(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return value.map(String);
  return value === undefined || value === null || isCompound(value) ? undefined : [String(value)];
}

/** What `_source` of an item says; undefined if it says nothing. */
function sourceOf(value: unknown): SourceChoice | undefined {
  const list = (each: unknown) =>
    Array.isArray(each) ? each.map(String) : each === undefined ? [] : [String(each)];
  if (typeof value === 'boolean' || (isNumber(value) && Number.isInteger(Number(value))))
    return { enabled: booleanOf(value), includes: [], excludes: [] };
  if (typeof value === 'string' && (isTrue(value) || isFalse(value)))
    return { enabled: isTrue(value), includes: [], excludes: [] };
  if (typeof value === 'string' || Array.isArray(value))
    return { enabled: true, includes: list(value), excludes: [] };
  if (isNumber(value)) throw parseFailure('illegal type for _source: [VALUE_NUMBER]');
  if (!isObject(value)) return undefined;
  const choice = { enabled: true, includes: [] as string[], excludes: [] as string[] };
  for (const [name, given] of Object.entries(value)) {
    const kind = name.replace(/s$/, '');
    if (kind !== 'include' && kind !== 'exclude')
      throw parseFailure(`Source definition may not contain ${name}`);
    if (given === null || isObject(given))
      throw parseFailure('unexpected token while parsing source settings');
    choice[`${kind}s`].push(...list(given));
  }
  return choice;
}
