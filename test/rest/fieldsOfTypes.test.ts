import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Types of one index may say different things of fields of one name, and a document may name its analyzer.

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = async (method: string, uri: string, body?: unknown) => {
  const answer = await resilin.request(method, uri, body);
  return answer.body as Record<string, never>;
};

const settings = { number_of_shards: 1, number_of_replicas: 0 };

async function make(mappings: unknown, documents: readonly [string, unknown][]): Promise<void> {
  await call('PUT', '/i', { settings, mappings });
  for (const [place, source] of documents) await call('PUT', `/i/${place}`, source);
  await call('POST', '/i/_refresh');
}

async function ids(query: unknown, where = '/i', more = {}): Promise<string[]> {
  const { hits, error } = (await call('POST', `${where}/_search`, { query, ...more })) as never as {
    hits: { hits: { _id: string }[] };
    error?: string;
  };
  return error === undefined ? hits.hits.map(({ _id }) => _id).sort() : [error];
}

describe('fields of one name', () => {
  const term = { term: { f: 'red sea' } };
  const match = { match: { f: 'Red Sea' } };
  const whole = { type: 'string', analyzer: 'keyword' };
  const exact = { type: 'string', index: 'not_analyzed' };
  const cut = { type: 'string' };

  it('are found in all types, each cut as its type says', async () => {
    await make({ a: { properties: { f: cut } }, b: { properties: { f: whole } } }, [
      ['a/1', { f: 'red sea' }],
      ['b/2', { f: 'red sea' }],
      ['b/3', { f: 'red' }],
    ]);
    expect(await ids(term)).toEqual(['2']);
    expect(await ids({ term: { f: 'red' } })).toEqual(['1', '3']);
  });

  it('are found where one type does not cut them at all', async () => {
    await make({ a: { properties: { f: exact } }, b: { properties: { f: cut } } }, [
      ['a/1', { f: 'Red Sea' }],
      ['b/2', { f: 'Red Sea' }],
    ]);
    expect(await ids({ term: { f: 'Red Sea' } })).toEqual(['1']);
    expect(await ids({ term: { f: 'sea' } })).toEqual(['2']);
    expect(await ids({ match_all: {} }, '/i', { sort: 'f' })).toEqual(['1', '2']);
  });

  it('mean those of the types that are searched', async () => {
    await make({ a: { properties: { f: cut } }, b: { properties: { f: whole } } }, [
      ['a/1', { f: 'Red Sea' }],
      ['b/2', { f: 'Red Sea' }],
    ]);
    expect(await ids(match, '/i')).toEqual(['1']);
    expect(await ids(match, '/i/b')).toEqual(['2']);
    const [error] = await ids({ match_all: {} }, '/i/a', { sort: 'g' });
    expect(error).toContain('No mapping found for [g] in order to sort on');
  });

  it('show the values of their own type', async () => {
    await make({ a: { properties: { f: cut } }, b: { properties: { f: exact } } }, [
      ['b/1', { f: 'Red Sea' }],
    ]);
    expect(await call('POST', '/i/b/_search', { fielddata_fields: ['f'] })).toMatchObject({
      hits: { hits: [{ fields: { f: ['Red Sea'] } }] },
    });
  });

  it('are those of any type in aggregations, as children have fields of their own', async () => {
    await make({ a: {}, b: { _parent: { type: 'a' }, properties: { n: { type: 'long' } } } }, [['a/1', {}]]);
    await call('PUT', '/i/b/2?parent=1&refresh=true', { n: 5 });
    const aggs = { kids: { children: { type: 'b' }, aggs: { most: { max: { field: 'n' } } } } };
    expect(await call('POST', '/i/a/_search', { aggs })).toMatchObject({
      aggregations: { kids: { doc_count: 1, most: { value: 5 } } },
    });
  });

  it('have boosts of their own', async () => {
    await make({ a: { properties: { f: cut } }, b: { properties: { f: { ...cut, boost: 4 } } } }, [
      ['a/1', { f: 'red' }],
      ['b/2', { f: 'red' }],
    ]);
    const { hits } = (await call('POST', '/i/_search', { query: { match: { f: 'red' } } })) as never as {
      hits: { hits: { _id: string; _score: number }[] };
    };
    const [first, second] = hits.hits;
    expect([first!._id, second!._id]).toEqual(['2', '1']);
    expect(first!._score / second!._score).toBeCloseTo(4, 5);
  });
});

it('a field is found by the other name that older mappings give it', async () => {
  const tags = { type: 'string', index_name: 'tag' };
  await make({ a: { properties: { tags, o: { properties: { tags } } } } }, [
    ['a/1', { tags: ['x', 'y'] }],
    ['a/2', { o: { tags: 'z' } }],
  ]);
  expect(await ids({ term: { 'o.tag': 'z' } })).toEqual(['2']);
  expect(await ids({ term: { tag: 'z' } })).toEqual([]);
  for (const name of ['tag', 'tags', 'a.tags'])
    expect(await ids({ term: { [name]: 'y' } }), name).toEqual(['1']);
});

it('a field that no type has is found nowhere, though it is one that documents may have', async () => {
  await make({ a: { _all: { enabled: false } } }, [['a/1', { f: 'x' }]]);
  expect(await ids({ match: { _all: 'x' } })).toEqual([]);
});

describe('the analyzer that a document names', () => {
  const mappings = {
    a: {
      _analyzer: { path: 'by' },
      properties: { by: { type: 'string' }, own: { type: 'string', analyzer: 'simple' } },
    },
  };

  it('cuts the strings that have none of their own, and _all', async () => {
    await make(mappings, [
      ['a/1', { by: 'whitespace', f: 'Up-Down', own: 'Up-Down' }],
      ['a/2', { f: 'Up-Down', own: 'Up-Down' }],
    ]);
    for (const field of ['f', '_all']) {
      expect(await ids({ term: { [field]: 'Up-Down' } }), field).toEqual(['1']);
      expect(await ids({ term: { [field]: 'down' } }), field).toEqual(['2']);
    }
    expect(await ids({ term: { own: 'down' } })).toEqual(['1', '2']);
    expect(await ids({ filtered: { filter: { exists: { field: 'f' } } } })).toEqual(['1', '2']);
  });

  it('must be there', async () => {
    await make(mappings, []);
    const { error } = await call('PUT', '/i/a/1', { by: 'none', f: 'x' });
    expect(error).toBe('MapperParsingException[No analyzer found for [none] from path [by]]');
    expect(await call('GET', '/i/_mapping')).toMatchObject({
      i: { mappings: { a: { _analyzer: { path: 'by' } } } },
    });
  });
});

describe('words of _all with several boosts', () => {
  const boosted = (boost: number) => ({ type: 'string', boost });
  const mappings = { a: { properties: { x: boosted(3), y: boosted(1.3), z: { type: 'string' } } } };
  const f = Math.fround;

  it('count by the mean of the boosts that their occurrences have', async () => {
    await make(mappings, [['a/1', { x: 'fox', y: 'fox fox', z: 'fox' }]]);
    const explain = async (query: unknown) => {
      const { hits } = (await call('POST', '/i/_search', { query, explain: true })) as never as {
        hits: { hits: { _score: number; _explanation: { value: number; details: { value: number }[] } }[] };
      };
      return hits.hits[0]!;
    };
    const { _score, _explanation } = await explain({ match: { _all: 'fox' } });
    const [span, payload] = _explanation.details;
    expect(f(payload!.value)).toBe(f(f(f(3 + f(1.3)) + f(1.3)) / 3));
    expect(f(_score)).toBe(f(f(span!.value) * f(payload!.value)));
    // The boost of a query counts once.
    const idfOfOne = 1 + Math.log(1 / 2);
    const both = {
      bool: { should: [{ match: { _all: { query: 'fox', boost: 4 } } }, { term: { z: 'fox' } }] },
    };
    const details = (await explain(both))._explanation.details;
    const [all, other] = details as never as { value: number; details: { value: number }[] }[];
    expect(all!.value / other!.value).toBeCloseTo((4 * payload!.value * span!.value) / idfOfOne, 3);
  });
});

it('the mappings of fields are found by full name, then by index name, then by the last part of the name', async () => {
  const leg = { properties: { hare: { type: 'string' }, fox: { type: 'string', index_name: 'hound' } } };
  await make(
    { t: { properties: { hen: { type: 'string' }, hay: { type: 'string', index_name: 'hen' }, leg } } },
    [],
  );
  const found = async (pattern: string) => {
    const { i } = (await call('GET', `/i/_mapping/field/${pattern}`)) as never as {
      i?: { mappings: { t: Record<string, { full_name: string }> } };
    };
    return Object.entries(i?.mappings.t ?? {}).map(([as, { full_name }]) => `${as}: ${full_name}`);
  };
  expect(await found('he*')).toEqual(['hen: hen']);
  expect(await found('ha*')).toEqual(['hay: hay', 'hare: leg.hare']);
  expect(await found('leg.h*')).toEqual(['leg.hare: leg.hare', 'leg.hound: leg.fox']);
  expect(await found('leg.hound')).toEqual(['leg.hound: leg.fox']);
  expect(await found('fox,hen')).toEqual(['fox: leg.fox', 'hen: hen']);
});

it('fields that are made of others are shown by id where they are stored, and as they were made', async () => {
  const count = { type: 'token_count', analyzer: 'standard' };
  const fields = { n: { ...count, store: true }, m: count, h: { type: 'murmur3', store: true } };
  await make({ t: { properties: { s: { type: 'string', fields } } } }, [
    ['t/1', { s: ['one two', 'three'] }],
  ]);
  const wanted = 'fields=s.n,s.m,s.h';
  const { fields: byId } = await call('GET', `/i/t/1?${wanted}`);
  const stored = { 's.n': [2, 1], 's.h': [expect.any(Number), expect.any(Number)] };
  expect(byId).toEqual(stored);
  const { hits } = (await call('GET', `/i/_search?${wanted}`)) as never as {
    hits: { hits: { fields: unknown }[] };
  };
  // Searches take what isn't stored from the source, whatever it is.
  expect(hits.hits[0]!.fields).toEqual({ ...stored, 's.m': ['one two', 'three'] });
});
