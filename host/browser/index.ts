/** Resilin as a library in browsers and in all that has the Fetch API, as host/index.ts is in Node. */
import { openEngine } from '../library/engine.js';
import type { EngineOptions, Resilin } from '../library/options.js';
import { browserPlatform } from './platform.js';

export * from '../library/exports.js';

/** Makes an engine in the caller's thread. */
export function createEngine(options: EngineOptions = {}): Promise<Resilin> {
  return openEngine(options, browserPlatform);
}
