import { expect, it } from 'vitest';
import { MemoryBlobs, MemoryRoom, MemoryStorage } from '../../host/storage/memory.js';
import { DiskFull } from '../../host/storeErrors.js';

const key = (n: number) => Uint8Array.of(1, n);

it('what is kept in memory is counted, and what is let go is not any more', async () => {
  const room = new MemoryRoom();
  const storage = new MemoryStorage(room);
  const blobs = new MemoryBlobs(room);
  await storage.commit([[key(1), new Uint8Array(1000)]], []);
  await blobs.put('a', new Uint8Array(500));
  expect(room.taken.outside).toBe(1500);
  expect(storage.heapBytes).toBe(room.taken.heap);
  await storage.commit([[key(1), new Uint8Array(10)]], []);
  await blobs.put('a', new Uint8Array(7));
  expect(room.taken.outside).toBe(7);
  await storage.commit([], [key(1), key(2)]);
  await blobs.delete('a');
  await blobs.delete('none');
  expect(room.taken).toEqual({ heap: 0, outside: 0 });
});

it('more than there is room for is refused, but for what makes room', async () => {
  const room = new MemoryRoom({ heap: 16_000, outside: 16_000 });
  const storage = new MemoryStorage(room);
  await storage.commit([[key(1), new Uint8Array(15_500)]], []);
  await expect(storage.commit([[key(2), new Uint8Array(600)]], [])).rejects.toThrow(DiskFull);
  expect(storage.get(key(2))).toBeUndefined();
  await storage.commit([[key(2), new Uint8Array(600)]], [], { freeing: true });
  await expect(new MemoryBlobs(room).put('a', new Uint8Array(1))).rejects.toThrow('the memory is full');
  await storage.commit([], [key(1)]);
  await storage.commit([[key(3), new Uint8Array(600)]], []);
  const many = Array.from({ length: 40 }, (_, i) => [key(i), new Uint8Array(0)] as const);
  await expect(storage.commit(many, [])).rejects.toThrow(DiskFull);
});
