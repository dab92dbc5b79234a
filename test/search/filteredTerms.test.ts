import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generator } from '../../bench/generator.js';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/**
 * A term, a constant score or a union within filters that come again finds what it finds alone, less what the filters keep out:
 * the first time, when it is counted, the second, when maxima are made, and after that, when they are used; and so after deletions.
 */

interface Hit {
  readonly _id: string;
  readonly _score: number;
}
interface Answer {
  readonly hits: { readonly total: number; readonly hits: readonly Hit[] };
}

const DOCS = 3000;
const random = generator(7);
const pick = (n: number) => Math.floor(random() * n);
/** Words and how many of a thousand documents have them: lists in bitset blocks, in packed ones, and short ones. */
const WORDS = { most: 900, half: 500, fifth: 200, tenth: 100, fiftieth: 20, rare: 3 };
const documents = Array.from({ length: DOCS }, (_, i) => ({
  body: [
    ...Object.entries(WORDS).flatMap(([word, share]) =>
      pick(1000) < share ? Array.from({ length: 1 + pick(5) ** 2 }, () => word) : [],
    ),
    ...Array.from({ length: 1 + pick(30) }, () => 'other'),
  ].join(' '),
  tags: [...(pick(3) ? ['dense'] : []), ...(pick(20) ? [] : ['medium']), ...(pick(400) ? [] : ['sparse'])],
  n: pick(1000),
  i,
}));
type Document = (typeof documents)[number];

const FILTERS: readonly (readonly [string, unknown, (document: Document) => boolean])[] = [
  ['a type that all have', { type: { value: 't' } }, () => true],
  ['a frequent term', { term: { tags: 'dense' } }, ({ tags }) => tags.includes('dense')],
  ['a term', { term: { tags: 'medium' } }, ({ tags }) => tags.includes('medium')],
  ['a rare term', { term: { tags: 'sparse' } }, ({ tags }) => tags.includes('sparse')],
  ['a wide range', { range: { n: { lt: 700 } } }, ({ n }) => n < 700],
  ['a narrow range', { range: { n: { lt: 3 } } }, ({ n }) => n < 3],
  ['neighbours', { range: { i: { gte: 1500, lt: 1600 } } }, ({ i }) => i >= 1500 && i < 1600],
  [
    'a boolean',
    { bool: { must: [{ range: { n: { lt: 900 } } }], must_not: { term: { tags: 'dense' } } } },
    ({ n, tags }) => n < 900 && !tags.includes('dense'),
  ],
  ['none', { range: { n: { gt: 5000 } } }, () => false],
];
const QUERIES: Record<string, unknown> = {
  ...Object.fromEntries(Object.keys(WORDS).map((word) => [word, { match: { body: word } }])),
  'a constant score': { constant_score: { filter: { term: { body: 'fifth' } }, boost: 3 } },
  'a constant score of a range': { constant_score: { filter: { range: { n: { gt: 100 } } } } },
  all: { match_all: {} },
  'a union': { match: { body: 'half fifth rare' } },
  'a union of frequent words': { match: { body: 'most half fifth tenth fiftieth' } },
  'a union of rare words': { match: { body: 'fiftieth rare' } },
  'two of three': { match: { body: { query: 'half fifth tenth', minimum_should_match: 2 } } },
  'an intersection': { match: { body: { query: 'half fifth', operator: 'and' } } },
  'a phrase': { match_phrase: { body: 'fifth fifth' } },
};

let api: Api;
const deleted = new Set<string>();

beforeAll(async () => {
  api = await openApi(coreBytes());
  await api.call('PUT', '/a', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { t: { properties: { tags: { type: 'string', index: 'not_analyzed' } } } },
  });
  const lines = documents.map((each, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(each)}\n`);
  // Two segments: what an earlier one has found raises the bar.
  await api.call('POST', '/a/t/_bulk?refresh=true', lines.slice(0, 2300).join(''));
  await api.call('POST', '/a/t/_bulk?refresh=true', lines.slice(2300).join(''));
});

afterAll(() => api.close());

async function search(body: unknown): Promise<Answer['hits']> {
  return ((await api.call('POST', '/a/_search', body)).body as Answer).hits;
}

/** The times a filter is met, and how many hits are wanted. */
const SIZES = [10, 3, 10, 0, 100];

async function compare(query: unknown): Promise<void> {
  // Within a filter, a union is summed as Lucene sums it there.
  const everything = { range: { n: { gte: 0 } } };
  const alone = await search({ query: { filtered: { query, filter: everything } }, size: DOCS, fields: [] });
  expect(alone.hits.length).toBe(alone.total);
  expect(alone.hits.some(({ _id }) => deleted.has(_id))).toBe(false);
  for (const [name, filter, passes] of FILTERS) {
    const expected = alone.hits.filter(({ _id }) => passes(documents[Number(_id)]!));
    const filtered = { query: { filtered: { query, filter } } };
    const two = { and: [filter, { range: { n: { lt: 800 } } }] };
    const rest = expected.filter(({ _id }) => {
      const { n, tags } = documents[Number(_id)]!;
      return n < 800 && tags.includes('dense');
    });
    for (const size of SIZES) {
      const found = await search({ ...filtered, size, fields: [] });
      expect(found.total, name).toBe(expected.length);
      expect(scored(found.hits), name).toEqual(scored(expected.slice(0, size)));
    }
    const found = await search({
      query: { filtered: { query, filter: two } },
      post_filter: { term: { tags: 'dense' } },
      size: 10,
      fields: [],
    });
    expect(found.total, name).toBe(rest.length);
    expect(scored(found.hits), name).toEqual(scored(rest.slice(0, 10)));
  }
}

function scored(hits: readonly Hit[]): unknown[] {
  return hits.map(({ _id, _score }) => [_id, _score]);
}

describe.each([
  ['as they were written', async () => {}],
  [
    'with deletions',
    async () => {
      const gone = documents.filter(({ i }) => i % 7 === 3).map(({ i }) => String(i));
      for (const id of gone) deleted.add(id);
      const lines = gone.map((id) => `{"delete":{"_id":"${id}"}}\n`);
      await api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
    },
  ],
  [
    'with more deletions',
    async () => {
      deleted.add('11');
      await api.call('DELETE', '/a/t/11?refresh=true');
    },
  ],
])('segments %s', (_, change) => {
  beforeAll(change);
  it.each(Object.entries(QUERIES))('searches %s within filters', (_name, query) => compare(query));
});
