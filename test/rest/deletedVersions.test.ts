import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let now = 1_000_000;
let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine({ clock: { now: () => now, after: () => () => {} } });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const version = async (method: string, uri: string) =>
  ((await call(method, uri, method === 'PUT' ? {} : undefined)).body as { _version: number })._version;

it('versions of deletions count for a minute, or for as long as the index is told to keep them', async () => {
  for (const [settings, kept] of [
    [{}, 60_000],
    [{ 'index.gc_deletes': '5m' }, 300_000],
    [{ gc_deletes: 0 }, 0],
  ] as const) {
    await call('PUT', '/a', { settings });
    await version('PUT', '/a/t/1');
    expect(await version('DELETE', '/a/t/1')).toBe(2);
    now += kept;
    expect(await version('PUT', '/a/t/1')).toBe(3);
    expect(await version('DELETE', '/a/t/1')).toBe(4);
    now += kept + 1;
    expect(await version('PUT', '/a/t/1')).toBe(1);
    await call('DELETE', '/a');
  }
});

it('what is deleted by query or with its type is gone at once, and its versions begin anew', async () => {
  await version('PUT', '/a/t/1');
  expect(await version('PUT', '/a/t/1')).toBe(2);
  expect(await call('DELETE', '/a/_query', { query: { match_all: {} } })).toMatchObject({ status: 200 });
  expect((await call('GET', '/a/_count')).body).toMatchObject({ count: 0 });
  expect((await call('PUT', '/a/t/1?version=2', {})).body).toMatchObject({
    error: 'VersionConflictEngineException[[a][2] [t][1]: version conflict, current [-1], provided [2]]',
  });
  expect(await version('PUT', '/a/t/1')).toBe(1);
  expect(await version('PUT', '/a/t/1')).toBe(2);
  await call('DELETE', '/a/t');
  expect(await version('PUT', '/a/t/1')).toBe(1);
});

it('a change of that time counts at once', async () => {
  await call('PUT', '/a/t/1?version=7&version_type=external', {});
  await call('DELETE', '/a/t/1?version=8&version_type=external');
  now += 1000;
  expect((await call('PUT', '/a/t/1?version=7&version_type=external', {})).status).toBe(409);
  await call('PUT', '/a/_settings', { 'index.gc_deletes': '10ms' });
  expect((await call('PUT', '/a/t/1?version=7&version_type=external', {})).status).toBe(201);
});
