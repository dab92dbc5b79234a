/**
 * A service worker that is an Elasticsearch.
 *
 *     import { serve } from 'resilin/service-worker';
 *     serve({ path: '/elasticsearch' });
 *
 * Pages of its scope send their requests to that path of their own origin. They are answered without a network: after the first visit
 * the core comes from the worker's cache.
 */
import type { EngineOptions, WorkerEngine } from '../library/options.js';
import { VERSION } from '../version.js';
import { compileCoreFrom, coreUrl } from './core.js';
import { openShared } from './sharedEngine.js';

export * from '../library/exports.js';

/** What is served, and where. */
export interface ServeOptions extends EngineOptions {
  /** The path before those of the interface: `/elasticsearch/books/_search` is `/books/_search`. `/elasticsearch` without. */
  path?: string;
  /** Answer from the first visit on, in place of an older worker and in pages that are open already; true without. */
  atOnce?: boolean;
}

/** The parts of a service worker's global that are used, which the types of pages don't have. */
interface ServiceWorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: { claim(): Promise<void> };
  readonly caches: CacheStorage;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/**
 * Answers the pages' requests below a path. To be called while the worker's script is run for the first time, as its events want it.
 * The engine is made with the first request; what it keeps in memory is gone when the browser ends the worker, as it does when nobody
 * asks for a while.
 * @returns the engine, for what the worker itself has to put into it
 */
export function serve(options: ServeOptions = {}): { engine(): Promise<WorkerEngine> } {
  const { path = '/elasticsearch', atOnce = true, ...engineOptions } = options;
  const scope = globalThis as unknown as ServiceWorkerScope;
  const prefix = path.replace(/\/+$/, '');
  let opened: Promise<WorkerEngine> | undefined;
  const engine = () => {
    opened ??= openShared(engineOptions, () => compileCoreFrom(() => cachedCore(scope.caches)));
    // What failed, as for want of a network, is tried again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  scope.addEventListener('install', (event) => {
    if (atOnce) event.waitUntil(scope.skipWaiting());
    if (engineOptions.wasm === undefined) event.waitUntil(cachedCore(scope.caches));
  });
  scope.addEventListener('activate', (event) => {
    event.waitUntil(dropOldCores(scope.caches));
    if (atOnce) event.waitUntil(scope.clients.claim());
  });
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== scope.location.origin) return;
    if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return;
    event.respondWith(answer(engine, request, prefix));
  });
  return { engine };
}

async function answer(
  engine: () => Promise<WorkerEngine>,
  request: Request,
  prefix: string,
): Promise<Response> {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(prefix.length);
  const body = await request.arrayBuffer();
  const { method, headers, signal } = request;
  const below = new Request(url, { method, headers, signal, ...(body.byteLength === 0 ? {} : { body }) });
  try {
    return await (await engine()).fetch(below);
  } catch (e) {
    return Response.json({ error: e instanceof Error ? e.message : String(e), status: 503 }, { status: 503 });
  }
}

const CACHE = 'resilin-core-';
/** Of another core comes another worker, in whose bundle this is another version or another URL. */
const cacheName = `${CACHE}${VERSION}`;

/** The core's file, from the cache where it is there. */
async function cachedCore(caches: CacheStorage): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(coreUrl());
  if (kept !== undefined) return kept;
  const response = await fetch(coreUrl());
  if (response.ok) await cache.put(coreUrl(), response.clone());
  return response;
}

async function dropOldCores(caches: CacheStorage): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(CACHE) && name !== cacheName) await caches.delete(name);
}
