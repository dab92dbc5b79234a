/**
 * Resilin as a library.
 *
 *     import { createEngine } from 'resilin';
 *     const resilin = await createEngine();
 *     await resilin.request('PUT', '/books/book/1?refresh=true', { title: 'The name of the rose' });
 *     const { body } = await resilin.request('POST', '/books/_search', { query: { match: { title: 'rose' } } });
 *     await resilin.close();
 *
 * The engine runs in the caller's thread. This is the entry of Node, Deno and Bun; browsers have host/browser/index.ts, with the same
 * exports. A server with worker threads, LMDB and HTTP is host/server/index.ts.
 */
import { openEngine } from './library/engine.js';
import type { EngineOptions, Resilin } from './library/options.js';
import { openData } from './server/libraryData.js';
import { compileCore } from './server/wasm.js';

export * from './library/exports.js';

/** Makes an engine in the caller's thread and opens what its storage holds. */
export function createEngine(options: EngineOptions = {}): Promise<Resilin> {
  return openEngine(options, { compileCore, openData });
}
