/**
 * npm run bench:browser: how fast is an engine of a page's worker that keeps its documents, and one that opens an exported index?
 *
 * Measured in Chromium without a window, each on a page of its own: indexing a corpus in requests of 500, single documents one
 * after the other, making the engine again until the first search is answered, and an import from the end of the download until
 * then. The profile is on the disk of the temporary folder.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium } from 'playwright-core';
import { createEngine } from '../host/index.js';
import type { EngineOptions, WorkerEngine } from '../host/library/options.js';
import { compare } from './browser/compare.js';
import { corpusLines } from './search/corpus.js';

const HELP = `bench:browser -- [compare] --corpus FILE... [--limit 25000] [--query WORDS]

  compare         beside other engines that run in a page, which npm fetches, in place of the stores
  --corpus FILE   JSON lines, gzipped or not: documents
  --limit N       documents
  --query WORDS   of the first search`;

/** Documents of a request. */
const BULK = 500;
const SINGLE = 300;
const STORES = ['memory', 'idb:bench', 'opfs:bench'];

/** What is on each page. */
interface Tools {
  createEngine(options: EngineOptions): Promise<WorkerEngine>;
  createWorkerEngine(options: EngineOptions): Promise<WorkerEngine>;
}

const PAGE = `<!doctype html><title>bench</title><script type="module">
import { createEngine } from './resilin.js';
import { createWorkerEngine } from './worker.js';
Object.assign(globalThis, { createEngine, createWorkerEngine });
</script>`;

/** Serves the built package, and what is measured with. */
async function serve(data: Record<string, Uint8Array>): Promise<{ url: string; close(): void }> {
  const types: Record<string, string> = { js: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer(({ url }, response) => {
    const name = (url ?? '/').slice(1);
    if (name === '') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else if (data[name] !== undefined) response.end(data[name]);
    else if (/^[\w-]+\.(js|wasm)$/.test(name)) {
      const bytes = readFileSync(join(resolve('dist'), name));
      response.writeHead(200, { 'content-type': types[name.split('.')[1]!] }).end(bytes);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

/** Runs a function on a page of its own, and closes it. */
async function onPage<T, A>(
  browser: BrowserContext,
  url: string,
  run: (args: A) => Promise<T>,
  args: A,
): Promise<T> {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    return (await page.evaluate(run as (args: unknown) => Promise<T>, args)) as T;
  } finally {
    await page.close();
  }
}

/** Milliseconds of indexing all, and of a document alone. */
async function index({
  store,
  bulk,
  single,
}: {
  store: string;
  bulk: number;
  single: number;
}): Promise<number[]> {
  const { createWorkerEngine } = globalThis as unknown as Tools;
  const engine = await createWorkerEngine(store === 'memory' ? {} : { data: store });
  const lines = (await (await fetch('corpus')).text()).split('\n');
  const utf8 = new TextEncoder();
  const began = performance.now();
  for (let at = 0; at < lines.length; at += bulk) {
    const part = lines.slice(at, at + bulk).map((line) => `{"index":{}}\n${line}\n`);
    await engine.handle('POST', '/books/book/_bulk', utf8.encode(part.join('')));
  }
  const all = performance.now() - began;
  const alone = performance.now();
  for (let i = 0; i < single; i++) await engine.index('single', 'doc', { title: `rose ${i}` });
  const each = (performance.now() - alone) / single;
  await engine.request('POST', '/_flush');
  await engine.close();
  return [all, each];
}

/** Milliseconds of making the engine again, up to the answer of its first search. */
async function open({ store, query }: { store: string; query: object }): Promise<number[]> {
  const { createWorkerEngine } = globalThis as unknown as Tools;
  const began = performance.now();
  const engine = await createWorkerEngine({ data: store });
  await engine.search('books', { query });
  return [performance.now() - began];
}

/** Milliseconds from the end of the download to the answer of the first search. */
async function importFile({ where, query }: { where: string; query: object }): Promise<number[]> {
  const tools = globalThis as unknown as Tools;
  const engine = await (where === 'worker'
    ? tools.createWorkerEngine({})
    : tools.createEngine(where === 'page' ? {} : { data: where }));
  const file = new Uint8Array(await (await fetch('exported')).arrayBuffer());
  const began = performance.now();
  await engine.importIndex(file);
  await engine.search('books', { query });
  return [performance.now() - began];
}

async function main(files: string[], limit: number, words: string): Promise<void> {
  const lines: string[] = [];
  for await (const line of corpusLines(files, limit)) lines.push(line);
  const here = await createEngine();
  for (let at = 0; at < lines.length; at += BULK) {
    const part = lines.slice(at, at + BULK).map((line) => `{"index":{}}\n${line}\n`);
    await here.request('POST', '/books/book/_bulk', part.join(''));
  }
  await here.request('POST', '/books/_optimize?max_num_segments=1');
  const exported = await here.exportIndex('books');
  await here.close();
  const site = await serve({ corpus: Buffer.from(lines.join('\n')), exported });
  const profile = mkdtempSync(join(tmpdir(), 'resilin-bench-'));
  const executablePath = process.env.RESILIN_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const query = { query_string: { query: words } };
  const ms = (values: number[]) => values.map((value) => `${value.toFixed(1)} ms`).join(', ');
  try {
    console.log(`${lines.length} documents; exported ${(exported.length / 1e6).toFixed(1)} MB`);
    for (const store of STORES) {
      const times = await onPage(browser, site.url, index, { store, bulk: BULK, single: SINGLE });
      console.log(`${store}: all, one alone: ${ms(times)}`);
      if (store === 'memory') continue;
      console.log(
        `${store}: again, first search: ${ms(await onPage(browser, site.url, open, { store, query }))}`,
      );
    }
    for (const where of ['page', 'worker', 'idb:imported'])
      console.log(`import, ${where}: ${ms(await onPage(browser, site.url, importFile, { where, query }))}`);
  } finally {
    await browser.close();
    site.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true },
    limit: { type: 'string', default: '25000' },
    query: { type: 'string', default: 'history of government' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help || values.corpus === undefined) console.log(HELP);
else if (positionals[0] === 'compare') await compare(values.corpus, Number(values.limit));
else await main(values.corpus, Number(values.limit), values.query);
