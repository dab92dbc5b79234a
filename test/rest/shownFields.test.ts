import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** Expectations are those of Elasticsearch 1.7.3, recorded from one or read in its sources. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const fields = async (uri: string, body: unknown) => {
  const answer = await call('POST', uri, body);
  return (answer.body as { hits: { hits: { fields?: unknown }[] } }).hits.hits.map((hit) => hit.fields);
};
const ONE = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };

beforeAll(async () => {
  resilin = await createEngine();
  const loc = { type: 'geo_point', store: true };
  const properties = { loc, kept: { type: 'string', store: true } };
  await call('PUT', '/i', {
    settings: ONE,
    mappings: { t: {}, u: { _parent: { type: 't' } }, g: { properties } },
  });
  await call('PUT', '/i/t/1', { title: 'quick fox', n: 3 });
  await call('PUT', '/i/t/2', { title: '' });
  await call('PUT', '/i/u/3?parent=7', { a: 1 });
  await call('PUT', '/i/g/4', { loc: '38.4,-71', kept: 'k' });
  await call('PUT', '/i/g/5', { loc: { geohash: 'dr5regw3' } });
  await call('PUT', '/i/g/6', { loc: [[-70, 41], '40,-69', { lat: 1, lon: 2 }] });
  await call('POST', '/_refresh');
});
afterAll(() => resilin.close());

describe('fields of hits', () => {
  it('that are asked for again have their values again', async () => {
    expect(
      (await fields('/i/t/_search', { fields: ['title', 'n'], fielddata_fields: ['title', 'n'] }))[0],
    ).toEqual({
      title: ['quick fox', 'fox', 'quick'],
      n: [3, 3],
    });
    expect((await fields('/i/t/_search', { fields: ['title', 'title'] }))[0]).toEqual({
      title: ['quick fox', 'quick fox'],
    });
    expect((await fields('/i/t/_search', { fielddata_fields: ['n', 'n'] }))[0]).toEqual({ n: [3, 3] });
    // What is stored is read once.
    expect((await fields('/i/g/_search', { fields: ['kept', 'kept'] }))[0]).toEqual({ kept: ['k'] });
  });

  it('are those of the parameters and of the body', async () => {
    expect((await fields('/i/t/_search?fields=title', { fields: ['n'] }))[0]).toEqual({
      title: ['quick fox'],
      n: [3],
    });
  });

  it('leave out what has no terms', async () => {
    expect(await fields('/i/t/_search', { fielddata_fields: ['title'] })).toEqual([
      { title: ['fox', 'quick'] },
      {},
    ]);
  });

  it('have all that is stored for a star', async () => {
    expect(await fields('/i/u/_search', { fields: ['*'] })).toEqual([{ _routing: '7', _parent: '7' }]);
  });

  it('show stored points as texts, latitude first', async () => {
    expect(await fields('/i/g/_search', { fields: ['loc'] })).toEqual([
      { loc: ['38.4,-71.0'] },
      { loc: ['40.71284294128418,-74.00613784790039'] },
      { loc: ['41.0,-70.0', '40.0,-69.0', '1.0,2.0'] },
    ]);
  });

  it('show points in the order of their texts', async () => {
    const shown = await fields('/i/g/_search', { fielddata_fields: ['loc'] });
    expect(shown[2]).toEqual({
      loc: [
        { lat: 1, lon: 2 },
        { lat: 40, lon: -69 },
        { lat: 41, lon: -70 },
      ],
    });
  });
});
