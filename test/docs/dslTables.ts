/**
 * The tables that the console completes requests with, from what the program itself knows: endpoints of their descriptors, kinds from
 * their registries. The parameters of a kind are found by asking its parser: a name that it takes differently from one that nobody
 * knows is a parameter, and how it takes values tells what they are.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { AGGREGATION_KINDS } from '../../host/aggregation/registry.js';
import { allFiltersByName, analyzers, charFilters, tokenizersByName } from '../../host/analysis/everyPart.js';
import { Engine } from '../../host/engine/engine.js';
import { ElasticsearchError } from '../../host/errors.js';
import { allParts } from '../../host/latePart.js';
import { Options } from '../../host/query/context.js';
import { FILTER_KINDS, QUERY_KINDS } from '../../host/query/kinds.js';
import type { SearchContext } from '../../host/query/searchContext.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { COMMON_PARAMETERS, MASTER_TIMEOUTS } from '../../host/rest/endpoint.js';
import { ENDPOINTS } from '../../host/rest/routes.js';
import { compileSearch } from '../../host/searchBody/compile.js';
import { Principal } from '../../host/security/principal.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { SUGGESTER_KINDS } from '../../host/suggest/request.js';
import { wallClock } from '../../host/time/clock.js';
import { WorkLimit } from '../../host/workLimit.js';
import { PLACES, type Place } from './dslPlaces.js';
import { fieldTypes } from './examples.js';

/** What a value is: `query`, `filter`, `queries`, `filters`, `number`, `boolean`, `analyzer`, `field`, `any`; or the texts that it can be. */
export type ValueKind = string | readonly string[];

/** A call of the JavaScript client for 1.7, as the client itself describes it. */
interface ClientSpec {
  url?: { fmt: string };
  urls?: { fmt: string }[];
  method?: string;
}

/** All calls of the client with their paths; the longer ones first. */
function clientCalls(api: object, above = ''): { call: string; method: string; paths: string[] }[] {
  return Object.entries(api).flatMap(([name, value]) => {
    const call = above === '' ? name : `${above}.${name}`;
    if (typeof value === 'function' && 'spec' in value) {
      const { url, urls = [], method = 'GET' } = value.spec as ClientSpec;
      const paths = [...urls, ...(url === undefined ? [] : [url])].map(({ fmt }) =>
        fmt.replace(/<%=(\w+)%>/g, '{$1}'),
      );
      return [{ call, method, paths }];
    }
    if (typeof value === 'function') return clientCalls(value.prototype ?? {}, call);
    return [];
  });
}

/** The tables, as console/src/dsl/tables.ts describes them. */
export interface DslTables {
  endpoints: readonly { methods: string[]; paths: string[]; parameters: string[] }[];
  commonParameters: readonly string[];
  client: readonly { call: string; method: string; paths: string[] }[];
  queries: readonly string[];
  filters: readonly string[];
  aggregations: readonly string[];
  suggesters: readonly string[];
  analyzers: readonly string[];
  tokenizers: readonly string[];
  tokenFilters: readonly string[];
  charFilters: readonly string[];
  fieldTypes: readonly string[];
  /** Parameters by place, such as `query/match/*`, where `*` is the name of a field. */
  places: Readonly<Record<string, Readonly<Record<string, ValueKind>>>>;
}

const require = createRequire(import.meta.url);
const HOST = resolve(import.meta.dirname, '../../host');
/** Where parameters of searches are named. */
const NAMING = ['query', 'aggregation', 'suggest', 'highlight', 'searchBody', 'script', 'geo'];

const FIELDS = {
  title: { type: 'string' },
  author: { type: 'string', index: 'not_analyzed' },
  year: { type: 'integer' },
  date: { type: 'date' },
  ip: { type: 'ip' },
  place: { type: 'geo_point' },
  area: { type: 'geo_shape' },
  cell: { type: 'geo_point', geohash_prefix: true },
  completed: { type: 'completion' },
  loans: { type: 'nested' },
};

/** A name that no parser knows. */
const UNKNOWN = 'zzq';
/** A name within a value that no parser knows. */
const WITHIN = 'qqz';
const VALUES: readonly unknown[] = [WITHIN, 1, true, { [WITHIN]: {} }, [{ [WITHIN]: {} }], [WITHIN]];
/** Fields that every type has: where a field may stand, these may. */
const META = ['_all', '_field_names', '_id', '_index', '_parent', '_uid'];

/** Words in the sources: those that may be names of parameters, and all, which may be their values. */
function wordsOf(): { names: string[]; all: string[] } {
  const names = new Set<string>();
  const all = new Set<string>();
  for (const folder of NAMING) {
    for (const file of readdirSync(join(HOST, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const source = readFileSync(join(HOST, folder, file), 'utf8').replace(/\/\*\*.*?\*\//gs, '');
      for (const [, quoted, pattern, key] of source.matchAll(
        /'(_?[a-z][a-z0-9_]*)'|\/\^?\(([a-z_|()]+)\)|\b([a-z]+(?:_[a-z]+)+|(?<=^\s+)[a-z]+(?=[:,(]))/gm,
      ))
        for (const [word] of (quoted ?? pattern ?? key!).matchAll(/_?[a-z0-9]+(?:_[a-z0-9]+)*/g))
          names.add(word);
      for (const [word] of source.matchAll(/\b[a-z][a-z0-9_]{2,}\b/g)) all.add(word);
    }
  }
  for (const field of [...Object.keys(FIELDS), ...META]) names.delete(field);
  return { names: [...names].sort(), all: [...new Set([...names, ...all])].sort() };
}

/** What becomes of a body: an error's text, or what it is read as. */
interface Outcome {
  error: string;
  made: string;
}

/** The parameters of all places. */
class Prober {
  readonly #context: SearchContext;
  readonly #words = wordsOf();

  constructor(context: SearchContext) {
    this.#context = context;
  }

  #said(body: object): Outcome {
    try {
      const { aggregations, highlight } = compileSearch(body, this.#context);
      const error = aggregations?.failure === undefined ? '' : this.#text(aggregations.failure);
      return { error, made: JSON.stringify(highlight?.fields) ?? '' };
    } catch (thrown) {
      return { error: this.#text(thrown), made: '' };
    }
  }

  #text(thrown: unknown): string {
    if (!(thrown instanceof ElasticsearchError)) return String(thrown);
    const { nested } = thrown;
    return `${thrown.detail}${nested === undefined ? '' : `; ${this.#text(nested)}`}`;
  }

  parametersOf({ inside, around }: Place): Record<string, ValueKind> {
    const say = (name: string, value: unknown) => this.#said(around({ ...inside, [name]: value }));
    const unknown = VALUES.map((value) => say(UNKNOWN, value));
    const found: Record<string, ValueKind> = {};
    for (const name of this.#words.names) {
      const isOwn = Object.hasOwn(inside, name);
      const differs = ({ error, made }: Outcome, i: number) =>
        error !== unknown[i]!.error.replaceAll(UNKNOWN, name) || made !== unknown[i]!.made;
      // The same of all values, its name aside: it is one that nobody knows.
      const isKnown = VALUES.some((value, i) => differs(say(name, value), i));
      if (!isKnown && !isOwn) continue;
      const kind = this.#kind(
        VALUES.map((value) => say(name, value).error),
        (value) => say(name, value).error,
      );
      if (kind !== undefined) found[name] = kind;
    }
    return found;
  }

  #kind(said: readonly string[], say: (value: unknown) => string): ValueKind | undefined {
    const [text, number, flag, object, list, texts] = said as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const isQuery = (what: string) => what.includes(`No query registered for [${WITHIN}]`);
    const isFilter = (what: string) => what.includes(`No filter registered for [${WITHIN}]`);
    if (isQuery(list)) return 'queries';
    if (isFilter(list)) return 'filters';
    if (isQuery(object)) return 'query';
    if (isFilter(object)) return 'filter';
    if (/analyzer/i.test(text) && text.includes(WITHIN)) return 'analyzer';
    if (isFlag(say)) return 'boolean';
    if (text === '') return 'any';
    if (number === '') return flag === '' ? 'any' : 'number';
    const choices = this.#words.all.filter((each) => say(each) === '');
    if (choices.includes('year') && choices.includes('ip')) return 'field';
    if (choices.length > 0 && choices.length < 30) return choices;
    if (flag === '') return 'boolean';
    // An object or a list of a form of its own; what is refused alike whatever it is, is none.
    return new Set([text, number, flag, object, list, texts]).size > 1 ? 'any' : undefined;
  }
}

/** Whether a value is read as a flag. */
function isFlag(say: (value: unknown) => string): boolean {
  let isRead = false;
  const { flag } = Options.prototype;
  Options.prototype.flag = function (fallback, ...names) {
    const before = this.rest().length;
    const value = flag.call(this, fallback, ...names);
    if (this.rest().length < before) isRead = true;
    return value;
  };
  try {
    say(true);
  } finally {
    Options.prototype.flag = flag;
  }
  return isRead;
}

const SNAKE = /^_?[a-z][a-z0-9_]*$/;
const snake = (names: Iterable<string>) => [...new Set(names)].filter((name) => SNAKE.test(name)).sort();

/** Makes them, with an engine of its own. */
export async function dslTables(wasm: BufferSource): Promise<DslTables> {
  const module = await WebAssembly.compile(wasm);
  const engine = await Engine.open({
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport: new LocalTransport(module),
    module,
    warn: () => {},
  });
  const { stackTraceLimit } = Error;
  // Errors are what is asked for here, hundred thousands of them.
  Error.stackTraceLimit = 0;
  try {
    await allParts();
    const router = createRouter(engine, { node: 'tables', cluster: 'tables', version: '0.0.0' });
    const body = new TextEncoder().encode(
      JSON.stringify({
        settings: { number_of_shards: 1 },
        mappings: { book: { properties: FIELDS }, review: { _parent: { type: 'book' } } },
      }),
    );
    await router.handle('PUT', '/books', body, Principal.unrestricted, WorkLimit.none);
    const [target] = engine.targets('books', undefined, {});
    const prober = new Prober(engine.context(target!.index, {}) as SearchContext);
    const places = Object.fromEntries(PLACES.map((place) => [place.name, prober.parametersOf(place)]));
    return {
      endpoints: ENDPOINTS.map(({ methods, paths, parameters, ignored = [], masterTimeout }) => ({
        methods: [...methods],
        paths: [...paths],
        parameters: [...new Set([...parameters, ...ignored, ...(masterTimeout ? MASTER_TIMEOUTS : [])])],
      })),
      commonParameters: COMMON_PARAMETERS,
      client: clientCalls(require('elasticsearch/src/lib/apis/1_7.js') as object),
      queries: snake(QUERY_KINDS.flatMap(({ names }) => names)),
      filters: snake(FILTER_KINDS.flatMap(({ names }) => names)),
      aggregations: snake(Object.keys(AGGREGATION_KINDS)),
      suggesters: snake(SUGGESTER_KINDS.keys()),
      analyzers: snake(analyzers.keys()),
      tokenizers: snake(tokenizersByName.keys()),
      tokenFilters: snake(allFiltersByName.keys()),
      charFilters: snake(charFilters.keys()),
      fieldTypes: [...fieldTypes].sort(),
      places,
    };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    await engine.close();
  }
}
