import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// What 1.7 says of bodies of aggregations that can't be meant, parser by parser, and what it lets pass.

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const properties = {
    n: { type: 'long' },
    d: { type: 'date' },
    s: { type: 'string' },
    p: { type: 'geo_point' },
    ip: { type: 'ip' },
  };
  await resilin.request('PUT', '/i', { settings, mappings: { t: { properties } } });
  await resilin.request('PUT', '/i/t/1?refresh', { n: 1, d: '2015-01-01', s: 'a', p: '1,2', ip: '10.0.0.1' });
});
afterAll(() => resilin.close());

async function answer(aggregation: object) {
  const { status, body } = await resilin.request('POST', '/i/_search', { size: 0, aggs: { x: aggregation } });
  return { status, ...(body as { error?: string; aggregations?: { x: Record<string, unknown> } }) };
}

const VALUE_TYPE = 'org.elasticsearch.search.aggregations.support.ValueType';
const ranges = [{ to: 5 }];
const unknown = (token: string, key: string) => `Unknown key for a ${token} in [x]: [${key}].`;
const unexpected = (token: string) => `Unexpected token ${token} in [x].`;
const inAggregation = (token: string, key: string) =>
  `Unknown key for a ${token} in aggregation [x]: [${key}].`;

it.each<[object, string]>([
  [{ min: { field: 'n', value_type: 'string' } }, incompatible('min', 'numeric')],
  [
    { date_histogram: { field: 'd', interval: 'day', value_type: 'string' } },
    incompatible('date_histogram', 'date'),
  ],
  [{ min: { field: 'n', script_values_sorted: true } }, unexpected('VALUE_BOOLEAN')],
  [{ value_count: { field: 'n', format: '0' } }, unexpected('VALUE_STRING')],
  [{ cardinality: { field: 'n', format: '0' } }, unknown('VALUE_STRING', 'format')],
  [{ percentile_ranks: { field: 'n', values: [1], format: '0' } }, unexpected('VALUE_STRING')],
  [{ missing: { field: 'n', script: '1' } }, unexpected('VALUE_STRING')],
  [{ geo_bounds: { field: 'p', script: '1' } }, inAggregation('VALUE_STRING', 'script')],
  [{ significant_terms: { field: 's', value_type: 'string' } }, unknown('VALUE_STRING', 'value_type')],
  [{ terms: { field: 's', shard_size: '5' } }, unknown('VALUE_STRING', 'shard_size')],
  [{ terms: { field: 's', order: ['_count'] } }, 'Order elements must be of type object in [x].'],
  [{ terms: { field: 's', order: {} } }, 'Must specify at least one field for [order] in [x].'],
  [{ terms: { field: 's', order: { _count: 1 } } }, 'Unexpected token VALUE_NUMBER for [order] in [x].'],
  [
    { histogram: { field: 'n', interval: 1, order: { _key: 'up' } } },
    'Unknown order direction [up] in aggregation [x]. Should be either [asc] or [desc]',
  ],
  [
    { histogram: { field: 'n', interval: 1, extended_bounds: { least: 1 } } },
    'Unknown extended_bounds key for a VALUE_NUMBER in aggregation [x]: [least].',
  ],
  [
    { date_histogram: { field: 'd', interval: 'day', extended_bounds: { min: true } } },
    unknown('VALUE_BOOLEAN', 'min'),
  ],
  [{ date_histogram: { field: 'd', interval: 'day', factor: 2 } }, unknown('VALUE_NUMBER', 'factor')],
  [{ ip_range: { field: 'ip' } }, 'Missing [ranges] in ranges aggregator [x]'],
  [{ ip_range: { field: 'ip', ranges, format: '0' } }, unexpected('VALUE_STRING')],
  [{ date_range: { field: 'd', ranges: [{ until: 5 }] } }, unknown('VALUE_NUMBER', 'ranges')],
  [{ date_range: { field: 'd', ranges, more: [1] } }, unexpected('VALUE_NUMBER')],
  [{ geo_distance: { field: 'p', origin: '1,2', ranges, more: 'x' } }, unknown('VALUE_STRING', 'more')],
  [{ geo_distance: { field: 'p', origin: '1,2', ranges, more: {} } }, unexpected('START_OBJECT')],
  [
    { geo_distance: { field: 'p', origin: { lon: 1 }, ranges } },
    'malformed [lon] geo point object. either [lat] or [lon] (or both) are missing in [x] geo_distance aggregation',
  ],
  [
    { geo_distance: { field: 'p', origin: [1, 2, 3], ranges } },
    'malformed [origin] geo point array in [x] geo_distance aggregation. a geo point array must be of the form [lon, lat]',
  ],
  [{ scripted_metric: { map_script: '1', more: 'x' } }, unknown('VALUE_STRING', 'more')],
  [{ scripted_metric: { map_script: '1', more: [] } }, unexpected('START_ARRAY')],
])('%j: a SearchParseException', async (aggregation, text) => {
  const { status, error } = await answer(aggregation);
  expect(error).toContain(
    `nested: SearchParseException[[i][0]: from[-1],size[0]: Parse Failure [${text}]]; }`,
  );
  expect(status).toBe(400);
});

function incompatible(kind: string, wanted: string): string {
  return `${kind} aggregation [x] was configured with an incompatible value type [string]. [${kind}] aggregation can only work on value of type [${wanted}]`;
}

it.each<[object, string]>([
  [
    { avg: { field: 'n' }, aggs: { y: { max: { field: 'n' } } } },
    'AggregationInitializationException[Aggregator [x] of type [avg] cannot accept sub-aggregations]',
  ],
  [
    { significant_terms: { field: 's', size: -1 } },
    'ElasticsearchException[parameters [requiredSize] and [minDocCount] must be >=0 in terms aggregation.]',
  ],
  [
    { significant_terms: { field: 's', jlh: { a: 1 } } },
    'ElasticsearchParseException[expected }, got a instead in jhl score]',
  ],
  [
    { significant_terms: { field: 's', gnd: { include_negatives: true } } },
    'ElasticsearchParseException[Field include_negatives unknown for gnd]',
  ],
  [
    { terms: { field: 's', include: [['a']] } },
    'ElasticsearchParseException[Array elements in include/exclude clauses should be string values]',
  ],
  [
    { terms: { script: '1', script_id: 'a' } },
    'ScriptParameterParseException[Only one of [script, script_file, script_id] is allowed.]',
  ],
  [
    { sum: { field: 'n', value_type: 'number' } },
    `NullPointerException[Cannot invoke "${VALUE_TYPE}.isNotA(${VALUE_TYPE})" because "this.input.valueType" is null]`,
  ],
  [
    { terms: { field: 's', order: { 'a>b.': 'asc' } } },
    'AggregationExecutionException[Invalid path element [b.] in path [a>b.]]',
  ],
  [
    { histogram: { field: 'n', interval: 1, order: { 'b[': 'asc' } } },
    'AggregationExecutionException[Invalid path element [b[] in path [b[]]',
  ],
  [
    { terms: { field: 's', order: { ' > ': 'asc' } } },
    'ElasticsearchIllegalArgumentException[Invalid path []]',
  ],
])('%j: another one', async (aggregation, text) => {
  const { status, error } = await answer(aggregation);
  expect(error).toContain(`nested: ${text}; }`);
  expect(status).toBe(400);
});

const path = (order: string) =>
  `Invalid terms aggregation order path [${order}]. Terms buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a final single-bucket or a metrics aggregation at the path end.`;

it.each<[string, string]>([
  ['t>m', `${path('t>m')} Sub-path [t>m] points to non single-bucket aggregation`],
  [
    'f[doc_count]>m',
    `${path('f[doc_count]>m')} Sub-path [f[doc_count]>m] points to non single-bucket aggregation`,
  ],
  ['t', path('t')],
  ['f > h', path('f>h')],
  ['p.99.9', 'Invalid term-aggregator order path [p.99.9]. Unknown aggregation [p.99]'],
])('the order %s can not be gone by', async (order, text) => {
  const m = { max: { field: 'n' } };
  const aggs = {
    m,
    t: { terms: { field: 'n' }, aggs: { m } },
    f: { filter: { match_all: {} }, aggs: { m, h: { top_hits: {} } } },
    p: { percentiles: { field: 'n', percents: [99.9] } },
  };
  const { error } = await answer({ terms: { field: 's', order: { [order]: 'asc' } }, aggs });
  expect(error).toContain(`[i][0]: AggregationExecutionException[${text}]}`);
  const { aggregations } = await answer({ terms: { field: 's', order: { 'p[99.9]': 'asc' } }, aggs });
  expect(aggregations?.x.buckets).toHaveLength(1);
});

it('points are not significant', async () => {
  const { error } = await answer({ significant_terms: { field: 'p' } });
  expect(error).toContain(
    '[i][0]: AggregationExecutionException[sigfnificant_terms aggregation cannot be applied to field [p]. It can only be applied to numeric or string fields.]}',
  );
});

it.each<[object, object]>([
  [{ geohash_grid: { field: 'p', precision: '3', more: 'x', less: [1] } }, { key: 's01mt', doc_count: 1 }],
  [{ terms: { field: 's', more: true } }, { key: 'a' }],
  [{ terms: { field: 's', size: '1', order: [] } }, { key: 'a' }],
  [{ terms: { field: 's', order: { _term: 'asc', _count: 'DESC' } } }, { key: 'a' }],
  [{ terms: { field: 's', include: { flags: 'DOTALL' } } }, { key: 'a' }],
  [{ histogram: { field: 'n', interval: 1, extended_bounds: { other: null } } }, { key: 1 }],
  [{ range: { field: 'n', ranges: [{ to: 5, more: 1 }] } }, { doc_count: 1 }],
  [{ geo_distance: { field: 'p', por: '1,2', ranges: [{ to: '9' }] } }, { key: '*-*', doc_count: 1 }],
])('%j is let pass', async (aggregation, bucket) => {
  const { error, aggregations } = await answer(aggregation);
  expect(error).toBeUndefined();
  const [first] = aggregations!.x.buckets as object[];
  expect(first).toMatchObject(bucket);
});

it('tells of what comes first in the body', async () => {
  expect((await answer({ terms: { field: 's', more: 'x' }, other: 5 })).error).toContain(
    'Unknown key for a VALUE_STRING in [x]: [more].',
  );
  expect((await answer({ terms: { field: 's' }, aggs: { y: { nosuch: {} } }, other: 5 })).error).toContain(
    'Could not find aggregator type [nosuch] in [y]',
  );
});

const sub = (aggregation: object) => ({ aggs: { y: aggregation } });

it.each<[string, object, string]>([
  ['y', {}, 'Cannot find aggregation named [y]'],
  [
    'y.avg',
    sub({ filter: {} }),
    'Unknown value key [avg] for single-bucket aggregation [y]. Either use [doc_count] as key or drop the key all together',
  ],
  [
    'y.avg',
    sub({ max: { field: 'n' } }),
    'Unknown value key [avg] for single-value metric aggregation [y]. Either use [value] as key or drop the key all together',
  ],
  [
    'y',
    sub({ stats: { field: 'n' } }),
    'Missing value key in [y] which refers to a multi-value metric aggregation',
  ],
  ['y>z', sub({ max: { field: 'n' } }), 'Metrics aggregations cannot have sub-aggregations (at [y>z]'],
])('a histogram ordered by %s fails where there are two buckets to compare', async (path, below, text) => {
  const asked = async (interval: number) => {
    const aggs = { x: { histogram: { field: 'n', interval, order: { [path]: 'asc' } }, ...below } };
    return await resilin.request('POST', '/h/_search?search_type=count', { aggs });
  };
  await resilin.request('DELETE', '/h');
  await resilin.request('PUT', '/h', { settings: { number_of_shards: 1 } });
  await resilin.request('POST', '/h/t/_bulk?refresh=true', '{"index":{}}\n{"n":1}\n{"index":{}}\n{"n":9}\n');
  const refused = await asked(5);
  expect((refused.body as { error: string }).error).toContain(
    `ElasticsearchIllegalArgumentException[Invalid order path [${path}]. ${text}]`,
  );
  expect(refused.status).toBe(400);
  expect((await asked(100)).status).toBe(200);
});

it.each<[object, string]>([
  [
    { percentiles: { field: 'n', percents: [null] } },
    'JsonParseException[Current token (VALUE_NULL) not numeric, can not use numeric value accessors\n at [Source:',
  ],
  [
    { terms: { field: 's', size: 3000000000 } },
    'JsonParseException[Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)\n at [Source:',
  ],
  [
    { date_histogram: { field: 'd', interval: 'day', offset: '' } },
    'nested: StringIndexOutOfBoundsException[String index out of range: 0]; }',
  ],
  [
    { range: { field: 'n', ranges: [] } },
    'ArrayIndexOutOfBoundsException[Index 0 out of bounds for length 0]',
  ],
])('%j', async (aggregation, text) => {
  expect((await answer(aggregation)).error).toContain(text);
});

it('of a histogram may have bounds without a value', async () => {
  const { error } = await answer({
    histogram: { field: 'n', interval: 5, extended_bounds: { min: null, max: [] } },
  });
  expect(error).toBeUndefined();
});

it.each([[[]], [[1]]])('of distances from %j, no place, are empty', async (origin) => {
  const { error, aggregations } = await answer({ geo_distance: { field: 'p', origin, ranges } });
  expect(error).toBeUndefined();
  expect(aggregations?.x).toMatchObject({ buckets: [{ key: '*-5.0', doc_count: 0 }] });
});
