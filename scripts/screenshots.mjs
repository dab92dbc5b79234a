/**
 * `npm run screenshots` (which builds before): pictures of the console for README and docs, in `docs/console/`, by Chromium over a server with the playground's sets
 * of documents. A view is added by a line of {@link SHOTS}.
 *
 *     npm run screenshots              all of them
 *     npm run screenshots -- search    those with these names
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { CONSOLE } from './builder/console.mjs';

const root = path.resolve(import.meta.dirname, '..');
const FOLDER = path.join(root, 'docs/console');
const SIZE = { width: 1280, height: 800 };
/** Pictures are for pages that load quickly. */
const MOST_BYTES = 120 * 1024;
const QUALITIES = [90, 80, 65, 50];
/** Seconds of work before the overview is shown: its charts draw what happens. */
const WORK_SECONDS = 40;

/**
 * Each is a view with its parameters. `ready` waits for what is to be seen; without it, the picture is taken when nothing is loaded any more.
 * `theme` is light without.
 */
const SHOTS = [
  { name: 'overview', view: 'overview?', ready: (page, work) => work(page) },
  { name: 'search', view: 'search?index=artworks&q=bridge%20venice', theme: 'dark', ready: showWhy },
  { name: 'analysis', view: 'analysis?index=artworks&analyzer=titles&text=The%20bridges%20of%20Venice' },
  { name: 'aggregations', view: `aggregations?index=artworks&aggs=${json({ by_year: histogram() })}` },
  { name: 'map', view: 'map?index=places&at=48.5,9,4', theme: 'dark', ready: told },
  { name: 'requests', view: 'requests?index=artworks', ready: run },
  { name: 'documents', view: 'documents?index=artworks' },
  { name: 'mappings', view: 'mappings?index=artworks' },
  { name: 'transfer', view: 'transfer?index=artworks' },
  { name: 'snapshots', view: 'snapshots' },
];

function json(value) {
  return encodeURIComponent(JSON.stringify(value));
}

function histogram() {
  return {
    histogram: { field: 'year', interval: 25 },
    aggs: { by_tag: { terms: { field: 'tags', size: 5 } } },
  };
}

/** Selects the first hit: its explanation is what the view is for. */
async function showWhy(page) {
  await page.locator('main li button, main tbody tr').first().waitFor();
}

/** Sends the second of the requests that stand there at first. */
async function run(page) {
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText('Souvenir of Venice').or(page.getByText('hits')).first().waitFor();
}

/** Waits until the view says what it has found. */
async function told(page) {
  await page.locator('main').getByRole('status').getByText(/\d/).first().waitFor();
}

/** The playground's sets of documents, as its source has them. */
async function dataSets() {
  const source = readFileSync(path.join(root, 'console/src/playground/dataSets.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const { DATA_SETS } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  return DATA_SETS;
}

async function startServer(data) {
  const { createServer } = await import('../build/js/host/server/index.js');
  return createServer({ port: 0, data, warn: () => {}, http: { console: CONSOLE } });
}

async function ask(url, method, uri, body) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${url}${uri}`, { method, ...(text === undefined ? {} : { body: text }) });
  if (!answer.ok) throw new Error(`${method} ${uri}: ${answer.status} ${await answer.text()}`);
}

/** Makes the indices, an alias and a snapshot. */
async function fill(url) {
  for (const { index, type, file, body } of await dataSets()) {
    await ask(url, 'PUT', `/${index}`, body);
    const lines = readFileSync(path.join(root, 'console/playground/data', file), 'utf8')
      .trim()
      .split('\n');
    const bulk = lines.map((line) => {
      const { id, ...document } = JSON.parse(line);
      return `{"index":{"_id":${JSON.stringify(id)}}}\n${JSON.stringify(document)}\n`;
    });
    await ask(url, 'POST', `/${index}/${type}/_bulk?refresh=true`, bulk.join(''));
  }
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await ask(url, 'PUT', '/notes', { settings });
  await ask(url, 'POST', '/_aliases', { actions: [{ add: { index: 'artworks', alias: 'collection' } }] });
  await ask(url, 'PUT', '/_snapshot/backups', { type: 'fs', settings: { location: 'backups' } });
  await ask(url, 'PUT', '/_snapshot/backups/monday?wait_for_completion=true');
}

/** Writes and searches while a page looks on. */
async function workFor(url, page) {
  await page.getByRole('img', { name: /^Work/ }).waitFor();
  const words = ['bridge', 'river', 'castle', 'storm', 'portrait', 'venice', 'harbour'];
  const end = performance.now() + WORK_SECONDS * 1000;
  for (let i = 0; performance.now() < end; i++) {
    const word = words[i % words.length];
    await ask(url, 'POST', '/artworks/_search', { query: { match: { title: word } } });
    if (i % 3 === 0)
      await ask(url, 'PUT', `/notes/note/${i % 500}`, { text: `a note on ${word}`, number: i });
    const pause = 8 + 12 * (1 + Math.sin(i / 150));
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** As WebP, in the best quality that is short enough. */
async function save(page, name) {
  const session = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MOST_BYTES) continue;
    writeFileSync(path.join(FOLDER, `${name}.webp`), bytes);
    process.stdout.write(`docs/console/${name}.webp: ${Math.round(bytes.length / 1024)} KB\n`);
    return;
  }
  throw new Error(`the picture of ${name} has more than ${MOST_BYTES} bytes`);
}

async function shoot(browser, url, { name, view, theme = 'light', ready }) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/_console/#/${view}`);
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
  await ready?.(page, (shown) => workFor(url, shown));
  await save(page, name);
  await context.close();
}

const wanted = process.argv.slice(2);
const data = mkdtempSync(path.join(tmpdir(), 'resilin-screenshots-'));
mkdirSync(FOLDER, { recursive: true });
const server = await startServer(data);
const { chromium } = await import('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.RESILIN_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await fill(server.url);
  for (const shot of SHOTS)
    if (wanted.length === 0 || wanted.includes(shot.name)) await shoot(browser, server.url, shot);
} finally {
  await browser.close();
  await server.close();
  rmSync(data, { recursive: true, force: true });
}
