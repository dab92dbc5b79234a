import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

// Parents and children over restarts, and parents that are older than their being parents.

let storage: MemoryStorage;
let blobs: MemoryBlobs;
let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const open = async () => {
  resilin = await createEngine({ storage, blobs });
};

beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  await open();
});
afterEach(() => resilin.close());

const KID = { kid: { _parent: { type: 'mum' } } };

async function mumsOf(n: number): Promise<string[]> {
  const query = { has_child: { type: 'kid', query: { term: { n } } } };
  const { body } = await call('POST', '/kin/_search?version=true', { query, size: 100 });
  const { hits } = body as { hits: { hits: { _id: string; _version: number }[] } };
  return hits.hits.map(({ _id, _version }) => `${_id} ${_version}`).sort();
}

async function addKids(): Promise<void> {
  for (let i = 0; i < 6; i++) await call('PUT', `/kin/kid/k${i}?parent=m${i}`, { n: i % 2 });
  await call('POST', '/kin/_refresh');
}

describe('parents and children', () => {
  it.each([
    ['segments that were kept', '/kin/_flush'],
    ['documents alone', '/kin/_refresh'],
  ])('are there after a restart from %s', async (_, keep) => {
    await call('PUT', '/kin', { settings: { number_of_shards: 2 }, mappings: { mum: {}, ...KID } });
    for (let i = 0; i < 6; i++) await call('PUT', `/kin/mum/m${i}`, { name: `m${i}` });
    await addKids();
    await call('POST', keep);
    // One child moves within its shard's reach, one goes.
    await call('PUT', '/kin/kid/k0?parent=m0', { n: 1 });
    await call('DELETE', '/kin/kid/k1?parent=m1');
    await resilin.close();
    await open();
    expect(await mumsOf(1)).toEqual(['m0 1', 'm3 1', 'm5 1']);
    const got = await call('GET', '/kin/kid/k3?parent=m3&fields=_parent,_routing');
    expect(got.body).toMatchObject({ fields: { _parent: 'm3', _routing: 'm3' } });
    expect((await call('GET', '/kin/_mapping/kid')).body).toMatchObject({ kin: { mappings: KID } });
  });

  it('find each other where the parents were there first', async () => {
    await call('PUT', '/kin', { settings: { number_of_shards: 2 } });
    for (let i = 0; i < 6; i++) await call('PUT', `/kin/mum/m${i}`, { name: `m${i}` });
    await call('PUT', '/kin/mum/m3', { name: 'again' });
    await call('PUT', '/kin/mumm/x', { name: 'another type' });
    await call('DELETE', '/kin/mum/m5');
    expect((await call('PUT', '/kin/_mapping/kid', KID)).status).toBe(200);
    await addKids();
    expect(await mumsOf(1)).toEqual(['m1 1', 'm3 2']);
    expect(await mumsOf(0)).toEqual(['m0 1', 'm2 1', 'm4 1']);
    await call('POST', '/kin/_flush');
    await resilin.close();
    await open();
    expect(await mumsOf(1)).toEqual(['m1 1', 'm3 2']);
    expect((await call('PUT', '/kin/mum/m1?version=1', { name: 'next' })).status).toBe(200);
  });
});
