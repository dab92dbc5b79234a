import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerEngine } from '../../host/library/options.js';
import { Random } from '../torture/random.js';
import { chromiumFile } from './browser.js';
import { newProfile, type Profile, pageAt } from './persistent.js';
import { DOCUMENTS, MAPPINGS, SEARCHES } from './scenarioData.js';
import { type Site, serve } from './staticServer.js';

const root = resolve(import.meta.dirname, '../..');

it('Chromium is there where it is required', () => {
  expect(chromiumFile !== undefined || process.env.RESILIN_REQUIRE_BROWSER !== '1').toBe(true);
});

const PAGE = `<!doctype html><title>Resilin</title><link rel="icon" href="data:,"><script type="module">
import { createEngine } from './resilin.js';
import { createWorkerEngine } from './worker.js';
Object.assign(globalThis, { createEngine, createWorkerEngine });
</script>`;

const SERVICE_WORKER = `import { serve } from './serviceWorker.js';
serve({ data: 'idb:served' });`;

/** Words that can't be compressed to much less; stores do that. */
function noise(bytes: number): string {
  const random = new Random(1);
  let out = '';
  while (out.length < bytes) out += `${random.below(2 ** 32).toString(36)} `;
  return out.slice(0, bytes);
}

/** What is on each page here: the engine, and what its tests tell of. */
interface Tools {
  createEngine(options: { data: string }): Promise<WorkerEngine>;
  createWorkerEngine(options: { data: string }): Promise<WorkerEngine>;
  resilin: WorkerEngine;
  /** Ends what goes on without an end. */
  stopped?: boolean;
  /** Told of each document that was acknowledged. */
  acknowledged(id: number): Promise<void>;
}

describe.runIf(chromiumFile !== undefined)('an engine that is kept in Chromium', () => {
  let folder: string;
  let site: Site;
  let profile: Profile;
  let browser: BrowserContext;

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['scripts/build.mjs', 'package'], { cwd: root });
    folder = mkdtempSync(join(tmpdir(), 'resilin-kept-'));
    for (const file of ['resilin.js', 'resilin.wasm', 'worker.js', 'engineWorker.js', 'serviceWorker.js'])
      copyFileSync(join(root, 'dist', file), join(folder, file));
    writeFileSync(join(folder, 'page.html'), PAGE);
    writeFileSync(join(folder, 'sw.js'), SERVICE_WORKER);
    site = await serve(folder);
    profile = newProfile(chromiumFile!);
    browser = await profile.launch();
  });
  afterAll(async () => {
    await profile?.remove();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page with an engine on a store, in a worker where the store wants that. */
  async function open(data: string, inWorker = data.startsWith('opfs:'), url = site.url): Promise<Page> {
    const page = await pageAt(browser, `${url}page.html`);
    await page.evaluate(
      async ([name, isInWorker]) => {
        const tools = globalThis as unknown as Tools;
        const create = isInWorker ? tools.createWorkerEngine : tools.createEngine;
        tools.resilin = await create({ data: name as string });
      },
      [data, inWorker],
    );
    return page;
  }

  const request = (page: Page, method: string, uri: string, body?: unknown) =>
    page.evaluate(
      async ([verb, path, sent]) => {
        const { resilin } = globalThis as unknown as Tools;
        return (await resilin.request<Record<string, never>>(verb as string, path as string, sent)).body;
      },
      [method, uri, body],
    );

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
    const before = await open(data);
    await request(before, 'PUT', '/books', { mappings: MAPPINGS });
    for (const document of DOCUMENTS) await request(before, 'PUT', `/books/doc/${document.id}`, document);
    await request(before, 'POST', '/books/_refresh');
    const expected = await answers(before);
    expect(JSON.stringify(expected)).toContain('_score');
    if (how === 'closes') await before.evaluate(() => (globalThis as unknown as Tools).resilin.close());
    await before.close();
    const after = await open(data);
    expect(await answers(after)).toEqual(expected);
    await request(after, 'PUT', '/books/doc/7?refresh=true', { title: 'Springs' });
    expect((await request(after, 'GET', '/books/doc/7'))._version).toBe(1);
    await request(after, 'DELETE', '/books/doc/1');
    await after.close();
  });

  const crashes: Record<string, (page: Page) => Promise<void>> = {
    async renderer(page) {
      const session = await browser.newCDPSession(page);
      const crashed = page.waitForEvent('crash');
      session.send('Page.crash').catch(() => {});
      await crashed;
      await page.close();
    },
    async browser() {
      await profile.kill();
      browser = await profile.launch();
    },
  };

  /** Writes documents one after the other; tells which were acknowledged, and what was said of the others. */
  const writeMany = (page: Page, from: number, count: number) =>
    page.evaluate(
      async ([first, many]) => {
        const { resilin } = globalThis as unknown as Tools;
        const written: number[] = [];
        const problems: string[] = [];
        for (let id = first!; id < first! + many!; id++) {
          try {
            await resilin.index('books', 'book', { text: 'elastic' }, { id: String(id), refresh: true });
            written.push(id);
          } catch (e) {
            problems.push((e as Error).message);
          }
        }
        return { written, problems };
      },
      [from, count],
    );

  it.each(['idb:shared', 'opfs:shared'])('is one for two pages: %s', async (data) => {
    const first = await open(data);
    const second = await open(data);
    expect((await writeMany(first, 0, 5)).problems).toEqual([]);
    expect((await writeMany(second, 5, 5)).problems).toEqual([]);
    const search = { query: { match: { text: 'elastic' } }, size: 20, sort: ['_uid'] };
    const [found, foundToo] = [
      await request(first, 'POST', '/books/_search', search),
      await request(second, 'POST', '/books/_search', search),
    ];
    expect(found.hits).toMatchObject({ total: 10 });
    expect(foundToo.hits).toEqual(found.hits);
    const moved = await second.evaluate(async () => {
      const { resilin } = globalThis as unknown as Tools;
      const file = await resilin.exportIndex('books');
      const { documents } = await resilin.importIndex(file, { name: 'more' });
      const refused = await resilin.search('none').catch((e: { status: number }) => e.status);
      return [documents, refused];
    });
    expect(moved).toEqual([10, 404]);
    expect((await request(first, 'GET', '/more/_count')).count).toBe(10);

    // The first one closes its engine while the second one writes; then its page is gone, too.
    const writing = writeMany(second, 10, 100);
    await first.evaluate(() => (globalThis as unknown as Tools).resilin.close());
    expect(await writing).toMatchObject({ written: { length: 100 }, problems: [] });
    await first.close();
    expect((await request(second, 'POST', '/books/_search', search)).hits).toMatchObject({ total: 110 });
    await second.close();
  });

  it.each(['idb:orphaned', 'opfs:orphaned'])(
    'goes on in the second page where the first is killed: %s',
    async (data) => {
      const first = await open(data);
      const second = await open(data);
      let enough!: () => void;
      const many = new Promise<void>((done) => {
        enough = done;
      });
      await second.exposeFunction('acknowledged', (id: number) => {
        if (id === 20) enough();
      });
      const writing = second.evaluate(async () => {
        const tools = globalThis as unknown as Tools;
        const { resilin, acknowledged: tell } = tools;
        const written: number[] = [];
        const problems: string[] = [];
        let last = 0;
        const writer = async () => {
          while (!tools.stopped) {
            const id = ++last;
            try {
              await resilin.index('books', 'book', { text: 'elastic' }, { id: String(id) });
              written.push(id);
              if (id === 20) await tell(id);
            } catch (e) {
              problems.push((e as Error).message);
            }
          }
        };
        await Promise.all([writer(), writer(), writer()]);
        return { written, problems };
      });
      await many;
      await crashes.renderer!(first);
      expect((await writeMany(second, 200_000, 5)).problems).toEqual([]);
      await second.evaluate(() => {
        (globalThis as unknown as Tools).stopped = true;
      });
      const { written, problems } = await writing;
      // What the first page was about is in doubt, and it alone.
      expect(problems.length).toBeLessThanOrEqual(3);
      for (const problem of problems)
        expect(problem).toMatch(/is gone; what it was asked for may be done or not/);
      const lost = await second.evaluate(async (ids) => {
        const { resilin } = globalThis as unknown as Tools;
        const missing: number[] = [];
        for (const id of ids)
          if ((await resilin.get('books', 'book', String(id))) === undefined) missing.push(id);
        return missing;
      }, written);
      expect(lost).toEqual([]);
      await second.close();
    },
  );

  it('says so where another tab has the lock and does not answer', async () => {
    const silent = await pageAt(browser, `${site.url}page.html`);
    await silent.evaluate(
      () =>
        new Promise((taken) => {
          navigator.locks.request('resilin 1 idb:silent', () => new Promise(() => taken(undefined)));
        }),
    );
    const page = await pageAt(browser, `${site.url}page.html`);
    await page.clock.install();
    const refused = page.evaluate(async () => {
      const { createEngine } = globalThis as unknown as Tools;
      return createEngine({ data: 'idb:silent' }).catch((e: Error) => e.message);
    });
    await page.clock.fastForward(29_000);
    await page.clock.fastForward(1_000);
    expect(await refused).toMatch(
      /^idb:silent is open in another tab or worker of http:.*, which doesn't answer/,
    );
    await silent.close();
    await page.close();
    await (await open('idb:silent')).close();
  });

  it('says which stores there are, and where', async () => {
    await expect(open('./books')).rejects.toThrow("./books is no store of a browser; 'idb:NAME' is one");
    await expect(open('opfs:books', false)).rejects.toThrow(
      "opfs:books can be kept in a dedicated worker alone: createWorkerEngine({ data: 'opfs:books' }) of resilin/worker makes one",
    );
    await (await open('idb:in a worker', true)).close();
  });

  it.each(['idb:full', 'opfs:full'])(
    'refuses writes while the origin has no room, and nothing else: %s',
    async (data) => {
      // An origin of its own, with nothing of the other tests; a quota is known to what is opened after it was set.
      const url = site.url.replace('127.0.0.1', 'localhost');
      const session = await browser.newCDPSession(await browser.newPage());
      const { origin } = new URL(url);
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 3_000_000 });
      const page = await open(data, undefined, url);
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
      const after = await open(data, undefined, url);
      expect((await request(after, 'GET', '/books/_count')).count).toBe(2);
      await after.close();
    },
  );

  it('is there for a service worker that was ended', async () => {
    const page = await pageAt(browser, `${site.url}page.html`);
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
    const session = await browser.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    expect(await ask('GET', '/books/book/1')).toMatchObject({ found: true, _source: { title: 'rose' } });
    await page.close();
  });

  it.each([
    ['idb', 'renderer'],
    ['idb', 'browser'],
    ['opfs', 'renderer'],
    ['opfs', 'browser'],
  ])('has all that was acknowledged (%s) when the %s was killed', async (store, what) => {
    const data = `${store}:killed ${what}`;
    let page = await open(data);
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
    await crashes[what]!(page);
    const told = [...acknowledged];
    page = await open(data);
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
