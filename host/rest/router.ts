/** One table of routes: methods and path templates; fixed parts win over variable ones. */
import type { RouteAccess } from '../security/grants.js';
import { Principal } from '../security/principal.js';
import type { Format } from '../formats/format.js';
import { unauthorized } from '../errors.js';
import { WorkLimit } from '../workLimit.js';
import { actionOf } from './actions.js';
import { namesIn } from './auditNames.js';
import { isReadBefore, readText } from './readText.js';
import {
  failure,
  type RestHandler,
  type RestRequest,
  type RestResponse,
  decodeComponent,
  parseQuery,
  script,
  text,
} from './request.js';

/** A route: methods, a template such as `/{index}/{type}/{id}`, what it asks of its callers, and who answers. */
export type Route = readonly [methods: string, template: string, access: RouteAccess, handler: RestHandler];

interface Node {
  fixed: Map<string, Node>;
  variable: { name: string; node: Node }[];
  /** By method, the place of a route among the routes. */
  routes: Map<string, number>;
}

const newNode = (): Node => ({ fixed: new Map(), variable: [], routes: new Map() });

/** Who answers a route for a principal, who may not do everything; throws what refuses it. */
export type GuardedHandler = (route: number, principal: Principal) => RestHandler;

/** What a request is about. */
export interface Described {
  /** Without parameters and ids that are secrets. */
  path: string;
  /** By 1.7's name; undefined where no route answers. */
  action: string | undefined;
  indices: readonly string[];
}

/** Finds the handler of a request and answers with it; errors become answers too. */
export class Router {
  readonly #root = newNode();
  readonly #routes: readonly Route[];
  readonly #guarded: GuardedHandler | undefined;

  /** @param guarded without it, all but {@link Principal.unrestricted} are refused everything */
  constructor(routes: readonly Route[], guarded?: GuardedHandler) {
    this.#routes = routes;
    this.#guarded = guarded;
    for (const [i, [methods, template]] of routes.entries()) {
      let at = this.#root;
      for (const part of split(template)) at = child(at, part);
      for (const method of methods.split('|')) at.routes.set(method, i);
    }
  }

  /**
   * Answers a request of a principal; `uri` is its path and query as sent, `format` the one wanted where the query names none.
   * `limit` is what may be done for it.
   */
  async handle(
    method: string,
    uri: string,
    body: Uint8Array,
    principal: Principal,
    format?: Format | 'json',
    limit = WorkLimit.none,
  ): Promise<RestResponse> {
    const mark = uri.indexOf('?');
    const path = mark < 0 ? uri : uri.slice(0, mark);
    const given = parseQuery(mark < 0 ? '' : uri.slice(mark + 1));
    const query =
      format === undefined || given.has('format') ? given : new Map([...given, ['format', format]]);
    const request: RestRequest = { method, uri, query, body, limit };
    try {
      const response = await finished(await this.#dispatch(request, path, principal));
      return method === 'HEAD' ? { ...response, body: EMPTY } : response;
    } catch (e) {
      const response = await finished(failure(request, e));
      return method === 'HEAD' ? { ...text(response.status), body: EMPTY } : response;
    }
  }

  /** What a request is about, for the audit log: the action of its route and the names in it. Nothing is carried out or refused. */
  describe(method: string, uri: string, body: Uint8Array): Described {
    const mark = uri.indexOf('?');
    const path = mark < 0 ? uri : uri.slice(0, mark);
    try {
      const found = find(this.#root, split(path).map(decodeComponent), 0, methodOf(method));
      if (found === undefined) return { path, action: undefined, indices: [] };
      const [methods, template, access] = this.#routes[found.route]!;
      const names = named(found.path, parseQuery(mark < 0 ? '' : uri.slice(mark + 1)));
      return {
        // Who knows the id of a scroll can go on with it.
        path: template.includes('/scroll/') ? template : path,
        action: actionOf(methods, template, access),
        indices: namesIn(template, names, body),
      };
    } catch {
      return { path, action: undefined, indices: [] };
    }
  }

  #dispatch(request: RestRequest, path: string, principal: Principal): Promise<RestResponse> | RestResponse {
    if (request.method === 'OPTIONS') return text(200);
    const callback = request.query.get('callback');
    if (callback !== undefined) return noCallback(callback);
    // There are no pages of plugins.
    if (request.method === 'GET' && path.startsWith('/_plugin/')) return text(404);
    const found = find(this.#root, split(path).map(decodeComponent), 0, methodOf(request.method));
    if (found === undefined)
      return text(400, `No handler found for uri [${request.uri}] and method [${request.method}]`);
    const handler = this.#handlerFor(found.route, principal);
    const { method, uri, query, body, limit } = request;
    const routed = { method, uri, query, body, limit, path: named(found.path, query) };
    if (!isReadBefore(this.#routes[found.route]![1], body)) return handler(routed);
    return readText(body, limit).then((read) => handler({ ...routed, read }));
  }

  /** Nobody who isn't known gets one: a principal that is missing at run time is refused like one without grants. */
  #handlerFor(route: number, principal: Principal | undefined): RestHandler {
    if (principal === undefined) throw unauthorized('*', 'nobody');
    if (principal === Principal.unrestricted) return this.#routes[route]![3];
    if (this.#guarded === undefined) throw unauthorized('*', principal.name);
    return this.#guarded(route, principal);
  }
}

/** An answer that is written. */
async function finished(response: RestResponse): Promise<RestResponse> {
  const { status, contentType, unwritten } = response;
  return unwritten === undefined ? response : { status, contentType, body: await unwritten() };
}

const EMPTY = new Uint8Array(0);

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
  return ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].includes(method) ? method : 'GET';
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function child(node: Node, part: string): Node {
  if (part.startsWith('{')) {
    const name = part.slice(1, -1);
    const known = node.variable.find((each) => each.name === name);
    if (known !== undefined) return known.node;
    const made = newNode();
    node.variable.push({ name, node: made });
    return made;
  }
  let next = node.fixed.get(part);
  if (next === undefined) {
    next = newNode();
    node.fixed.set(part, next);
  }
  return next;
}

function find(
  node: Node,
  parts: readonly string[],
  at: number,
  method: string,
): { route: number; path: Record<string, string> } | undefined {
  if (at === parts.length) {
    const route = node.routes.get(method);
    return route === undefined ? undefined : { route, path: {} };
  }
  const part = parts[at]!;
  const fixed = node.fixed.get(part);
  const found = fixed === undefined ? undefined : find(fixed, parts, at + 1, method);
  if (found !== undefined) return found;
  for (const { name, node: next } of node.variable) {
    const below = find(next, parts, at + 1, method);
    if (below === undefined) continue;
    below.path[name] = part;
    return below;
  }
  return undefined;
}
