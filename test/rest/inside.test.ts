import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const create = (mapping: unknown) =>
  call('PUT', '/a', { settings: { number_of_shards: 5, number_of_replicas: 0 }, mappings: { t: mapping } });

it('the routing value comes from inside the document if the mapping says so', async () => {
  await create({ _routing: { required: true, path: 'owner' } });
  expect((await call('PUT', '/a/t/1', { owner: 'ann' })).status).toBe(201);
  expect((await call('GET', '/a/t/1?routing=ann&fields=_routing')).body).toMatchObject({
    fields: { _routing: 'ann' },
  });
  expect((await call('PUT', '/a/t/2', {})).body).toMatchObject({
    error: 'RoutingMissingException[routing is required for [a]/[t]/[2]]',
  });
  expect((await call('PUT', '/a/t/3?routing=bob', { owner: 'ann' })).status).toBe(400);
});

it('so does the id', async () => {
  await create({ _id: { path: 'key' } });
  expect((await call('POST', '/a/t', { key: 'k-1' })).body).toMatchObject({ _id: 'k-1' });
  const bulk = await call('POST', '/a/t/_bulk', '{"index":{}}\n{"key":7}\n');
  expect(bulk.body).toMatchObject({ items: [{ create: { _id: '7', status: 201 } }] });
});

it('sources are not shown if the mapping does not keep them', async () => {
  await create({ _source: { enabled: false } });
  await call('PUT', '/a/t/1?refresh=true', { n: 1 });
  expect((await call('GET', '/a/t/1')).body).not.toHaveProperty('_source');
  expect((await call('GET', '/a/t/1/_source')).status).toBe(500);
  const found = (await call('GET', '/a/_search')).body as { hits: { hits: object[] } };
  expect(found.hits.hits[0]).not.toHaveProperty('_source');
  expect((await call('POST', '/a/t/1/_update', { doc: { n: 2 } })).body).toMatchObject({
    error: expect.stringContaining('document source missing'),
  });
});

it('parts of sources are not shown if the mapping leaves them out', async () => {
  await create({ _source: { excludes: ['secret'] } });
  await call('PUT', '/a/t/1?refresh=true', { n: 1, secret: 'x' });
  expect((await call('GET', '/a/t/1/_source')).body).toEqual({ n: 1 });
  const { body } = await call('GET', '/a/_search?q=secret:x');
  expect(body).toMatchObject({ hits: { hits: [{ _source: { n: 1 } }] } });
});

it('templates of searches are filled in, stored or not', async () => {
  await call('PUT', '/a/t/1?refresh=true', { s: 'red fox' });
  const template = { query: { match: { s: '{{word}}' } }, size: '{{size}}' };
  const params = { word: 'fo"x', size: 1 };
  const search = (body: unknown) => call('POST', '/a/_search/template', body);
  expect((await search({ template, params: { ...params, word: 'fox' } })).body).toMatchObject({
    hits: { total: 1 },
  });
  expect((await search({ template, params })).body).toMatchObject({ hits: { total: 0 } });
  expect((await call('PUT', '/_search/template/t', { template })).status).toBe(201);
  expect((await search({ id: 't', params: { word: 'red', size: 1 } })).body).toMatchObject({
    hits: { total: 1 },
  });
  const sections =
    '{"query":{"bool":{"must":[{{#words}}{"match":{"s":"{{.}}"}},{{/words}}{"match_all":{}}]}}}';
  await call('PUT', '/_search/template/sections', { template: sections });
  expect((await search({ id: 'sections', params: { words: ['red', 'fox'] } })).body).toMatchObject({
    hits: { total: 1 },
  });
  expect((await call('PUT', '/_search/template/bad', { template: '{{#a}}' })).body).toMatchObject({
    error: expect.stringContaining("Failed to close 'a' tag"),
  });
  expect((await call('DELETE', '/_search/template/t')).body).toMatchObject({ found: true, _version: 2 });
});

it('the shards of a search are told, by routing too', async () => {
  await call('PUT', '/a', { settings: { number_of_shards: 5, number_of_replicas: 1 } });
  const shards = async (uri: string) => ((await call('GET', uri)).body as { shards: object[][] }).shards;
  const all = await shards('/a/_search_shards');
  // Replicas have no node, so no search asks them.
  expect(all).toMatchObject([0, 1, 2, 3, 4].map((shard) => [{ shard, primary: true, state: 'STARTED' }]));
  expect(await shards('/a/_search_shards?routing=1')).toHaveLength(1);
  // An index that isn't there has none.
  expect((await call('GET', '/nosuch/_search_shards')).body).toEqual({ nodes: {}, shards: [] });
  expect(await shards('/nosuch,a/_search_shards')).toHaveLength(5);
});
