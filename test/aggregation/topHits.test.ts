import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

interface Found {
  total: number;
  max_score: number | null;
  hits: { _id: string; _score: number | null; sort?: unknown[]; [key: string]: unknown }[];
}
interface Answer {
  hits: Found;
  aggregations: { words: { buckets: { key: string; doc_count: number; top: { hits: Found } }[] } };
  error?: string;
}

const TEXTS = ['red fox', 'quick red fox fox', 'slow fox', 'red', 'quick quick', 'a slow red slow fox'];
const COLOURS = ['blue', 'green', 'é', undefined, '𝄞', 'amber'];

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
  const keyword = { type: 'string', index: 'not_analyzed' };
  await api.call('PUT', '/t', {
    settings: { number_of_shards: 3, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: {
      d: {
        properties: {
          words: keyword,
          colour: keyword,
          n: { type: 'long' },
          x: { type: 'double' },
          at: { type: 'geo_point' },
        },
      },
    },
  });
  for (let part = 0; part < 3; part++) {
    const lines = Array.from({ length: 60 }, (_, j) => {
      const i = part * 60 + j;
      const source = {
        text: TEXTS[(i * 7) % TEXTS.length],
        words: [`w${i % 4}`, `w${(i * 5) % 3}`],
        colour: COLOURS[(i * 11) % COLOURS.length],
        n: i % 9 === 0 ? undefined : (i * 31) % 50,
        x: ((i * 17) % 23) / 4,
        at: { lat: (i % 80) - 40, lon: (i * 3) % 170 },
      };
      return `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`;
    });
    await api.call('POST', '/t/d/_bulk?refresh=true', lines.join(''));
  }
  for (const id of ['5', '77', '100']) await api.call('DELETE', `/t/d/${id}`);
  await api.call('POST', '/t/_refresh');
});
afterAll(() => api.close());

async function search(body: unknown): Promise<Answer> {
  return (await api.call('POST', '/t/_search', body)).body as Answer;
}

const order = fc.constantFrom('asc', 'desc');
const sortKey = fc.oneof(
  fc.tuple(fc.constantFrom('n', 'x', 'colour', 'words'), order).map(([field, by]) => ({ [field]: by })),
  fc
    .tuple(fc.constantFrom('n', 'colour'), order, fc.constantFrom('_first', '_last'))
    .map(([field, by, missing]) => ({ [field]: { order: by, missing } })),
  order.map((by) => ({ colour: { order: by, missing: 'carmine' } })),
  order.map((by) => ({ _score: by })),
  order.map((by) => ({ _geo_distance: { at: '10,20', unit: 'km', order: by } })),
  order.map((by) => ({
    _script: { script: "doc['n'].value % 7", lang: 'expression', type: 'number', order: by },
  })),
);
/** Whether a sort is no other than the usual one. */
function isByScore(sort: readonly object[]): boolean {
  return sort.length === 1 && JSON.stringify(sort[0]) === '{"_score":"desc"}';
}

const request = fc.record({
  sort: fc.option(fc.array(sortKey, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  size: fc.integer({ min: 1, max: 12 }),
  from: fc.integer({ min: 0, max: 5 }),
  track_scores: fc.boolean(),
  _source: fc.constantFrom(false, true),
});
const query = fc.constantFrom(
  { match_all: {} },
  { match: { text: 'red fox' } },
  { bool: { should: [{ match: { text: 'quick' } }, { term: { words: 'w1' } }] } },
);

describe('top_hits', () => {
  it('are the hits of a search for the documents of their bucket', async () => {
    await fc.assert(
      fc.asyncProperty(query, request, async (asked, hits) => {
        const { aggregations } = await search({
          size: 0,
          query: asked,
          aggs: { words: { terms: { field: 'words', size: 0 }, aggs: { top: { top_hits: hits } } } },
        });
        for (const { key, doc_count, top } of aggregations.words.buckets) {
          expect(top.hits.total).toBe(doc_count);
          const { hits: wanted } = await search({
            query: asked,
            post_filter: { term: { words: key } },
            ...hits,
          });
          // Unlike those of a search, they don't show the scores by which they are sorted.
          const isShown = hits.sort === undefined || hits.track_scores || isByScore(hits.sort);
          const shown = wanted.hits.map((hit) => (isShown ? hit : { ...hit, _score: null }));
          expect(top.hits).toEqual({ ...wanted, hits: shown });
        }
      }),
      { numRuns: 40, seed: 5 },
    );
  });

  it('show what is asked of them', async () => {
    const { aggregations } = await search({
      size: 0,
      query: { match: { text: 'fox' } },
      aggs: {
        words: {
          terms: { field: 'words', size: 1 },
          aggs: {
            top: {
              top_hits: {
                size: 1,
                _source: { include: 'colour' },
                version: true,
                explain: true,
                fielddata_fields: ['n'],
                script_fields: { twice: { script: "doc['x'].value * 2", lang: 'expression' } },
                highlight: { fields: { text: {} } },
              },
            },
          },
        },
      },
    });
    const [hit] = aggregations.words.buckets[0]!.top.hits.hits;
    expect(hit).toMatchObject({
      _version: 1,
      _explanation: { value: hit!._score },
      highlight: { text: [expect.stringContaining('<em>fox</em>')] },
      fields: { twice: [expect.any(Number)] },
    });
    expect(Object.keys(hit!._source as object)).toEqual(
      (hit!._source as object) && 'colour' in (hit!._source as object) ? ['colour'] : [],
    );
  });

  it('are bounded and refused as in 1.7', async () => {
    const refused = async (hits: unknown) => (await search({ aggs: { t: { top_hits: hits } } })).error;
    expect(await refused({ size: 0 })).toContain('numHits must be > 0');
    expect(await refused({ nosuch: 1 })).toContain('Unknown key for a VALUE_NUMBER in [t]: [nosuch].');
    expect(await refused({ fields: ['n'] })).toContain('Unknown key for a START_ARRAY in [t]: [fields].');
    expect(await refused({ script_fields: { a: { script: '1' } } })).toContain('lang [groovy] are disabled');
    expect(await refused({ sort: 'nosuch' })).toContain('No mapping found for [nosuch] in order to sort on');
  });

  it('of all documents score 1', async () => {
    const { body } = await api.call('POST', '/t/_search', {
      size: 0,
      query: { match: { text: 'quick' } },
      aggs: { all: { global: {}, aggs: { top: { top_hits: { size: 200 } } } } },
    });
    const { top } = (body as unknown as { aggregations: { all: { top: { hits: Found } } } }).aggregations.all;
    expect(top.hits.total).toBe(177);
    expect(new Set(top.hits.hits.map(({ _score }) => _score))).toEqual(new Set([1]));
  });
});
