/**
 * The playground, in `dist/playground/`: the console over an engine in the tab, with the engine's files beside it. Plain files, for any web
 * server; a service worker keeps all of them.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const BUILT = path.join(root, 'build/playground');

/** What a worker loads: its script, the engine of pages with the parts that it loads late, the core. */
const ENGINE = (name) => /^(worker|lateWorker|resilin)(-[\w]+)?\.(js|wasm)$/.test(name);

/** Builds it into a folder. @param dist the package, whose engine is taken */
export async function buildPlayground(dist) {
  const folder = path.join(dist, 'playground');
  const { build } = await import('vite');
  await build({ configFile: path.join(root, 'console/playground/vite.config.ts'), logLevel: 'warn' });
  rmSync(folder, { recursive: true, force: true });
  cpSync(BUILT, folder, { recursive: true });
  cpSync(path.join(root, 'console/playground/data'), path.join(folder, 'data'), { recursive: true });
  mkdirSync(path.join(folder, 'engine'));
  for (const name of readdirSync(dist).filter(ENGINE))
    cpSync(path.join(dist, name), path.join(folder, 'engine', name));
  const files = readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll(path.sep, '/'))
    .filter((name) => statSync(path.join(folder, name)).isFile() && !name.endsWith('.md'))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(folder, file)));
  const worker = readFileSync(path.join(root, 'console/playground/serviceWorker.js'), 'utf8');
  const made = [
    `const VERSION = ${JSON.stringify(hash.digest('hex').slice(0, 16))};`,
    `const FILES = ${JSON.stringify(['./', ...files.map((file) => `./${file}`)])};`,
    worker,
  ];
  writeFileSync(path.join(folder, 'serviceWorker.js'), made.join('\n'));
}
