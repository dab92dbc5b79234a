/** From a request to its endpoint, and back with an answer: whatever the endpoint, in the same steps. */

import type { Engine } from '../engine/engine.js';
import { unauthorized } from '../errors.js';
import type { Format } from '../formats/format.js';
import type { Weigh } from '../formats/jsonWriter.js';
import { type LatePart, partsOfRequest, someAreLate } from '../latePart.js';
import { ThreadPools, type TurnTaker } from '../limits/threadPools.js';
import { Principal } from '../security/principal.js';
import type { WorkLimit } from '../workLimit.js';
import { namesIn } from './auditNames.js';
import type { NodeNames } from './cluster/node.js';
import { type Endpoint, MASTER_TIMEOUTS, METHODS } from './endpoint.js';
import { engineFor } from './guard.js';
import { PathTree } from './pathTree.js';
import { isLong, readText } from './readText.js';
import {
  decodeComponent,
  failure,
  millis,
  parseQuery,
  type RestRequest,
  type RestResponse,
  type RoutedRequest,
  script,
  text,
} from './request.js';

/** An endpoint at one of its paths, by one of its methods. */
interface Route {
  readonly endpoint: Endpoint;
  readonly template: string;
  readonly pool: TurnTaker;
  /** Told how many seconds each request took. */
  readonly measure: ((seconds: number) => void) | undefined;
}

/** Where all endpoints are. */
type EveryEndpoint = LatePart<{ readonly ENDPOINTS: readonly Endpoint[] }>;

/** What a request is about. */
export interface Described {
  /** Without parameters and ids that are secrets. */
  path: string;
  /** By 1.7's name; undefined where no endpoint answers. */
  action: string | undefined;
  indices: readonly string[];
}

/** What answers requests. */
export type RequestHandler = Pick<Router, 'handle' | 'describe'>;

/** Finds the endpoint of a request and answers with it; errors become answers too. */
export class Router {
  readonly #engine: Engine;
  readonly #node: NodeNames;
  readonly #pools: ThreadPools;
  readonly #routes = new PathTree<Route>();
  readonly #every: EveryEndpoint;
  /** Whether every endpoint is known, not only the frequent ones. */
  #isWhole: boolean;

  constructor(engine: Engine, node: NodeNames, frequent: readonly Endpoint[], every: EveryEndpoint) {
    this.#engine = engine;
    this.#node = node;
    // Requests of this node's clients hold places while they wait for other nodes, and those for this one.
    this.#pools = node.isAsked === true ? new ThreadPools() : engine.pools;
    this.#every = every;
    this.#isWhole = every.isLoaded;
    this.#add(this.#isWhole ? every.loaded.ENDPOINTS : frequent);
  }

  #add(endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) {
      const pool = this.#pools.pool(endpoint.pool);
      for (const method of endpoint.methods)
        for (const template of endpoint.paths) {
          const measure = this.#node.meter?.route(method, template, endpoint.pool);
          this.#routes.add(method, template, { endpoint, template, pool, measure });
        }
    }
  }

  /**
   * Answers a request of a principal; `uri` is its path and query as sent, `format` the one wanted where the query names none.
   * `limit` is what may be done for it, `weigh` is told what it takes.
   */
  async handle(
    method: string,
    uri: string,
    body: Uint8Array,
    principal: Principal,
    limit: WorkLimit,
    format?: Format | 'json',
    weigh?: Weigh,
  ): Promise<RestResponse> {
    const [path, given] = partsOf(uri);
    const query =
      format === undefined || given.has('format') ? given : new Map([...given, ['format', format]]);
    if (weigh !== undefined) limit.countMemory(weigh);
    const request: RestRequest = { method, uri, query, body, limit, weigh };
    try {
      if (!this.#isWhole) await this.#complete(method, path);
      if (someAreLate()) await this.#loadParts(request, path);
      const answer = await this.#dispatch(request, path, principal);
      const response = answer.unwritten === undefined ? answer : await finished(answer);
      return method === 'HEAD' ? { ...response, body: EMPTY } : response;
    } catch (e) {
      const response = await finished(failure(request, e));
      return method === 'HEAD' ? { ...text(response.status), body: EMPTY } : response;
    }
  }

  /** Whether the endpoint of a request reads documents and metadata alone. */
  onlyReads(method: string, uri: string): boolean {
    const mark = uri.indexOf('?');
    const path = mark < 0 ? uri : uri.slice(0, mark);
    return this.#find(method, path)?.value.endpoint.onlyReads === true;
  }

  /** What a request is about, for the audit log: its action and the names in it. Nothing is carried out or refused. */
  describe(method: string, uri: string, body: Uint8Array): Described {
    const [path, query] = partsOf(uri);
    try {
      const found = this.#find(method, path);
      if (found === undefined) return { path, action: undefined, indices: [] };
      const { endpoint, template } = found.value;
      return {
        // Who knows the id of a scroll can go on with it.
        path: template.includes('/scroll/') ? template : path,
        action: endpoint.action,
        indices: namesIn(endpoint, named(found.path, query), body),
      };
    } catch {
      return { path, action: undefined, indices: [] };
    }
  }

  #find(method: string, path: string) {
    return this.#routes.find(methodOf(method), path, decodeComponent);
  }

  /** Gets to know all endpoints where a path is that of none that is known, or of one for all names, such as `/{index}/{type}`. */
  async #complete(method: string, path: string): Promise<void> {
    const found = this.#find(method, path);
    if (found !== undefined && !Object.values(found.path).some((part) => part.startsWith('_'))) return;
    await this.#every.load();
    if (this.#isWhole) return;
    this.#isWhole = true;
    this.#add(this.#every.loaded.ENDPOINTS);
  }

  /** Loads the parts of the host that a request needs. Documents need none but where they are queries. */
  async #loadParts({ method, uri, body }: RestRequest, path: string): Promise<void> {
    const pool = this.#find(method, path)?.value.endpoint.pool;
    const text = latin1.decode(body);
    const isRead = (pool !== 'bulk' && pool !== 'index') || text.includes('.percolator');
    await partsOfRequest(isRead ? [uri, text] : [uri]);
  }

  #dispatch(request: RestRequest, path: string, principal: Principal): RestResponse | Promise<RestResponse> {
    if (request.method === 'OPTIONS') return text(200);
    const callback = request.query.get('callback');
    if (callback !== undefined) return noCallback(callback);
    // There are no pages of plugins.
    if (request.method === 'GET' && path.startsWith('/_plugin/')) return text(404);
    const found = this.#find(request.method, path);
    if (found === undefined)
      return text(400, `No handler found for uri [${request.uri}] and method [${request.method}]`);
    const { endpoint } = found.value;
    const engine = this.#engineFor(endpoint, principal);
    const { method, uri, query, body, limit, weigh } = request;
    // One literal: with a spread in it, this object took 3 us, and each read of it 0.5 us (Node 20, --log-ic).
    const routed: RoutedRequest = {
      method,
      uri,
      query,
      body,
      read: undefined,
      limit,
      weigh,
      path: named(found.path, query),
      principal,
      node: this.#node,
    };
    const reads = endpoint.body === 'json' && isLong(body);
    return reads || waitsFor(engine, endpoint)
      ? prepared(found.value, engine, routed, reads)
      : inTurn(found.value, engine, routed);
  }

  /** Nobody who isn't known gets one: a principal that is missing at run time is refused like one without grants. */
  #engineFor(endpoint: Endpoint, principal: Principal | undefined): Engine {
    if (principal === undefined) throw unauthorized('*', 'nobody');
    return principal === Principal.unrestricted ? this.#engine : engineFor(this.#engine, endpoint, principal);
  }
}

/** Whether requests wait for their indices to be open, or for what other nodes have written. */
function waitsFor(engine: Engine, endpoint: Endpoint): boolean {
  return isBehind(engine, endpoint) || (!endpoint.duringRecovery && engine.cluster.opening);
}

/** Whether documents are read by their ids of which other nodes may know newer ones. */
function isBehind({ replication }: Engine, { pool }: Endpoint): boolean {
  return replication !== undefined && pool === 'get';
}

/** Answers a request whose body is long, or whose indices may not be open yet. */
async function prepared(route: Route, engine: Engine, request: RoutedRequest, reads: boolean) {
  if (reads) request.read = await readText(request.body, request.limit);
  if (isBehind(engine, route.endpoint)) await engine.current(request.path.index);
  if (waitsFor(engine, route.endpoint)) await engine.ready(request.path.index);
  return inTurn(route, engine, request);
}

/** Answers a request when it is its turn, and measures it. */
async function inTurn({ endpoint, pool, measure }: Route, engine: Engine, request: RoutedRequest) {
  const started = performance.now();
  const limit = endpoint.readOnly ? request.limit.within(engine.readTimeout) : request.limit;
  try {
    const waiting = pool.enter(limit.asker);
    if (waiting !== undefined) await waiting;
    try {
      if (waiting !== undefined) limit.check();
      if (endpoint.masterTimeout) for (const name of MASTER_TIMEOUTS) millis(request.query, name);
      request.limit = limit;
      if (endpoint.counted) await request.node.counted?.();
      return await endpoint.handler(engine, request);
    } finally {
      pool.leave();
    }
  } finally {
    measure?.((performance.now() - started) / 1000);
  }
}

/** An answer that is written. */
async function finished(response: RestResponse): Promise<RestResponse> {
  const { status, contentType, unwritten } = response;
  return unwritten === undefined ? response : { status, contentType, body: await unwritten() };
}

const latin1 = new TextDecoder('latin1');

const EMPTY = new Uint8Array(0);

/** The path of a URI as it is, and its parameters. */
function partsOf(uri: string): [path: string, query: ReadonlyMap<string, string>] {
  const mark = uri.indexOf('?');
  return mark < 0 ? [uri, parseQuery('')] : [uri.slice(0, mark), parseQuery(uri.slice(mark + 1))];
}

/** Parts of paths that parameters may stand for. */
const NAMES = ['index', 'type', 'id', 'name'];

/** The names of a request: those in its path, and those that its parameters give in place of missing ones. */
function named(path: Record<string, string>, query: ReadonlyMap<string, string>): Record<string, string> {
  if (query.size === 0) return path;
  for (const name of NAMES) {
    const given = path[name] === undefined ? query.get(name) : undefined;
    if (given !== undefined && given !== '') path[name] = given;
  }
  return path;
}

/** Pages that ask for a script are refused, as by 1.7 unless it is told otherwise. Only a name is said after them. */
function noCallback(callback: string): RestResponse {
  return /^[\w$.]+$/.test(callback)
    ? script(403, `${callback}({"error":"JSONP is disabled."});`)
    : text(403, 'JSONP is disabled.');
}

/** Methods that 1.7 doesn't know count as GET. */
function methodOf(method: string): string {
  return (METHODS as readonly string[]).includes(method) ? method : 'GET';
}
