/** The sizes that a server tells of are what its folder takes of the disk, and deleting gives it back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderBytes } from '../../host/server/folderSize.js';
import type { RunningServer, ServerOptions } from '../../host/server/index.js';
import { built } from '../support/server.js';

/** It is only about coming to it. */
const PATIENT = { timeout: 60_000, interval: 20 };
const host = join(await built(), 'js/host');
let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-sizes-'));
  const { createServer } = (await import(join(host, 'server/index.js'))) as {
    createServer: (options: ServerOptions) => Promise<RunningServer>;
  };
  const { LmdbStorage } = (await import(
    join(host, 'storage/lmdb.js')
  )) as typeof import('../../host/storage/lmdb.js');
  // From 64 MiB on otherwise, looked at every 10 s.
  Object.assign(LmdbStorage.shrinking, { shrinksFrom: 512 * 1024, freeShare: 0.5, lookEvery: 1 });
  server = await createServer({ port: 0, data: folder, threads: 1, coordinators: 2 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: string): Promise<string> {
  const response = await fetch(`${server.url}${path}`, { method, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** A kilobyte that packs badly. */
function words(seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < 1000) {
    state = (state * 48_271) % 0x7fff_ffff;
    text += `${state.toString(36)} `;
  }
  return text;
}

async function fill(index: string, count: number): Promise<void> {
  await send('PUT', `/${index}`, '{"settings":{"number_of_shards":2}}');
  for (let from = 0; from < count; from += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - from) }, (_, i) => {
      const id = from + i;
      return `{"index":{"_id":"${id}"}}\n{"n":${id},"text":"${words(id)}"}\n`;
    });
    await send('POST', `/${index}/t/_bulk`, lines.join(''));
  }
}

/** What `_cat` says of the store of each index, what `_stats` says of all, and the disk. */
async function sizes() {
  const rows = (await send('GET', '/_cat/indices?bytes=b&h=index,store.size')).trim().split('\n');
  const each = Object.fromEntries(
    rows.map((row) => {
      const [index, bytes] = row.trim().split(/ +/);
      return [index!, Number(bytes)];
    }),
  );
  const stats = JSON.parse(await send('GET', '/_stats/store'));
  return {
    each,
    all: stats._all.total.store.size_in_bytes as number,
    disk: folderBytes(join(folder, 'store')) + folderBytes(join(folder, 'segments')),
  };
}

it('come to what is on the disk, and fall when documents and indices are deleted', async () => {
  await fill('large', 4000);
  await fill('small', 1000);
  await send('POST', '/_flush?wait_if_ongoing=true');
  const full = await sizes();
  expect(full.all).toBe(full.each.large! + full.each.small!);
  expect(full.all / full.disk).toBeGreaterThan(0.85);
  expect(full.all / full.disk).toBeLessThan(1.1);
  expect(full.each.large! / full.each.small!).toBeGreaterThan(3);
  const shards = (await send('GET', '/_cat/shards/large?bytes=b&h=prirep,store')).trim().split('\n');
  const ofShards = shards.filter((row) => row.startsWith('p')).map((row) => Number(row.split(/ +/)[1]));
  expect(ofShards.reduce((sum, bytes) => sum + bytes, 0)).toBe(full.each.large);

  await send('DELETE', '/large/t/_query', '{"query":{"range":{"n":{"gte":400}}}}');
  await send('POST', '/large/_optimize?max_num_segments=1');
  await send('POST', '/_flush?wait_if_ongoing=true');
  // Rows go when the searches are over that may read them, and the file is copied beside the commits.
  await expect.poll(async () => (await sizes()).each.large! / full.each.large!, PATIENT).toBeLessThan(0.25);
  await expect.poll(async () => (await sizes()).disk / full.disk, PATIENT).toBeLessThan(0.6);
  expect((await sizes()).each.small! / full.each.small!).toBeGreaterThan(0.7);

  await send('DELETE', '/large');
  expect(Object.keys((await sizes()).each)).toEqual(['small']);
  await send('DELETE', '/small');
  await expect.poll(async () => (await sizes()).disk / full.disk, PATIENT).toBeLessThan(0.1);
});
