import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { memory } from '../../host/browser/storage/memory.js';
import { idb } from '../../host/browser/storage/idb.js';
import { opfs } from '../../host/browser/storage/opfs.js';
import { createEngine } from '../../host/index.js';
import { checkStore } from '../../host/library/checkStore.js';
import type { Store } from '../../host/library/store.js';
import { lmdb } from '../../host/server/storage/lmdb.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { BLOBS, KEPT, STORAGE } from '../../host/storage/contract.js';

const folder = mkdtempSync(join(tmpdir(), 'resilin-entries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ofMemory = [...Object.keys(STORAGE), ...Object.keys(BLOBS).map((does) => `blobs: ${does}`)];

it('stores of the package are what an engine relies on', async () => {
  expect(await checkStore(memory(), { isKept: false })).toEqual(ofMemory);
  const store = lmdb(join(folder, 'checked'));
  expect(await checkStore(store)).toEqual([...ofMemory, ...Object.keys(KEPT)]);
  expect(await checkStore(store)).toHaveLength(ofMemory.length + Object.keys(KEPT).length);
});

it('tells what a store does not keep, and touches none that has something in it', async () => {
  await expect(checkStore(memory())).rejects.toThrow(
    'memory, has what was committed when it is opened again: ',
  );
  const storage = new MemoryStorage();
  const forgetful: Store = {
    name: 'forgetful',
    open: async () => ({
      storage: Object.assign(Object.create(storage), { get: () => undefined, close: async () => {} }),
      blobs: new MemoryBlobs(),
    }),
  };
  await expect(checkStore(forgetful)).rejects.toThrow();
  const full = lmdb(join(folder, 'full'));
  const { storage: rows, release } = await full.open();
  await rows.commit([[Uint8Array.of(1), Uint8Array.of(2)]], []);
  await rows.close();
  release?.();
  await expect(checkStore(full)).rejects.toThrow('full has something in it; what is checked is written to');
  const again = await full.open();
  expect(again.storage.get(Uint8Array.of(1))).toEqual(Uint8Array.of(2));
  await again.storage.close();
  again.release?.();
});

it('an engine keeps its documents in a store that is named explicitly, the same as by its string', async () => {
  const data = join(folder, 'books');
  const first = await createEngine({ data: lmdb(data) });
  await first.index('books', 'book', { title: 'The name of the rose' }, { id: '1' });
  await expect(createEngine({ data })).rejects.toThrow('is in use by process');
  await first.close();
  const second = await createEngine({ data });
  expect((await second.get('books', 'book', '1'))?._source).toEqual({ title: 'The name of the rose' });
  await second.close();
  const third = await createEngine({ data: memory() });
  expect((await third.index('books', 'book', {}, { id: '1' })).created).toBe(true);
  await third.close();
});

it('lets go of a store that no engine can be made of', async () => {
  let [closed, released] = [0, 0];
  const storage = Object.assign(new MemoryStorage(), {
    range() {
      throw new Error('can not be read');
    },
    close: async () => {
      closed++;
    },
  });
  const broken: Store = {
    name: 'broken',
    open: async () => ({
      storage,
      blobs: new MemoryBlobs(),
      release: () => {
        released++;
      },
    }),
  };
  await expect(createEngine({ data: broken })).rejects.toThrow();
  expect([closed, released]).toEqual([1, 1]);
  await expect(createEngine({ data: broken, storage })).rejects.toThrow('give either');
});

it("answers a write that there is no room for as on a full disk, by whatever class the store's error has", async () => {
  class DiskFull extends Error {
    override readonly name = 'DiskFull';
  }
  let isFull = false;
  const rows = new MemoryStorage();
  const commit = rows.commit.bind(rows);
  const storage = Object.assign(rows, {
    commit: async (...args: Parameters<typeof commit>) => {
      if (isFull) throw new DiskFull('no room in the cellar');
      return commit(...args);
    },
  });
  const resilin = await createEngine({
    data: { name: 'cellar', open: async () => ({ storage, blobs: new MemoryBlobs() }) },
  });
  await resilin.index('books', 'book', {}, { id: '1' });
  isFull = true;
  const answer = await resilin.request<{ error: string }>('PUT', '/books/book/2', {});
  expect(answer.status).toBe(503);
  expect(answer.body.error).toContain('no room in the cellar');
  isFull = false;
  expect((await resilin.request('PUT', '/books/book/2', {})).status).toBe(201);
  await resilin.close();
});

it('stores of browsers say in Node that there are none, and folders that they need a path', async () => {
  await expect(createEngine({ data: idb('books') })).rejects.toThrow(
    "idb:books can't be kept here: there is no IndexedDB",
  );
  await expect(createEngine({ data: opfs('books') })).rejects.toThrow(
    'opfs:books can be kept in a dedicated worker',
  );
  await expect(createEngine({ data: idb('') })).rejects.toThrow('a store has a name');
  await expect(createEngine({ data: lmdb(':memory:') })).rejects.toThrow('wants the path of a folder');
});
