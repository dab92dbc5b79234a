import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { createRouter } from '../../host/rest/routes.js';
import { createHttp } from '../../host/server/http.js';

/** The client that programs of the time used, told to speak to a 1.7: its calls must find what they look for. */

// Its types are unknown; where it isn't installed there is nothing to test.
const name = 'elasticsearch';
const library = await import(name).catch(() => undefined);

// biome-ignore lint/suspicious/noExplicitAny: the client has no types.
let client: any;
let resilin: Resilin;
let app: ReturnType<typeof createHttp>;

describe.skipIf(library === undefined)('the JavaScript client of Elasticsearch 1.7', () => {
  beforeAll(async () => {
    resilin = await createEngine();
    app = createHttp(createRouter(resilin.engine, { node: 'n', cluster: 'c', version: '0' }));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    client = new library.default.Client({ host: `127.0.0.1:${port}`, apiVersion: '1.7', log: [] });
    await client.indices.create({
      index: 'lib',
      body: { mappings: { book: { properties: { title: { type: 'string' }, year: { type: 'integer' } } } } },
    });
    const { errors } = await client.bulk({
      refresh: true,
      body: [
        { index: { _index: 'lib', _type: 'book', _id: 1 } },
        { title: 'The rose', year: 1980 },
        { index: { _index: 'lib', _type: 'book', _id: 2 } },
        { title: 'A red rose', year: 1990 },
        { update: { _index: 'lib', _type: 'book', _id: 1 } },
        { doc: { year: 1981 } },
      ],
    });
    expect(errors).toBe(false);
    await client.indices.refresh({ index: 'lib' });
  });
  afterAll(async () => {
    client.close();
    await app.close();
    await resilin.close();
  });

  it('knows whom it talks to', async () => {
    expect(await client.ping()).toBe(true);
    expect((await client.info()).version.number).toBe('1.7.3');
    expect((await client.cluster.health()).status).toBe('yellow');
    expect(Object.keys((await client.nodes.info()).nodes)).toHaveLength(1);
  });

  it('reads and changes documents', async () => {
    const book = { index: 'lib', type: 'book' };
    expect((await client.get({ ...book, id: 1 }))._source).toEqual({ title: 'The rose', year: 1981 });
    expect(
      (await client.mget({ ...book, body: { ids: [1, 9] } })).docs.map(
        (doc: { found: boolean }) => doc.found,
      ),
    ).toEqual([true, false]);
    expect((await client.update({ ...book, id: 3, body: { doc: {}, doc_as_upsert: true } }))._version).toBe(
      1,
    );
    expect((await client.delete({ ...book, id: 3 })).found).toBe(true);
    await expect(client.get({ ...book, id: 77 })).rejects.toMatchObject({ status: 404 });
    await expect(client.create({ ...book, id: 1, body: {} })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('DocumentAlreadyExistsException'),
    });
  });

  it('searches and scrolls', async () => {
    const found = await client.search({ index: 'lib', body: { query: { match: { title: 'rose' } } } });
    expect(found.hits.total).toBe(2);
    expect((await client.count({ index: 'lib', q: 'title:red' })).count).toBe(1);
    for (const searchType of ['scan', 'query_then_fetch']) {
      let page = await client.search({ index: 'lib', scroll: '30s', size: 1, searchType });
      let seen = page.hits.hits.length;
      do {
        page = await client.scroll({ scrollId: page._scroll_id, scroll: '30s' });
        seen += page.hits.hits.length;
      } while (page.hits.hits.length > 0);
      expect(seen).toBe(2);
    }
  });

  it('manages indices', async () => {
    const { indices } = client;
    expect(await indices.exists({ index: 'lib' })).toBe(true);
    await indices.putAlias({ index: 'lib', name: 'books' });
    expect(await indices.getAlias({ name: 'books' })).toEqual({ lib: { aliases: { books: {} } } });
    await indices.putTemplate({ name: 'logs', body: { template: 'log-*' } });
    expect(await indices.existsTemplate({ name: 'logs' })).toBe(true);
    await indices.putSettings({ index: 'lib', body: { index: { refresh_interval: '5s' } } });
    await indices.close({ index: 'lib' });
    await indices.open({ index: 'lib' });
    expect((await indices.stats({ index: 'lib', metric: 'docs' }))._all.primaries.docs.count).toBe(2);
    expect(await client.cat.indices({ h: 'index,docs.count' })).toBe('lib 2 \n');
  });
});
