import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILD, CHECKED, ROOT } from './builtHost.js';

/**
 * Where the build is that server processes run, and from which tests load the host: there are `resilin.wasm` and `js/host`. The host is
 * that of today's sources (test/globalSetup.ts); the core is compiled where it isn't. Ask while a test file is imported: there a
 * compiler's time is no test's time.
 */
export async function built(): Promise<string> {
  if (process.env.RESILIN_BUILD_HAS_CORE !== 'true') {
    const way = CHECKED ? 'checked' : 'all';
    await promisify(execFile)(process.execPath, ['scripts/build.mjs', way], {
      cwd: ROOT,
      maxBuffer: Infinity,
    });
    // For the next file of this worker.
    process.env.RESILIN_BUILD_HAS_CORE = 'true';
  }
  return BUILD;
}

let bundling: Promise<string> | undefined;

/**
 * The file of the server for processes of their own: bundled, it starts in half the time. Beside it are `server.js`, which exports
 * `createServer`, and `resilin.js`, the command that is installed. Ask while a test file is imported.
 */
export function serverFile(): Promise<string> {
  bundling ??= bundled();
  return bundling;
}

async function bundled(): Promise<string> {
  const build = await built();
  const way = ['server', ...(CHECKED ? ['checked'] : [])];
  await promisify(execFile)(process.execPath, ['scripts/build.mjs', ...way], { cwd: ROOT });
  return join(build, 'server/main.js');
}
