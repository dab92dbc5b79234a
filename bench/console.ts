/**
 * npm run bench:console: how soon is each view of the console there, and how soon does it react to a key or a click?
 *
 * Measured in Chromium without a window against a server in a process of its own, with the documents of a corpus in an index of three shards:
 * bytes that a view loads (as they are sent), the time from going there until what it shows is there, and the longest time from an input to the
 * next frame that shows what became of it, which browsers report as the duration of an event (Event Timing, in steps of 8 ms). What the server
 * takes is in the first and not in the second.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { QUESTIONS, type Question } from './console/questions.js';
import { corpusLines } from './search/corpus.js';

const HELP = `bench:console -- [--corpus FILE...] [--limit 25000] [--view NAME]

  --corpus FILE   JSON lines, gzipped or not; the works of art of the playground without
  --limit N       documents
  --view NAME     this view alone`;

/** A reaction that people don't notice, in milliseconds. */
const TARGET_MS = 100;
const BULK = 500;
const CHROMIUM = process.env.RESILIN_CHROMIUM ?? '/usr/bin/chromium';

/** An input, and how long it took until the page showed what became of it. */
interface Reaction {
  name: string;
  target: string;
  duration: number;
}

/** What was measured of a view. */
interface Measured {
  view: string;
  kilobytes: number;
  ready: number;
  inputs: number;
  longest: Reaction | undefined;
  above: number;
}

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true },
    limit: { type: 'string', default: '25000' },
    view: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  await main(values.corpus ?? ['console/playground/data/artworks.jsonl'], Number(values.limit));
}

async function main(corpus: string[], limit: number): Promise<void> {
  const server = spawn(process.execPath, ['build/js/host/cli/main.js', '--port', '0', '--data', ':memory:'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, RESILIN_LOG_FORMAT: 'text' },
  });
  const url = await addressOf(server.stdout, server.stderr);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await fill(url, corpus, limit);
    const rows: Measured[] = [];
    for (const question of QUESTIONS.filter(({ view }) => values.view === undefined || view === values.view))
      rows.push(await measure(browser, url, question));
    console.table(
      rows.map(({ view, kilobytes, ready, inputs, longest, above }) => ({
        view,
        'KB loaded': Math.round(kilobytes),
        'there after ms': Math.round(ready),
        inputs,
        'longest reaction ms': longest?.duration ?? '< 16',
        to: longest === undefined ? '' : `${longest.name} ${longest.target}`,
        [`above ${TARGET_MS} ms`]: above,
      })),
    );
  } finally {
    await browser.close();
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

/** Waits until a server says where it answers. */
async function addressOf(...streams: NodeJS.ReadableStream[]): Promise<string> {
  return new Promise((done) => {
    for (const stream of streams)
      stream.on('data', (text: Buffer) => {
        const address = /https?:\/\/127\.0\.0\.1:\d+/.exec(text.toString())?.[0];
        if (address !== undefined) done(address);
      });
  });
}

/** Puts the corpus into the index `texts`, and the playground's cities into `places`. */
async function fill(url: string, corpus: readonly string[], limit: number): Promise<void> {
  const send = async (method: string, path: string, body: string) => {
    const response = await fetch(`${url}${path}`, { method, body });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  await send('PUT', '/texts', '{"settings": {"number_of_shards": 3, "number_of_replicas": 0}}');
  await send(
    'PUT',
    '/places',
    '{"mappings": {"place": {"properties": {"location": {"type": "geo_point"}}}}}',
  );
  const put = async (path: string, lines: AsyncIterable<string>) => {
    let piece: string[] = [];
    const flush = async () => {
      if (piece.length > 0) await send('POST', `${path}/_bulk`, `${piece.join('\n')}\n`);
      piece = [];
    };
    for await (const line of lines) {
      piece.push('{"index":{}}', line);
      if (piece.length >= 2 * BULK) await flush();
    }
    await flush();
  };
  await put('/texts/text', corpusLines(corpus, limit));
  await put('/places/place', corpusLines(['console/playground/data/places.jsonl'], Number.POSITIVE_INFINITY));
  await send('POST', '/_refresh', '');
}

async function measure(
  browser: Browser,
  url: string,
  { view, params, ready, act }: Question,
): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.addInitScript(watchInputs);
  await page.goto(`${url}/_console/#/nowhere`);
  await page.getByRole('alert').waitFor();
  const before = await loaded(page);
  const began = performance.now();
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/${view}?${new URLSearchParams(params).toString()}`,
  );
  await ready(page);
  const readyAfter = performance.now() - began;
  const after = await loaded(page);
  await act(page);
  await page.waitForTimeout(200);
  const reactions = await page.evaluate(() => (globalThis as unknown as { reactions: Reaction[] }).reactions);
  await context.close();
  const longest = reactions.reduce<Reaction | undefined>(
    (most, each) => (most === undefined || each.duration > most.duration ? each : most),
    undefined,
  );
  return {
    view,
    kilobytes: (after - before) / 1024,
    ready: readyAfter,
    inputs: reactions.length,
    longest,
    above: reactions.filter(({ duration }) => duration > TARGET_MS).length,
  };
}

/** In the page: notes each input that took a frame or more. */
function watchInputs(): void {
  const reactions: Reaction[] = [];
  Object.assign(globalThis, { reactions });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      // Moving the mouse and what follows from a click by itself are no inputs of a person.
      if (!['click', 'keydown', 'input', 'change', 'pointerup', 'drop'].includes(entry.name)) continue;
      const element = entry.target as Element | null;
      const target =
        element === null
          ? ''
          : (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 30);
      reactions.push({ name: entry.name, target, duration: entry.duration });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** Bytes of the console's files that the page has loaded, as they were sent. */
function loaded(page: Page): Promise<number> {
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes('/_console/'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
}
