/** Finds and compiles the core. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where modules may stand in a folder: in the package's own, and in that of the sources. */
const CORE = ['resilin.wasm', join('build', 'resilin.wasm')];
const KERNELS = ['kernels.wasm', join('build', 'kernelLibrary.release.wasm')];

/** `resilin.wasm` of the package that this module belongs to, from its sources as from its build. */
export function coreFile(): string {
  const file = nearest(CORE);
  if (file !== undefined) return file;
  throw new Error(
    'resilin.wasm is missing. Bundled: put the file of resilin/resilin.wasm beside the bundle, or hand it over as ' +
      '`createEngine({ wasm })`; from the sources: run `npm run build`',
  );
}

/** `kernels.wasm`, in the same way. */
export function kernelsFile(): string {
  const file = nearest(KERNELS);
  if (file !== undefined) return file;
  throw new Error(
    'kernels.wasm is missing. Bundled: put the file of resilin/kernels.wasm beside the bundle, or hand it over as ' +
      '`loadKernels(module)`; from the sources: run `npm run build:kernels`',
  );
}

function nearest(places: readonly string[]): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = places.map((place) => join(folder, place)).find(existsSync);
    if (file !== undefined || folder === dirname(folder)) return file;
  }
}

/** The compiled core, from the package's own file unless another is named. */
export async function compileCore(file = coreFile()): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(file));
}
