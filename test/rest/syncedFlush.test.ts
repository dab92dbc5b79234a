import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

let storage: MemoryStorage;
let blobs: MemoryBlobs;
let resilin: Resilin;
beforeEach(async () => {
  storage = new MemoryStorage();
  blobs = new MemoryBlobs();
  resilin = await createEngine({ storage, blobs });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

interface Commit {
  commit: { user_data: { translog_id: string; sync_id?: string } };
}

/** The marks of the shards. */
async function marks(): Promise<(string | undefined)[]> {
  const { body } = await call('GET', '/i/_stats?level=shards');
  const { shards } = (body as { indices: { i: { shards: Record<string, [Commit]> } } }).indices.i;
  return Object.values(shards).map(([{ commit }]) => {
    expect(commit.user_data.translog_id).toMatch(/^\d+$/);
    return commit.user_data.sync_id;
  });
}

const put = (id: string) => call('PUT', `/i/t/${id}`, { n: 1 });

it('marks every shard until the first flush behind a write', async () => {
  await call('PUT', '/i', { settings: { number_of_shards: 2, number_of_replicas: 0 } });
  for (const id of ['1', '2', '3', '4']) await put(id);
  expect(await marks()).toEqual([undefined, undefined]);
  const { body } = await call('POST', '/i/_flush/synced');
  expect(body).toEqual({
    _shards: { total: 2, successful: 2, failed: 0 },
    i: { total: 2, successful: 2, failed: 0 },
  });
  const marked = await marks();
  expect(new Set(marked).size).toBe(2);
  for (const mark of marked) expect(mark).toMatch(/^[\w-]{20,22}$/);
  await call('POST', '/i/_flush');
  await call('POST', '/i/_optimize?max_num_segments=1');
  expect(await marks()).toEqual(marked);
  await resilin.close();
  resilin = await createEngine({ storage, blobs });
  await call('GET', '/_cluster/health?wait_for_status=green');
  expect(await marks()).toEqual(marked);
  // One of the shards is written to.
  await put('1');
  expect(await marks()).toEqual(marked);
  await call('POST', '/i/_flush');
  expect((await marks()).filter((mark) => mark === undefined)).toHaveLength(1);
  await call('POST', '/i/_flush/synced');
  const again = await marks();
  expect(again.every((mark) => mark !== undefined && !marked.includes(mark))).toBe(true);
  await call('DELETE', '/i/t/1');
  await call('POST', '/i/_flush');
  expect((await marks()).filter((mark) => mark === undefined)).toHaveLength(1);
});
