import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** Expectations are those of Elasticsearch 1.7.3, recorded from one or read in its sources. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const sorted = async (sort: unknown, uri = '/i/_search') => {
  const { status, body } = await call('POST', uri, { sort });
  if (status !== 200) return (body as { error: string }).error;
  return (body as { hits: { hits: { _id: string; sort: unknown[] }[] } }).hits.hits.map(
    ({ _id, sort: [first] }) => `${_id} ${first}`,
  );
};
const ONE = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };

beforeAll(async () => {
  resilin = await createEngine();
  const loc = { type: 'geo_point' };
  const child = { _parent: { type: 'parent' } };
  await call('PUT', '/i', { settings: ONE, mappings: { t: { properties: { loc } } } });
  await call('PUT', '/a', { settings: ONE, mappings: { parent: {}, child } });
  await call('PUT', '/empty', { settings: ONE });
  await call('PUT', '/i/t/1', { title: 'quick fox', loc: '41,-71' });
  await call('PUT', '/i/t/2', { title: 'lazy' });
  await call('PUT', '/a/parent/7', {});
  await call('PUT', '/a/child/1?parent=7', { zoo: { animal: 1 } });
  await call('PUT', '/a/child/2?parent=3', {});
  await call('POST', '/_refresh');
});
afterAll(() => resilin.close());

describe('a sort', () => {
  it('of texts has no sum and no mean', async () => {
    for (const mode of ['sum', 'avg']) {
      expect(await sorted({ title: { order: 'desc', mode } })).toEqual(['1 quick', '2 lazy']);
      expect(await sorted({ title: { order: 'asc', mode } })).toEqual(['1 fox', '2 lazy']);
    }
  });

  it('by the index is by its name', async () => {
    expect(await sorted('_index')).toEqual(['1 i', '2 i']);
    expect(await sorted([{ _index: { order: 'desc', ignore_unmapped: true } }])).toEqual(['1 i', '2 i']);
    const both = await sorted([{ _index: 'desc' }], '/a,i/_search');
    expect(both).toEqual(['1 i', '2 i', '7 a', '1 a', '2 a']);
  });

  it('by parents is by ids, which parents have themselves', async () => {
    expect(await sorted('_parent', '/a/_search')).toEqual(['2 3', '7 7', '1 7']);
    expect(await sorted({ _parent: 'desc' }, '/a/child/_search')).toEqual(['1 7', '2 3']);
    expect(await sorted('_parent')).toEqual(['1 null', '2 null']);
    expect(await sorted({ _parent: { missing: '_first' } })).toEqual(['1 null', '2 null']);
    expect(await sorted({ _parent: { missing: 'x' } })).toEqual(['1 x', '2 x']);
  });

  it('by the names of fields takes the first or the last', async () => {
    expect(await sorted('_field_names')).toEqual(['1 _all', '2 _all']);
    expect(await sorted({ _field_names: 'desc' })).toEqual(['1 title', '2 title']);
    expect(await sorted({ _field_names: 'desc' }, '/a/_search')).toEqual([
      '1 zoo.animal',
      '7 _version',
      '2 _version',
    ]);
  });

  it('needs a type for every field', async () => {
    for (const field of ['_index', '_uid', '_type'])
      expect(await sorted(field, '/empty/_search')).toContain(
        `No mapping found for [${field}] in order to sort on`,
      );
  });

  it('by the factor of a distance has no unit', async () => {
    const factor = { loc: '40,-70', unit: 'km', distance_type: 'factor' };
    expect(await sorted({ _geo_distance: factor })).toEqual(['1 0.999759641469603', `2 ${Number.MAX_VALUE}`]);
  });
});
