import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// As 1.7 loads `_parent`: a child has its parent's id, a document whose type has children its own.

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 3, number_of_replicas: 0 };
  const mappings = {
    gran: {},
    mum: { _parent: { type: 'gran' } },
    kid: { _parent: { type: 'mum' } },
    other: {},
  };
  await call('PUT', '/kin', { settings, mappings });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

interface Bucket {
  key: string;
  doc_count: number;
  n?: { value: number };
  e?: Parents;
}
interface Parents {
  sum_other_doc_count: number;
  buckets: Bucket[];
}

async function parents(more: object = {}, body: object = {}): Promise<Parents> {
  const aggs = {
    p: { terms: { field: '_parent', ...more }, aggs: { n: { sum: { field: 'n' } } } },
  };
  const answer = await call('POST', '/kin/_search', { size: 0, aggs, ...body });
  return (answer.body as { aggregations: { p: Parents } }).aggregations.p;
}

const shown = ({ buckets }: Parents) => buckets.map(({ key, doc_count, n }) => [key, doc_count, n?.value]);

it('has the ids of parents', async () => {
  await call('PUT', '/kin/gran/1', { n: 1 });
  await call('POST', '/kin/_refresh');
  await call('PUT', '/kin/mum/2?parent=1', { n: 2 });
  // Both its own id and its parent's.
  await call('PUT', '/kin/mum/1?parent=1', { n: 4 });
  await call('PUT', '/kin/kid/7?parent=2&routing=1', { n: 8 });
  await call('PUT', '/kin/kid/8?parent=9&routing=1', { n: 16 });
  await call('PUT', '/kin/other/1', { n: 32 });
  await call('POST', '/kin/_refresh');
  const all = [
    ['1', 3, 7],
    ['2', 2, 10],
    ['9', 1, 16],
  ];
  expect(shown(await parents())).toEqual(all);
  const field = '_parent';
  const aggs = {
    count: { value_count: { field } },
    ids: { cardinality: { field } },
    none: { missing: { field } },
  };
  const counted = await call('POST', '/kin/_search', {
    size: 0,
    aggs: { ...aggs, all: { filter: {}, aggs } },
  });
  const found = { count: { value: 6 }, ids: { value: 3 }, none: { doc_count: 1 } };
  expect(counted.body).toMatchObject({ aggregations: { ...found, all: found } });
  const ordered = async (order: object, terms: object = {}) => {
    const below = { count: { value_count: { field } }, ids: { cardinality: { field } } };
    const by = { terms: { field: '_type', order, ...terms }, aggs: below };
    const { body } = await call('POST', '/kin/_search', { size: 0, aggs: { by } });
    return (body as { aggregations: { by: Parents } }).aggregations.by.buckets.map(({ key }) => key);
  };
  expect(await ordered({ count: 'desc' })).toEqual(['mum', 'kid', 'gran', 'other']);
  expect(await ordered({ ids: 'asc' })).toEqual(['other', 'gran', 'kid', 'mum']);
  expect(await ordered({ ids: 'asc' }, { size: 1, shard_size: 1 })).toEqual(['other']);
  const childless = { v: { value_count: { field }, aggs: { n: { sum: { field: 'n' } } } } };
  const refused = await call('POST', '/kin/_search', { aggs: childless });
  expect(JSON.stringify(refused.body)).toContain(
    'Aggregator [v] of type [value_count] cannot accept sub-aggregations',
  );
  expect(await parents({ size: 1 })).toMatchObject({ sum_other_doc_count: 3 });
  expect(shown(await parents({ include: '[12]', order: { n: 'desc' } }))).toEqual([all[1], all[0]]);
  expect(shown(await parents({ min_doc_count: 2, exclude: ['1'] }))).toEqual([all[1]]);
  expect(shown(await parents({}, { query: { term: { _type: 'kid' } } }))).toEqual([
    ['2', 1, 8],
    ['9', 1, 16],
  ]);
  expect(shown(await parents({ min_doc_count: 0 }, { query: { term: { n: 16 } } }))).toEqual([
    ['9', 1, 16],
    ['1', 0, 0],
    ['2', 0, 0],
  ]);
  await call('DELETE', '/kin/kid/7?routing=1');
  await call('POST', '/kin/_optimize?max_num_segments=1');
  expect(shown(await parents())).toEqual([
    ['1', 3, 7],
    ['2', 1, 2],
    ['9', 1, 16],
  ]);
});

it('stands below others, and is empty where nothing has a parent', async () => {
  expect(shown(await parents())).toEqual([]);
  await call('PUT', '/kin/gran/1', { n: 1 });
  await call('PUT', '/kin/mum/2?parent=1', { n: 1 });
  await call('POST', '/kin/_refresh');
  const aggs = { n: { terms: { field: 'n' }, aggs: { e: { terms: { field: '_parent' } } } } };
  const { body } = await call('POST', '/kin/_search', { size: 0, aggs });
  const [{ e }] = (body as { aggregations: { n: { buckets: [Bucket] } } }).aggregations.n.buckets;
  expect(shown(e!)).toEqual([
    ['1', 2, undefined],
    ['2', 1, undefined],
  ]);
});
