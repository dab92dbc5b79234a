/** Finds and compiles the core. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `build/resilin.wasm` of the package that this module belongs to, from its sources as from its build. */
export function coreFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'build', 'resilin.wasm');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) throw new Error('build/resilin.wasm is missing; run `npm run build`');
  }
}

/** The compiled core, from the package's own file unless another is named. */
export async function compileCore(file = coreFile()): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(file));
}
