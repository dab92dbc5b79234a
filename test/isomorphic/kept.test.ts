import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../torture/random.js';
import { chromiumFile } from './browser.js';
import { KeptPages, request, type Tools } from './keptPages.js';
import { DOCUMENTS, MAPPINGS, SEARCHES } from './scenarioData.js';

it('Chromium is there where it is required', () => {
  expect(chromiumFile !== undefined || process.env.RESILIN_REQUIRE_BROWSER !== '1').toBe(true);
});

/** Words that can't be compressed to much less; stores do that. */
function noise(bytes: number): string {
  const random = new Random(1);
  let out = '';
  while (out.length < bytes) out += `${random.below(2 ** 32).toString(36)} `;
  return out.slice(0, bytes);
}

describe.runIf(chromiumFile !== undefined)('an engine that is kept in Chromium', () => {
  let pages: KeptPages;

  beforeAll(async () => {
    pages = await KeptPages.start(chromiumFile!);
  });
  afterAll(() => pages?.stop());

  const answers = async (page: Page) => {
    const found: unknown[] = [await request(page, 'GET', '/books/_mapping')];
    for (const { query } of SEARCHES) {
      const { hits } = await request(page, 'POST', '/books/_search', { query });
      found.push(hits);
    }
    return found;
  };

  it.each([
    ['idb', 'closes'],
    ['idb', 'does not close'],
    ['opfs', 'closes'],
    ['opfs', 'does not close'],
  ])('answers as before on another page (%s), where the page before %s it', async (store, how) => {
    const data = `${store}:${how}`;
    const before = await pages.open(data);
    await request(before, 'PUT', '/books', { mappings: MAPPINGS });
    for (const document of DOCUMENTS) await request(before, 'PUT', `/books/doc/${document.id}`, document);
    await request(before, 'POST', '/books/_refresh');
    const expected = await answers(before);
    expect(JSON.stringify(expected)).toContain('_score');
    if (how === 'closes') await before.evaluate(() => (globalThis as unknown as Tools).resilin.close());
    await before.close();
    const after = await pages.open(data);
    expect(await answers(after)).toEqual(expected);
    await request(after, 'PUT', '/books/doc/7?refresh=true', { title: 'Springs' });
    expect((await request(after, 'GET', '/books/doc/7'))._version).toBe(1);
    await request(after, 'DELETE', '/books/doc/1');
    await after.close();
  });

  it('says which stores there are, and where', async () => {
    await expect(pages.open('./books')).rejects.toThrow(
      "./books is no store of a browser; 'idb:NAME' is one",
    );
    await expect(pages.open('opfs:books', { inWorker: false })).rejects.toThrow(
      "opfs:books can be kept in a dedicated worker alone: createWorkerEngine({ data: 'opfs:books' }) of resilin/worker makes one",
    );
    await (await pages.open('idb:in a worker', { inWorker: true })).close();
  });

  it.each(['idb:full', 'opfs:full'])(
    'refuses writes while the origin has no room, and nothing else: %s',
    async (data) => {
      // An origin of its own, with nothing of the other tests; a quota is known to what is opened after it was set.
      const url = pages.url.replace('127.0.0.1', 'localhost');
      const session = await pages.browser.newCDPSession(await pages.browser.newPage());
      const { origin } = new URL(url);
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 3_000_000 });
      const page = await pages.open(data, { url });
      const write = (id: string, bytes: number) =>
        request(page, 'PUT', `/books/book/${id}?refresh=true`, { text: `elastic ${noise(bytes)}` });
      await write('1', 10);
      const refused = await write('2', 4_000_000);
      expect(refused.error).toMatch(/the browser lets this origin keep no more/);
      const found = await request(page, 'POST', '/books/_search', { query: { match: { text: 'elastic' } } });
      expect(found.hits).toMatchObject({ total: 1 });
      await session.send('Storage.overrideQuotaForOrigin', { origin });
      expect((await write('3', 10)).created).toBe(true);
      await page.close();
      const after = await pages.open(data, { url });
      expect((await request(after, 'GET', '/books/_count')).count).toBe(2);
      await after.close();
    },
  );

  it('is there for a service worker that was ended', async () => {
    const page = await pages.blank();
    await page.evaluate(async () => {
      const controlled = new Promise((done) => {
        navigator.serviceWorker.oncontrollerchange = done;
      });
      await navigator.serviceWorker.register('sw.js', { type: 'module' });
      await controlled;
    });
    const ask = (method: string, uri: string, body?: string) =>
      page.evaluate(
        async ([verb, path, sent]) =>
          (
            await fetch(`/elasticsearch${path}`, {
              method: verb!,
              ...(sent === undefined ? {} : { body: sent }),
            })
          ).json(),
        [method, uri, body],
      );
    await ask('PUT', '/books/book/1', '{"title":"rose"}');
    const session = await pages.browser.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    expect(await ask('GET', '/books/book/1')).toMatchObject({ found: true, _source: { title: 'rose' } });
    // A page may name the worker's store: the engine is one.
    const other = await pages.open('idb:served');
    await request(other, 'PUT', '/books/book/2', { title: 'lily' });
    expect(await ask('GET', '/books/book/2')).toMatchObject({ found: true, _source: { title: 'lily' } });
    await other.close();
    await page.close();
  });

  it('lets no two transactions write at once, of which Chromium makes a corrupt database when it is killed', async () => {
    const page = await pages.open('idb:in turns');
    const { together, apart } = await page.evaluate(async () => {
      const { resilin } = globalThis as unknown as Tools;
      const going = new Set<IDBTransaction>();
      const seen = { together: 0, apart: 0 };
      const begin = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (...of) {
        const transaction = begin.apply(this, of);
        if (transaction.mode !== 'readwrite') return transaction;
        // Where they have a store in common, the second waits for the first.
        const names = [...transaction.objectStoreNames];
        for (const { objectStoreNames } of going)
          seen[names.some((name) => objectStoreNames.contains(name)) ? 'together' : 'apart']++;
        going.add(transaction);
        for (const end of ['complete', 'abort'])
          transaction.addEventListener(end, () => going.delete(transaction));
        return transaction;
      };
      const write = async (n: number) => {
        await resilin.index('books', 'book', { n }, { id: String(n) });
        await resilin.request('POST', '/books/_flush');
      };
      await Promise.all(Array.from({ length: 50 }, (_, n) => write(n)));
      IDBDatabase.prototype.transaction = begin;
      return seen;
    });
    expect(together).toBeGreaterThan(0);
    expect(apart).toBe(0);
    await page.close();
  });

  it.each([
    ['idb', 'renderer'],
    ['idb', 'browser'],
    ['opfs', 'renderer'],
    ['opfs', 'browser'],
  ])('has all that was acknowledged (%s) when the %s was killed', async (store, what) => {
    const data = `${store}:killed ${what}`;
    let page = await pages.open(data);
    const acknowledged = new Set<number>();
    let enough!: () => void;
    const many = new Promise<void>((done) => {
      enough = done;
    });
    await page.exposeFunction('acknowledged', (id: number) => {
      acknowledged.add(id);
      if (acknowledged.size === 60) enough();
    });
    // Several at a time, without an end.
    const writing = page.evaluate(async () => {
      const { resilin, acknowledged: tell } = globalThis as unknown as Tools;
      let last = 0;
      const writer = async () => {
        for (;;) {
          const id = ++last;
          const text = `elastic ${'x'.repeat(1 + ((id * 37) % 5000))}`;
          const { created } = await resilin.index('books', 'book', { id, text }, { id: String(id) });
          if (created) await tell(id);
          // Segments are kept in the middle of it, too.
          if (id % 20 === 0) await resilin.request('POST', '/books/_flush');
        }
      };
      await Promise.all([writer(), writer(), writer(), writer()]);
    });
    writing.catch(() => {});
    await many;
    await (what === 'renderer' ? pages.killRenderer(page) : pages.killBrowser());
    const told = [...acknowledged];
    page = await pages.open(data);
    const found = await page.evaluate(async (ids) => {
      const { resilin } = globalThis as unknown as Tools;
      await resilin.request('POST', '/books/_refresh');
      const { hits } = await resilin.search('books', { size: 0, query: { match: { text: 'elastic' } } });
      const lost: number[] = [];
      for (const id of ids) {
        const document = await resilin.get<{ id: number }>('books', 'book', String(id));
        if (document?._source.id !== id) lost.push(id);
      }
      return { lost, total: hits.total };
    }, told);
    expect(found.lost).toEqual([]);
    expect(found.total).toBeGreaterThanOrEqual(told.length);
    await page.close();
  });
});
