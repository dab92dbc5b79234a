import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CopyPlace, CopySource, CopyTarget } from '../../host/shard/shardCopy.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { idKey, seqKey, shardKey } from '../../host/storage/records.js';
import { compareBytes, type Entry } from '../../host/storage/storage.js';

const UID = 7;

/** A store with rows of three shards, and blobs of the one that is copied. */
async function filled(documents: readonly Uint8Array[], segments: readonly Uint8Array[]) {
  const [storage, blobs] = [new MemoryStorage(), new MemoryBlobs()];
  const rows = documents.flatMap((value, i): Entry[] =>
    [UID - 1, UID, UID + 1].flatMap((uid): Entry[] => [
      [seqKey('d', uid, i + 1), value],
      [idKey(uid, `type#${i}`), Uint8Array.of(i)],
    ]),
  );
  await storage.commit([...rows, [shardKey('p', UID), Uint8Array.of(1)]], []);
  const files = segments.map((bytes, i) => ({
    name: `${UID}-${i + 1}.seg`,
    bytes: bytes.length,
    documents: 1,
  }));
  for (const [i, { name }] of files.entries()) await blobs.put(name, segments[i]!);
  return { storage, blobs, manifest: { seq: 0, next: 9, segments: files } };
}

async function copied(source: CopySource, target: CopyTarget, sizes: readonly number[]): Promise<void> {
  let place: CopyPlace | undefined = { file: 0, from: 0 };
  for (let i = 0; place !== undefined; i++) {
    const size = sizes[i % sizes.length]!;
    const { bytes, next }: { bytes: Uint8Array; next: CopyPlace | undefined } = await source.piece(
      place,
      size,
    );
    expect(bytes.length).toBeLessThanOrEqual(size);
    await target.write(bytes);
    place = next;
  }
  await target.finish();
}

const rowsOf = (storage: MemoryStorage) =>
  [...storage.entries()]
    .filter(([key]) => key[4] === UID && key[0] !== 'p'.charCodeAt(0))
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([key, value]) => [[...key], [...value]]);

describe('a copy of a shard', () => {
  it('is the same in pieces of any size', async () => {
    const value = fc.uint8Array({ maxLength: 60 });
    const size = fc.integer({ min: 1, max: 90 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 12 }),
        fc.array(value, { maxLength: 3 }),
        fc.array(size, { minLength: 1, maxLength: 4 }),
        async (documents, segments, sizes) => {
          const from = await filled(documents, segments);
          const to = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
          const source = new CopySource(UID, from.storage.snapshot(), from.blobs, from.manifest);
          const target = new CopyTarget(to.storage, to.blobs, UID, source.files);
          await copied(source, target, sizes);
          expect(rowsOf(to.storage)).toEqual(rowsOf(from.storage));
          expect([...to.storage.entries()]).toHaveLength(rowsOf(from.storage).length);
          for (const [i, { name }] of source.files.entries())
            expect([...(await to.blobs.get(name))!]).toEqual([...segments[i]!]);
          expect(target.documents).toBe(documents.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes nothing that is not of the shard, and notices what is missing', async () => {
    const { storage, blobs, manifest } = await filled([Uint8Array.of(1, 2, 3)], [Uint8Array.of(4, 5)]);
    const other = () => new CopyTarget(new MemoryStorage(), new MemoryBlobs(), UID + 1, []);
    const source = new CopySource(UID, storage.snapshot(), blobs, { ...manifest, segments: [] });
    const { bytes } = await source.piece({ file: 0, from: 0 }, 1000);
    await expect(other().write(bytes)).rejects.toThrow('not of the shard');
    const target = new CopyTarget(new MemoryStorage(), new MemoryBlobs(), UID, []);
    await target.write(bytes.subarray(0, bytes.length - 1));
    await expect(target.finish()).rejects.toThrow('too early');
    const named = (...names: string[]) => names.map((name) => ({ name, bytes: 1 }));
    for (const files of [named('8-1.seg'), named('../7-1.seg'), named('7-1.seg', '7-1.seg')])
      expect(() => new CopyTarget(storage, blobs, UID, files)).toThrow();
    const short = new CopyTarget(new MemoryStorage(), new MemoryBlobs(), UID, named('7-1.seg'));
    await expect(short.write(Uint8Array.of(1, 2))).rejects.toThrow('more bytes');
    await blobs.delete('7-1.seg');
    const gone = new CopySource(UID, storage.snapshot(), blobs, manifest);
    await expect(gone.piece({ file: 0, from: 0 }, 10)).rejects.toThrow('not what it was');
  });
});
