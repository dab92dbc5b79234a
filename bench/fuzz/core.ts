import { readFile } from 'node:fs/promises';
import { textOption } from '../server/options.js';

/** The core that `--core` names, or else that of the build. */
export async function coreModule(args: readonly string[]): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(textOption(args, 'core') ?? 'build/resilin.wasm'));
}
