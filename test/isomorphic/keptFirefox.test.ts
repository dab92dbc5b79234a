import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { Firefox, firefoxFile, noFirefox } from './firefox.js';
import { servePackage, type Tools } from './keptPages.js';
import { DOCUMENTS, MAPPINGS, SEARCHES } from './scenarioData.js';
import type { Site } from './staticServer.js';

describe('an engine that is kept in Firefox', () => {
  let site: Site | undefined;
  let folder: string;
  let launched: Firefox | undefined;

  beforeAll(async () => {
    if (firefoxFile === undefined) return;
    ({ site, folder } = await servePackage());
    launched = await Firefox.launch(firefoxFile);
  });
  afterAll(async () => {
    await launched?.remove();
    await site?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** A page with an engine on a store. */
  const open = async (firefox: Firefox, data: string) => {
    const page = await firefox.open(`${site!.url}page.html`);
    await firefox.evaluate(async (name) => {
      const tools = window as unknown as Tools;
      const create = name.startsWith('opfs:') ? tools.createWorkerEngine : tools.createEngine;
      tools.resilin = await create({ data: name });
    }, data);
    return page;
  };
  const ask = (firefox: Firefox, method: string, uri: string, body: unknown = null) =>
    firefox.evaluate(
      async (verb, path, sent) => {
        const { resilin } = window as unknown as Tools;
        return (await resilin.request<Record<string, unknown>>(verb, path, sent ?? undefined)).body;
      },
      method,
      uri,
      body,
    );
  const answers = async (firefox: Firefox) => {
    const found: unknown[] = [await ask(firefox, 'GET', '/books/_mapping')];
    for (const { query } of SEARCHES)
      found.push((await ask(firefox, 'POST', '/books/_search', { query })).hits);
    return found;
  };
  const inFirefox = (context: TestContext) => launched ?? noFirefox(context);

  it.for([
    ['idb', 'closes'],
    ['idb', 'does not close'],
    ['opfs', 'closes'],
    ['opfs', 'does not close'],
  ] as const)(
    'answers as before on another page (%s), where the page before %s it',
    async ([store, how], context) => {
      const firefox = inFirefox(context);
      const data = `${store}:${how}`;
      await open(firefox, data);
      await ask(firefox, 'PUT', '/books', { mappings: MAPPINGS });
      for (const document of DOCUMENTS) await ask(firefox, 'PUT', `/books/doc/${document.id}`, document);
      await ask(firefox, 'POST', '/books/_refresh');
      const expected = await answers(firefox);
      expect(JSON.stringify(expected)).toContain('_score');
      if (how === 'closes') await firefox.evaluate(() => (window as unknown as Tools).resilin.close());
      await firefox.closeTab();
      await open(firefox, data);
      expect(await answers(firefox)).toEqual(expected);
      await firefox.closeTab();
    },
  );

  it.for(['idb:shared', 'opfs:shared'])(
    'is one for two pages, and goes on in the second: %s',
    async (data, context) => {
      const firefox = inFirefox(context);
      const write = (id: string) =>
        ask(firefox, 'PUT', `/books/book/${id}?refresh=true`, { text: 'elastic' });
      const first = await open(firefox, data);
      const second = await open(firefox, data);
      expect(await write('1')).toMatchObject({ created: true });
      await firefox.show(first);
      expect(await ask(firefox, 'GET', '/books/_count')).toMatchObject({ count: 1 });
      await firefox.closeTab();
      await firefox.show(second);
      expect(await write('2')).toMatchObject({ created: true });
      expect(await ask(firefox, 'GET', '/books/_count')).toMatchObject({ count: 2 });
      await firefox.closeTab();
    },
  );

  it.for(['idb:killed', 'opfs:killed'])(
    'has all that was acknowledged when Firefox was killed: %s',
    async (data, context) => {
      const firefox = inFirefox(context);
      await open(firefox, data);
      // Several at a time, without an end.
      const acknowledged = await firefox.evaluate(async () => {
        const { resilin } = window as unknown as Tools;
        const told: number[] = [];
        let last = 0;
        return new Promise<number[]>((enough, fail) => {
          const writer = async () => {
            for (;;) {
              const id = ++last;
              const text = `elastic ${'x'.repeat(1 + ((id * 37) % 5000))}`;
              const { created } = await resilin.index('books', 'book', { id, text }, { id: String(id) });
              if (created && told.push(id) === 60) enough(told.slice());
              // Segments are kept in the middle of it, too.
              if (id % 20 === 0) await resilin.request('POST', '/books/_flush');
            }
          };
          for (let i = 0; i < 4; i++) writer().catch(fail);
        });
      });
      await firefox.kill();
      await firefox.start();
      await open(firefox, data);
      await ask(firefox, 'POST', '/books/_refresh');
      const lost: number[] = [];
      for (const id of acknowledged) {
        const document = await ask(firefox, 'GET', `/books/book/${id}`);
        if ((document._source as { id?: number } | undefined)?.id !== id) lost.push(id);
      }
      expect(acknowledged.length).toBe(60);
      expect(lost).toEqual([]);
      const search = { size: 0, query: { match: { text: 'elastic' } } };
      const { hits } = await ask(firefox, 'POST', '/books/_search', search);
      expect((hits as { total: number }).total).toBeGreaterThanOrEqual(60);
      await firefox.closeTab();
    },
  );
});
