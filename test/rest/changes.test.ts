import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await call('PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const source = async (uri: string) =>
  new TextDecoder().decode((await resilin.handle('GET', `${uri}/_source`)).body);

describe('an update', () => {
  it('merges objects, replaces the rest, and writes numbers as Java does', async () => {
    await call('PUT', '/a/t/1', '{"n":1.0,"o":{"a":1,"b":2},"l":[1]}');
    expect((await call('POST', '/a/t/1/_update', '{"doc":{"o":{"b":3.50},"l":[2,3]}}')).body).toEqual({
      _index: 'a',
      _type: 't',
      _id: '1',
      _version: 2,
    });
    expect(await source('/a/t/1')).toBe('{"n":1.0,"o":{"a":1,"b":3.5},"l":[2,3]}');
  });

  it('inserts where it may, and says what is missing where not', async () => {
    expect((await call('POST', '/a/t/1/_update', { doc: { n: 1 } })).body).toMatchObject({
      error: expect.stringContaining('DocumentMissingException'),
      status: 404,
    });
    expect((await call('POST', '/a/t/1/_update', { doc: { n: 1 }, upsert: { n: 0 } })).status).toBe(201);
    expect((await call('POST', '/a/t/1/_update', { doc: { n: 1 }, upsert: { n: 0 } })).status).toBe(200);
    expect(await source('/a/t/1')).toBe('{"n":1}');
    expect((await call('POST', '/a/t/2/_update', { doc: { n: 5 }, doc_as_upsert: true })).status).toBe(201);
  });

  it('that changes nothing writes nothing if told so', async () => {
    await call('PUT', '/a/t/1', { n: 1 });
    const body = { doc: { n: 1 }, detect_noop: true };
    expect((await call('POST', '/a/t/1/_update', body)).body).toMatchObject({ _version: 1 });
    expect((await call('POST', '/a/t/1/_update', { doc: { n: 1 } })).body).toMatchObject({ _version: 2 });
  });

  it('guards its version and shows fields', async () => {
    await call('PUT', '/a/t/1', { n: 1, o: { x: 'y' } });
    expect((await call('POST', '/a/t/1/_update?version=7', { doc: { n: 2 } })).status).toBe(409);
    expect((await call('POST', '/a/t/1/_update?fields=n,o.x,_source', { doc: { n: 2 } })).body).toMatchObject(
      {
        get: { found: true, fields: { n: [2], 'o.x': ['y'] }, _source: { n: 2, o: { x: 'y' } } },
      },
    );
  });

  it('with a script is refused as where scripts are switched off', async () => {
    await call('PUT', '/a/t/1', { n: 1 });
    expect((await call('POST', '/a/t/1/_update', { script: 'ctx._source.n++' })).body).toEqual({
      error:
        'ElasticsearchIllegalArgumentException[failed to execute script]; nested: ScriptException[scripts of type [inline], operation [update] and lang [groovy] are disabled]; ',
      status: 400,
    });
  });

  it('with an expression is refused: they change nothing', async () => {
    await call('PUT', '/a/t/1', { n: 1 });
    const refusal = async (script: string) =>
      ((await call('POST', '/a/t/1/_update', { script, lang: 'expression' })).body as { error: string })
        .error;
    expect(await refusal("doc['n'].value + 1")).toBe(
      'ElasticsearchIllegalArgumentException[failed to execute script]; ' +
        'nested: UnsupportedOperationException[Cannot use expressions for updates]; ',
    );
    expect(await refusal('1 +')).toContain(
      'nested: ExpressionScriptCompilationException[Failed to parse expression: 1 +]; nested: ParseException',
    );
  });

  it('beside others of the same document loses none, in bulk and at once', async () => {
    await call('PUT', '/a/t/1', { n: 0 });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => call('POST', '/a/t/1/_update', { doc: { [`k${i}`]: i } })),
    );
    const updates = Array.from({ length: 10 }, (_, i) => [
      { update: { _id: '1' } },
      { doc: { [`b${i}`]: i } },
    ]).flat();
    expect((await call('POST', '/a/t/_bulk', lines(...updates))).body).toMatchObject({ errors: false });
    const { body } = await call('GET', '/a/t/1');
    expect(body).toMatchObject({ _version: 31 });
    expect(Object.keys((body as { _source: object })._source)).toHaveLength(31);
  });
});

describe('many at once', () => {
  beforeEach(async () => {
    const docs = [1, 2, 3, 4].flatMap((n) => [{ index: { _id: n } }, { n, s: n % 2 ? 'odd' : 'even' }]);
    await call('POST', '/a/t/_bulk?refresh=true', lines(...docs));
  });

  it('mget answers in order', async () => {
    const docs = [{ _id: '2' }, { _id: '9' }, { _index: 'nope', _id: '1' }, { _id: '1', fields: ['n'] }];
    expect((await call('POST', '/a/t/_mget', { docs })).body).toEqual({
      docs: [
        { _index: 'a', _type: 't', _id: '2', _version: 1, found: true, _source: { n: 2, s: 'even' } },
        { _index: 'a', _type: 't', _id: '9', found: false },
        { _index: 'nope', _type: 't', _id: '1', error: '[nope] missing' },
        { _index: 'a', _type: 't', _id: '1', _version: 1, found: true, fields: { n: [1] } },
      ],
    });
  });

  it('count counts, and shows a bad query as failures', async () => {
    const query = { term: { s: 'odd' } };
    expect((await call('POST', '/a/_count', { query })).body).toEqual({
      count: 2,
      _shards: { total: 2, successful: 2, failed: 0 },
    });
    const bad = await call('POST', '/a/_count', query);
    expect([bad.status, bad.body]).toMatchObject([400, { count: 0, _shards: { failed: 2 } }]);
  });

  it('msearch answers each for itself', async () => {
    const body = lines({ index: 'a' }, { query: { term: { s: 'odd' } } }, { index: 'nope' }, {});
    expect((await call('POST', '/_msearch', body)).body).toMatchObject({
      responses: [{ hits: { total: 2 } }, { error: 'IndexMissingException[[nope] missing]' }],
    });
  });

  it('delete by query deletes what it finds, refreshed or not', async () => {
    await call('PUT', '/a/t/5', { n: 5, s: 'odd' });
    expect((await call('DELETE', '/a/_query', { query: { term: { s: 'odd' } } })).body).toEqual({
      _indices: { a: { _shards: { total: 2, successful: 2, failed: 0 } } },
    });
    expect((await call('GET', '/a/t/5')).status).toBe(404);
    await call('POST', '/a/_refresh');
    expect((await call('GET', '/a/_count')).body).toMatchObject({ count: 2 });
  });

  it('a search shows fields', async () => {
    const { body } = await call('POST', '/a/_search', { query: { term: { s: 'even' } }, fields: ['n'] });
    const hits = (body as { hits: { hits: { fields: unknown }[] } }).hits.hits;
    expect(hits.map(({ fields }) => fields).sort()).toEqual([{ n: [2] }, { n: [4] }]);
    expect(hits[0]).not.toHaveProperty('_source');
  });
});

it('a get that is not realtime sees what searches see', async () => {
  await call('PUT', '/a/t/1', { n: 1 });
  expect((await call('GET', '/a/t/1?realtime=false')).status).toBe(404);
  await call('POST', '/a/_refresh');
  await call('PUT', '/a/t/1', { n: 2 });
  expect((await call('GET', '/a/t/1?realtime=false')).body).toMatchObject({ _version: 1, _source: { n: 1 } });
  expect((await call('GET', '/a/t/1')).body).toMatchObject({ _version: 2 });
});
