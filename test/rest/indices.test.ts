import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

let resilin: Resilin;
let storage: MemoryStorage;
let blobs: MemoryBlobs;
const open = async () => {
  resilin = await createEngine({ storage, blobs });
};
beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  await open();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const error = async (method: string, uri: string, body?: unknown) => {
  const answer = await call(method, uri, body);
  return [answer.status, (answer.body as { error: string }).error];
};
const ids = async (uri: string, body?: unknown) =>
  ((await call('POST', uri, body)).body as { hits: { hits: { _id: string }[] } }).hits.hits.map(
    ({ _id }) => _id,
  );
const one = { number_of_shards: 1, number_of_replicas: 0 };

describe('an alias', () => {
  beforeEach(async () => {
    await call('PUT', '/v1', {
      settings: one,
      mappings: { t: { properties: { team: { type: 'string', index: 'not_analyzed' } } } },
    });
    await call('PUT', '/v2', { settings: one });
    await call('PUT', '/v1/t/1?refresh=true', { team: 'red' });
    await call('PUT', '/v1/t/2?refresh=true', { team: 'blue' });
  });

  it('moves from one index to another in one step, or not at all', async () => {
    await call('POST', '/_aliases', { actions: [{ add: { index: 'v1', alias: 'live' } }] });
    const missing = {
      actions: [{ remove: { index: 'v1', alias: 'live' } }, { add: { index: 'no', alias: 'live' } }],
    };
    expect(await error('POST', '/_aliases', missing)).toEqual([404, 'IndexMissingException[[no] missing]']);
    expect((await call('GET', '/_alias/live')).body).toEqual({ v1: { aliases: { live: {} } } });
    await call('POST', '/_aliases', {
      actions: [{ remove: { index: 'v1', alias: 'live' } }, { add: { index: 'v2', alias: 'live' } }],
    });
    await resilin.close();
    await open();
    expect((await call('GET', '/_alias/live')).body).toEqual({ v2: { aliases: { live: {} } } });
    expect((await call('PUT', '/live/t/1', {})).body).toMatchObject({ _index: 'v2' });
  });

  it('filters what is searched, but not what is read by id', async () => {
    const filter = { term: { team: 'red' } };
    await call('PUT', '/v1/_alias/reds', { filter });
    expect(await ids('/reds/_search')).toEqual(['1']);
    expect((await call('GET', '/reds/_count')).body).toMatchObject({ count: 1 });
    expect((await call('GET', '/reds/t/2')).status).toBe(200);
    expect(await ids('/reds,v1/_search')).toEqual(['1', '2']);
    expect(await error('PUT', '/v1/_alias/x', { filter: { nosuch: {} } })).toEqual([
      400,
      'ElasticsearchIllegalArgumentException[failed to parse filter for alias [x]]; nested: QueryParsingException[[v1] No filter registered for [nosuch]]; ',
    ]);
  });

  it('routes writes, and refuses another routing', async () => {
    await call('PUT', '/routed', { settings: { number_of_shards: 5 }, aliases: { a: { routing: 'x' } } });
    expect((await call('PUT', '/a/t/1?refresh=true', { n: 1 })).status).toBe(201);
    expect((await call('GET', '/routed/t/1?routing=x')).status).toBe(200);
    expect((await call('GET', '/a/_search')).body).toMatchObject({
      _shards: { total: 1 },
      hits: { total: 1 },
    });
    expect(await error('PUT', '/a/t/1?routing=y', {})).toEqual([
      400,
      'ElasticsearchIllegalArgumentException[Alias [a] has index routing associated with it [x], and was provided with routing value [y], rejecting operation]',
    ]);
  });

  it('of several indices takes no writes', async () => {
    await call('PUT', '/v1,v2/_alias/both');
    expect((await error('PUT', '/both/t/1', {}))[1]).toContain(
      'more than one indices associated with it [[v1, v2]]',
    );
    expect(await error('PUT', '/both')).toEqual([
      400,
      'InvalidIndexNameException[[both] Invalid index name [both], already exists as alias]',
    ]);
  });
});

describe('a closed index', () => {
  it('keeps its documents and answers only for its metadata, through a restart', async () => {
    await call('PUT', '/a', { settings: one });
    await call('PUT', '/a/t/1', { s: 'x' });
    expect((await call('POST', '/a/_close')).body).toEqual({ acknowledged: true });
    await resilin.close();
    await open();
    for (const [method, uri] of [
      ['GET', '/a/_search'],
      ['GET', '/a/t/1'],
      ['PUT', '/a/t/2'],
      ['POST', '/a/_refresh'],
    ])
      expect(await error(method!, uri!, method === 'PUT' ? {} : undefined)).toEqual([
        403,
        'IndexClosedException[[a] closed]',
      ]);
    expect((await call('GET', '/_search')).body).toMatchObject({ _shards: { total: 0 } });
    expect((await call('GET', '/a/_mapping')).body).toEqual({
      a: { mappings: { t: { properties: { s: { type: 'string' } } } } },
    });
    await call('POST', '/a/_open');
    expect(await ids('/a/_search')).toEqual(['1']);
    expect((await call('PUT', '/a/t/2', { s: 'y' })).status).toBe(201);
  });

  it('takes settings that an open one does not', async () => {
    await call('PUT', '/a', { settings: one });
    const analysis = { analysis: { analyzer: { exact: { type: 'keyword' } } } };
    expect((await error('PUT', '/a/_settings', analysis))[1]).toContain("Can't update non dynamic settings");
    await call('POST', '/a/_close');
    expect((await call('PUT', '/a/_settings', analysis)).status).toBe(200);
    await call('POST', '/a/_open');
    const mapping = { properties: { s: { type: 'string', analyzer: 'exact' } } };
    expect((await call('PUT', '/a/_mapping/t', mapping)).status).toBe(200);
    await call('PUT', '/a/t/1?refresh=true', { s: 'Two Words' });
    expect(await ids('/a/_search', { query: { term: { s: 'Two Words' } } })).toEqual(['1']);
  });
});

describe('templates', () => {
  it('apply by pattern, the higher order over the lower, the request over both', async () => {
    await call('PUT', '/_template/low', {
      template: 'log*',
      settings: one,
      mappings: { line: { properties: { a: { type: 'long' } } } },
      aliases: { '{index}-all': {} },
    });
    await call('PUT', '/_template/high', {
      template: 'log-2*',
      order: 1,
      settings: { refresh_interval: '5s' },
      mappings: { line: { properties: { b: { type: 'date' } } } },
    });
    await call('PUT', '/log-2/line/1', { a: 1 });
    await resilin.close();
    await open();
    const { body } = await call('GET', '/log-2');
    expect(body).toMatchObject({
      'log-2': {
        aliases: { 'log-2-all': {} },
        mappings: { line: { properties: { a: { type: 'long' }, b: { type: 'date' } } } },
        settings: { index: { number_of_shards: '1', refresh_interval: '5s' } },
      },
    });
    expect((await call('GET', '/_template/nope')).status).toBe(404);
    expect((await call('DELETE', '/_template/*')).body).toEqual({ acknowledged: true });
    expect((await call('GET', '/_template')).body).toEqual({});
  });

  it('show their warmers, and are refused with patterns and aliases that no index could have', async () => {
    const warmers = { w: { types: ['line'], source: { query: { match_all: {} } } } };
    await call('PUT', '/_template/warm', { template: 'warm*', warmers });
    expect((await call('GET', '/_template/warm')).body).toMatchObject({ warm: { warmers } });
    const refused = async (body: unknown) =>
      ((await call('PUT', '/_template/bad', body)).body as { error: string }).error;
    for (const [template, why] of [
      ['a b', 'template must not contain a space'],
      ['a,b', "template must not contain a ','"],
      ['a#b', "template must not contain a '#'"],
      ['_a', "template must not start with '_'"],
      ['a?', 'template must not container the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
    ])
      expect(await refused({ template })).toBe(
        `InvalidIndexTemplateException[index_template [bad] invalid, cause [${why}]]`,
      );
    expect(await refused({ template: 'a*', aliases: { ' ': {} } })).toContain('alias name is required');
    expect(await refused({ template: 'a*', aliases: { b: { routing: '1,2' } } })).toContain(
      'alias [b] has several index routing values associated with it',
    );
    expect(await refused({ template: 'a*', mappings: true })).toContain('java.lang.Boolean cannot be cast');
    await call('DELETE', '/_template/warm');
  });
});

describe('aliases', () => {
  it('are given to open indices that are there, with one routing to write by', async () => {
    await call('PUT', '/a', { settings: one });
    const refused = async (add: unknown) =>
      (await call('POST', '/_aliases', { actions: [{ add }] })).body as { error: string };
    expect(await refused({ index: 'a', alias: ' ' })).toMatchObject({ status: 400 });
    expect((await refused({ index: 'a', alias: 'x', index_routing: '1,2' })).error).toContain(
      'alias [x] has several index routing values associated with it',
    );
    for (const body of [
      await refused({ index: 'no*', alias: 'x' }),
      (await call('PUT', '/no*/_alias/x')).body,
    ])
      expect(body).toMatchObject({ error: 'IndexMissingException[[no*] missing]', status: 404 });
    await call('DELETE', '/a');
  });
});

// Recorded from Elasticsearch 1.7.3.
it('aliases of an index that is missing are none, and warmers are shown where there are none', async () => {
  for (const uri of ['/missing/_aliases', '/missing/_alias'])
    expect(await call('GET', uri), uri).toMatchObject({ status: 200, body: {} });
  expect((await call('GET', '/missing/_alias/x')).status).toBe(404);
  await call('PUT', '/i');
  for (const uri of ['/_warmer', '/i/_warmer', '/i/_warmers'])
    expect((await call('GET', uri)).body, uri).toEqual({ i: { warmers: {} } });
  expect((await call('GET', '/i/_warmer/w')).body).toEqual({});
});

describe('warmers', () => {
  it('say whether their answers may be kept, and are all forgotten even where there are none', async () => {
    await call('PUT', '/a', { settings: one });
    expect((await call('DELETE', '/a/_warmer/none')).status).toBe(404);
    expect((await call('DELETE', '/a/_warmer/_all')).body).toEqual({ acknowledged: true });
    await call('PUT', '/a/_warmer/w?query_cache=false', { query: { match_all: {} } });
    expect((await call('GET', '/a/_warmer/w')).body).toEqual({
      a: { warmers: { w: { types: [], queryCache: false, source: { query: { match_all: {} } } } } },
    });
    await call('DELETE', '/a');
  });
});

describe('settings', () => {
  it('change while the index is open if they may', async () => {
    await call('PUT', '/a', { settings: one });
    expect((await call('PUT', '/a/_settings', { index: { refresh_interval: '-1' } })).status).toBe(200);
    expect((await call('GET', '/a/_settings/index.refresh*')).body).toEqual({
      a: { settings: { index: { refresh_interval: '-1' } } },
    });
    expect(await error('PUT', '/a/_settings', { number_of_shards: 2 })).toEqual([
      400,
      "ElasticsearchIllegalArgumentException[can't change the number of shards for an index]",
    ]);
  });

  it('may keep documents from bringing types of their own', async () => {
    await call('PUT', '/a', {
      settings: { ...one, 'index.mapper.dynamic': false },
      mappings: { t: { properties: {} } },
    });
    expect((await call('PUT', '/a/t/1', { n: 1 })).status).toBe(201);
    expect(await error('PUT', '/a/u/1', { n: 1 })).toEqual([
      404,
      'TypeMissingException[[a] type[[u, trying to auto create mapping, but dynamic mapping is disabled]] missing]',
    ]);
  });

  it('of the cluster may keep all indices from going at once', async () => {
    await call('PUT', '/a', { settings: one });
    await call('PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': true } });
    expect((await error('DELETE', '/_all'))[0]).toBe(400);
    expect((await error('DELETE', '/a*'))[0]).toBe(400);
    const unnamed =
      'ElasticsearchIllegalArgumentException[Wildcard expressions or all indices are not allowed]';
    for (const [method, uri] of [
      ['POST', '/*/_close'],
      ['POST', '/a,_all/_close'],
      ['POST', '/nosuch*/_open'],
      ['DELETE', '/a*/_mapping/t'],
      ['DELETE', '/_all/_query?q=x'],
    ] as const)
      expect(await error(method, uri)).toEqual([400, unnamed]);
    expect((await call('POST', '/a/_close')).status).toBe(200);
    expect((await call('DELETE', '/a')).status).toBe(200);
  });

  it('block writes, and deleting the index, until they are taken back', async () => {
    await call('PUT', '/a', { settings: one });
    await call('PUT', '/a/_settings', { 'index.blocks.read_only': true });
    const forbidden = [403, 'ClusterBlockException[blocked by: [FORBIDDEN/5/index read-only (api)];]'];
    expect(await error('PUT', '/a/t/1', {})).toEqual(forbidden);
    expect(await error('DELETE', '/a')).toEqual(forbidden);
    await call('PUT', '/a/_settings', { 'index.blocks.read_only': false });
    expect((await call('DELETE', '/a')).status).toBe(200);
  });
});

it('a type goes with its documents', async () => {
  await call('PUT', '/a', { settings: one });
  await call('PUT', '/a/t/1', { n: 1 });
  await call('PUT', '/a/u/1?refresh=true', { n: 2 });
  expect((await call('DELETE', '/a/t')).body).toEqual({ acknowledged: true });
  await call('POST', '/a/_refresh');
  expect((await call('GET', '/a/_mapping')).body).toEqual({
    a: { mappings: { u: { properties: { n: { type: 'long' } } } } },
  });
  expect((await call('GET', '/a/_count')).body).toMatchObject({ count: 1 });
  expect((await error('DELETE', '/a/t'))[0]).toBe(404);
});
