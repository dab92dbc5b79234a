/** `resilin/core` in browsers and in all that has the Fetch API, as host/server/coreEntry.ts is in Node. */
import { type CoreSource, fetched, openCore, type ResilinCore } from '../coreLibrary/loadedCore.js';
import { compileAnyCore } from './core.js';

export * from '../coreLibrary/exports.js';

/** Loads the core: the package's own, which is found by itself, unless another one is given. Rejects where it is of another {@link abiVersion}. */
export async function loadCore(wasm?: CoreSource): Promise<ResilinCore> {
  return openCore(wasm ?? (await compileAnyCore()), fetched);
}
