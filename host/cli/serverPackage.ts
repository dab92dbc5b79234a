/**
 * The packages that a server needs besides the engine. Whoever installs the library alone doesn't have them: the command then runs the
 * package `resilin-server`, which depends on all of them, through npm.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { VERSION } from '../version.js';

/** In the environment of what `resilin` runs in its place, so that it doesn't do so again. */
const RUNS = 'RESILIN_RUNS_SERVER_PACKAGE';

const PARTS = ['fastify', 'fs-native-extensions', 'lmdb', 'pino', 'prom-client', 'yaml'];

/** Which of the server's packages aren't installed. */
export function missingParts(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return PARTS.filter((name) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
}

/** Runs the command of `resilin-server` with npm, which installs it into its cache, and ends as it does. */
export function runServerPackage(options: readonly string[], missing: readonly string[]): void {
  const name = `resilin-server@${VERSION}`;
  if (process.env[RUNS] !== undefined) {
    refuse(name, missing);
    return;
  }
  process.stderr.write(`resilin: the server is the package ${name}; npm runs it\n`);
  const [command, ...first] = npm();
  const run = [...first, 'exec', '--yes', `--package=${name}`, '--', 'resilin-server', ...options];
  const child = spawn(command, run, { stdio: 'inherit', env: { ...process.env, [RUNS]: '1' } });
  // A terminal sends it to the server too, which takes its second for an order to stop at once.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', () => refuse(name, missing));
  child.on('exit', (status) => process.exit(status ?? 1));
}

/** How npm is run: with this Node where npm runs this command; its own script wants a shell on Windows. */
function npm(): [string, ...string[]] {
  const script = process.env.npm_execpath?.replace(/npx-cli\.js$/, 'npm-cli.js');
  return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}

function refuse(name: string, missing: readonly string[]): void {
  process.stderr.write(
    `resilin: the server needs ${missing.join(', ')}; install it with: npm install ${name}\n`,
  );
  process.exitCode = 1;
}
