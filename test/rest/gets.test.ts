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
