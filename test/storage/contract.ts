/** What each store must keep, and that it agrees with a model: the same functions are run in Node and on pages of a browser. */
import fc from 'fast-check';
import { bytes, demand, plain, STORAGE as EXAMPLES } from '../../host/storage/contract.js';
import { compareBytes, type Entry, type Storage } from '../../host/storage/storage.js';

export { BLOBS, KEPT } from '../../host/storage/contract.js';

/** Of a store that is empty before. */
export const STORAGE: Readonly<Record<string, (storage: Storage) => Promise<void>>> = {
  ...EXAMPLES,

  async 'agrees with a naive model'(storage) {
    const key = fc.uint8Array({ minLength: 1, maxLength: 3, max: 4 });
    const op = fc.record({ key, value: fc.option(fc.uint8Array({ maxLength: 3 })) });
    const commits = fc.array(fc.array(op, { maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(commits, key, key, async (all, a, b) => {
        await storage.commit(
          [],
          [...storage.range(bytes(0), bytes(255))].map(([each]) => each),
        );
        const model = new Map<string, Entry>();
        for (const ops of all) {
          const last = [...new Map(ops.map((each) => [each.key.join(), each])).values()];
          const puts = last.flatMap((each): Entry[] => (each.value === null ? [] : [[each.key, each.value]]));
          const gone = last.filter(({ value }) => value === null).map((each) => each.key);
          await storage.commit(puts, gone);
          for (const put of puts) model.set(put[0].join(), put);
          for (const each of gone) model.delete(each.join());
        }
        const [from, to] = compareBytes(a, b) <= 0 ? [a, b] : [b, a];
        const expected = [...model.values()]
          .filter(([each]) => compareBytes(each, from) >= 0 && compareBytes(each, to) < 0)
          .sort(([x], [y]) => compareBytes(x, y));
        demand(plain(storage.range(from, to)), plain(expected));
        demand(plain(storage.range(from, to, { reverse: true })), plain(expected.reverse()));
      }),
      { numRuns: 25 },
    );
  },
};
