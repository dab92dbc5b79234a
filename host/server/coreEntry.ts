/** `resilin/core` in Node, Deno and Bun, as host/browser/coreEntry.ts is in browsers. */
import { readFile } from 'node:fs/promises';
import { type CoreSource, fetched, openCore, type ResilinCore } from '../coreLibrary/loadedCore.js';
import { compileCore } from './wasm.js';

export * from '../coreLibrary/exports.js';

/** Loads the core: the package's own, which is found by itself, unless another one is given. Rejects where it is of another {@link abiVersion}. */
export async function loadCore(wasm?: CoreSource): Promise<ResilinCore> {
  return openCore(wasm ?? (await compileCore()), bytesAt);
}

/** `fetch` doesn't know files here. */
async function bytesAt(url: string | URL): Promise<BufferSource> {
  return String(url).startsWith('file:') ? readFile(new URL(url)) : fetched(url);
}
