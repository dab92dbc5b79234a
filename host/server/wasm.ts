/** Finds and compiles the core. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where it may stand in a folder: in the package's own, and in that of the sources. */
const PLACES = ['resilin.wasm', join('build', 'resilin.wasm')];

/** `resilin.wasm` of the package that this module belongs to, from its sources as from its build. */
export function coreFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = PLACES.map((place) => join(folder, place)).find(existsSync);
    if (file !== undefined) return file;
    if (folder === dirname(folder))
      throw new Error(
        'resilin.wasm is missing. Bundled: put the file of resilin/resilin.wasm beside the bundle, or hand it over as ' +
          '`createEngine({ wasm })`; from the sources: run `npm run build`',
      );
  }
}

/** The compiled core, from the package's own file unless another is named. */
export async function compileCore(file = coreFile()): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(file));
}
