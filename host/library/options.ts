/** What an engine is made of, and the ways to talk to it. */
import type { Engine } from '../engine/engine.js';
import type { Principal } from '../security/principal.js';
import type { RepositoryLocations } from '../snapshot/locations.js';
import type { Blobs, Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';

/** What an engine is made of; everything has a default. */
export interface EngineOptions {
  /**
   * The core: its bytes, or compiled. It is found by itself where its file stands beside the engine's; a runtime that lets no program
   * compile WebAssembly wants it here as a `WebAssembly.Module`.
   */
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
  /** Not all who ask may touch everything; see {@link WorkerEngine.as}. */
  guarded?: boolean;
}

/** An answer in bytes. */
export interface EngineResponse {
  status: number;
  contentType: string;
  body: Uint8Array;
}

/** The ways to talk to an engine. */
export interface Caller {
  /** The interface of 1.7 without HTTP: a method, a path with its query, a body as bytes. */
  handle(method: string, uri: string, body?: Uint8Array): Promise<EngineResponse>;
  /**
   * The same for JavaScript: a body is sent as JSON, its bigints as whole numbers, unless it is a string or bytes; JSON answers are
   * parsed, which rounds whole numbers beyond 2^53.
   */
  request(method: string, uri: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** The same for the Fetch API: `Deno.serve(resilin.fetch)`, a service worker's `fetch` event. */
  fetch(request: Request): Promise<Response>;
}

/** An engine in a thread of its own, and the ways to talk to it. */
export interface WorkerEngine extends Caller {
  /** The engine for somebody who may not do everything; {@link EngineOptions.guarded} belongs to it. */
  as(principal: Principal): Caller;
  close(): Promise<void>;
}

/** An engine in this thread, and the ways to talk to it. */
export interface Resilin extends WorkerEngine {
  /** @internal */
  readonly engine: Engine;
}
