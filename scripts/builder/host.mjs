/**
 * The host in JavaScript, in `build/js/host`: each module is compiled on its own, where its source has changed. Types are checked by
 * `npm run check`; the package is bundled apart from it (package.mjs).
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { locked } from './lock.mjs';
import { readStamp, replaceFile } from './stamps.mjs';
import { step } from './steps.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** Where the compiled host and what it was compiled from stand in a folder that is built into. */
const outIn = (folder) => path.join(root, folder, 'js');
const stampIn = (folder) => path.join(root, folder, 'stamps/host.json');

const hash = (...texts) => {
  const sum = createHash('sha256');
  for (const text of texts) sum.update(text).update('\0');
  return sum.digest('base64');
};
const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** What every module's output depends on. */
const optionsHash = () =>
  hash(read('tsconfig.json'), read('node_modules/rolldown/package.json'), read('scripts/builder/host.mjs'));

/** Every module of the host, by its path from the root. */
export function sourceFiles() {
  return readdirSync(path.join(root, 'host'), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.posix.join('host', name.replaceAll(path.sep, '/')));
}

const outputOf = (folder, source) => path.join(outIn(folder), source.replace(/\.ts$/, '.js'));

/** The modules that aren't compiled as they are now, those whose sources are gone, and the stamp of when they are. */
function compare(folder) {
  const options = optionsHash();
  const stamp = readStamp(stampIn(folder));
  const before = stamp?.options === options ? stamp.modules : {};
  const modules = {};
  const changed = [];
  for (const source of sourceFiles()) {
    modules[source] = hash(read(source));
    if (before[source] !== modules[source] || !existsSync(outputOf(folder, source))) changed.push(source);
  }
  const gone = Object.keys(stamp?.modules ?? {}).filter((source) => modules[source] === undefined);
  return { changed, gone, stamp: { options, modules } };
}

/** Is the compiled host what the sources say? */
export function hostIsBuilt(folder = 'build') {
  const { changed, gone } = compare(folder);
  return changed.length === 0 && gone.length === 0;
}

/** Compiles what has changed of the host. */
export async function buildHost(folder = 'build') {
  if (hostIsBuilt(folder)) return;
  await locked(stampIn(folder).replace(/json$/, 'lock'), async () => {
    const { changed, gone, stamp } = compare(folder);
    if (changed.length === 0 && gone.length === 0) return;
    const modules = changed.length === 1 ? 'module' : 'modules';
    await step(`host, ${changed.length} ${modules}`, () => compile(changed, folder));
    for (const source of gone)
      for (const end of ['', '.map']) rmSync(`${outputOf(folder, source)}${end}`, { force: true });
    replaceFile(stampIn(folder), JSON.stringify(stamp));
  });
}

/** Takes the types out, and makes what the target doesn't have of what it has. */
async function compile(sources, folder) {
  const { transform } = await import('rolldown/utils');
  const { target } = JSON.parse(read('tsconfig.json')).compilerOptions;
  const options = {
    target: target.toLowerCase(),
    sourcemap: true,
    tsconfig: false,
    typescript: { onlyRemoveTypeImports: true },
  };
  for (const source of sources) {
    const { code, map, errors } = await transform(source, read(source), options);
    if (errors.length > 0)
      throw new Error(stripVTControlCharacters(errors.map(({ message }) => message).join('\n')));
    const out = outputOf(folder, source);
    const { sourcesContent, ...lines } = map;
    lines.sources = [path.posix.relative(path.posix.dirname(`${folder}/js/${source}`), source)];
    replaceFile(`${out}.map`, JSON.stringify(lines));
    replaceFile(out, `${code}\n//# sourceMappingURL=${path.basename(out)}.map\n`);
  }
}
