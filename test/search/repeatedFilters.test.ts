import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** Filters that come again are kept as sets; they find the same, whatever becomes of the documents meanwhile. */

let api: Api;

beforeAll(async () => {
  api = await openApi(coreBytes());
  await api.call('PUT', '/a', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
});

afterAll(() => api.close());

function write(from: number, to: number) {
  const line = (i: number) => `{"index":{"_id":"${i}"}}\n{"x":"word${i % 2}","n":${i % 10}}\n`;
  const lines = Array.from({ length: to - from }, (_, i) => line(from + i));
  return api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
}

it('finds the same every time', async () => {
  const even = { term: { x: 'word0' } };
  const filter = { bool: { must: [even, { range: { n: { gte: 4 } } }], must_not: { term: { n: 8 } } } };
  const bodies = [
    { query: { filtered: { filter } } },
    { query: { filtered: { query: { match: { x: 'word0 word1' } }, filter: { not: filter } } } },
  ];
  const totals = async () => {
    const found: number[] = [];
    for (const body of bodies) {
      const answer = (await api.call('POST', '/a/_search', body)).body as { hits: { total: number } };
      found.push(answer.hits.total);
    }
    return found;
  };
  await write(0, 100);
  for (let i = 0; i < 4; i++) expect(await totals()).toEqual([20, 80]);
  await write(100, 150);
  for (let i = 0; i < 4; i++) expect(await totals()).toEqual([30, 120]);
  await api.call('DELETE', '/a/t/4?refresh=true');
  for (let i = 0; i < 2; i++) expect(await totals()).toEqual([29, 120]);
  await api.call('POST', '/a/_optimize?max_num_segments=1');
  for (let i = 0; i < 3; i++) expect(await totals()).toEqual([29, 120]);
});

it('keeps ranges and points from the second time on, and terms at once', async () => {
  await api.call('PUT', '/b', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { t: { properties: { p: { type: 'geo_point' } } } },
  });
  const line = (i: number) => `{"index":{}}\n{"n":${i},"x":"word${i % 2}","p":[${i / 10},${i / 10}]}\n`;
  await api.call('POST', '/b/t/_bulk?refresh=true', Array.from({ length: 300 }, (_, i) => line(i)).join(''));
  const bytes = async () => {
    const { body } = await api.call('GET', '/b/_stats/filter_cache');
    const { _all } = body as {
      _all: { primaries: { filter_cache: { memory_size_in_bytes: number } } };
    };
    return _all.primaries.filter_cache.memory_size_in_bytes;
  };
  const grows = async (filter: unknown) => {
    const before = await bytes();
    await api.call('POST', '/b/_search', {
      query: { filtered: { query: { match: { x: 'word1' } }, filter } },
    });
    return (await bytes()) > before;
  };
  for (const filter of [
    { range: { n: { gte: 20 } } },
    { geo_distance: { distance: '700km', p: [1, 1] } },
    { bool: { must: { terms: { x: ['word0'] } }, must_not: { terms: { n: [1, 2] } } } },
  ]) {
    await grows(filter);
    expect(await grows(filter)).toBe(true);
    expect(await grows(filter)).toBe(false);
  }
  const terms = { terms: { x: ['word0', 'word1', 'word2'] } };
  expect([await grows(terms), await grows(terms)]).toEqual([true, false]);
});

it('finds the same with what is kept of any filter, in many segments', async () => {
  const part = { type: 'nested', properties: { x: { type: 'string' } } };
  await api.call('PUT', '/c', {
    settings: { number_of_shards: 1, refresh_interval: '-1', merge: { policy: { segments_per_tier: 20 } } },
    mappings: { t: { properties: { part } } },
  });
  const write = (from: number, to: number) => {
    const lines: string[] = [];
    for (let i = from; i < to; i++) {
      const [part, x] = [{ x: `part${i % 3}` }, `odd${i % 2} third${i % 3} all${i === 700 ? ' one' : ''}`];
      lines.push(`{"index":{"_id":"${i}"}}`, JSON.stringify({ x, n: i, part }));
    }
    return api.call('POST', '/c/t/_bulk?refresh=true', `${lines.join('\n')}\n`);
  };
  const query = (of: unknown) => ({ query: of });
  const phrase = { match_phrase: { x: 'odd1 third2' } };
  const filters: [unknown, (i: number) => boolean][] = [
    [{ term: { x: 'one' } }, (i) => i === 700],
    [{ term: { x: 'none' } }, () => false],
    [query(phrase), (i) => i % 2 === 1 && i % 3 === 2],
    [{ not: query(phrase) }, (i) => i % 2 !== 1 || i % 3 !== 2],
    [query({ span_first: { match: { span_term: { x: 'odd1' } }, end: 1 } }), (i) => i % 2 === 1],
    [query({ dis_max: { queries: [phrase, { term: { x: 'one' } }] } }), (i) => i % 6 === 5 || i === 700],
    [{ nested: { path: 'part', filter: { term: { 'part.x': 'part1' } } } }, (i) => i % 3 === 1],
    [
      query({ filtered: { query: phrase, filter: { range: { n: { lt: 90 } } } } }),
      (i) => i % 6 === 5 && i < 90,
    ],
    [{ terms: { x: Array.from({ length: 300 }, (_, i) => `third${i + 1}`) } }, (i) => i % 3 > 0],
  ];
  const total = async (body: unknown) => {
    const { hits } = (await api.call('POST', '/c/_search', body)).body as { hits: { total: number } };
    return hits.total;
  };
  const live: number[] = [];
  const check = async () => {
    for (let round = 0; round < 4; round++) {
      for (const [filter, matches] of filters) {
        const match = { match: { x: 'odd1' } };
        const both = live.filter((i) => matches(i) && i % 2 === 1).length;
        expect(await total({ query: { filtered: { query: match, filter } } })).toBe(both);
        expect(await total({ query: match, post_filter: filter })).toBe(both);
        expect(await total({ query: { constant_score: { filter } } })).toBe(live.filter(matches).length);
      }
    }
  };
  for (let from = 0; from < 750; from += 150) {
    await write(from, from + 150);
    for (let i = from; i < from + 150; i++) live.push(i);
    await check();
  }
  await api.call('DELETE', '/c/t/11?refresh=true');
  live.splice(11, 1);
  await check();
});

it('keeps nothing of what goes by the whole shard', async () => {
  await api.call('PUT', '/d', { settings: { number_of_shards: 1, refresh_interval: '-1' } });
  const write = (x: string) => api.call('POST', '/d/t?refresh=true', { x });
  const like = { match: { x: { query: 'word1', fuzziness: 1, max_expansions: 1 } } };
  const filter = { bool: { must: [{ query: like }, { not: { term: { x: 'other' } } }] } };
  const total = async () => {
    const answer = await api.call('POST', '/d/_search', { query: { filtered: { filter } } });
    return (answer.body as { hits: { total: number } }).hits.total;
  };
  for (let i = 0; i < 3; i++) await write('word2');
  for (let i = 0; i < 4; i++) expect(await total()).toBe(3);
  await write('word1');
  for (let i = 0; i < 4; i++) expect(await total()).toBe(1);
});
