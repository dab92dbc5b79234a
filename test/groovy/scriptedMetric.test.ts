/** `scripted_metric` in Groovy: as 1.7 runs the four scripts, bounded. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, closeScripted, openScripted } from './scriptedEngine.js';

let call: Call;
beforeAll(async () => {
  call = await openScripted({ inline: true, indexed: true });
  await call('PUT', '/sales', {
    settings: { number_of_shards: 3 },
    mappings: { t: { properties: { type: { type: 'string', index: 'not_analyzed' } } } },
  });
  const lines = Array.from({ length: 60 }, (_, i) => {
    const document = { type: i % 3 === 0 ? 'cost' : 'sale', amount: i, tags: [`t${i % 4}`] };
    return `{"index":{"_id":"${i}"}}\n${JSON.stringify(document)}\n`;
  });
  await call('POST', '/sales/t/_bulk?refresh=true', lines.join(''));
});
afterAll(closeScripted);

const answered = (scripted_metric: unknown, more: object = {}) =>
  call('POST', '/sales/_search?search_type=count', { ...more, aggs: { m: { scripted_metric } } });
const metric = async (scripted_metric: unknown, more: object = {}) => {
  const { json, text } = await answered(scripted_metric, more);
  expect(json.aggregations, text).toBeDefined();
  return json.aggregations.m.value;
};
const SUM = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? -i : i)).reduce((a, b) => a + b, 0);

describe('the scripts', () => {
  it('init, map, combine and reduce: the example of 1.7', async () => {
    const value = await metric({
      init_script: "_agg['transactions'] = []",
      map_script:
        "if (doc['type'].value == \"sale\") { _agg.transactions.add(doc['amount'].value) } else { _agg.transactions.add(-1 * doc['amount'].value) }",
      combine_script: 'profit = 0; for (t in _agg.transactions) { profit += t }; return profit',
      reduce_script: 'profit = 0; for (a in _aggs) { profit += a }; return profit',
    });
    expect(value).toBe(SUM);
  });

  it('without the others: what each shard has is shown', async () => {
    const value = await metric({ map_script: "_agg.n = (_agg.n ?: 0) + 1; _agg['x'] = 1.5d" });
    expect(value).toHaveLength(3);
    expect(value.reduce((sum: number, { n }: { n: number }) => sum + n, 0)).toBe(60);
    expect(value[0].x).toBe(1.5);
  });

  it('with parameters, of which each bucket has its own copy; _agg is there only where they say so', async () => {
    const params = { _agg: { seen: [] }, step: 2 };
    const scripts = {
      params,
      map_script: '_agg.seen.add(step)',
      combine_script: '_agg.seen.size() * step',
      reduce_script: '_aggs.sum() * factor',
      reduce_params: { factor: 10 },
    };
    expect(await metric(scripts)).toBe(1200);
    // Nothing is left of the request before.
    expect(await metric(scripts)).toBe(1200);
    const { text } = await answered({ params: { step: 2 }, map_script: '_agg.n = 1' });
    expect(text).toContain('MissingPropertyException[No such property: _agg');
  });

  it('see sources and fields, and stand below buckets', async () => {
    const aggs = {
      types: {
        terms: { field: 'type', order: { _term: 'asc' } },
        aggs: {
          m: {
            scripted_metric: {
              init_script: '_agg.tags = [:]',
              map_script: '_source.tags.each { _agg.tags[it] = (_agg.tags[it] ?: 0) + 1 }',
              combine_script: '_agg.tags',
              reduce_script:
                'def all = [:]; _aggs.each { it.each { k, v -> all[k] = (all[k] ?: 0) + v } }; all',
            },
          },
        },
      },
    };
    const { json } = await call('POST', '/sales/_search?search_type=count', { aggs });
    const [cost, sale] = json.aggregations.types.buckets;
    expect([cost.key, cost.m.value]).toEqual(['cost', { t0: 5, t1: 5, t2: 5, t3: 5 }]);
    expect([sale.key, sale.m.value]).toEqual(['sale', { t0: 10, t1: 10, t2: 10, t3: 10 }]);
  });

  it('go by the query, and by the order of the index', async () => {
    const value = await metric(
      {
        map_script: "_agg.all = (_agg.all ?: []) + doc['amount'].value",
        reduce_script: '_aggs.collect { it.all }',
      },
      { query: { range: { amount: { lt: 20 } } } },
    );
    for (const list of value) expect(list).toEqual([...list].sort((a, b) => a - b));
    expect(value.flat()).toHaveLength(20);
  });

  it('a list or a map that grows costs a step for what is added, not for what is there', async () => {
    const value = await metric({
      map_script:
        '_agg.t = _agg.t ?: []; _agg.m = _agg.m ?: [:]; for (i in 1..2000) { _agg.t.add(i); _agg.m.put(i, i) }',
      reduce_script: '_aggs.collect { it.t.size() }.sum()',
    });
    expect(value).toBe(120_000);
  });

  it('a bucket without documents has none', async () => {
    const { json } = await call('POST', '/sales/_search?search_type=count', {
      aggs: {
        h: {
          histogram: {
            field: 'amount',
            interval: 10,
            extended_bounds: { min: -10, max: 0 },
            min_doc_count: 0,
          },
          aggs: { m: { scripted_metric: { map_script: '_agg.n = 1', reduce_script: '_aggs.size()' } } },
        },
      },
    });
    expect(json.aggregations.h.buckets[0]).toMatchObject({ key: -10, doc_count: 0, m: { value: null } });
  });
});

it.each([
  [
    'a script that can not be read',
    { map_script: 'while (true) {}' },
    "while loops can't be used in scripts here",
  ],
  ['a script that fails', { map_script: '_agg.n.x = 1' }, "Cannot set property 'x' on null object"],
  [
    'a loop that does not end',
    { map_script: 'for (int i = 0; i >= 0; i = 0) { }' },
    'the script takes more than 200000 steps',
  ],
  [
    'a reduction that does not end',
    { map_script: '1', reduce_script: 'for (int i = 0; i >= 0; i = 0) { }' },
    'the script takes more than 1000000 steps',
  ],
  ['another language', { map_script: '1', lang: 'mvel' }, 'script_lang not supported [mvel]'],
  ['no script', { init_script: '1' }, 'map_script field is required in [m].'],
])('refuses %s by name', async (_, scripts, message) => {
  const { status, text } = await answered(scripts);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain(message);
});

it('runs stored scripts', async () => {
  await call('PUT', '/_scripts/groovy/one', { script: '_agg.n = (_agg.n ?: 0) + 1' });
  expect(await metric({ map_script_id: 'one', reduce_script: '_aggs.collect { it.n }.sum()' })).toBe(60);
  const { text } = await answered({ map_script_id: 'gone' });
  expect(text).toContain('Unable to find script [.scripts/groovy/gone]');
});
