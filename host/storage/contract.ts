/** What each store must keep, told by errors alone: a store of one's own is checked by it as well (library/checkStore.ts). */
import type { Blobs, Entry, Storage } from './storage.js';

export const bytes = (...values: number[]) => new Uint8Array(values);
export const plain = (entries: Iterable<Entry>) => [...entries].map(([key, value]) => [[...key], [...value]]);

/** Throws where something else was found. */
export function demand(found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${a} where ${b} is expected`);
}

const bytesOf = (storage: Storage, key: Uint8Array) => {
  const found = storage.get(key);
  return found === undefined ? undefined : [...found];
};

/** Of a store that is empty before. */
export const STORAGE: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  async 'gives back what was committed, and nothing else'(storage) {
    await storage.commit([[bytes(1), bytes(10, 0, 255)]], []);
    demand([bytesOf(storage, bytes(1)), bytesOf(storage, bytes(2))], [[10, 0, 255], undefined]);
    await storage.commit([[bytes(2), bytes()]], [bytes(1)]);
    demand([bytesOf(storage, bytes(1)), bytesOf(storage, bytes(2))], [undefined, []]);
  },

  async 'lets commits of one turn take effect in their order'(storage) {
    const commits = Array.from({ length: 50 }, (_, i) =>
      storage.commit([[bytes(1), bytes(i)]], i % 2 ? [bytes(2)] : []).then(() => i),
    );
    commits.push(storage.commit([[bytes(2), bytes(7)]], []).then(() => 50));
    demand(
      await Promise.all(commits),
      Array.from({ length: 51 }, (_, i) => i),
    );
    demand([bytesOf(storage, bytes(1)), bytesOf(storage, bytes(2))], [[49], [7]]);
  },

  async 'deleting what is not there, and committing nothing, is fine'(storage) {
    await storage.commit([], [bytes(9)]);
    await storage.commit([], []);
  },

  async 'walks ranges in byte order, both ways, with a limit, and keys alone'(storage) {
    const rows: Entry[] = [
      [bytes(2), bytes(2)],
      [bytes(1, 255), bytes(3)],
      [bytes(1), bytes(1)],
      [bytes(3, 0), bytes(4)],
    ];
    await storage.commit(rows, []);
    demand(plain(storage.range(bytes(1), bytes(3))), [
      [[1], [1]],
      [[1, 255], [3]],
      [[2], [2]],
    ]);
    demand(plain(storage.range(bytes(1), bytes(3), { reverse: true, limit: 2 })), [
      [[2], [2]],
      [[1, 255], [3]],
    ]);
    demand(plain(storage.range(bytes(1, 1), bytes(4), { keysOnly: true })), [
      [[1, 255], []],
      [[2], []],
      [[3, 0], []],
    ]);
    demand(plain(storage.range(bytes(5), bytes(6))), []);
  },

  async 'shows a moment for as long as it is held, if it can do that'(storage) {
    await storage.commit(
      [1, 2, 3].map((n): Entry => [bytes(n), bytes(n)]),
      [],
    );
    const before = storage.snapshot?.();
    if (before === undefined) return;
    await storage.commit(
      [
        [bytes(2), bytes(9)],
        [bytes(4), bytes(4)],
      ],
      [bytes(1)],
    );
    const after = storage.snapshot?.();
    await storage.commit([[bytes(3), bytes(9)]], [bytes(2)]);
    demand(plain(before.range(bytes(0), bytes(9))), [
      [[1], [1]],
      [[2], [2]],
      [[3], [3]],
    ]);
    demand(plain(before.range(bytes(2), bytes(9), { limit: 1, keysOnly: true })), [[[2], []]]);
    demand(plain(before.range(bytes(0), bytes(3), { limit: 1, reverse: true })), [[[2], [2]]]);
    before.release();
    before.release();
    demand(plain(after!.range(bytes(0), bytes(9))), [
      [[2], [9]],
      [[3], [3]],
      [[4], [4]],
    ]);
    demand(plain(storage.range(bytes(0), bytes(9))), [
      [[3], [9]],
      [[4], [4]],
    ]);
    // The store may be closed while it is held.
  },
};

/** Of a store that is empty before, and is kept; each call of `open` is one after the store was closed. */
export const KEPT: Readonly<Record<string, (open: () => Promise<Storage>) => Promise<void>>> = {
  async 'has what was committed when it is opened again'(open) {
    const first = await open();
    await Promise.all([
      first.commit([[bytes(1), bytes(1)]], []),
      first.commit([[bytes(2), new Uint8Array(1_000_000).fill(7)]], [bytes(1)]),
    ]);
    await first.close();
    const second = await open();
    demand([bytesOf(second, bytes(1)), second.get(bytes(2))?.length], [undefined, 1_000_000]);
    await second.commit([[bytes(3), bytes(3)]], []);
    await second.close();
    const third = await open();
    demand([bytesOf(third, bytes(3)), third.get(bytes(2))?.[999_999]], [[3], 7]);
    await third.close();
  },

  async 'has it after the same rows were written again and again'(open) {
    const value = new Uint8Array(100_000).fill(1);
    const first = await open();
    for (let i = 0; i < 120; i++) {
      value[0] = i;
      await first.commit(
        [
          [bytes(1, i % 3), value.slice()],
          [bytes(2, i), bytes(i)],
        ],
        i < 100 ? [bytes(2, i - 1)] : [],
      );
    }
    await first.close();
    const second = await open();
    demand(
      [...second.range(bytes(1), bytes(2))].map(([, each]) => [each.length, each[0]]),
      [
        [100_000, 117],
        [100_000, 118],
        [100_000, 119],
      ],
    );
    demand(
      [...second.range(bytes(2), bytes(3))].map(([[, each]]) => each),
      Array.from({ length: 21 }, (_, i) => 99 + i),
    );
    await second.close();
  },
};

/** Of blobs of which there are none before. */
export const BLOBS: Readonly<Record<string, (blobs: Blobs) => Promise<void>>> = {
  async 'puts, gets, lists and deletes'(blobs) {
    demand(await blobs.get('a.seg'), undefined);
    await blobs.put('a.seg', bytes(1, 2));
    await blobs.put('b.seg', bytes());
    await blobs.put('a.seg', bytes(0, 3, 0).subarray(1, 2));
    demand([...(await blobs.get('a.seg'))!], [3]);
    demand((await blobs.list()).sort(), ['a.seg', 'b.seg']);
    await blobs.delete('a.seg');
    await blobs.delete('a.seg');
    demand(await blobs.list(), ['b.seg']);
  },

  async 'reads and writes piece by piece, if it can do that'(blobs) {
    await blobs.put('a.seg', bytes(1, 2, 3, 4));
    const part = async (from: number, count: number) => [
      ...((await blobs.part?.('a.seg', from, count)) ?? []),
    ];
    if (blobs.part !== undefined) {
      demand([await part(0, 2), await part(2, 9), await part(4, 1)], [[1, 2], [3, 4], []]);
      demand(await blobs.part('none.seg', 0, 1), undefined);
    }
    const given = await blobs.write?.('b.seg');
    if (given === undefined) return;
    await given.append(bytes(5, 6));
    await given.append(bytes(7));
    demand(await blobs.list(), ['a.seg']);
    await given.finish();
    demand([...(await blobs.get('b.seg'))!], [5, 6, 7]);
    const other = (await blobs.write?.('b.seg'))!;
    await other.append(bytes(8));
    await other.abandon();
    demand([...(await blobs.get('b.seg'))!], [5, 6, 7]);
  },
};
