/** Resilin as a library in browsers and in all that has the Fetch API, as host/index.ts is in Node. */
import type { EngineOptions, WorkerEngine } from '../library/options.js';
import { compileAnyCore } from './core.js';
import { openShared } from './sharedEngine.js';

export * from '../library/exports.js';

/** Makes an engine in the caller's thread; one that is kept may be that of another tab. */
export function createEngine(options: EngineOptions = {}): Promise<WorkerEngine> {
  return openShared(options, compileAnyCore);
}
