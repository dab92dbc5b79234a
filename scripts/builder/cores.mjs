/**
 * The cores: each is compiled from its sources once, into `node_modules/.cache/resilin-cores`, under the hash of all it is made of. Tests
 * load them from there; what is served and benchmarked is a copy in `build/`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { locked } from './lock.mjs';
import { imprint, readStamp, replaceFile } from './stamps.mjs';
import { step } from './steps.mjs';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const CACHE = path.join(root, 'node_modules/.cache/resilin-cores');
/** A core that nobody asked for in so many days is removed from the cache. */
const KEPT_DAYS = 14;

/** Puts what watches the lifetimes of memory (assembly/memory/lifetimes.ts) into debug builds. */
const WATCH_MEMORY = 'scripts/watch-memory.mjs';
/** Writes what keeps the state of a call while another one is carried out (assembly/nesting.ts). */
const NESTED_STATE = 'scripts/nested-state.mjs';

/** The whole core, the kernels of the package, and low-level modules as exports of their own for tests (assembly/testing/). */
const CORES = {
  resilin: { entry: 'assembly/index.ts', flags: [] },
  kernelLibrary: { entry: 'assembly/kernels/index.ts', flags: [] },
  testing: { entry: 'assembly/testing/index.ts', flags: ['--importMemory'] },
};
const TARGETS = ['release', 'debug'];
/** What the tests load, that first which takes longest. */
const TESTED = [
  ['resilin', 'release'],
  ['testing', 'release'],
  ['resilin', 'debug'],
  ['kernelLibrary', 'release'],
  ['testing', 'debug'],
];

/** Sources that were read, by their path from the root. */
class Sources {
  #texts = new Map();

  text(file) {
    if (!this.#texts.has(file)) this.#texts.set(file, readFileSync(path.join(root, file), 'utf8'));
    return this.#texts.get(file);
  }

  /** A file and all that it imports. */
  reachable(file, found = new Set()) {
    if (found.has(file)) return found;
    found.add(file);
    for (const [, target] of this.text(file).matchAll(/\bfrom\s+'(\.[^']*)'/g))
      this.reachable(`${path.posix.join(path.posix.dirname(file), target)}.ts`, found);
    return found;
  }
}

/** The file of a core in the cache: its name is the hash of the sources, the options, the compiler's version, and what is put in. */
function cacheFile(name, target, sources) {
  const { entry, flags } = CORES[name];
  const hash = createHash('sha256').update(JSON.stringify([entry, target, flags]));
  hash.update(sources.text('asconfig.json'));
  hash.update(sources.text('node_modules/assemblyscript/package.json'));
  if (target === 'debug') hash.update(sources.text(WATCH_MEMORY));
  hash.update(sources.text(NESTED_STATE));
  for (const file of [...sources.reachable(entry)].sort()) hash.update(`\0${file}\0${sources.text(file)}`);
  return path.join(CACHE, `${hash.digest('hex')}.wasm`);
}

/** Where each core of today's sources is or will be in the cache, by `name.target`. Which are there, stay there. */
export function cacheFiles() {
  const sources = new Sources();
  const files = {};
  for (const name of Object.keys(CORES))
    for (const target of TARGETS) {
      const file = cacheFile(name, target, sources);
      if (existsSync(file)) utimesSync(file, new Date(), new Date());
      files[`${name}.${target}`] = file;
    }
  return files;
}

/** The file of a core in the cache; compiles it where that wasn't done before. */
export async function cachedCore(name, target) {
  if (CORES[name] === undefined || !TARGETS.includes(target)) throw new Error(`no core ${name}, ${target}`);
  const file = cacheFile(name, target, new Sources());
  if (existsSync(file)) return file;
  await locked(path.join(CACHE, `${name}.${target}.lock`), async () => {
    if (existsSync(file)) return;
    await step(`core ${name}, ${target}`, () => compile(name, target, file));
    removeUnused();
  });
  return file;
}

/** Compiles what the tests load, one core on each processor. */
export async function cacheTestedCores() {
  const waiting = TESTED.values();
  const compileNext = async () => {
    for (const [name, target] of waiting) await cachedCore(name, target);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compileNext));
}

async function compile(name, target, file) {
  const { entry, flags } = CORES[name];
  const folder = `${file}.${process.pid}`;
  const out = path.join(folder, `${name}.wasm`);
  const options = ['--config', 'asconfig.json', '--target', target, ...flags, '--outFile', out];
  if (target === 'debug') options.push('--transform', `./${WATCH_MEMORY}`);
  options.push('--transform', `./${NESTED_STATE}`);
  mkdirSync(folder);
  try {
    const compiler = 'node_modules/assemblyscript/bin/asc.js';
    await run(process.execPath, [compiler, entry, ...options], { cwd: root, maxBuffer: Infinity });
    renameSync(out, file);
  } catch (cause) {
    // Without a word of its own a compiler has been killed, as where there is no memory left.
    const why = cause.stderr?.trim() || `ended by ${cause.signal ?? 'itself'} without a message`;
    throw new Error(`the ${target} core of ${entry} can't be compiled: ${why}`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function removeUnused() {
  const oldest = Date.now() - KEPT_DAYS * 24 * 3600 * 1000;
  for (const name of readdirSync(CACHE)) {
    const file = path.join(CACHE, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < oldest && name.endsWith('.wasm'))
      rmSync(file, { force: true });
  }
}

/** The stamp of a core that stands outside the cache: of which of the cache's it is a copy. */
const stampOf = (out) => path.join(path.dirname(out), 'stamps', `${path.basename(out)}.json`);

function isCopy(out, file) {
  const stamp = readStamp(path.join(root, stampOf(out)));
  return (
    stamp !== undefined && stamp.of === path.basename(file) && stamp.imprint === imprint(path.join(root, out))
  );
}

/** Where a core stands in `build/`. */
function buildFile(name, target) {
  const debug = target === 'debug' ? '.debug' : '';
  return path.join('build', name === 'resilin' ? `resilin${debug}.wasm` : `${name}.${target}.wasm`);
}

/** Is a core in `build/`, or elsewhere, what the sources say? */
export function coreIsBuilt(name, target, out = buildFile(name, target)) {
  return isCopy(out, cacheFile(name, target, new Sources()));
}

/** Puts a core into `build/`, or elsewhere. */
export async function buildCore(name, target, out = buildFile(name, target)) {
  const file = await cachedCore(name, target);
  if (isCopy(out, file)) return;
  const placed = path.join(root, out);
  replaceFile(placed, readFileSync(file));
  replaceFile(
    path.join(root, stampOf(out)),
    JSON.stringify({ of: path.basename(file), imprint: imprint(placed) }),
  );
}
