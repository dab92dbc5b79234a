import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const CHECKED = process.env.RESILIN_CORE === 'debug';

/**
 * Builds what a server process runs, as far as its sources have changed, and says where: there are `resilin.wasm` and `js/host`. With
 * `RESILIN_CORE=debug` the core is the debug core. Servers run from a build as worker threads run JavaScript alone. Build while a test
 * file is imported: there a compiler's time is no test's time.
 */
export async function built(): Promise<string> {
  const script = resolve(root, 'scripts/build.mjs');
  await promisify(execFile)(process.execPath, [script, CHECKED ? 'checked' : 'all'], { maxBuffer: Infinity });
  return resolve(root, CHECKED ? 'build/checked/build' : 'build');
}
