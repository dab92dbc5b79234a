import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const SCRIPT = { script: '_score * 2' };
const at = '/_scripts/expression/double';
const conflict = (current: number, provided: number) => ({
  status: 409,
  body: {
    error: `VersionConflictEngineException[[.scripts][3] [expression][double]: version conflict, current [${current}], provided [${provided}]]`,
    status: 409,
  },
});

it('have versions that requests may ask for, as documents have', async () => {
  const put = (query: string) => call('PUT', `${at}?${query}`, SCRIPT);
  expect(await put('version=0&version_type=external')).toMatchObject({
    status: 201,
    body: { _version: 0, created: true },
  });
  expect((await put('version=5&version_type=external')).body).toMatchObject({ _version: 5, created: false });
  expect(await call('GET', `${at}?version=3`)).toEqual(conflict(5, 3));
  expect(await call('DELETE', `${at}?version=3`)).toEqual(conflict(5, 3));
  expect((await call('GET', `${at}?version=5&version_type=external_gte`)).status).toBe(200);
  expect((await call('GET', `${at}?version=10&version_type=force`)).status).toBe(200);
  expect(await put('version=5&version_type=external')).toEqual(conflict(5, 5));
  expect(await put('version=4')).toEqual(conflict(5, 4));
  expect((await put('version=5')).body).toMatchObject({ _version: 6 });
  expect((await call('DELETE', `${at}?version=6`)).body).toMatchObject({ found: true, _version: 7 });
  expect((await put('')).body).toMatchObject({ _version: 8, created: true });
});

it('are created once where a request says so', async () => {
  expect((await call('PUT', `${at}/_create`, SCRIPT)).status).toBe(201);
  const taken = {
    status: 409,
    body: {
      error: 'DocumentAlreadyExistsException[[.scripts][3] [expression][double]: document already exists]',
      status: 409,
    },
  };
  expect(await call('POST', `${at}/_create`, SCRIPT)).toEqual(taken);
  expect(await call('PUT', `${at}?op_type=create`, SCRIPT)).toEqual(taken);
  expect((await call('PUT', '/_search/template/t/_create', { template: {} })).status).toBe(201);
  expect(await call('PUT', `${at}?op_type=none`, SCRIPT)).toEqual({
    status: 400,
    body: { error: 'opType [none] not allowed, either [index] or [create] are allowed' },
  });
});

// Recorded from Elasticsearch 1.7.3.
it('have no index to be looked for in before the first of them', async () => {
  const missing = { status: 404, body: { error: 'IndexMissingException[[.scripts] missing]', status: 404 } };
  expect(await call('GET', at)).toEqual(missing);
  expect(await call('GET', '/_search/template/nosuch')).toEqual(missing);
  await call('PUT', at, SCRIPT);
  expect((await call('GET', '/_search/template/nosuch')).body).toEqual({
    lang: 'mustache',
    _id: 'nosuch',
    found: false,
  });
});
