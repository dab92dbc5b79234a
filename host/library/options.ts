/** What an engine is made of, and the ways to talk to it. */

import type { Engine } from '../engine/engine.js';
import type { Principal } from '../security/principal.js';
import type { Imported } from '../snapshot/imported.js';
import type { RepositoryLocations } from '../snapshot/locations.js';
import type { Blobs, Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import type { BulkAnswer, JsonObject, SearchAnswer, SearchBody, StoredDocument, Written } from './answers.js';
import type { Store } from './store.js';

/** What an engine is made of; everything has a default. */
export interface EngineOptions {
  /**
   * The core: its bytes, or compiled. It is found by itself where its file stands beside the engine's; a runtime that lets no program
   * compile WebAssembly wants it here as a `WebAssembly.Module`.
   */
  wasm?: BufferSource | WebAssembly.Module;
  /**
   * Where everything is kept; memory without. In browsers and their workers `idb:NAME`, in IndexedDB; in dedicated workers `opfs:NAME`, in
   * files; in Node and Deno the path of a folder, with the packages `lmdb` and `fs-native-extensions`. One engine at a time can have it. Or a
   * {@link Store}, such as those of `resilin/storage/idb` and its like.
   */
  data?: string | Store;
  /** Parts of a store of your own in place of {@link data}: where documents are kept. */
  storage?: Storage;
  /** And where segments are kept. */
  blobs?: Blobs;
  /** Where repositories of snapshots may be; memory. */
  places?: RepositoryLocations;
  clock?: Clock;
  /** Told of what an operator should know. */
  warn?: (message: string) => void;
  /** Not all who ask may touch everything; see {@link WorkerEngine.as}. */
  guarded?: boolean;
  /** Let scripts in Groovy run, those in requests and those that are stored; see docs/scripts.md. */
  groovy?: boolean;
}

/** An answer in bytes. */
export interface EngineResponse {
  status: number;
  contentType: string;
  body: Uint8Array;
}

/** How a document is written. */
export interface WriteOptions {
  id?: string;
  /** Let searches see it at once; they do within a second without. */
  refresh?: boolean;
}

/** How an index is made of an exported file. */
export interface ImportOptions {
  /** Another name than it had. */
  name?: string;
}

/** The ways to talk to an engine. */
export interface Caller {
  /** The interface of 1.7 without HTTP: a method, a path with its query, a body as bytes. */
  handle(method: string, uri: string, body?: Uint8Array): Promise<EngineResponse>;
  /**
   * The same for JavaScript: a body is sent as JSON, its bigints as whole numbers, unless it is a string or bytes; JSON answers are
   * parsed, which rounds whole numbers beyond 2^53.
   */
  request<T = unknown>(method: string, uri: string, body?: unknown): Promise<{ status: number; body: T }>;
  /**
   * Searches indices: names with commas between, with wildcards or without; all of them where it is empty. Throws {@link RequestError}.
   * @typeParam T what the documents are
   */
  search<T = JsonObject>(index: string, body?: SearchBody): Promise<SearchAnswer<T>>;
  /** A document, or undefined where there is none of that id. Throws {@link RequestError} where there is no such index. */
  get<T = JsonObject>(index: string, type: string, id: string): Promise<StoredDocument<T> | undefined>;
  /** Puts a document in the place of one with its id; without an id it is given one. Throws {@link RequestError}. */
  index(index: string, type: string, document: object, options?: WriteOptions): Promise<Written>;
  /**
   * Many writes: lines of actions, such as `{ index: { _index: 'books', _type: 'book', _id: '1' } }`, each but deletions with its
   * document behind it. Throws {@link RequestError} where the whole is refused; what becomes of each is in the answer.
   */
  bulk(lines: Iterable<object>, options?: Pick<WriteOptions, 'refresh'>): Promise<BulkAnswer>;
  /** The same for the Fetch API: `Deno.serve(resilin.fetch)`, a service worker's `fetch` event. */
  fetch(request: Request): Promise<Response>;
}

/** An engine in a thread of its own, and the ways to talk to it. */
export interface WorkerEngine extends Caller {
  /** The engine for somebody who may not do everything; {@link EngineOptions.guarded} belongs to it. */
  as(principal: Principal): Caller;
  /**
   * One file of an index: its segments, documents, mapping, settings, analyzers and aliases. Indices elsewhere that are made of it by
   * {@link importIndex} answer as this one does, to the last bit of a score.
   */
  exportIndex(index: string): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Makes an index of an exported file: its bytes, or a URL that `fetch` gets it from. Nothing is indexed again. Rejects, and leaves all as
   * it was, where the file is damaged or there is an index of the name.
   */
  importIndex(file: string | URL | Uint8Array, options?: ImportOptions): Promise<Imported>;
  close(): Promise<void>;
}

/** An engine in this thread, and the ways to talk to it. */
export interface Resilin extends WorkerEngine {
  /** @internal */
  readonly engine: Engine;
}
