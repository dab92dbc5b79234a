import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Compiled cores, each under the hash of all it was compiled from. */
const CACHE = 'node_modules/.cache/resilin-cores';

type Target = 'debug' | 'release';

/** One core that the tests load from `build/`. */
interface Core {
  readonly entry: string;
  /** The file name in `build/` by target. */
  readonly file: (target: Target) => string;
  readonly flags?: readonly string[];
}

const CORES: readonly Core[] = [
  {
    entry: 'assembly/index.ts',
    file: (target) => (target === 'debug' ? 'resilin.debug.wasm' : 'resilin.wasm'),
  },
  { entry: 'assembly/testing/analysis.ts', file: (target) => `analysis.${target}.wasm` },
  { entry: 'assembly/testing/segments.ts', file: (target) => `segments.${target}.wasm` },
  {
    entry: 'assembly/testing/kernels.ts',
    file: (target) => `kernels.${target}.wasm`,
    flags: ['--importMemory'],
  },
];

/** Puts what watches the lifetimes of memory (assembly/memory/lifetimes.ts) into debug builds. */
const WATCH_MEMORY = './scripts/watch-memory.mjs';

/** Adds a source file and all that it imports, to `sources`: path to text. */
async function collect(file: string, sources: Map<string, string>): Promise<void> {
  if (sources.has(file)) return;
  const text = await readFile(file, 'utf8');
  sources.set(file, text);
  for (const [, target] of text.matchAll(/\bfrom\s+'(\.[^']*)'/g)) {
    await collect(`${path.join(path.dirname(file), target!)}.ts`, sources);
  }
}

/** The hash of what a core is compiled from: its sources, the options, the compiler's version, what is put in. */
async function sourceHash(core: Core, target: Target): Promise<string> {
  const sources = new Map<string, string>();
  await collect(core.entry, sources);
  const hash = createHash('sha256').update(JSON.stringify([core.entry, target, core.flags ?? []]));
  hash.update(await readFile('asconfig.json'));
  hash.update(await readFile('node_modules/assemblyscript/package.json'));
  if (target === 'debug') hash.update(await readFile(WATCH_MEMORY));
  for (const file of [...sources.keys()].sort()) hash.update(`\0${file}\0${sources.get(file)}`);
  return hash.digest('hex');
}

/** Copies a file. Readers of a half-written one must not exist: it is written aside and renamed. */
async function place(from: string, to: string): Promise<void> {
  const aside = `${to}.${process.pid}`;
  await copyFile(from, aside);
  await rename(aside, to);
}

/** Puts a core into `build/`: the compiled one of the same sources, or else one compiled now. */
async function provide(core: Core, target: Target): Promise<void> {
  const cached = path.join(CACHE, `${await sourceHash(core, target)}.wasm`);
  const out = path.join('build', core.file(target));
  try {
    await place(cached, out);
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await compile(core, target, out);
  await place(out, cached);
}

/** Compiles a core to a file. */
async function compile(core: Core, target: Target, out: string): Promise<void> {
  const compiler = 'node_modules/assemblyscript/bin/asc.js';
  const options = ['--config', 'asconfig.json', '--target', target, ...(core.flags ?? []), '--outFile', out];
  if (target === 'debug') options.push('--transform', WATCH_MEMORY);
  try {
    await run(process.execPath, [compiler, core.entry, ...options], { maxBuffer: Infinity });
  } catch (cause) {
    const { signal, stderr } = cause as { signal?: string; stderr?: string };
    // Without a word of its own a compiler has been killed, as where there is no memory left.
    const why = stderr?.trim() || `ended by ${signal ?? 'itself'} without a message`;
    throw new Error(`the ${target} core of ${core.entry} can't be compiled: ${why}`, { cause });
  }
}

/** Provides all cores, compiling as many at a time as there are processors: a compiler takes nearly half a GB. */
async function provideAll(): Promise<void> {
  const left = CORES.flatMap((core): (() => Promise<void>)[] => [
    () => provide(core, 'release'),
    () => provide(core, 'debug'),
  ]);
  const provideNext = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, provideNext));
}

/**
 * Provides the cores that the tests load, once before the suite, so that the tests always run what the sources say: the
 * whole core, and its low-level modules as exports of their own (assembly/testing/). What was compiled from the same
 * sources before isn't compiled again. With `RESILIN_CORE=debug` all that loads the whole core, servers too, loads the debug one until
 * the suite ends.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await mkdir(CACHE, { recursive: true });
  await mkdir('build', { recursive: true });
  await provideAll();
  if (process.env.RESILIN_CORE !== 'debug') return undefined;
  const [whole] = CORES;
  await place(path.join('build', whole!.file('debug')), path.join('build', whole!.file('release')));
  return () => provide(whole!, 'release');
}
