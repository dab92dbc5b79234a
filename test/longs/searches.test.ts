import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { type Answer, anyLong, type Exact, openExact } from '../support/longs.js';

const MAPPING = `{"settings":{"number_of_shards":1},"mappings":{"t":{"properties":{
  "n":{"type":"long"},"v":{"type":"long","doc_values":true},"k":{"type":"string","index":"not_analyzed"}}}}}`;

const NEAR = fc
  .tuple(anyLong, fc.array(fc.bigInt(-2n, 2n), { maxLength: 4 }))
  .map(([value, offs]) => [value, ...offs.map((off) => BigInt.asIntN(64, value + off))]);
/** Values of documents, many of them close to another. */
const values = fc.array(NEAR, { minLength: 1, maxLength: 6 }).map((groups) => groups.flat());

/** Fills an index in several segments, one document for each value; `i` is the document's place. */
async function fill(api: Exact, numbers: readonly bigint[]): Promise<void> {
  await api.call('DELETE', '/a');
  await api.call('PUT', '/a', MAPPING.replace(/\s/g, ''));
  for (let from = 0; from < numbers.length; from += 3) {
    const lines = numbers
      .slice(from, from + 3)
      .flatMap((n, i) => [`{"index":{"_id":"${from + i}"}}`, `{"n":${n},"v":${n},"k":${n}}`]);
    await api.call('POST', '/a/t/_bulk?refresh=true', `${lines.join('\n')}\n`);
  }
}

const search = async (api: Exact, body: string, where = '/a') => {
  const answer = await api.call('POST', `${where}/_search?size=100`, body);
  expect(answer.status).toBe(200);
  expect(answer.body._shards.failed).toBe(0);
  return answer.body;
};

const idsOf = (body: Answer) => body.hits.hits.map((hit: { _id: string }) => Number(hit._id)).sort(byNumber);
const byNumber = (a: number, b: number) => a - b;
const placesOf = (numbers: readonly bigint[], test: (n: bigint) => boolean) =>
  numbers.flatMap((n, i) => (test(n) ? [i] : []));
const bySize = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** Every way to ask for one value, and for a range. */
async function expectFound(api: Exact, numbers: readonly bigint[], low: bigint, high: bigint): Promise<void> {
  const same = placesOf(numbers, (n) => n === low);
  const within = placesOf(numbers, (n) => n >= low && n < high);
  const filtered = (filter: string) => `{"query":{"filtered":{"filter":${filter}}}}`;
  for (const field of ['n', 'v']) {
    const exact = [
      `{"query":{"term":{"${field}":${low}}}}`,
      `{"query":{"term":{"${field}":{"value":${low}}}}}`,
      `{"query":{"match":{"${field}":${low}}}}`,
      `{"query":{"terms":{"${field}":[${low}]}}}`,
      `{"query":{"query_string":{"query":"${field}:\\"${low}\\""}}}`,
      `{"query":{"constant_score":{"filter":{"range":{"${field}":{"from":${low},"to":${low}}}}}}}`,
      filtered(`{"term":{"${field}":${low}}}`),
      filtered(`{"terms":{"${field}":[${low}]}}`),
      `{"query":{"template":{"query":{"term":{"${field}":"{{x}}"}},"params":{"x":${low}}}}}`,
    ];
    // Filters that come again are kept.
    for (const body of [...exact, ...exact])
      expect([body, idsOf(await search(api, body))]).toEqual([body, same]);
    for (const body of [
      `{"query":{"range":{"${field}":{"gte":${low},"lt":${high}}}}}`,
      filtered(`{"range":{"${field}":{"gte":${low},"lt":${high}}}}`),
      filtered(`{"numeric_range":{"${field}":{"gte":${low},"lt":${high}}}}`),
    ])
      expect([body, idsOf(await search(api, body))]).toEqual([body, within]);
  }
  expect(idsOf(await search(api, `{"query":{"term":{"k":${low}}}}`))).toEqual(same);
  const url = await api.call('GET', `/a/_search?size=100&q=${encodeURIComponent(`n:"${low}"`)}`);
  expect(idsOf(url.body)).toEqual(same);
  const add = `{"actions":[{"add":{"index":"a","alias":"one","filter":{"term":{"n":${low}}}}}]}`;
  await api.call('POST', '/_aliases', add);
  expect(idsOf(await search(api, '{}', '/one'))).toEqual(same);
  const shown = await api.call('GET', '/a/_alias/one');
  expect(String(shown.body.a.aliases.one.filter.term.n)).toBe(String(low));
}

async function expectSorted(api: Exact, numbers: readonly bigint[]): Promise<void> {
  const inOrder = numbers.map((n, i) => [n, i] as const).sort((a, b) => bySize(a[0], b[0]) || a[1] - b[1]);
  for (const field of ['n', 'v']) {
    const { hits } = await search(api, `{"sort":["${field}"]}`);
    expect(hits.hits.map((hit: { sort: unknown[] }) => String(hit.sort[0]))).toEqual(
      inOrder.map(([n]) => String(n)),
    );
    expect(hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(inOrder.map(([, i]) => String(i)));
    const down = await search(api, `{"sort":{"${field}":"desc"},"fielddata_fields":["${field}"]}`);
    const [top] = down.hits.hits;
    expect([String(top.sort[0]), String(top.fields[field][0])]).toEqual([
      String(inOrder.at(-1)![0]),
      String(inOrder.at(-1)![0]),
    ]);
  }
}

/** The key of a histogram in Java's arithmetic. */
function bucketOf(value: bigint): bigint {
  const below = value < 0n ? BigInt.asIntN(64, value - 6n) : value;
  return BigInt.asIntN(64, (below / 7n) * 7n);
}

async function expectAggregated(api: Exact, numbers: readonly bigint[]): Promise<void> {
  const distinct = [...new Set(numbers)].sort(bySize);
  const doubles = numbers.map(Number);
  for (const field of ['n', 'v']) {
    const aggs = `{"size":0,"aggs":{
      "t":{"terms":{"field":"${field}","size":0,"order":{"_term":"asc"}}},
      "only":{"terms":{"field":"${field}","size":0,"include":[${distinct[0]}]}},
      "s":{"stats":{"field":"${field}"}},"c":{"cardinality":{"field":"${field}"}},
      "h":{"histogram":{"field":"${field}","interval":7,"min_doc_count":1}},
      "r":{"range":{"field":"${field}","ranges":[{"to":1e15},{"from":1e15}]}}}}`;
    const { aggregations } = await search(api, aggs);
    const buckets = aggregations.t.buckets as { key: unknown; doc_count: number }[];
    expect(buckets.map(({ key }) => String(key))).toEqual(distinct.map(String));
    expect(buckets.map(({ doc_count: count }) => count)).toEqual(
      distinct.map((key) => numbers.filter((n) => n === key).length),
    );
    expect(aggregations.only.buckets.map((each: { key: unknown }) => String(each.key))).toEqual([
      String(distinct[0]),
    ]);
    expect(aggregations.c.value).toBe(distinct.length);
    expect(
      Object.fromEntries(aggregations.r.buckets.map((each: Answer) => [each.from ?? 'all', each.doc_count])),
    ).toEqual({
      all: doubles.filter((each) => each < 1e15).length,
      1e15: doubles.filter((each) => each >= 1e15).length,
    });
    const histogram = aggregations.h.buckets as { key: unknown; doc_count: number }[];
    const keys = [...new Set(numbers.map(bucketOf))].sort(bySize);
    expect(histogram.map(({ key }) => String(key))).toEqual(keys.map(String));
    expect(histogram.map(({ doc_count: found }) => found)).toEqual(
      keys.map((key) => numbers.filter((n) => bucketOf(n) === key).length),
    );
    const { min, max, sum, count } = aggregations.s;
    expect([min, max, count]).toEqual([Math.min(...doubles), Math.max(...doubles), numbers.length]);
    expect(sum).toBe(doubles.reduce((total, each) => total + each, 0));
  }
}

describe('longs of all sizes', () => {
  it('are found, sorted and aggregated by their exact values', async () => {
    const [storage, blobs] = [new MemoryStorage(), new MemoryBlobs()];
    const api = await openExact();
    await fc.assert(
      fc.asyncProperty(values, anyLong, async (numbers, other) => {
        await fill(api, numbers);
        const [low, high] = [numbers[0]!, other].sort(bySize) as [bigint, bigint];
        await expectFound(api, numbers, low, high);
        await expectSorted(api, numbers);
        await expectAggregated(api, numbers);
        await api.call('POST', '/a/_optimize?max_num_segments=1');
        await expectSorted(api, numbers);
        await expectAggregated(api, numbers);
      }),
      { numRuns: 25 },
    );
    await api.close();
    const numbers = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 2n ** 53n, 0n, -1n];
    const before = await openExact({ storage, blobs });
    await fill(before, numbers);
    const filter = '{"term":{"v":9007199254740993}}';
    await before.call('PUT', '/a/_alias/kept', `{"filter":${filter}}`);
    await before.call(
      'PUT',
      '/a/_mapping/t',
      `{"properties":{"z":{"type":"long","null_value":${numbers[2]}}}}`,
    );
    await before.call('PUT', '/a/.percolator/1', `{"query":${filter}}`);
    await before.close();
    const after = await openExact({ storage, blobs });
    await after.call('POST', '/a/_refresh');
    expect(idsOf(await search(after, '{}', '/kept'))).toEqual([2]);
    const { body } = await after.call('GET', '/a/_mapping');
    expect(body.a.mappings.t.properties.z.null_value).toBe(String(numbers[2]));
    for (const [value, total] of [
      [numbers[2], 1],
      [numbers[3], 0],
    ])
      expect((await after.call('GET', '/a/t/_percolate', `{"doc":{"v":${value}}}`)).body.total).toBe(total);
    await expectFound(after, numbers, 2n ** 53n + 1n, 2n ** 63n - 1n);
    await expectSorted(after, numbers);
    await expectAggregated(after, numbers);
    await after.close();
  });

  it('meet registered queries, are changed in part, and are deleted by query', async () => {
    const api = await openExact();
    await fc.assert(
      fc.asyncProperty(anyLong, fc.bigInt(1n, 3n), async (n, off) => {
        const other = BigInt.asIntN(64, n + off);
        await fill(api, [n, other]);
        for (const [id, value] of [n, other].entries())
          await api.call('PUT', `/a/.percolator/${id}?refresh=true`, `{"query":{"term":{"n":${value}}}}`);
        const met = await api.call('GET', '/a/t/_percolate', `{"doc":{"n":${other}}}`);
        expect(met.body.matches.map((match: { _id: string }) => match._id)).toEqual(['1']);
        await api.call('POST', '/a/t/0/_update?refresh=true', `{"doc":{"v":${other}}}`);
        const { body } = await api.call('GET', '/a/t/0?_source_include=n,v');
        expect([String(body._source.n), String(body._source.v)]).toEqual([String(n), String(other)]);
        await api.call('DELETE', '/a/t/_query', `{"query":{"term":{"n":${n}}}}`);
        await api.call('POST', '/a/_refresh');
        const left = await search(api, '{"query":{"match_all":{}},"fields":["n"]}', '/a/t');
        expect(left.hits.hits.map((hit: Answer) => String(hit.fields.n[0]))).toEqual([String(other)]);
      }),
      { numRuns: 25 },
    );
    await api.close();
  });

  it('come page by page of a scroll', async () => {
    const api = await openExact();
    const numbers = Array.from({ length: 12 }, (_, i) => 2n ** 63n - 1n - BigInt(i));
    await fill(api, numbers);
    const seen: string[] = [];
    let page = await api.call('GET', '/a/_search?scroll=1m&size=5&sort=n');
    while (page.body.hits.hits.length > 0) {
      seen.push(...page.body.hits.hits.map((hit: Answer) => String(hit.sort[0])));
      page = await api.call('GET', '/_search/scroll?scroll=1m', page.body._scroll_id);
    }
    expect(seen).toEqual(numbers.map(String).reverse());
    await api.close();
  });
});
