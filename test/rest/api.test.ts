import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const hits = async (uri: string, body?: unknown) =>
  (
    (await call('POST', uri, body)).body as {
      hits: { total: number; hits: { _id: string; _source?: unknown }[] };
    }
  ).hits;

describe('documents', () => {
  it('are created, replaced, read and deleted', async () => {
    const at = { _index: 'a', _type: 't', _id: '1' };
    expect(await call('PUT', '/a/t/1', { n: 1 })).toEqual({
      status: 201,
      body: { ...at, _version: 1, created: true },
    });
    expect(await call('PUT', '/a/t/1', '{"n": 2.0 }')).toEqual({
      status: 200,
      body: { ...at, _version: 2, created: false },
    });
    expect(await call('GET', '/a/t/1')).toEqual({
      status: 200,
      body: { ...at, _version: 2, found: true, _source: { n: 2 } },
    });
    const raw = await resilin.handle('GET', '/a/t/1/_source');
    expect(new TextDecoder().decode(raw.body)).toBe('{"n": 2.0 }');
    expect(await call('DELETE', '/a/t/1')).toEqual({
      status: 200,
      body: { found: true, ...at, _version: 3 },
    });
    expect(await call('DELETE', '/a/t/1')).toEqual({
      status: 404,
      body: { found: false, ...at, _version: 4 },
    });
    expect(await call('GET', '/a/t/1')).toEqual({ status: 404, body: { ...at, found: false } });
    expect((await call('HEAD', '/a/t/1')).status).toBe(404);
    expect(await call('PUT', '/a/t/1', {})).toEqual({
      status: 201,
      body: { ...at, _version: 5, created: true },
    });
  });

  it('create only where nothing is', async () => {
    expect((await call('PUT', '/a/t/1/_create', { n: 1 })).status).toBe(201);
    const again = await call('PUT', '/a/t/1?op_type=create', { n: 2 });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      error: expect.stringContaining('DocumentAlreadyExistsException[[a]['),
    });
  });

  it('get ids of their own', async () => {
    const { status, body } = await call('POST', '/a/t', { n: 1 });
    expect([status, (body as { _id: string })._id]).toEqual([201, expect.stringMatching(/^[\w-]{20}$/)]);
  });

  it('guard their versions', async () => {
    await call('PUT', '/a/t/1', { n: 1 });
    expect((await call('PUT', '/a/t/1?version=1', { n: 2 })).body).toMatchObject({ _version: 2 });
    expect((await call('PUT', '/a/t/1?version=1', { n: 3 })).status).toBe(409);
    expect((await call('PUT', '/a/t/1?version=9&version_type=external', { n: 3 })).body).toMatchObject({
      _version: 9,
    });
    expect((await call('PUT', '/a/t/1?version=9&version_type=external', { n: 3 })).status).toBe(409);
    expect((await call('GET', '/a/t/1?version=3')).status).toBe(409);
  });

  it('are routed', async () => {
    await call('PUT', '/a', { settings: { number_of_shards: 2 } });
    await call('PUT', '/a/t/1?routing=x', { n: 1 });
    expect((await call('GET', '/a/t/1?routing=x')).status).toBe(200);
  });

  it('of a bad kind are refused whole', async () => {
    const broken = await call('PUT', '/a/t/1', '{"n":');
    expect([broken.status, broken.body]).toEqual([
      400,
      {
        error: expect.stringMatching(
          /^MapperParsingException\[failed to parse\]; nested: JsonParseException\[/,
        ),
        status: 400,
      },
    ]);
    expect((await call('PUT', '/a/t/1', '[1]')).body).toEqual({
      error:
        'MapperParsingException[failed to parse]; nested: ElasticsearchParseException[Failed to derive xcontent]; ',
      status: 400,
    });
    expect((await call('GET', '/a/t/1')).status).toBe(404);
  });

  it('show the parts of their source that are asked for', async () => {
    await call('PUT', '/a/t/1', '{"x":{"a":1.0,"b":2},"list":[{"p":1,"q":2}],"z":3}');
    const show = async (query: string) => {
      const { body } = await resilin.handle('GET', `/a/t/1/_source?${query}`);
      return new TextDecoder().decode(body);
    };
    expect(await show('_source=x.*')).toBe('{"x":{"a":1.0,"b":2}}');
    expect(await show('_source_include=x,list.p&_source_exclude=*.b')).toBe(
      '{"x":{"a":1.0},"list":[{"p":1}]}',
    );
    expect((await call('GET', '/a/t/1?_source=false')).body).not.toHaveProperty('_source');
  });
});

describe('bulk', () => {
  const lines = (...all: unknown[]) => all.map((each) => `${JSON.stringify(each)}\n`).join('');

  it('answers item by item, and one failing fails alone', async () => {
    const { status, body } = await call(
      'POST',
      '/a/t/_bulk',
      lines(
        { index: { _id: 1 } },
        { n: 1 },
        { create: { _id: '1' } },
        { n: 2 },
        { index: { _id: '1' } },
        { n: 3 },
        { index: { _id: '2' } },
        { n: 'not a number' },
        { update: { _id: '1' } },
        { doc: {} },
        { delete: { _id: '1' } },
        { delete: { _id: '9' } },
        { index: {} },
        { n: 4 },
      ),
    );
    expect(status).toBe(200);
    const { errors, items } = body as {
      errors: boolean;
      items: Record<string, { status: number; _version?: number }>[];
    };
    expect(errors).toBe(true);
    expect(
      items.map((item) => Object.entries(item).map(([name, each]) => [name, each.status, each._version])),
    ).toEqual([
      [['index', 201, 1]],
      [['create', 409, undefined]],
      [['index', 200, 2]],
      [['index', 400, undefined]],
      [['update', 200, 3]],
      [['delete', 200, 4]],
      [['delete', 404, 1]],
      [['create', 201, 1]],
    ]);
    await call('POST', '/a/_refresh');
    expect((await hits('/a/_search')).total).toBe(1);
  });

  it('refuses what is no bulk', async () => {
    expect((await call('POST', '/_bulk', 'x\n')).body).toMatchObject({
      error: 'ElasticsearchParseException[Failed to derive xcontent]',
    });
    expect((await call('POST', '/_bulk', lines({ index: { _id: 1 } }, { a: 1 }))).body).toMatchObject({
      error: 'ActionRequestValidationException[Validation Failed: 1: index is missing;2: type is missing;]',
    });
    expect((await call('POST', '/a/t/_bulk', '{"index":{}}\n{"a":1}')).body).toMatchObject({
      error: 'ActionRequestValidationException[Validation Failed: 1: no requests added;]',
    });
    expect((await call('POST', '/a/t/_bulk', lines({}, {}))).status).toBe(500);
    expect((await call('HEAD', '/a')).status).toBe(404);
  });
});

describe('search', () => {
  beforeEach(async () => {
    await call('PUT', '/a', { settings: { number_of_shards: 3, refresh_interval: '-1' } });
    for (const [id, title] of ['red fox', 'red hen', 'blue fox', 'grey goose'].entries()) {
      await call('PUT', `/a/t/${id}`, { title, n: id });
    }
    await call('PUT', '/b/u/9?refresh=true', { title: 'red herring' });
    await call('POST', '/a/_refresh');
  });

  it('over indices, types, wildcards', async () => {
    const red = { query: { match: { title: 'red' } } };
    expect((await hits('/a/_search', red)).total).toBe(2);
    expect((await hits('/a,b/_search', red)).total).toBe(3);
    expect((await hits('/_all/_search', red)).total).toBe(3);
    expect((await hits('/*,-a/_search', red)).total).toBe(1);
    expect((await hits('/_search', red)).total).toBe(3);
    expect((await hits('/_all/u/_search', red)).total).toBe(1);
    expect((await hits('/nothing*/_search', red)).total).toBe(0);
    expect((await call('POST', '/nope/_search', red)).status).toBe(404);
  });

  it('pages, and never beyond what there is', async () => {
    const page = async (body: unknown) => (await hits('/a/_search', body)).hits.length;
    expect(await page({ size: 3 })).toBe(3);
    expect(await page({ size: 3, from: 3 })).toBe(1);
    expect(await page({ size: 2_147_483_647 })).toBe(4);
    expect((await call('GET', '/a/_search?size=0')).body).toMatchObject({
      hits: { total: 4, max_score: 0, hits: [] },
    });
    expect((await call('GET', '/a/_search?size=x')).status).toBe(400);
    expect((await call('POST', '/a/_search', { from: 2_147_483_647 })).status).toBe(500);
  });

  it('shows sources as asked', async () => {
    const { hits: found } = await hits('/a/_search?_source=n', { query: { match: { title: 'goose' } } });
    expect(found.map((hit) => hit._source)).toEqual([{ n: 3 }]);
    expect((await hits('/a/_search', { _source: false })).hits.every((hit) => !('_source' in hit))).toBe(
      true,
    );
  });

  it('finds what was replaced until the next refresh, and then what replaced it', async () => {
    await call('PUT', '/a/t/0', { title: 'green fox' });
    await call('DELETE', '/a/t/1');
    const seen = async (word: string) =>
      (await hits('/a/_search', { query: { match: { title: word } } })).hits.map((hit) => hit._id);
    expect([(await seen('red')).sort(), await seen('green')]).toEqual([['0', '1'], []]);
    expect((await hits('/a/_search', { query: { ids: { values: ['0', '1'] } } })).total).toBe(2);
    await call('POST', '/a/_refresh');
    expect([await seen('red'), await seen('green')]).toEqual([[], ['0']]);
    expect((await hits('/a/_search', { query: { ids: { values: ['0', '1'] } } })).total).toBe(1);
  });

  it('says what it cannot read', async () => {
    const { status, body } = await call('POST', '/b/_search', { query: { nosuch: {} } });
    expect([status, body]).toEqual([
      400,
      {
        error: expect.stringMatching(
          /^SearchPhaseExecutionException\[Failed to execute phase \[query\], all shards failed; .*No query registered for \[nosuch\]/,
        ),
        status: 400,
      },
    ]);
    expect((await call('POST', '/a/_search', '{"query":')).status).toBe(400);
  });
});

describe('indices', () => {
  it('are made once, shown and deleted', async () => {
    expect(
      await call('PUT', '/a', {
        settings: { number_of_shards: 2 },
        mappings: { t: { properties: { f: { type: 'string' } } } },
      }),
    ).toEqual({
      status: 200,
      body: { acknowledged: true },
    });
    expect((await call('PUT', '/a')).body).toEqual({
      error: 'IndexAlreadyExistsException[[a] already exists]',
      status: 400,
    });
    expect((await call('GET', '/a')).body).toMatchObject({
      a: {
        mappings: { t: { properties: { f: { type: 'string' } } } },
        settings: { index: { number_of_shards: '2', number_of_replicas: '1' } },
      },
    });
    await call('PUT', '/b');
    expect((await call('DELETE', '/a,nope')).status).toBe(404);
    expect((await call('HEAD', '/a')).status).toBe(200);
    expect((await call('DELETE', '/a*')).status).toBe(200);
    expect([(await call('HEAD', '/a')).status, (await call('HEAD', '/b')).status]).toEqual([404, 200]);
    expect((await call('DELETE', '/_all')).status).toBe(200);
    expect(resilin.engine.indexNames()).toEqual([]);
  });

  it('with bad names, settings or mappings are not made', async () => {
    expect((await call('PUT', '/UP')).body).toMatchObject({
      error: 'InvalidIndexNameException[[UP] Invalid index name [UP], must be lowercase]',
    });
    expect((await call('PUT', '/a', { settings: { number_of_shards: 0 } })).status).toBe(400);
    expect(
      (await call('PUT', '/a', { mappings: { t: { properties: { f: { type: 'nosuch' } } } } })).body,
    ).toMatchObject({
      error:
        'MapperParsingException[mapping [t]]; nested: MapperParsingException[No handler for type [nosuch] declared on field [f]]; ',
    });
    expect(resilin.engine.indexNames()).toEqual([]);
  });

  it('report their health', async () => {
    await call('PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
    expect((await call('GET', '/_cluster/health/a?wait_for_status=green')).body).toMatchObject({
      status: 'green',
      active_shards: 2,
      timed_out: false,
    });
    await call('PUT', '/b', { settings: { number_of_shards: 1 } });
    expect((await call('GET', '/_cluster/health')).body).toMatchObject({
      status: 'yellow',
      active_shards: 3,
      unassigned_shards: 1,
    });
    expect((await call('GET', '/_cluster/health/nope?timeout=0')).body).toMatchObject({
      status: 'red',
      timed_out: true,
    });
  });
});

describe('the rest', () => {
  it('knows itself, and what it does not handle', async () => {
    expect((await call('GET', '/')).body).toMatchObject({
      status: 200,
      version: {
        number: '1.7.3',
        build_hash: expect.stringMatching(/^resilin-\d/),
        lucene_version: '4.10.4',
      },
    });
    expect(await call('GET', '/_count?callback=f')).toEqual({
      status: 403,
      body: 'f({"error":"JSONP is disabled."});',
    });
    expect(await call('GET', '/_count?callback=alert(1)')).toEqual({
      status: 403,
      body: 'JSONP is disabled.',
    });
    expect(await call('GET', '/_plugin/head/')).toEqual({ status: 404, body: '' });
    expect(await call('PUT', '/a/t?x=1')).toEqual({
      status: 400,
      body: 'No handler found for uri [/a/t?x=1] and method [PUT]',
    });
    expect(await call('HEAD', '/')).toEqual({ status: 200, body: '' });
    expect((await call('GET', '/_nope')).body).toMatchObject({
      error: 'ElasticsearchIllegalArgumentException[No feature for name [_nope]]',
    });
    expect((await call('POST', '/_percolate')).body).toMatchObject({
      error: expect.stringContaining('InvalidIndexNameException'),
    });
  });

  it('answers the Fetch API', async () => {
    const response = await resilin.fetch(new Request('http://x/a/t/1', { method: 'PUT', body: '{"n":1}' }));
    expect([response.status, await response.json()]).toMatchObject([201, { _id: '1' }]);
  });
});
