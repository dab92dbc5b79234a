/**
 * npm run bench:browser -- compare: one corpus and the same queries in Resilin and in other engines that run in a page, each in a browser of
 * its own, as its documentation begins. The other engines are fetched from npm into a temporary folder.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium } from 'playwright-core';
import { build } from 'rolldown';
import { corpusLines } from '../search/corpus.js';

/** What is compared: the file of its adapter, and what npm installs; `files` are what a bundler leaves behind. */
const ENGINES = [
  { name: 'Resilin', file: 'resilin', of: 'resilin', files: [] },
  { name: 'MiniSearch', file: 'minisearch', of: 'minisearch@7.2.0', files: [] },
  { name: 'Orama', file: 'orama', of: '@orama/orama@3.1.18', files: [] },
  { name: 'FlexSearch', file: 'flexsearch', of: 'flexsearch@0.8.212', files: [] },
  { name: 'Lunr', file: 'lunr', of: 'lunr@2.3.9', files: [] },
  {
    name: 'SQLite FTS5',
    file: 'sqlite',
    of: '@sqlite.org/sqlite-wasm@3.54.1-build1',
    files: ['@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'],
  },
] as const;

const KINDS = ['word', 'words', 'phrase', 'prefix', 'fuzzy'] as const;
type Kind = (typeof KINDS)[number];
type Queries = Record<Kind, string[]>;
/** Queries of each kind. */
const QUERIES = 200;
/** Milliseconds that each kind is asked for, at least. */
const ASKED_MS = 1000;

interface Passage {
  id: string;
  text: string;
}

/** An adapter's engine: each kind of query gives the ids of ten hits; a kind that is missing is none of the engine. */
type Engine = { index(documents: Passage[]): unknown } & Partial<
  Record<Kind, (text: string) => unknown[] | Promise<unknown[]>>
>;
/** What a page has. */
interface Page {
  engine: Engine;
  memories: Set<WebAssembly.Memory>;
}

interface Measured {
  name: string;
  /** Bytes that were loaded, each file gzipped. */
  bytes: number;
  /** Milliseconds on the clock, from the import of the engine to the answer of its first search, and of the indexing. */
  first: number;
  indexing: number;
  /** The same of the page's thread on the processor. */
  firstCpu: number;
  /** Bytes of the heap, of buffers outside it, and of WebAssembly. */
  memory: number;
  /** Queries in a second of the page's thread on the processor; undefined where there is no such kind. */
  rates: Partial<Record<Kind, number>>;
  /** The part of the queries that found anything. */
  found: Partial<Record<Kind, number>>;
}

/** Keeps the memories of WebAssembly, so that they can be measured. */
const PAGE = `<!doctype html><title>bench</title><link rel="icon" href="data:,"><script>
const memories = (globalThis.memories = new Set());
const { instantiate, instantiateStreaming, Instance, Memory } = WebAssembly;
const keep = (exports) => {
  for (const each of Object.values(exports)) if (each instanceof Memory) memories.add(each);
};
const keeping = (make) => async (...given) => {
  const made = await make(...given);
  keep((made.instance ?? made).exports);
  return made;
};
WebAssembly.instantiate = keeping(instantiate);
WebAssembly.instantiateStreaming = keeping(instantiateStreaming);
WebAssembly.Instance = class extends Instance {
  constructor(...given) {
    super(...given);
    keep(this.exports);
  }
};
WebAssembly.Memory = class extends Memory {
  constructor(...given) {
    super(...given);
    memories.add(this);
  }
};
</script>`;
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Numbers from 0 to 1, the same in every run. */
function seeded(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Queries of words that follow each other in passages, so that each has an answer. */
function queriesOf(passages: readonly Passage[]): Queries {
  const random = seeded();
  const queries: Queries = { word: [], words: [], phrase: [], prefix: [], fuzzy: [] };
  const isWord = (text: string | undefined) => text !== undefined && /^[a-z]{4,}$/.test(text);
  while (KINDS.some((kind) => queries[kind].length < QUERIES)) {
    const words = passages[Math.floor(random() * passages.length)]!.text.split(/\s+/);
    const at = Math.floor(random() * words.length);
    const [first, second, third] = words.slice(at, at + 3);
    if (!isWord(first) || !isWord(second) || !isWord(third)) continue;
    const letter = 1 + Math.floor(random() * (first!.length - 1));
    const made: Record<Kind, string | undefined> = {
      word: first,
      words: `${first} ${second} ${third}`,
      phrase: `${first} ${second}`,
      prefix: first!.slice(0, 4),
      fuzzy: first!.length < 6 ? undefined : `${first!.slice(0, letter)}x${first!.slice(letter + 1)}`,
    };
    for (const kind of KINDS)
      if (made[kind] !== undefined && queries[kind].length < QUERIES) queries[kind].push(made[kind]);
  }
  return queries;
}

/** Installs the engines, and makes a file of each as a bundler does. */
async function bundles(folder: string): Promise<void> {
  const npm = (...given: string[]) =>
    execFileSync('npm', [...given, '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      encoding: 'utf8',
    }),
  ) as [{ filename: string }];
  npm('install', ...ENGINES.map(({ of }) => (of === 'resilin' ? join(folder, filename) : of)));
  cpSync(resolve('bench/browser/engines'), join(folder, 'engines'), { recursive: true });
  const out = join(folder, 'out');
  for (const { file, files } of ENGINES) {
    await build({
      cwd: folder,
      input: { [file]: `engines/${file}.js` },
      platform: 'browser',
      logLevel: 'silent',
      // Resilin's files are served as they are: minified, and with the core beside them.
      external: ['resilin'],
      output: { dir: join(out, file), format: 'esm', minify: true, paths: { resilin: './resilin.js' } },
    });
    for (const left of files) cpSync(join(folder, 'node_modules', left), join(out, file, basename(left)));
  }
  const dist = join(folder, 'node_modules/resilin/dist');
  for (const name of readdirSync(dist))
    if (/\.(js|wasm)$/.test(name) && name !== 'resilin.js')
      cpSync(join(dist, name), join(out, 'resilin', name));
  cpSync(join(out, 'resilin/resilin.js'), join(out, 'resilin/adapter.js'));
  cpSync(join(dist, 'resilin.js'), join(out, 'resilin/resilin.js'));
}

/** In the page: imports an engine, puts all into it and asks once. */
async function load([script, query]: [string, string]): Promise<[first: number, indexing: number]> {
  const page = globalThis as unknown as Page;
  const documents = (await (await fetch('/documents')).json()) as Passage[];
  const began = performance.now();
  const adapter = (await import(script)) as { open(): Promise<Engine> };
  page.engine = await adapter.open();
  const opened = performance.now();
  await page.engine.index(documents);
  const indexed = performance.now();
  await page.engine.word!(query);
  return [performance.now() - began, indexed - opened];
}

/** In the page: asks for all of a kind, again and again. Gives how many were asked, and how many of a round found something. */
async function ask([kind, texts, atLeast]: [Kind, string[], number]): Promise<
  [asked: number, found: number]
> {
  const { engine } = globalThis as unknown as Page;
  const until = performance.now() + atLeast;
  let asked = 0;
  let found = 0;
  do {
    found = 0;
    for (const text of texts) if ((await engine[kind]!(text)).length > 0) found++;
    asked += texts.length;
  } while (performance.now() < until);
  return [asked, found];
}

/** Milliseconds of the page's thread on the processor. */
async function cpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  return usedSize + backingStorageSize;
}

async function measure(
  { name, file }: (typeof ENGINES)[number],
  folder: string,
  documents: string,
  queries: Queries,
): Promise<Measured> {
  const loaded = new Map<string, number>();
  const server = createServer(({ url }, response) => {
    if (url === '/' || url === '/documents') {
      response.writeHead(200, { 'content-type': url === '/' ? 'text/html' : 'application/json' });
      response.end(url === '/' ? PAGE : documents);
      return;
    }
    try {
      const bytes = readFileSync(join(folder, 'out', file, basename(url!)));
      loaded.set(url!, gzipSync(bytes, { level: 9 }).length);
      response
        .writeHead(200, { 'content-type': TYPES[extname(url!)] ?? 'application/octet-stream' })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const executablePath = process.env.RESILIN_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const before = await heapBytes(session);
    const began = await cpuMs(session);
    const script = file === 'resilin' ? '/adapter.js' : `/${file}.js`;
    const [first, indexing] = await page.evaluate(load, [script, queries.word[0]!] as [string, string]);
    const firstCpu = (await cpuMs(session)) - began;
    const wasm = await page.evaluate(() =>
      [...(globalThis as unknown as Page).memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    );
    const memory = (await heapBytes(session)) - before + wasm;
    const rates: Measured['rates'] = {};
    const found: Measured['found'] = {};
    for (const kind of KINDS) {
      if (!(await page.evaluate((each) => (globalThis as unknown as Page).engine[each] !== undefined, kind)))
        continue;
      // The first round lets the compiler of the browser see it.
      await page.evaluate(ask, [kind, queries[kind], 0] as [Kind, string[], number]);
      const from = await cpuMs(session);
      const [asked, hit] = await page.evaluate(ask, [kind, queries[kind], ASKED_MS] as [
        Kind,
        string[],
        number,
      ]);
      rates[kind] = (1000 * asked) / ((await cpuMs(session)) - from);
      found[kind] = hit / QUERIES;
    }
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0);
    return { name, bytes, first, indexing, firstCpu, memory, rates, found };
  } finally {
    await browser.close();
    server.close();
  }
}

const rate = (perSecond: number | undefined): string =>
  perSecond === undefined ? 'no' : Number(perSecond.toPrecision(2)).toLocaleString('en');

/** Measures all, and prints a table. */
export async function compare(files: readonly string[], limit: number): Promise<void> {
  const passages: Passage[] = [];
  for await (const line of corpusLines(files, limit)) {
    const { title, body } = JSON.parse(line) as { title: string; body: string };
    passages.push({ id: String(passages.length + 1), text: `${title}\n${body}` });
  }
  const queries = queriesOf(passages);
  const folder = mkdtempSync(join(tmpdir(), 'resilin-compare-'));
  try {
    await bundles(folder);
    const documents = JSON.stringify(passages);
    console.log(
      `${passages.length} passages, ${(documents.length / 1e6).toFixed(1)} MB; ${cpus()[0]?.model}, ${cpus().length} threads`,
    );
    console.log(
      '| | KB gzipped | first search, s | on the processor, s | indexing, s | MB | word | words | phrase | prefix | fuzzy |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|---|---|');
    for (const engine of ENGINES) {
      const found = await measure(engine, folder, documents, queries);
      const row = [
        found.name,
        Math.round(found.bytes / 1000),
        (found.first / 1000).toFixed(1),
        (found.firstCpu / 1000).toFixed(1),
        (found.indexing / 1000).toFixed(1),
        Math.round(found.memory / 1e6),
        ...KINDS.map((kind) => rate(found.rates[kind])),
      ];
      console.log(`| ${row.join(' | ')} |`);
      const parts = Object.entries(found.found).map(([kind, part]) => `${kind} ${part}`);
      console.error(`${found.name} found: ${parts.join(', ')}; load ${loadavg()[0]!.toFixed(1)}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
