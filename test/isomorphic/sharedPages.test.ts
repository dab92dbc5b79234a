import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFile } from './browser.js';
import { KeptPages, request, type Tools } from './keptPages.js';

it('Chromium is there where it is required', () => {
  expect(chromiumFile !== undefined || process.env.RESILIN_REQUIRE_BROWSER !== '1').toBe(true);
});

describe.runIf(chromiumFile !== undefined)('an engine that pages of Chromium share', () => {
  let pages: KeptPages;

  beforeAll(async () => {
    pages = await KeptPages.start(chromiumFile!);
  });
  afterAll(() => pages?.stop());

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
    const first = await pages.open(data);
    const second = await pages.open(data);
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
      const first = await pages.open(data);
      const second = await pages.open(data);
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
      await pages.killRenderer(first);
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

  it('asks for somebody who may not do everything from another page, too', async () => {
    const first = await pages.open('idb:guarded', { guarded: true });
    await request(first, 'PUT', '/books');
    const second = await pages.open('idb:guarded');
    const statuses = await second.evaluate(async () => {
      const { resilin, Principal } = globalThis as unknown as Tools;
      const ann = resilin.as(
        new Principal('user', 'ann', { grants: [{ indices: ['logs'], access: 'write' }], cluster: 'none' }),
      );
      const asked = [
        await ann.request('GET', '/books/_search'),
        await resilin.request('GET', '/books/_search'),
      ];
      const url = 'http://localhost/books/_search';
      return [...asked.map(({ status }) => status), (await ann.fetch(new Request(url))).status];
    });
    expect(statuses).toEqual([403, 200, 403]);
    await first.close();
    await second.close();
  });

  it('says so where another tab has the lock and does not answer', async () => {
    const silent = await pages.blank();
    await silent.evaluate(
      () =>
        new Promise((taken) => {
          navigator.locks.request('resilin 1 idb:silent', () => new Promise(() => taken(undefined)));
        }),
    );
    const page = await pages.blank();
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
    await (await pages.open('idb:silent')).close();
  });
});
