import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const create = (mapping: unknown, settings = {}) =>
  call('PUT', '/i', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', ...settings },
    mappings: { t: mapping },
  });
const total = async (query: unknown) => {
  await call('POST', '/i/_refresh');
  const { body } = await call('POST', '/i/_search', { query });
  return (body as { hits: { total: number } }).hits.total;
};
const shown = async (id: string, fields: string) =>
  (await call('GET', `/i/t/${id}?fields=${fields}`)).body as { fields?: Record<string, unknown> };

describe('timestamps', () => {
  it('are given, stand in the document, or are the default', async () => {
    const section = {
      enabled: true,
      store: true,
      path: 'at.day',
      format: 'dd.MM.yyyy',
      default: '01.01.2000',
    };
    await create({ _timestamp: section });
    await call('PUT', '/i/t/1?timestamp=1000', { at: { day: '02.01.1970' } });
    await call('PUT', '/i/t/2', { at: { day: '02.01.1970' } });
    await call('PUT', '/i/t/3', { other: 1 });
    expect((await shown('1', '_timestamp')).fields).toEqual({ _timestamp: 1000 });
    expect((await shown('2', '_timestamp')).fields).toEqual({ _timestamp: 86_400_000 });
    expect((await shown('3', '_timestamp')).fields).toEqual({ _timestamp: Date.UTC(2000, 0, 1) });
    expect(await total({ range: { _timestamp: { lt: '01.01.1980' } } })).toBe(2);
    expect((await call('GET', '/i/_mapping')).body).toMatchObject({
      i: { mappings: { t: { _timestamp: section } } },
    });
  });

  it('may be required', async () => {
    await create({ _timestamp: { enabled: true, ignore_missing: false } });
    expect((await call('PUT', '/i/t/1', {})).body).toMatchObject({
      error: 'TimestampParsingException[failed to parse timestamp [timestamp is required by mapping]]',
      status: 500,
    });
    expect((await call('PUT', '/i/t/1?timestamp=2014-03-04', {})).status).toBe(201);
  });

  it('can not change their path or default', async () => {
    await create({ _timestamp: { enabled: true, path: 'a', default: '2000' } });
    const { body } = await call('PUT', '/i/_mapping/t', { t: { _timestamp: { enabled: true, path: 'b' } } });
    expect(body).toMatchObject({
      error:
        'MergeMappingException[Merge failed with failures {[Cannot update default in _timestamp value. Value is 2000 ' +
        'now encountering now, Cannot update path in _timestamp value. Value is a path in merged mapping is b]}]',
    });
  });
});

describe('times to live', () => {
  it('are given, stand in the document, or are the default; what is over is refused', async () => {
    await create({ _ttl: { enabled: true, default: '1h' } });
    await call('PUT', '/i/t/1?ttl=1d', {});
    await call('PUT', '/i/t/2', { _ttl: '2d' });
    await call('PUT', '/i/t/3', {});
    for (const [id, most] of [
      ['1', 86_400_000],
      ['2', 172_800_000],
      ['3', 3_600_000],
    ] as const) {
      const left = (await shown(id, '_ttl')).fields?._ttl as number;
      expect(left).toBeGreaterThan(most - 60_000);
      expect(left).toBeLessThanOrEqual(most);
    }
    const { body } = await call('PUT', '/i/t/4?timestamp=1000&ttl=1ms', {});
    expect(body).toMatchObject({
      error: expect.stringMatching(
        /^MapperParsingException\[failed to parse \[_ttl\]\]; nested: AlreadyExpiredException\[already expired \[i\]\/\[t\]\/\[4\] due to expire at \[1001\]/,
      ),
      status: 400,
    });
  });

  it('survive an update, and end documents', async () => {
    await create({ _ttl: { enabled: true } });
    await call('PUT', '/i/t/1?ttl=1d', { a: 1 });
    await call('POST', '/i/t/1/_update', { doc: { a: 2 } });
    expect((await shown('1', '_ttl')).fields?._ttl).toBeGreaterThan(86_000_000);
    await call('PUT', '/i/t/2?ttl=60s', { a: 1 });
    expect(await total({ match_all: {} })).toBe(2);
    await resilin.engine.deleteExpired(Date.now() + 61_000);
    expect(await total({ match_all: {} })).toBe(1);
  });
});

it('sizes and routing values are fields', async () => {
  await create({ _size: { enabled: true, store: true } });
  await call('PUT', '/i/t/1?routing=here', { a: 'text' });
  const { body } = await call('GET', '/i/t/1?routing=here&fields=_size,_routing');
  expect(body).toMatchObject({ fields: { _size: 12, _routing: 'here' } });
  expect(await total({ range: { _size: { gte: 12 } } })).toBe(1);
  expect(await total({ term: { _routing: 'here' } })).toBe(1);
  expect(await total({ term: { _routing: 'there' } })).toBe(0);
});

describe('boosts in documents', () => {
  const scores = async (query: unknown) => {
    await call('POST', '/i/_refresh');
    const { body } = await call('POST', '/i/_search', { query });
    const { hits } = body as { hits: { hits: { _id: string; _score: number }[] } };
    return hits.hits.map(({ _id, _score }) => [_id, _score]);
  };

  // Recorded from Elasticsearch 1.7.3.
  it('count in norms, and in `_all` by the mean of a word', async () => {
    await create({ properties: { a: { type: 'string' } } });
    await call('PUT', '/i/t/1', { a: { value: 'word', boost: 3 } });
    await call('PUT', '/i/t/2', { a: 'word' });
    const two = { value: 'word', boost: 2 };
    await call('PUT', '/i/t/3', { a: [two, two] });
    expect(await scores({ term: { a: 'word' } })).toEqual([
      ['3', 2.518424],
      ['1', 2.1369538],
      ['2', 0.71231794],
    ]);
    expect(await scores({ term: { _all: 'word' } })).toEqual([
      ['1', 1.5110545],
      ['3', 0.8903974],
      ['2', 0.5036848],
    ]);
    // Not so in a simple_query_string: tf * idf * norm, as in any other field.
    const idf = Math.fround(Math.log(3 / 4) + 1);
    const simple = await scores({ simple_query_string: { query: 'word' } });
    expect(simple.map(([id]) => id)).toEqual(['1', '2', '3']);
    [idf, idf, idf * Math.SQRT2 * 0.625].forEach((score, i) => {
      expect(simple[i]![1]).toBeCloseTo(score, 6);
    });
  });

  // Recorded from Elasticsearch 1.7.3.
  it('of words of `_all` are noted in the mapping', async () => {
    await create({ properties: { s: { type: 'string', boost: 2 }, p: { type: 'string' } } });
    const all = async () =>
      ((await call('GET', '/i/_mapping')).body as { i: { mappings: { t: { _all?: object } } } }).i.mappings.t
        ._all;
    await call('PUT', '/i/t/1', { p: 'x' });
    expect(await all()).toBeUndefined();
    await call('PUT', '/i/t/1', { s: 'x' });
    expect(await all()).toEqual({ auto_boost: true });
  });

  it('of whole documents count once for each field', async () => {
    await create({ _boost: { name: 'rank' }, properties: { a: { type: 'string' } } });
    await call('PUT', '/i/t/1', { a: 'word', rank: 1 });
    await call('PUT', '/i/t/2', { a: ['word', 'word'], rank: 4 });
    await call('PUT', '/i/t/3', { a: ['word', 'word'] });
    const found = new Map((await scores({ match: { a: 'word' } })) as [string, number][]);
    expect(found.get('2')! / found.get('3')!).toBeCloseTo(4, 5);
  });

  it('need norms', async () => {
    await create({ properties: { n: { type: 'long' } } });
    expect((await call('PUT', '/i/t/1', { n: { value: 1, boost: 2 } })).body).toMatchObject({
      error:
        'MapperParsingException[failed to parse [n]]; nested: IllegalArgumentException[You cannot set an index-time boost on an ' +
        'unindexed field, or one that omits norms]; ',
      status: 400,
    });
    expect((await call('PUT', '/i/t/1', { n: { value: 1, boost: 1 } })).status).toBe(201);
  });
});

it('a field can give up its norms, and not have them back', async () => {
  await create({ properties: { s: { type: 'string' } } });
  await call('PUT', '/i/t/1?refresh=true', { s: 'a b c d' });
  const norms = (enabled: boolean) =>
    call('PUT', '/i/_mapping/t', { t: { properties: { s: { type: 'string', norms: { enabled } } } } });
  expect((await norms(false)).status).toBe(200);
  expect((await norms(true)).body).toMatchObject({
    error:
      'MergeMappingException[Merge failed with failures {[mapper [s] cannot enable norms (`norms.enabled`)]}]',
  });
  await call('PUT', '/i/t/2?refresh=true', { s: 'a b c d' });
  const { body } = await call('POST', '/i/_search', { query: { term: { s: 'a' } } });
  const { hits } = (body as { hits: { hits: { _id: string; _score: number }[] } }).hits;
  expect(hits.map(({ _id }) => _id)).toEqual(['2', '1']);
  expect(hits[1]!._score).toBeCloseTo(hits[0]!._score / 2, 6);
});

it('index-wide defaults leave malformed numbers out and coerce nothing', async () => {
  await create({}, { 'mapping.ignore_malformed': true, 'mapping.coerce': false });
  for (const [id, n] of [
    ['1', 1],
    ['2', 'x'],
    ['3', '12'],
    ['4', 1.5],
  ] as const)
    expect((await call('PUT', `/i/t/${id}`, { n })).status).toBe(201);
  expect(await total({ filtered: { filter: { exists: { field: 'n' } } } })).toBe(1);
});

it('dates are read in the locale of their field', async () => {
  await create({ properties: { d: { type: 'date', format: 'dd MMMM yyyy', locale: 'de' } } });
  expect((await call('PUT', '/i/t/1', { d: '03 Februar 2014' })).status).toBe(201);
  expect((await call('PUT', '/i/t/2', { d: '03 February 2014' })).status).toBe(400);
  expect(await total({ term: { d: '03 Februar 2014' } })).toBe(1);
});

describe('sources', () => {
  const section = async () => {
    const { body } = await call('GET', '/i/_mapping/t');
    return (body as { i: { mappings: { t: { _source?: object } } } }).i.mappings.t._source;
  };

  it('are shown with all that is said of them, and merged part by part', async () => {
    await create({ _source: { compress_threshold: '1.5kb', format: 'json', excludes: ['secret'] } });
    const kept = { format: 'json', compress: true, compress_threshold: '1.5kb' };
    expect(await section()).toEqual({ ...kept, excludes: ['secret'] });
    const put = (_source: object) => call('PUT', '/i/_mapping/t', { t: { _source } });
    await put({ includes: 'a*' });
    expect(await section()).toEqual({ ...kept, includes: ['a*'], excludes: ['secret'] });
    // Whether there are any is settled with the type.
    await put({ enabled: false, compress: false });
    expect(await section()).toEqual({ ...kept, compress: false, includes: ['a*'], excludes: ['secret'] });
    await call('PUT', '/i/t/1', { apple: 1, secret: 2, pear: 3 });
    expect((await call('GET', '/i/t/1')).body).toMatchObject({ _source: { apple: 1 } });
    expect((await put({ compress_threshold: 'x' })).body).toMatchObject({
      error: expect.stringContaining('Failed to parse [x]'),
      status: 400,
    });
  });

  it('that a script would have to transform are refused', async () => {
    await create({ transform: { script: "ctx._source['n'] = 1", params: { a: 1 }, lang: 'groovy' } });
    expect((await call('GET', '/i/_mapping/t')).body).toEqual({
      i: {
        mappings: {
          t: {
            transform: { script: "ctx._source['n'] = 1", lang: 'groovy', params: { a: 1 } },
            properties: {},
          },
        },
      },
    });
    expect(await call('PUT', '/i/t/1', { a: 1 })).toMatchObject({
      status: 400,
      body: {
        error:
          'MapperParsingException[failed to parse]; nested: ElasticsearchIllegalArgumentException[failed to execute script]; ' +
          'nested: ScriptException[scripts of type [inline], operation [mapping] and lang [groovy] are disabled]; ',
      },
    });
    // A type that is there already is not given one.
    await call('PUT', '/i/u/1', { a: 1 });
    await call('PUT', '/i/_mapping/u', { u: { transform: [{ script: 'x' }, { script_id: 'y' }] } });
    expect((await call('PUT', '/i/u/2', { a: 1 })).status).toBe(201);
    await call('PUT', '/i/_mapping/v', { v: { transform: [{ script: 'x' }, { script_id: 'y' }, {}] } });
    expect((await call('GET', '/i/_mapping/v')).body).toMatchObject({
      i: {
        mappings: {
          v: {
            transform: [
              { script: 'x', lang: null },
              { script: 'y', lang: null },
            ],
          },
        },
      },
    });
  });
});
