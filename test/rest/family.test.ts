import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 3, number_of_replicas: 0 };
  await call('PUT', '/kin', { settings, mappings: { mum: {}, kid: { _parent: { type: 'mum' } } } });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const missing = (id: string) => `routing is required for [kin]/[kid]/[${id}]`;

describe('the mapping of parents', () => {
  it('is shown with the routing that it requires', async () => {
    expect((await call('GET', '/kin/_mapping/kid')).body).toMatchObject({
      kin: { mappings: { kid: { _parent: { type: 'mum' }, _routing: { required: true } } } },
    });
  });

  it('names the type of the parents', async () => {
    expect((await call('PUT', '/kin/_mapping/x', { x: { _parent: {} } })).body).toMatchObject({
      error: 'MapperParsingException[Parent mapping must contain the parent type]',
    });
  });

  it.each([
    ['mum', { _parent: { type: 'x' } }, '[null]->[x]'],
    ['kid', { _parent: { type: 'x' } }, '[mum]->[x]'],
    ['kid', { properties: { n: { type: 'long' } } }, '[mum]->[null]'],
  ])('can not be changed: %s %j', async (type, mapping, change) => {
    const { status, body } = await call('PUT', `/kin/_mapping/${type}`, { [type]: mapping });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: `MergeMappingException[Merge failed with failures {[The _parent field's type option can't be changed: ${change}]}]`,
    });
  });

  it('may say when it is loaded', async () => {
    const mapping = { _parent: { type: 'mum', fielddata: { loading: 'lazy' } } };
    expect((await call('PUT', '/kin/_mapping/kid', { kid: mapping })).status).toBe(200);
    expect((await call('GET', '/kin/_mapping/kid')).body).toMatchObject({
      kin: { mappings: { kid: mapping } },
    });
  });
});

describe('documents with parents', () => {
  const get = (query: string) => call('GET', `/kin/kid/k1?${query}`);

  it('live where the parent lives, unless another routing value is given', async () => {
    await call('PUT', '/kin/kid/k1?parent=m1', { n: 1 });
    expect((await get('parent=m1&fields=_parent,_routing')).body).toMatchObject({
      fields: { _parent: 'm1', _routing: 'm1' },
    });
    await call('PUT', '/kin/kid/k1?parent=m2&routing=m1', { n: 2 });
    expect((await get('routing=m1&fields=_parent,_routing')).body).toMatchObject({
      fields: { _parent: 'm2', _routing: 'm1' },
    });
  });

  it('are refused without', async () => {
    const bulk =
      '{"index":{"_id":"k1"}}\n{}\n{"index":{"_id":"k2","_parent":"m"}}\n{}\n{"index":{"_id":"k3","parent":"m"}}\n{}\n';
    for (const [method, uri] of [
      ['PUT', '/kin/kid/k1'],
      ['GET', '/kin/kid/k1'],
      ['POST', '/kin/kid/k1/_update'],
    ] as const) {
      const { body } = await call(method, uri, method === 'GET' ? undefined : { doc: {} });
      expect(body).toMatchObject({ error: `RoutingMissingException[${missing('k1')}]` });
    }
    expect((await call('POST', '/kin/kid/_bulk', bulk)).body).toMatchObject({
      items: [{ index: { status: 400 } }, { index: { status: 201 } }, { index: { status: 201 } }],
    });
    const docs = [{ _id: 'k2' }, { _id: 'k2', _parent: 'm' }, { _id: 'k2', parent: 'm' }];
    expect((await call('POST', '/kin/kid/_mget', { docs })).body).toMatchObject({
      docs: [{ error: missing('k2') }, { found: true }, { found: true }],
    });
  });

  it('keep their parents when they are changed in part', async () => {
    await call('PUT', '/kin/kid/k1?parent=m1', { n: 1 });
    await call('POST', '/kin/kid/k1/_update?routing=m1', { doc: { n: 2 } });
    expect((await get('parent=m1&fields=_parent,n')).body).toMatchObject({
      fields: { _parent: 'm1', n: [2] },
    });
  });

  it('may name them inside', async () => {
    const put = await call('PUT', '/kin/kid/k1?parent=m1', { _parent: 'm2' });
    expect(put.body).toMatchObject({
      error:
        'MapperParsingException[Parent id mismatch, document value is [m2], while external value is [m1]]',
    });
    await call('PUT', '/kin/kid/k1?routing=m1&refresh=true', { _parent: 'm1' });
    const search = await call('POST', '/kin/_search', { query: { term: { _parent: 'mum#m1' } } });
    expect(search.body).toMatchObject({ hits: { total: 1 } });
  });

  it('are deleted wherever they are where no parent is given', async () => {
    await call('PUT', '/kin/kid/k1?parent=m1', { n: 1 });
    expect((await call('DELETE', '/kin/kid/k1')).body).toMatchObject({ found: true, _version: 2 });
    expect((await call('DELETE', '/kin/kid/k1?parent=m1')).body).toMatchObject({ found: false, _version: 3 });
    const external = await call('DELETE', '/kin/kid/k1?version=7&version_type=external');
    expect(external.body).toMatchObject({
      error: expect.stringContaining('routing value is required for deleting documents of type [kid]'),
    });
  });

  it('are of types that have them', async () => {
    expect((await call('PUT', '/kin/mum/m2?parent=m1', {})).body).toMatchObject({
      error:
        "ElasticsearchIllegalArgumentException[Can't specify parent if no parent field has been configured]",
    });
  });
});
