/**
 * Resilin as a library.
 *
 *     import { createEngine } from 'resilin';
 *     const resilin = await createEngine();
 *     await resilin.request('PUT', '/books/book/1?refresh=true', { title: 'The name of the rose' });
 *     const { body } = await resilin.request('POST', '/books/_search', { query: { match: { title: 'rose' } } });
 *     await resilin.close();
 *
 * The engine runs in the caller's thread, in Node, Deno and browsers alike; there `wasm` says where the core is.
 * {@link createServer} is for Node alone: worker threads, LMDB and HTTP.
 */
import { Principal } from './security/principal.js';
import { type Clock, wallClock } from './time/clock.js';
import { Engine } from './engine/engine.js';
import { LocalTransport } from './shard/localShards.js';
import type { RestResponse } from './rest/request.js';
import type { Router } from './rest/router.js';
import { createRouter } from './rest/routes.js';
import type { RunningServer, ServerOptions } from './server/server.js';
import { bodyText } from './json/bigints.js';
import type { RepositoryLocations } from './snapshot/locations.js';
import { MemoryBlobs, MemoryStorage } from './storage/memory.js';
import type { Blobs, Storage } from './storage/storage.js';
import { handleFetch } from './browser/fetch.js';

export type { Grants } from './security/grants.js';
export { Principal } from './security/principal.js';
export type { Clock } from './time/clock.js';
export type { Engine } from './engine/engine.js';
export type { RestResponse } from './rest/request.js';
export type { RunningServer, ServerOptions } from './server/server.js';
export type { RepositoryLocations } from './snapshot/locations.js';
export type { Blobs, Storage } from './storage/storage.js';

/** What an engine is made of; everything has a default. */
export interface EngineOptions {
  /** The core: its bytes, or compiled. In Node it is found by itself. */
  wasm?: BufferSource | WebAssembly.Module;
  /** Where documents are kept; memory. */
  storage?: Storage;
  /** Where segments are kept; memory. */
  blobs?: Blobs;
  /** Where repositories of snapshots may be; memory. */
  places?: RepositoryLocations;
  clock?: Clock;
  /** Told of what an operator should know. */
  warn?: (message: string) => void;
  /** Not all who ask may touch everything; see {@link Resilin.as}. */
  guarded?: boolean;
}

/** The ways to talk to an engine. */
export interface Caller {
  /** The interface of 1.7 without HTTP: a method, a path with its query, a body as bytes. */
  handle(method: string, uri: string, body?: Uint8Array): Promise<RestResponse>;
  /**
   * The same for JavaScript: a body is sent as JSON, its bigints as whole numbers, unless it is a string or bytes; JSON answers are
   * parsed, which rounds whole numbers beyond 2^53.
   */
  request(method: string, uri: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** The same for the Fetch API: `Deno.serve(resilin.fetch)`, a service worker's `fetch` event. */
  fetch(request: Request): Promise<Response>;
}

/** An engine in this thread, and the ways to talk to it. */
export interface Resilin extends Caller {
  readonly engine: Engine;
  /** The engine for somebody who may not do everything; {@link EngineOptions.guarded} belongs to it. */
  as(principal: Principal): Caller;
  close(): Promise<void>;
}

const utf8 = new TextEncoder();

/** Makes an engine in the caller's thread and opens what its storage holds. */
export async function createEngine(options: EngineOptions = {}): Promise<Resilin> {
  const module = await compile(options.wasm);
  const engine = await Engine.open({
    storage: options.storage ?? new MemoryStorage(),
    blobs: options.blobs ?? new MemoryBlobs(),
    clock: options.clock ?? wallClock,
    transport: new LocalTransport(module),
    module,
    ...(options.places === undefined ? {} : { places: options.places }),
    ...(options.warn === undefined ? {} : { warn: options.warn }),
    ...(options.guarded === undefined ? {} : { guarded: options.guarded }),
  });
  return over(engine, createRouter(engine, { node: 'Resilin', cluster: 'elasticsearch', version: '0.1.0' }));
}

/** Starts a server with worker threads, LMDB and HTTP. Node only. */
export async function createServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { startServer } = await import('./server/server.js');
  return startServer(options);
}

async function compile(wasm: EngineOptions['wasm']): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm !== undefined) return WebAssembly.compile(wasm);
  const { compileCore } = await import('./server/wasm.js');
  return compileCore();
}

function over(engine: Engine, router: Router): Resilin {
  return {
    engine,
    ...callerOf(router, Principal.unrestricted),
    as: (principal) => callerOf(router, principal),
    close: () => engine.close(),
  };
}

function callerOf(router: Router, principal: Principal): Caller {
  const handle: Caller['handle'] = async (method, uri, body = new Uint8Array(0)) => {
    const answer = await router.handle(method, uri, body, principal);
    // Answers share their buffers; a caller's is its own, which it may hand on to another thread.
    return { ...answer, body: answer.body.slice() };
  };
  return {
    handle,
    async request(method, uri, body) {
      const { status, contentType, body: bytes } = await handle(method, uri, toBytes(body));
      const text = new TextDecoder().decode(bytes);
      return {
        status,
        body: contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text,
      };
    },
    fetch: (request) => handleFetch(router, request, principal),
  };
}

function toBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body;
  return utf8.encode(typeof body === 'string' ? body : bodyText(body));
}
