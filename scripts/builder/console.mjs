/**
 * The console, in `build/console/`: what Vite makes of `console/`, each file packed with gzip beside it, so that the server packs nothing.
 * Types are checked by `npm run check`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { locked } from './lock.mjs';
import { readStamp, replaceFile } from './stamps.mjs';
import { step } from './steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** Where it is built. */
export const CONSOLE = path.join(root, 'build/console');
const STAMP = path.join(root, 'build/stamps/console.json');

/** Smaller files are not worth packing. */
const MIN_PACKED = 512;

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => statSync(file).isFile())
    .sort();

/** What it is made of, from the root: its own files, and the versions of what they import. */
export function consoleSources() {
  const own = filesBelow(path.join(root, 'console'))
    .filter((file) => !file.endsWith('.md'))
    .map((file) => path.relative(root, file).replaceAll(path.sep, '/'));
  return [...own, 'package-lock.json', 'scripts/builder/console.mjs'];
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of consoleSources()) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('base64');
}

/** Is the built console what the sources say? */
export function consoleIsBuilt() {
  return existsSync(path.join(CONSOLE, 'index.html')) && readStamp(STAMP)?.sources === hashOfSources();
}

/** Builds it anew, where it isn't of today's sources. */
export async function buildConsole() {
  if (consoleIsBuilt()) return;
  await locked(`${STAMP}.lock`, async () => {
    if (consoleIsBuilt()) return;
    const sources = hashOfSources();
    await step('console', async () => {
      const { build } = await import('vite');
      await build({ configFile: path.join(root, 'console/vite.config.ts'), logLevel: 'warn' });
      for (const file of filesBelow(CONSOLE)) {
        const bytes = readFileSync(file);
        if (bytes.length >= MIN_PACKED) writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    });
    replaceFile(STAMP, JSON.stringify({ sources }));
  });
}
