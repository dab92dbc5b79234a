/** The playground, served as files: an engine in the tab, its documents kept, links that hold an index, the tour, no network. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../isomorphic/browser.js';
import { type Site, serve } from '../isomorphic/staticServer.js';
import { aggregationsScenario, putBooks as putShelf } from './scenarios/aggregations.js';
import { analysisScenario, putTales } from './scenarios/analysis.js';
import { documentsScenario, mappingsScenario } from './scenarios/documents.js';
import { mapScenario, putCities } from './scenarios/map.js';
import { overviewScenario } from './scenarios/overview.js';
import { putNumbered, requestsScenario } from './scenarios/requests.js';
import { type Ask, putBooks, searchScenario } from './scenarios/search.js';
import { transferScenario } from './scenarios/transfer.js';
import { chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const root = resolve(import.meta.dirname, '../..');
const nothing = async () => {};

describe.runIf(chromiumFile !== undefined)('the playground', () => {
  let browser: Browser;
  let site: Site;
  const problems: string[] = [];

  beforeAll(async () => {
    const run = promisify(execFile);
    await run(process.execPath, ['scripts/build.mjs', 'package'], { cwd: root, maxBuffer: Infinity });
    site = await serve(resolve(root, 'dist/playground'));
    browser = await launchChromium(chromiumFile!);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** A browser that has never been here. */
  function newContext(size = { width: 1280, height: 860 }): Promise<BrowserContext> {
    return browser.newContext({ viewport: size, reducedMotion: 'reduce' });
  }

  async function open(context: BrowserContext, hash = ''): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`${site.url}${hash}`);
    return page;
  }

  /** Asks the engine of a page, as a program in its console would. Returns the answer as text. */
  const asText =
    (page: Page) =>
    (method: string, path: string, body?: unknown): Promise<string> =>
      page.evaluate(
        async ([sentMethod, sentPath, sent]) => {
          interface Hooks {
            resilin: { send(...request: unknown[]): Promise<{ text: string }> };
          }
          const { resilin } = globalThis as unknown as Hooks;
          return (await resilin.send(sentMethod, sentPath, sent)).text;
        },
        [method, path, body === undefined || typeof body === 'string' ? body : JSON.stringify(body)] as const,
      );

  /** The same, parsed. */
  const asker =
    (page: Page): Ask =>
    async (...request) =>
      JSON.parse(await asText(page)(...request));

  it('starts an engine, loads documents, and has them when one comes back', async () => {
    const context = await newContext();
    const page = await open(context);
    await page.getByRole('heading', { name: 'A search engine in this tab' }).waitFor();
    await page.getByText('stays in this browser').waitFor();
    const places = page.getByRole('region', { name: 'Cities of the world' });
    await places.getByRole('button', { name: 'Load' }).click();
    await places.getByText(/has 1,717 documents/).waitFor();
    await page.reload();
    await places.getByText(/has 1,717 documents/).waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('link', { name: 'places' }).waitFor();
    await context.close();
  });

  it('works without a network from the second visit on', async () => {
    const context = await newContext();
    const page = await open(context);
    await page.getByRole('heading', { name: 'A search engine in this tab' }).waitFor();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('region', { name: 'Works of art' }).getByRole('button', { name: 'Load' }).click();
    await page.getByText(/has 2,760 documents/).waitFor();
    await context.close();
  });

  it('puts an index and a view into a link, which brings both to another browser', async () => {
    const here = await newContext();
    const page = await open(here);
    await page.getByRole('heading', { name: 'A search engine in this tab' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/start?index=notes';
    });
    const ask = asker(page);
    await ask('PUT', '/notes', {
      settings: { number_of_shards: 1 },
      mappings: { note: { properties: { n: { type: 'long' } } } },
    });
    await ask('PUT', '/notes/note/a?refresh=true', '{"n": 9007199254740993, "text": "größer"}');
    await page.getByRole('button', { name: 'Share as a link' }).click();
    const address = await page.getByRole('dialog', { name: 'Share notes' }).getByRole('textbox').inputValue();
    await here.close();

    const there = await newContext();
    const other = await open(there, address.slice(site.url.length));
    await other.getByText('One document').waitFor();
    await other.getByRole('button', { name: 'Put it in and go there' }).click();
    await other.getByRole('heading', { name: 'A search engine in this tab' }).waitFor();
    const found = await asText(other)('GET', '/notes/note/a');
    expect(found).toContain('9007199254740993');
    expect(found).toContain('größer');
    const damaged = await open(there, '#/shared?state=AAAA');
    await damaged.getByText('The link is damaged').waitFor();
    await there.close();
  });

  it('leads through ten steps, each of which shows what it tells of', async () => {
    const context = await newContext();
    const page = await open(context);
    await page.getByRole('button', { name: /Take the tour/ }).click();
    const tour = page.getByRole('complementary');
    const shown: [action: string, what: () => Promise<void>][] = [
      [
        'Load the works of art',
        () => page.getByRole('table', { name: 'Indices' }).getByText('2,760').waitFor(),
      ],
      ['Analyze a title', () => page.getByText('chateaux').first().waitFor()],
      ['Search for a storm at sea', () => page.getByRole('heading', { name: /^\d+ hits/ }).waitFor()],
      ['Explain the third hit', () => page.getByText(/^Ranks third/).waitFor()],
      ['Compare both orders', () => page.getByRole('heading', { name: 'Second search' }).waitFor()],
      ['Open the editor', () => page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()],
      ['Look at the mapping', () => page.getByText('artist').first().waitFor()],
      ['Count the works', () => page.getByText('abstraction').first().waitFor()],
      ['Show the cities', () => page.getByRole('application', { name: /^Map/ }).waitFor()],
      ['Put a file in', () => page.getByRole('button', { name: 'Choose a file' }).waitFor()],
    ];
    for (const [i, [action, what]] of shown.entries()) {
      await tour.getByRole('button', { name: action }).click();
      await what();
      expect(await seriousProblems(page), action).toEqual([]);
      if (i < shown.length - 1) await tour.getByRole('button', { name: 'Next' }).click();
    }
    await tour.getByRole('button', { name: 'Done' }).click();
    await tour.waitFor({ state: 'detached' });
    await context.close();
  });

  it.each([
    ['search?index=books', putBooks, searchScenario],
    ['analysis?index=tales', putTales, analysisScenario],
    ['overview', nothing, overviewScenario],
    ['requests', putNumbered, requestsScenario],
    ['documents?index=numbered', putNumbered, documentsScenario],
    ['mappings?index=numbered', putNumbered, mappingsScenario],
    ['aggregations?index=shelf', putShelf, aggregationsScenario],
    ['map?index=cities&at=-15,180,4', putCities, mapScenario],
    ['transfer', nothing, transferScenario],
  ] as const)('does what a server does: %s', async (view, put, scenario) => {
    const context = await newContext();
    const page = await open(context);
    await page.getByRole('heading', { name: 'A search engine in this tab' }).waitFor();
    await put(asker(page));
    await page.evaluate((hash) => {
      location.hash = `#/${hash}`;
    }, view);
    await scenario(page, asker(page));
    await context.close();
  });

  it.each([
    ['light', { width: 1280, height: 860 }],
    ['dark', PHONE],
  ] as const)('keeps nobody out, %s', async (theme, size) => {
    const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: 'reduce' });
    const page = await open(context);
    await page.getByRole('button', { name: /Take the tour/ }).click();
    await page.getByRole('heading', { name: '1. Documents' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await context.close();
  });

  it('has said of nothing that it is wrong', () => {
    expect(problems).toEqual([]);
  });
});
