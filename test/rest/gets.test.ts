import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await call('PUT', '/i/t/1', { a: 1 });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

// Recorded from Elasticsearch 1.7.3.
it('a version is asked of a document, not of its source, nor of whether it is there', async () => {
  expect((await call('GET', '/i/t/1?version=3')).status).toBe(409);
  expect(await call('GET', '/i/t/1/_source?version=3')).toMatchObject({ status: 200, body: { a: 1 } });
  for (const query of ['?version=3', '?version=x', '?version_type=none']) {
    expect((await call('HEAD', `/i/t/1${query}`)).status).toBe(200);
    expect((await call('HEAD', `/i/t/1/_source${query}`)).status).toBe(200);
    expect((await call('HEAD', `/i/t/2${query}`)).status).toBe(404);
  }
});

it('a source can not be asked for without itself', async () => {
  expect((await call('GET', '/i/t/1/_source?_source=false')).body).toEqual({
    error: 'ActionRequestValidationException[Validation Failed: 1: fetching source can not be disabled;]',
    status: 400,
  });
});

// Recorded from Elasticsearch 1.7.3.
it('one of several documents has no type where none was given and none is found', async () => {
  const types = async (uri: string, docs: unknown[]) => {
    const { body } = await call('GET', uri, { docs });
    return (body as { docs: { _type: unknown }[] }).docs.map(({ _type }) => _type);
  };
  const docs = [{ _id: '99' }, { _id: '1' }, { _id: '99', _type: '_all' }, { _id: '99', _type: 'u' }];
  expect(await types('/i/_mget', docs)).toEqual([null, 't', '_all', 'u']);
  expect(await types('/missing/_mget', [{ _id: '1' }])).toEqual([null]);
});

// Recorded from Elasticsearch 1.7.3.
it('a deletion makes the type that it names, or is refused with its name', async () => {
  expect((await call('DELETE', '/i/_suggest/x')).body).toEqual({
    error: "InvalidTypeNameException[mapping type name [_suggest] can't start with '_']",
    status: 400,
  });
  expect((await call('DELETE', '/i/other/x')).status).toBe(404);
  const bulk = await call('POST', '/i/_bulk', '{"delete":{"_type":"_x","_id":"1"}}\n');
  expect(bulk.body).toMatchObject({ items: [{ delete: { status: 400 } }] });
});

const fieldsById = async (fields: string) => {
  const { body } = await call('GET', `/s/t/1?fields=${fields}`);
  return (body as { fields?: unknown }).fields;
};
const fieldsByQuery = async (fields: string[]) => {
  const { body } = await call('POST', '/s/_search', { fields });
  return (body as { hits: { hits: { fields?: unknown }[] } }).hits.hits[0]!.fields;
};

it('a stored field has what it was given and what was copied to it, without what was left out', async () => {
  const stored = { type: 'string', store: true };
  await call('PUT', '/s', {
    mappings: {
      t: {
        properties: {
          short: { ...stored, index: 'not_analyzed', ignore_above: 3 },
          null: { ...stored, null_value: 'none' },
          a: { type: 'string', copy_to: 'all' },
          b: { ...stored, copy_to: 'all' },
          all: stored,
          o: { properties: { n: { type: 'integer', store: true } } },
        },
      },
    },
  });
  const source = {
    short: ['abc', 'abcd'],
    null: null,
    a: ['x', 'y'],
    b: { value: 'z', boost: 2 },
    o: [{ n: '7' }, { n: 8 }],
  };
  await call('PUT', '/s/t/1?refresh=true', source);
  const shown = { short: ['abc'], null: ['none'], all: ['x', 'y', 'z'], b: ['z'], 'o.n': [7, 8] };
  expect(await fieldsByQuery(Object.keys(shown))).toEqual(shown);
  expect(await fieldsById(Object.keys(shown).join())).toEqual(shown);
});

it('fields of a document that is not refreshed yet are read out of its source', async () => {
  const stored = { store: true };
  await call('PUT', '/s', {
    settings: { refresh_interval: -1 },
    mappings: {
      t: {
        properties: {
          day: { type: 'date', format: 'yyyy/MM/dd||dateOptionalTime', ...stored },
          at: { type: 'date' },
          short: { type: 'string', ignore_above: 1, ...stored },
          flag: { type: 'boolean' },
          count: { type: 'token_count', analyzer: 'standard', ...stored },
        },
      },
    },
  });
  await call('PUT', '/s/t/1', { day: '2014-03-04', at: 0, short: 'long', flag: 'no', count: 'a b' });
  const at = ['1970-01-01T00:00:00.000Z'];
  expect(await fieldsById('day,at,short,flag')).toEqual({
    day: ['2014-03-04'],
    at,
    short: ['long'],
    flag: [false],
  });
  expect((await call('GET', '/s/t/1?fields=count')).body).toMatchObject({
    error: expect.stringContaining('Cannot access field count from transaction log.'),
    status: 500,
  });
  await call('POST', '/s/_refresh');
  expect(await fieldsById('day,at,short,flag,count')).toEqual({
    day: ['2014/03/04'],
    at,
    flag: [false],
    count: [2],
  });
  expect(await fieldsByQuery(['day', 'at', 'flag'])).toEqual({ day: ['2014/03/04'], at: [0], flag: ['no'] });
});
