import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

// Filters of fielddata go by each segment: by what a term is among the documents of the segment that have one.

let storage: MemoryStorage;
let blobs: MemoryBlobs;
let resilin: Resilin;
beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  resilin = await createEngine({ storage, blobs });
});
afterEach(() => resilin.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of any form
type Answer = any;
const call = async (method: string, uri: string, body?: unknown): Promise<Answer> =>
  (await resilin.request(method, uri, body)).body;

const settings = { number_of_shards: 1, number_of_replicas: 0 };
const regex = (pattern: string) => ({ filter: { regex: { pattern } } });
const frequency = (limits: object) => ({ filter: { frequency: limits } });

async function make(field: object): Promise<void> {
  await call('PUT', '/i', {
    settings,
    mappings: { t: { properties: { f: { type: 'string', ...field }, o: { type: 'nested' } } } },
  });
}

async function add(...texts: string[]): Promise<void> {
  for (const f of texts) await call('POST', '/i/t', { f });
  await call('POST', '/i/_refresh');
}

async function counts(more: object = {}): Promise<Record<string, number>> {
  const aggs = { f: { terms: { field: 'f', ...more } } };
  const { aggregations } = await call('POST', '/i/_search', { size: 0, aggs });
  const { buckets } = aggregations.f as { buckets: { key: string; doc_count: number }[] };
  return Object.fromEntries(buckets.map(({ key, doc_count }) => [key, doc_count]));
}

it.each([
  ['cut', {}],
  ['whole', { index: 'not_analyzed' }],
])('a pattern keeps the terms that match as a whole, of texts that are %s', async (_, how) => {
  await make({ ...how, fielddata: regex('[a-f].*|.*x') });
  await add('fox', 'zoo');
  await add('apple', 'box', 'fox', 'zoo');
  expect(await counts()).toEqual({ fox: 2, apple: 1, box: 1 });
  const all = await call('POST', '/i/_search', {
    aggs: {
      n: { value_count: { field: 'f' } },
      d: { cardinality: { field: 'f' } },
      none: { missing: { field: 'f' } },
    },
    sort: [{ f: 'desc' }],
    fielddata_fields: ['f'],
  });
  expect(all.aggregations).toEqual({ n: { value: 4 }, d: { value: 3 }, none: { doc_count: 2 } });
  const { hits } = all.hits as { hits: { sort: unknown[]; fields?: object; _source: { f: string } }[] };
  expect(hits.map(({ sort }) => sort[0])).toEqual(['fox', 'fox', 'box', 'apple', null, null]);
  expect(hits.map(({ fields }) => fields)).toEqual([
    { f: ['fox'] },
    { f: ['fox'] },
    { f: ['box'] },
    { f: ['apple'] },
    {},
    {},
  ]);
  const found = await call('POST', '/i/_search', { query: { term: { f: 'zoo' } } });
  expect(found.hits.total).toBe(2);
});

it('a frequency counts the documents of a segment, deleted ones too until they are merged away', async () => {
  await make({ fielddata: frequency({ min: 2 }) });
  await add('a b', 'a c', 'b');
  await add('c', 'c');
  expect(await counts()).toEqual({ a: 2, b: 2, c: 2 });
  await call('DELETE', '/i/t/_query?q=f:a');
  await call('POST', '/i/_cache/clear');
  expect(await counts()).toEqual({ b: 1, c: 2 });
  await call('POST', '/i/_optimize?max_num_segments=1');
  expect(await counts()).toEqual({ c: 2 });
});

it('parts of the documents with a term, a most, and segments that are too small', async () => {
  await make({ fielddata: frequency({ min: 0.4, max: 0.8, min_segment_size: 2 }) });
  // Two of five and four of five are kept, one and five are not.
  await add('a b c', 'a b c', 'a b', 'a b', 'a d');
  expect(await counts()).toEqual({ b: 4, c: 2 });
  await add('x', 'y');
  expect(await counts()).toEqual({ b: 4, c: 2, x: 1, y: 1 });
  // Buckets without documents are those of terms that are kept.
  expect(await counts({ min_doc_count: 0, exclude: 'b' })).toEqual({ c: 2, x: 1, y: 1 });
  const query = { match: { f: 'x' } };
  const aggs = { f: { terms: { field: 'f', min_doc_count: 0 } } };
  const { aggregations } = await call('POST', '/i/_search', { query, aggs });
  expect(aggregations.f.buckets.map(({ key }: { key: string }) => key)).toEqual(['x', 'b', 'c', 'y']);
});

it('a filter that changes counts for what is loaded from then on', async () => {
  await make({});
  await add('a b', 'a');
  expect(await counts()).toEqual({ a: 2, b: 1 });
  const put = (fielddata: object) =>
    call('PUT', '/i/_mapping/t', { properties: { f: { type: 'string', fielddata } } });
  await put(regex('a'));
  expect(await counts()).toEqual({ a: 2, b: 1 });
  await add('a c');
  expect(await counts()).toEqual({ a: 3, b: 1 });
  await call('POST', '/i/_cache/clear');
  expect(await counts()).toEqual({ a: 3 });
  const mapping = await call('GET', '/i/_mapping');
  expect(mapping.i.mappings.t.properties.f).toEqual({
    type: 'string',
    fielddata: { 'filter.regex.pattern': 'a' },
  });
  await put({ loading: 'eager' });
  await call('POST', '/i/_cache/clear');
  expect(await counts()).toEqual({ a: 3, b: 1, c: 1 });
});

it('is there again after a restart, and after another was put before documents came', async () => {
  await make({ fielddata: regex('a+') });
  await add('a b', 'aa');
  await call('POST', '/i/_flush');
  await resilin.close();
  resilin = await createEngine({ storage, blobs });
  expect(await counts()).toEqual({ a: 1, aa: 1 });
  await call('PUT', '/i/_mapping/t', { properties: { f: { type: 'string', fielddata: regex('b') } } });
  await call('POST', '/i/_cache/clear');
  expect(await counts()).toEqual({ b: 1 });
});

it('values of hits of every kind are those of their segments', async () => {
  await make({ fielddata: frequency({ min: 2 }) });
  await add('a b', 'a');
  await add('b', 'b a');
  const search = { fielddata_fields: ['f'] };
  const aggs = { g: { terms: { field: 'f' }, aggs: { h: { top_hits: { ...search, size: 5 } } } } };
  const { aggregations } = await call('POST', '/i/_search', { size: 0, aggs });
  const shown = (hits: { fields: object }[]) => hits.map(({ fields }) => fields);
  const of = (bucket: { h: { hits: { hits: { fields: object }[] } } }) => shown(bucket.h.hits.hits);
  expect(aggregations.g.buckets.map(of)).toEqual([
    [{ f: ['a'] }, { f: ['a'] }],
    [{ f: ['b'] }, { f: ['b'] }],
  ]);
  const first = await call('POST', '/i/_search?scroll=1m&size=2', search);
  const second = await call('POST', '/_search/scroll?scroll=1m', first._scroll_id);
  expect(shown([...first.hits.hits, ...second.hits.hits])).toEqual([
    { f: ['a'] },
    { f: ['a'] },
    { f: ['b'] },
    { f: ['b'] },
  ]);
});

it.each([
  [{ fielddata: regex('(') }, /PatternSyntaxException\[Unclosed group/],
  [{ fielddata: frequency({ min: 'x' }) }, /SettingsException\[Failed to parse double setting \[min\]/],
  [
    { index: 'not_analyzed', doc_values: true, fielddata: regex('a') },
    /ElasticsearchIllegalArgumentException\[Doc values field data doesn't support filters \[f\]\]/,
  ],
])('what is no filter is refused where values are needed: %j', async (field, message) => {
  await make(field);
  await add('a');
  for (const body of [
    { aggs: { f: { terms: { field: 'f' } } } },
    { sort: ['f'] },
    { fielddata_fields: ['f'] },
  ])
    expect((await call('POST', '/i/_search', body)).error).toMatch(message);
});
