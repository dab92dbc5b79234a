import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const ids = async (query: unknown) => {
  const { body } = await call('POST', '/i/_search', { query, fields: [] });
  return (body as { hits: { hits: { _type: string; _id: string }[] } }).hits.hits
    .map(({ _type, _id }) => `${_type}#${_id}`)
    .sort();
};

beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  const bag = { type: 'nested', properties: { of: { type: 'string' }, kilos: { type: 'integer' } } };
  const mappings = { cat: { properties: { bag } }, dog: { _id: { index: 'not_analyzed' } } };
  await call('PUT', '/i', { settings, mappings });
  await call('PUT', '/i/cat/tom', { colour: 'grey', bag: [{ of: 'fish', kilos: 2 }] });
  await call('PUT', '/i/cat/tim', {
    bag: [
      { of: 'fish', kilos: 5 },
      { of: 'milk', kilos: 1 },
    ],
  });
  await call('PUT', '/i/dog/tim?refresh=true', { name: 'tim', colour: 'red' });
});
afterAll(() => resilin.close());

describe('patterns over what documents are known by', () => {
  it('find them by their uids', async () => {
    expect(await ids({ wildcard: { _uid: 'c*#t?m' } })).toEqual(['cat#tim', 'cat#tom']);
    expect(await ids({ regexp: { _uid: { value: '(cat|dog)#tim', flags: 'NONE' } } })).toEqual([
      'cat#tim',
      'dog#tim',
    ]);
    expect(await ids({ range: { _uid: { gt: 'cat#tim', lte: 'dog' } } })).toEqual(['cat#tom']);
    expect(await ids({ filtered: { filter: { range: { _uid: { gte: 'dog' } } } } })).toEqual(['dog#tim']);
    expect(await ids({ query_string: { query: '_uid:ca*' } })).toEqual(['cat#tim', 'cat#tom']);
  });

  it('find ids only where these are indexed', async () => {
    expect(await ids({ wildcard: { _id: 't*m' } })).toEqual(['dog#tim']);
    expect(await ids({ range: { _id: { lt: 'z' } } })).toEqual(['dog#tim']);
    expect(await ids({ prefix: { _id: 'ti' } })).toEqual(['cat#tim', 'dog#tim']);
  });

  it('read a regular expression over ids as one over uids, whose sign says that nothing matches', async () => {
    expect(await ids({ regexp: { _id: 't.m' } })).toEqual([]);
    expect(await ids({ regexp: { _id: { value: 't.m', flags: 'NONE' } } })).toEqual([
      'cat#tim',
      'cat#tom',
      'dog#tim',
    ]);
  });

  it('find types, and the names of fields', async () => {
    expect(await ids({ wildcard: { _type: '?og' } })).toEqual(['dog#tim']);
    expect(await ids({ wildcard: { _field_names: 'col*r' } })).toEqual(['cat#tom', 'dog#tim']);
    expect(await ids({ regexp: { _index: '.*' } })).toEqual([]);
  });
});

describe('objects of nested fields', () => {
  it('have the ids of their documents', async () => {
    const inside = (query: unknown) => ids({ nested: { path: 'bag', query } });
    expect(await inside({ ids: { values: ['tom'] } })).toEqual(['cat#tom']);
    expect(await inside({ term: { _id: 'tim' } })).toEqual(['cat#tim']);
    expect(await inside({ prefix: { _uid: 'dog' } })).toEqual([]);
  });

  it('order the hits of buckets where their path is given', async () => {
    const best = async (sort: unknown) => {
      const aggs = { best: { top_hits: { size: 3, sort, _source: false } } };
      const { body } = await call('POST', '/i/cat/_search', { size: 0, aggs });
      const { hits } = (
        body as { aggregations: { best: { hits: { hits: { _id: string; sort: number[] }[] } } } }
      ).aggregations.best.hits;
      return hits.map(({ _id, sort }) => [_id, ...sort]);
    };
    const kilos = (more: object) => [{ 'bag.kilos': { order: 'asc', ...more } }];
    expect(await best(kilos({ nested_path: 'bag' }))).toEqual([
      ['tim', 1],
      ['tom', 2],
    ]);
    const nested_filter = { term: { 'bag.of': 'fish' } };
    expect(await best(kilos({ nested_path: 'bag', nested_filter }))).toEqual([
      ['tom', 2],
      ['tim', 5],
    ]);
  });
});
