import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { encodeJson, scriptKey } from '../../host/storage/records.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const SCRIPT = { script: '_score * 2' };
const at = '/_scripts/expression/double';
const conflict = (current: number, provided: number) => ({
  status: 409,
  body: {
    error: `VersionConflictEngineException[[.scripts][0] [expression][double]: version conflict, current [${current}], provided [${provided}]]`,
    status: 409,
  },
});

it('have versions that requests may ask for, as documents have', async () => {
  const put = (query: string) => call('PUT', `${at}?${query}`, SCRIPT);
  expect(await put('version=0&version_type=external')).toMatchObject({
    status: 201,
    body: { _version: 0, created: true },
  });
  expect((await put('version=5&version_type=external')).body).toMatchObject({ _version: 5, created: false });
  expect(await call('GET', `${at}?version=3`)).toEqual(conflict(5, 3));
  expect(await call('DELETE', `${at}?version=3`)).toEqual(conflict(5, 3));
  expect((await call('GET', `${at}?version=5&version_type=external_gte`)).status).toBe(200);
  expect((await call('GET', `${at}?version=10&version_type=force`)).status).toBe(200);
  expect(await put('version=5&version_type=external')).toEqual(conflict(5, 5));
  expect(await put('version=4')).toEqual(conflict(5, 4));
  expect((await put('version=5')).body).toMatchObject({ _version: 6 });
  expect((await call('DELETE', `${at}?version=6`)).body).toMatchObject({ found: true, _version: 7 });
  expect((await put('')).body).toMatchObject({ _version: 8, created: true });
});

it('are created once where a request says so', async () => {
  expect((await call('PUT', `${at}/_create`, SCRIPT)).status).toBe(201);
  const taken = {
    status: 409,
    body: {
      error: 'DocumentAlreadyExistsException[[.scripts][0] [expression][double]: document already exists]',
      status: 409,
    },
  };
  expect(await call('POST', `${at}/_create`, SCRIPT)).toEqual(taken);
  expect(await call('PUT', `${at}?op_type=create`, SCRIPT)).toEqual(taken);
  expect((await call('PUT', '/_search/template/t/_create', { template: {} })).status).toBe(201);
  expect(await call('PUT', `${at}?op_type=none`, SCRIPT)).toEqual({
    status: 400,
    body: { error: 'opType [none] not allowed, either [index] or [create] are allowed' },
  });
});

// Recorded from Elasticsearch 1.7.3.
it('have no index to be looked for in before the first of them', async () => {
  const missing = { status: 404, body: { error: 'IndexMissingException[[.scripts] missing]', status: 404 } };
  expect(await call('GET', at)).toEqual(missing);
  expect(await call('GET', '/_search/template/nosuch')).toEqual(missing);
  await call('PUT', at, SCRIPT);
  expect((await call('GET', '/_search/template/nosuch')).body).toEqual({
    lang: 'mustache',
    _id: 'nosuch',
    found: false,
  });
});

const kept = { type: 'object', enabled: false };

// The mapping is recorded from Elasticsearch 1.7.3.
it('are documents of an index of one shard, whatever templates say', async () => {
  await call('PUT', '/_template/all', { template: '*', settings: { number_of_shards: 4 } });
  await call('PUT', '/_search/template/t', { template: { query: { match_all: {} } } });
  expect((await call('GET', '/_mapping')).body).toEqual({
    '.scripts': { mappings: { mustache: { properties: { script: kept, template: kept } } } },
  });
  expect((await call('GET', '/.scripts/_settings?flat_settings=true')).body).toMatchObject({
    '.scripts': {
      settings: {
        'index.number_of_shards': '1',
        'index.number_of_replicas': '0',
        'index.auto_expand_replicas': '0-all',
      },
    },
  });
  const { body } = await call('GET', '/_search');
  const source = { template: { query: { match_all: {} } } };
  expect(body).toMatchObject({
    hits: { hits: [{ _index: '.scripts', _type: 'mustache', _id: 't', _source: source }] },
  });
});

it('are what is written into their index by itself, and go with it', async () => {
  await call('PUT', '/i/t/1?refresh=true', { n: 2 });
  await call('PUT', '/.scripts/expression/double', { script: "doc['n'].value * 2" });
  await call('PUT', '/.scripts/mustache/all', { query: { match_all: {} } });
  expect((await call('GET', at)).body).toMatchObject({ _version: 1, script: "doc['n'].value * 2" });
  const double = { script_fields: { d: { script_id: 'double', lang: 'expression' } } };
  const search = async () => {
    const { body } = await call('POST', '/i/_search', double);
    return (body as { hits: { hits: { fields: unknown }[] } }).hits.hits[0]!.fields;
  };
  expect(await search()).toEqual({ d: [4] });
  // A document that has neither key is a script as a whole.
  expect((await call('POST', '/i/_search/template', { id: 'all' })).body).toMatchObject({
    hits: { total: 1 },
  });
  await call('POST', '/.scripts/_close');
  expect((await call('GET', at)).status).toBe(403);
  await call('DELETE', '/.scripts');
  expect((await call('POST', '/i/_search', double)).body).toMatchObject({
    error: expect.stringContaining('IndexMissingException[[.scripts] missing]'),
  });
});

it('come over from a store that kept them beside the indices', async () => {
  const storage = new MemoryStorage();
  const rows: [Uint8Array, Uint8Array][] = [
    [scriptKey('expression/double'), encodeJson({ version: 7, script: '1 * 2' })],
    [scriptKey('mustache/a/b'), encodeJson({ version: '9007199254740995', script: '{"size":1}' })],
  ];
  await storage.commit(rows, []);
  const open = await createEngine({ storage });
  try {
    expect((await open.request('GET', at)).body).toMatchObject({ _version: 7, script: '1 * 2' });
    const raw = await open.handle('GET', '/_search/template/a%2Fb');
    expect(new TextDecoder().decode(raw.body as Uint8Array)).toContain('"_version":9007199254740995,');
    expect(storage.get(scriptKey('expression/double'))).toBeUndefined();
  } finally {
    await open.close();
  }
});
