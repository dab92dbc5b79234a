import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

interface Bucket {
  key: string;
  doc_count: number;
  bg_count?: number;
  s?: { value: number };
}
interface Found {
  value: number;
  sum_other_doc_count: number;
  buckets: Bucket[];
}

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
  const keyword = { type: 'string', index: 'not_analyzed' };
  const properties = { tag: keyword, even: { type: 'boolean' }, n: { type: 'long' } };
  for (const index of ['m', 'n']) {
    await api.call('PUT', `/${index}`, {
      settings: { number_of_shards: 3, number_of_replicas: 0 },
      mappings: { a: { properties }, b: { properties } },
    });
    const lines = Array.from({ length: 30 }, (_, i) => {
      const source = { tag: `t${i % 5}`, even: i % 2 === 0, n: i };
      return `{"index":{"_type":"${i < 10 ? 'a' : 'b'}","_id":"${i}"}}\n${JSON.stringify(source)}\n`;
    });
    await api.call('POST', `/${index}/_bulk?refresh=true`, lines.join(''));
  }
});
afterAll(() => api.close());

async function aggregate(aggs: unknown, path = '/m,n', query: unknown = { match_all: {} }) {
  const { body } = await api.call('POST', `${path}/_search`, { size: 0, query, aggs });
  return (body as unknown as { aggregations: Record<string, Found> }).aggregations;
}

describe('aggregations on metadata', () => {
  it('count by index, and below it', async () => {
    const { i } = await aggregate({
      i: { terms: { field: '_index', order: { s: 'desc' } }, aggs: { s: { sum: { field: 'n' } } } },
    });
    expect(i!.buckets).toEqual([
      { key: 'm', doc_count: 30, s: { value: 435 } },
      { key: 'n', doc_count: 30, s: { value: 435 } },
    ]);
    expect(
      (await aggregate({ i: { terms: { field: '_index' } } }, '/m', { term: { tag: 'none' } })).i!.buckets,
    ).toEqual([]);
  });

  it('name documents', async () => {
    const { u, c, v } = await aggregate(
      {
        u: { terms: { field: '_uid', size: 3, order: { _term: 'asc' } } },
        c: { cardinality: { field: '_uid' } },
        v: { value_count: { field: '_uid' } },
      },
      '/m',
    );
    expect(u!.buckets).toEqual(['a#0', 'a#1', 'a#2'].map((key) => ({ key, doc_count: 1 })));
    expect(u!.sum_other_doc_count).toBe(27);
    expect([c!.value, v!.value]).toEqual([30, 30]);
  });
});

describe('significant_terms', () => {
  it('are told from the documents of a filter', async () => {
    const query = { range: { n: { lt: 15 } } };
    const { s } = await aggregate(
      {
        s: {
          significant_terms: {
            field: 'tag',
            min_doc_count: 1,
            size: 0,
            percentage: {},
            background_filter: { term: { even: true } },
          },
        },
      },
      '/m',
      query,
    );
    // Of each tag six documents, three of them even and three found.
    expect(s!.buckets.map(({ key, doc_count, bg_count }) => [key, doc_count, bg_count]).sort()).toEqual(
      [0, 1, 2, 3, 4].map((i) => [`t${i}`, 3, 3]),
    );
    expect(
      Object.keys(await aggregate({ s: { significant_terms: { field: 'tag', background_filter: {} } } })),
    ).toEqual(['s']);
  });
});
