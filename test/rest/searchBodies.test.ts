import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// What the parts of a search's body and of its queries may look like: in which order, and where they are null.

let resilin: Resilin;
const search = async (body: unknown, index = 'i') => {
  const answer = await resilin.request('POST', `/${index}/_search`, body);
  const { took: _took, ...rest } = answer.body as { took: number; [key: string]: unknown };
  return { status: answer.status, ...rest } as {
    status: number;
    error?: string;
    hits?: { total: number; hits: { _id: string; _score: number; matched_queries?: string[] }[] };
  };
};
const ids = async (query: unknown) => (await search({ query })).hits?.hits.map(({ _id }) => _id).sort();

beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/i', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await resilin.request('PUT', '/i/t/1', { title: 'quick fox', n: 1 });
  await resilin.request('PUT', '/i/t/2', { title: 'lazy quick dog', n: 2 });
  await resilin.request('PUT', '/i/t/3?refresh=true', { title: 'fox', n: 3 });
});
afterAll(() => resilin.close());

describe('the parts of a search body', () => {
  const parts = {
    query: { match: { title: { query: 'quick fox', _name: 'words' } } },
    indices_boost: { i: 3 },
    post_filter: { range: { n: { gte: 1 }, _name: 'some' } },
    min_score: 0.1,
    from: 0,
    size: 2,
    explain: true,
    version: true,
    track_scores: true,
    fields: ['title'],
    fielddata_fields: ['n'],
    _source: ['n'],
    highlight: { fields: { title: {} } },
    rescore: { query: { rescore_query: { match: { title: 'fox' } } }, window_size: 2 },
    aggs: { all: { terms: { field: 'n' } } },
    suggest: { s: { text: 'quik', term: { field: 'title' } } },
    script_fields: { twice: { script: "doc['n'].value * 2", lang: 'expression' } },
    timeout: '5s',
  };

  it('may stand in any order', async () => {
    const entries = Object.entries(parts);
    const expected = await search(parts);
    expect(expected.hits?.hits).toHaveLength(2);
    expect(await search(Object.fromEntries(entries.toReversed()))).toEqual(expected);
    for (const first of entries) {
      const moved = [first, ...entries.filter((each) => each !== first)];
      expect(await search(Object.fromEntries(moved))).toEqual(expected);
    }
  });

  it('with a boost of the index in front of the query score as behind it', async () => {
    const plain = await search({ query: { match_all: {} } });
    const boosted = await search({ indices_boost: { i: 3 }, query: { match_all: {} } });
    expect(boosted.hits?.hits[0]?._score).toBe(3 * plain.hits!.hits[0]!._score);
  });

  it('with a sort may stand in any order', async () => {
    const { rescore: _rescore, min_score: _least, ...rest } = parts;
    const sorted = { ...rest, sort: [{ n: 'desc' }] };
    const expected = await search(sorted);
    expect(await search(Object.fromEntries(Object.entries(sorted).toReversed()))).toEqual(expected);
  });
});

describe('queries', () => {
  it('are read over where they are null', async () => {
    expect(await ids({ bool: { should: null } })).toEqual(['1', '2', '3']);
    expect(await ids({ bool: { must: null, should: { term: { title: 'lazy' } } } })).toEqual(['2']);
    expect(await ids({ filtered: { filter: { term: { title: 'lazy' } }, query: null } })).toEqual(['2']);
    expect(await ids({ bool: { should: 1 } })).toBeUndefined();
  });

  it('of prefixes read over other options', async () => {
    expect(await ids({ prefix: { title: { value: 'laz', other: 1 } } })).toEqual(['2']);
    expect(await ids({ prefix: { title: { value: 'laz', other: [1] } } })).toBeUndefined();
  });

  it('have names and caches only where 1.7 knows of them', async () => {
    expect((await search({ query: { match_all: { _name: 'x' } } })).error).toContain(
      '[match_all] query does not support [_name]',
    );
    const boosting = {
      positive: { match_all: {} },
      negative: { match_all: {} },
      negative_boost: 1,
      _name: 'x',
    };
    expect((await search({ query: { boosting } })).error).toContain(
      '[boosting] query does not support [_name]',
    );
    const filter = { term: { title: 'lazy' } };
    expect(await ids({ constant_score: { filter, _cache: true } })).toEqual(['2']);
    expect(
      (await search({ query: { dis_max: { queries: [{ match_all: {} }], _cache: true } } })).error,
    ).toContain('[dis_max] query does not support [_cache]');
  });

  it('of fuzzy words are rewritten as they say', async () => {
    const query = (rewrite?: string) => ({ match: { title: { query: 'quik', fuzziness: 1, rewrite } } });
    const [first] = (await search({ query: query('constant_score_auto') })).hits!.hits;
    expect(first?._score).toBe(1);
    expect((await search({ query: query() })).hits!.hits[0]?._score).not.toBe(1);
  });

  it('on all fields look at those about documents too, which may take no words', async () => {
    const error = async (query: unknown) => (await search({ query })).error;
    const numbers = 'NumberFormatException[For input string: "quick"]';
    expect(await error({ multi_match: { query: 'quick', fields: ['*'] } })).toContain(numbers);
    expect(await ids({ multi_match: { query: 'quick', fields: ['*'], lenient: true } })).toEqual(['1', '2']);
  });
});

describe('function_score', () => {
  const scores = async (body: unknown) => {
    const { hits } = await search({ query: { function_score: body } });
    return hits?.hits.map(({ _score }) => _score);
  };

  it('without functions has a minimum score and a boost', async () => {
    const query = { match_all: {} };
    expect(await scores({ query, min_score: 2 })).toEqual([]);
    expect(await scores({ query, min_score: 1 })).toEqual([1, 1, 1]);
    expect(await scores({ query, functions: [], boost: 2 })).toEqual([2, 2, 2]);
  });

  it('counts a factor as a function of no weight in an average', async () => {
    const functions = [{ boost_factor: 4 }, { weight: 2 }];
    expect(await scores({ functions, score_mode: 'avg' })).toEqual([2, 2, 2]);
  });

  it('with one function does without the modes of several', async () => {
    expect(await scores({ functions: [{ weight: 3 }], score_mode: 'avg' })).toEqual([3, 3, 3]);
  });

  it('says what may not stand beside each other', async () => {
    const { error } = await search({ query: { function_score: { weight: 2, functions: [] } } });
    expect(error).toContain(
      'You can either define "functions":[...] or a single function, not both. Found "weight" already, now encountering "functions": [...].',
    );
  });

  it('filters by score below a must_not and in a filter of several', async () => {
    const low = { function_score: { query: { match: { title: 'lazy' } }, weight: 100, min_score: 1 } };
    expect(await ids({ bool: { must_not: low } })).toEqual(['1', '3']);
    const filter = { bool: { must: [{ query: low }, { term: { title: 'quick' } }] } };
    expect(await ids({ filtered: { filter } })).toEqual(['2']);
    expect(
      await ids({ filtered: { filter: { and: [{ query: low }, { term: { title: 'fox' } }] } } }),
    ).toEqual([]);
  });
});

describe('a factor that documents may lack', () => {
  const low = { function_score: { field_value_factor: { field: 'n' }, min_score: 2 } };
  const found = async (query: unknown, path = 'sparse/t') => {
    const answer = await search({ query }, path);
    return answer.hits?.hits.map(({ _id }) => _id).sort() ?? answer.error;
  };
  const has = { exists: { field: 'n' } };

  beforeAll(async () => {
    await resilin.request('PUT', '/sparse', {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { t: { properties: { n: { type: 'long' }, parts: { type: 'nested' } } } },
    });
    await resilin.request('PUT', '/sparse/t/1', { n: 1, parts: [{ m: 1 }, { m: 3 }] });
    await resilin.request('PUT', '/sparse/t/2', {});
    await resilin.request('PUT', '/sparse/t/2', { n: 2, parts: { m: 3 } });
    await resilin.request('PUT', '/sparse/other/3?refresh=true', {});
  });

  it('is asked only of documents that are searched', async () => {
    expect(await found({ bool: { must_not: low } })).toEqual(['1']);
    expect(await found({ constant_score: { query: low } })).toEqual(['2']);
  });

  it('is asked only of what filters around let through', async () => {
    expect(await found({ bool: { must_not: low } }, 'sparse')).toContain('Missing value for field [n]');
    expect(await found({ filtered: { query: { bool: { must_not: low } }, filter: has } }, 'sparse')).toEqual([
      '1',
    ]);
  });

  it('is asked where hits are scored again, or explained', async () => {
    const factor = { function_score: { field_value_factor: { field: 'n' } } };
    const rescored = (window_size: number) =>
      search({ rescore: { window_size, query: { rescore_query: factor } } }, 'sparse');
    expect((await rescored(2)).hits?.total).toBe(3);
    expect((await rescored(3)).error).toContain('Missing value for field [n]');
    const explained = async (path: string) =>
      JSON.stringify((await resilin.request('GET', `/sparse/${path}/_explain`, { query: factor })).body);
    expect(await explained('t/1')).toContain('"matched":true');
    expect(await explained('other/3')).toContain('Missing value for field [n]');
  });

  it('is asked of nested documents below a nested query', async () => {
    const part = { function_score: { field_value_factor: { field: 'parts.m' }, min_score: 2 } };
    const query = { bool: { must_not: part } };
    expect(await found({ nested: { path: 'parts', query } })).toEqual(['1']);
  });
});

describe('the inner hits of a nested query', () => {
  it('may be two levels down', async () => {
    await resilin.request('PUT', '/deep', {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { t: { properties: { a: { type: 'nested', properties: { b: { type: 'nested' } } } } } },
    });
    const document = { a: [{ b: [{ c: 1 }, { c: 2 }] }, { b: { c: 3 } }] };
    await resilin.request('PUT', '/deep/t/1?refresh=true', document);
    const nested = { path: 'a.b', query: { range: { 'a.b.c': { gte: 2 } } }, inner_hits: {} };
    const { hits } = await search({ query: { nested } }, 'deep');
    const [hit] = hits!.hits as unknown as {
      inner_hits: Record<string, { hits: { total: number; hits: unknown[] } }>;
    }[];
    const inner = hit!.inner_hits['a.b']!.hits;
    expect(inner.total).toBe(2);
    // The last object comes first.
    expect(inner.hits).toMatchObject([
      { _nested: { field: 'a', offset: 1, _nested: { field: 'b', offset: 0 } }, _source: { c: 3 } },
      { _nested: { field: 'a', offset: 0, _nested: { field: 'b', offset: 1 } }, _source: { c: 2 } },
    ]);
  });
});
