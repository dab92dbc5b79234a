/** Aggregations are bounded, and bringing them together lets others have the event loop. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberValues } from '../../host/aggregation/format.js';
import { Reduction } from '../../host/aggregation/reduction.js';
import { sorted } from '../../host/aggregation/sorting.js';
import { atOnce, inTurns, WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

const DOCUMENTS = 3000;
let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.call('PUT', '/a', {
    settings: { number_of_shards: 2 },
    mappings: { t: { properties: { k: { type: 'string', index: 'not_analyzed' } } } },
  });
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"k":"k${i}","n":${i},"g":"${i % 90},${i % 180}"}\n`,
  );
  await node.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
});
afterAll(() => node.engine.close());

const aggregated = (x: object, aggs?: object, options = {}) =>
  node.call('POST', '/a/_search', { size: 0, aggs: { x: { ...x, ...(aggs && { aggs }) } } }, options);

describe('bringing buckets together', () => {
  it.each([
    ['terms', { terms: { field: 'k', size: 0 } }],
    ['terms by their names', { terms: { field: 'k', size: 0, order: { _term: 'asc' } } }],
    ['a histogram', { histogram: { field: 'n', interval: 1 } }],
    [
      'buckets in a single one',
      { filter: { match_all: {} }, aggs: { y: { terms: { field: 'k', size: 0 } } } },
    ],
  ])('%s stops for others', async (_name, body) => {
    const all = await aggregated(body);
    expect(all.status).toBe(200);
    const { x } = all.body.aggregations;
    const buckets = x.buckets ?? x.y.buckets;
    expect(buckets).toHaveLength(DOCUMENTS);
    expect(all.turns).toBeGreaterThan(10);
    // It ends where its client goes.
    const gone = await aggregated(body, undefined, { goneAfter: 5 });
    expect(gone.status).toBe(503);
    expect(gone.turns).toBe(5);
  });

  it('shows top hits one by one, and none where there is no time for them', async () => {
    const top = { size: 2 ** 31 - 1, highlight: { fields: { k: {} } } };
    const body = { size: 0, timeout: '1m', query: { match: { k: 'k7' } }, aggs: { x: { top_hits: top } } };
    const one = await node.call('POST', '/a/_search', body);
    expect(one.body.aggregations.x.hits.hits[0].highlight.k).toEqual(['<em>k7</em>']);
    const every = { ...body, query: { match_all: {} } };
    const all = await node.call('POST', '/a/_search', every);
    expect(all.body.aggregations.x.hits.hits).toHaveLength(DOCUMENTS);
    // For each it is read, highlighted and shown.
    expect(all.turns).toBeGreaterThanOrEqual(3 * DOCUMENTS);
    const gone = await node.call('POST', '/a/_search', every, { goneAfter: 50 });
    expect(gone).toMatchObject({ status: 503, turns: 50 });
    const late = await node.call('POST', '/a/_search', every, { lateAfter: 50 });
    expect(late.body).toMatchObject({ timed_out: true, hits: { total: DOCUMENTS } });
    expect(late.body.aggregations?.x).toBeUndefined();
    const ids = await aggregated({ top_hits: { size: DOCUMENTS, sort: ['_uid'] } });
    expect(ids.body.aggregations.x.hits.hits[0]._id).toBe('0');
    expect(ids.turns).toBeGreaterThanOrEqual(2 * DOCUMENTS);
  });

  it('leaves out what there is no time for', async () => {
    const aggs = {
      few: { max: { field: 'n' } },
      many: { terms: { field: 'k', size: 0 } },
    };
    const body = { size: 0, timeout: '1m', aggs };
    const all = await node.call('POST', '/a/_search', body);
    expect(all.body.aggregations.many.buckets).toHaveLength(DOCUMENTS);
    const some = await node.call('POST', '/a/_search', body, { lateAfter: all.turns - 20 });
    expect(some.status).toBe(200);
    expect(some.body.timed_out).toBe(true);
    expect(some.body.aggregations).toEqual({ few: all.body.aggregations.few });
  });

  it('does not stop for a few', async () => {
    const few = await aggregated({ terms: { field: 'k' } });
    expect(few.body.aggregations.x.buckets).toHaveLength(10);
    expect(few.turns).toBe(0);
  });

  it('sorts many as it sorts few', async () => {
    const list = Array.from({ length: 20_000 }, (_, i) => ({ key: (i * 7919) % 1000, i }));
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(atOnce(sorted(list, byKey, new Reduction(WorkLimit.none)))).toEqual(list.toSorted(byKey));
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
    Object.defineProperty(limit, 'due', { get: () => true });
    let turns = 0;
    const yields = limit.yield.bind(limit);
    Object.assign(limit, {
      yield: () => {
        turns++;
        return yields();
      },
    });
    await inTurns(sorted(list, byKey, new Reduction(limit)), limit);
    expect(turns).toBeGreaterThan(20);
  });
});

describe('bounds', () => {
  it('refuses more empty buckets than a search may have, those of all buckets above together', async () => {
    const histogram = {
      field: 'n',
      interval: 1,
      min_doc_count: 0,
      extended_bounds: { min: 0, max: 400_000 },
    };
    const answer = await aggregated(
      { terms: { field: 'k', size: 5 } },
      { h: { histogram } },
      { patient: true },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('[h] needs more than 1000000 buckets without documents');
  });

  it('weighs empty buckets before they are made', () => {
    const weighed: number[] = [];
    const work = new Reduction(WorkLimit.none, (bytes) => weighed.push(bytes));
    for (let i = 0; i < 1025; i++) work.addEmpty('h', 56);
    expect(weighed).toEqual([65_536, 65_536, 65_536, 65_536]);
  });

  const many = (length: number) => Array.from({ length }, (_, i) => i);
  it.each([
    ['percents', { percentiles: { field: 'n', percents: many(10_001) } }],
    ['values', { percentile_ranks: { field: 'n', values: many(10_001) } }],
    ['ranges', { range: { field: 'n', ranges: many(10_001).map((from) => ({ from })) } }],
    ['filters', { filters: { filters: many(10_001).map(() => ({ match_all: {} })) } }],
  ])('refuses too many %s', async (what, body) => {
    const answer = await aggregated(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(`aggregation [x] has 10001 ${what}, and may have at most 10000`);
  });

  it('refuses long formats', async () => {
    for (const field of ['n', 'd']) {
      const kind = field === 'n' ? 'histogram' : 'date_histogram';
      const interval = field === 'n' ? 1 : 'day';
      const answer = await aggregated({ [kind]: { field, interval, format: '0'.repeat(1001) } });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain('a format has at most 1000 characters, this one has 1001');
    }
  });

  it('prints as many digits as Java prints of a double', () => {
    expect(numberValues('0'.repeat(1000)).print(1)).toHaveLength(309);
    expect(numberValues(`0.${'0'.repeat(900)}`).print(1)).toHaveLength(342);
  });
});
