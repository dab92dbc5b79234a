import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await call('PUT', '/a', { settings: { number_of_shards: 2 } });
  await call('PUT', '/a/t/1?refresh=true', { title: 'red fox', n: 1 });
});
afterEach(() => resilin.close());

const call = async (method: string, uri: string, body?: unknown) => {
  const answer = await resilin.request(method, uri, body);
  return { status: answer.status, body: answer.body as Record<string, unknown> };
};
const error = (answer: { body: Record<string, unknown> }) => String(answer.body.error);
const lines = (...all: unknown[]) => all.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('ids', () => {
  const long = 'é'.repeat(899);

  it('may be long, but not too long, and the error says how long', async () => {
    expect((await call('PUT', `/a/t/${encodeURIComponent(long)}`, { n: 1 })).status).toBe(201);
    expect((await call('GET', `/a/t/${encodeURIComponent(long)}`)).body).toMatchObject({ _id: long });
    const refused = await call('PUT', `/a/t/${encodeURIComponent(`${long}x`)}`, { n: 1 });
    expect(refused.status).toBe(400);
    expect(error(refused)).toMatch(
      /^ElasticsearchIllegalArgumentException\[id \[é{40}\.\.\.\] is too long: .* 1800 bytes in UTF-8, these take 1801\]$/,
    );
  });

  it('that are too long are refused alone, and make no index', async () => {
    const { status, body } = await call(
      'POST',
      '/_bulk',
      lines(
        { index: { _index: 'a', _type: 't', _id: '2' } },
        { n: 2 },
        { index: { _index: 'a', _type: 't', _id: 'x'.repeat(5000) } },
        { n: 3 },
        { delete: { _index: 'a', _type: 't', _id: 'x'.repeat(5000) } },
        { index: { _index: 'fresh', _type: 't', _id: 'x'.repeat(5000) } },
        { n: 3 },
        { index: { _index: 'a', _type: 't', _id: '4', _routing: 'r'.repeat(70_000) } },
        { n: 4 },
        { index: { _index: 'a', _type: 't', _id: '5', _routing: 'r'.repeat(32_766) } },
        { n: 5 },
      ),
    );
    expect(status).toBe(200);
    const items = body.items as Record<string, { status: number }>[];
    expect(items.map((item) => Object.values(item)[0]!.status)).toEqual([201, 400, 400, 400, 400, 201]);
    expect((await call('HEAD', '/fresh')).status).toBe(404);
    await call('POST', '/a/_refresh');
    expect((await call('GET', '/a/_search')).body).toMatchObject({ hits: { total: 3 } });
  });

  it('that no document can have are found nowhere', async () => {
    const id = 'x'.repeat(5000);
    expect((await call('GET', `/a/t/${id}`)).status).toBe(404);
    const found = await call('POST', '/a/_search', { query: { ids: { values: [id, '1'] } } });
    expect(found.body).toMatchObject({ hits: { total: 1 } });
  });
});

describe('pages', () => {
  it.each([
    ['size', 2_147_483_647],
    ['size', '5'],
    ['size', null],
  ])('%s of %j are taken', async (name, value) => {
    const found = await call('POST', '/a/_search', { [name]: value });
    expect(found).toMatchObject({ status: 200, body: { hits: { total: 1, hits: [{ _id: '1' }] } } });
  });

  it.each([
    ['size', 2_147_483_648, 'out of range of int'],
    ['from', -2_147_483_649, 'out of range of int'],
    ['size', 1e308, 'out of range of int'],
    ['size', -1, 'expected to be higher or equal to 0'],
    ['size', 'x', 'NumberFormatException'],
    ['size', true, 'not numeric'],
    ['size', [1], 'VALUE_NUMBER'],
  ])('%s of %j are refused', async (name, value, why) => {
    const refused = await call('POST', '/a/_search', { [name]: value });
    expect(refused.status).toBe(400);
    expect(error(refused)).toContain(why);
  });

  it('beyond what can be counted are refused', async () => {
    const refused = await call('POST', '/a/_search', { from: 2_147_483_647, size: 10 });
    expect(error(refused)).toContain('Result window is too large');
    expect((await call('GET', '/a/_search?size=99999999999')).status).toBe(400);
  });
});

describe('numbers', () => {
  it('that no float holds are no boosts', async () => {
    for (const boost of [1e39, '1e39']) {
      const refused = await call('POST', '/a/_search', {
        query: { match: { title: { query: 'fox', boost } } },
      });
      expect(refused.status).toBe(400);
      expect(error(refused)).toContain('is too large');
    }
  });

  it('that no long holds are refused', async () => {
    const refused = await call('PUT', '/a/t/2', '{"n":1e999}');
    expect(refused.status).toBe(400);
    expect(error(refused)).toContain('out of range of long');
  });
});

describe('nesting', () => {
  const arrays = (depth: number) => `{"deep":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
  const objects = (depth: number) => `${'{"deep":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it('beyond what can be followed is refused', async () => {
    for (const source of [arrays(200_000), objects(1000), objects(200_000)]) {
      expect((await call('PUT', '/a/t/2', source)).status).toBe(400);
    }
    for (const query of [arrays(200_000), objects(200_000)]) {
      expect((await call('POST', '/a/_search', `{"query":${query}}`)).status).toBe(400);
    }
    const bool = `${'{"bool":{"must":'.repeat(5000)}{}${'}}'.repeat(5000)}`;
    expect((await call('POST', '/a/_search', `{"query":${bool}}`)).status).toBe(400);
    expect((await call('GET', '/a/t/1')).status).toBe(200);
  });

  it('in what is not indexed is kept, and shown in parts', async () => {
    await call('PUT', '/b', {
      mappings: { t: { properties: { deep: { type: 'object', enabled: false } } } },
    });
    const source = `{"a":"x","deep":${arrays(100_000)}}`;
    expect((await call('PUT', '/b/t/1', source)).status).toBe(201);
    const shown = await resilin.handle('GET', '/b/t/1/_source?_source=deep');
    expect(new TextDecoder().decode(shown.body)).toBe(`{"deep":${arrays(100_000)}}`);
    const rest = await resilin.handle('GET', '/b/t/1/_source?_source_exclude=deep');
    expect(new TextDecoder().decode(rest.body)).toBe('{"a":"x"}');
  });
});

describe('names that JavaScript objects have anyway', () => {
  it('mean nothing special', async () => {
    await call(
      'PUT',
      '/p',
      '{"settings":{"__proto__":{"polluted":"yes"},"constructor.prototype.polluted":"yes"}}',
    );
    expect((await call('GET', '/p/_settings')).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(
      (await call('PUT', '/p/toString/__proto__', '{"__proto__":{"x":1},"constructor":"red"}')).status,
    ).toBe(201);
    expect((await call('GET', '/p/toString/__proto__')).body).toMatchObject({
      _id: '__proto__',
      found: true,
    });
    expect((await call('GET', '/p/constructor')).status).toBe(400);
    for (const query of [
      { constructor: {} },
      { bool: { toString: [] } },
      { bool: { constructor: { match_all: {} } } },
      { multi_match: { query: 'x', fields: ['title'], type: 'constructor' } },
      { filtered: { filter: { bool: { valueOf: { match_all: {} } } } } },
    ]) {
      expect((await call('POST', '/a/_search', { query })).status).toBe(400);
    }
  });
});

describe('an error', () => {
  it('does not repeat all of a long body', async () => {
    const refused = await call('POST', '/a/_search', { query: { nosuch: { text: 'x'.repeat(1_000_000) } } });
    expect(refused.status).toBe(400);
    expect(error(refused)).toContain('No query registered for [nosuch]');
    expect(error(refused).length).toBeLessThan(100_000);
  });
});

describe('settings and mappings', () => {
  it.each([
    [{ settings: 1 }, 500],
    [{ settings: { number_of_shards: 1e9 } }, 400],
    [{ settings: { refresh_interval: 'x' } }, 400],
    [{ mappings: 1 }, 500],
    [{ mappings: { t: { properties: 1 } } }, 400],
    [{ mappings: { t: { properties: { f: { type: 'string', index: 'maybe' } } } } }, 400],
    [{ mappings: { t: { nosuch: 1 } } }, 400],
  ])('%j make no index', async (body, status) => {
    expect((await call('PUT', '/b', body)).status).toBe(status);
    expect((await call('HEAD', '/b')).status).toBe(404);
  });

  it('with more fields than an index can have are refused', async () => {
    const fields = Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`f${i}`, 1]));
    const refused = await call('PUT', '/a/t/2', fields);
    expect(refused.status).toBe(400);
    expect((await call('GET', '/a/_search')).body).toMatchObject({ hits: { total: 1 } });
  });
});

describe('a search that asks for too much', () => {
  const times = <T>(count: number, make: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));

  it('is the mistake of its sender', async () => {
    const words = times(50_000, (i) => `w${i % 9}`).join(' ');
    for (const body of [
      { sort: times(65, () => 'n') },
      { query: { match_phrase: { title: words } } },
      { query: { filtered: { filter: { bool: { should: times(20_000, (i) => ({ term: { n: i } })) } } } } },
      { query: { match: { title: times(2000, (i) => `w${i}`).join(' ') } } },
    ]) {
      const refused = await call('POST', '/a/_search', body);
      expect([refused.status, error(refused).slice(0, 40)]).toEqual([
        400,
        'SearchPhaseExecutionException[Failed to ',
      ]);
      expect(error(refused)).not.toContain('CoreError');
    }
    expect((await call('POST', '/a/_search', { sort: times(64, () => 'n') })).status).toBe(200);
  });
});

it('more documents at once than an answer can hold are refused', async () => {
  const ids = (count: number) => ({ ids: Array.from({ length: count }, (_, i) => String(i + 1)) });
  const answer = await call('POST', '/a/t/_mget', ids(1201));
  expect((answer.body.docs as { _id: string; found: boolean }[]).map(({ found }) => found)).toEqual(
    Array.from({ length: 1201 }, (_, i) => i === 0),
  );
  expect((await call('POST', '/a/t/_mget', ids(100_001))).status).toBe(400);
});
