/** A mapping that was acknowledged is in the store, whoever has written it down: documents bring fields at the same time. */
import { expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';
import { MemoryStorage } from '../../host/storage/memory.js';
import { decodeJson, indexKey } from '../../host/storage/records.js';
import type { CommitOptions, Puts } from '../../host/storage/storage.js';
import { Random } from '../torture/random.js';

/** Commits one after the other, each after some turns. */
class SlowStorage extends MemoryStorage {
  readonly #random: Random;
  #last: Promise<void> = Promise.resolve();

  constructor(random: Random) {
    super();
    this.#random = random;
  }

  override commit(puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions): Promise<void> {
    const turns = this.#random.below(6);
    const rows = [...puts].map(([key, value]) => [key.slice(), value.slice()] as const);
    const done = this.#last.then(async () => {
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
      await super.commit(rows, deletes, options);
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

it.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'beside documents that bring fields, seed %i',
  async (seed) => {
    const random = new Random(seed);
    const storage = new SlowStorage(random);
    const engine = await createEngine({ storage });
    await engine.request('PUT', '/a', { settings: { number_of_shards: 2, refresh_interval: -1 } });
    let field = 0;
    const document = () => engine.request('PUT', `/a/t/${random.below(9)}`, { [`f${field++}`]: 1 });
    /** The same after some steps of what goes on. */
    const later = async <T>(steps: number, act: () => Promise<T>): Promise<T> => {
      for (let i = 0; i < steps; i++) await Promise.resolve();
      return act();
    };
    for (let value = 1; value <= 60; value++) {
      const body = { properties: { [`own${value % 7}`]: { type: 'long' } }, _meta: { value } };
      const putMapping = () => engine.request('PUT', '/a/_mapping/t', body);
      const documents = Array.from({ length: 3 }, () => later(random.below(60), document));
      const put = later(random.below(60), putMapping);
      expect((await put).status).toBe(200);
      const row = decodeJson<{ mapping: unknown }>(storage.get(indexKey('a'))!);
      expect(JSON.stringify(row.mapping)).toContain(`"value":${value}}`);
      expect(JSON.stringify(row.mapping)).toContain(`"own${value % 7}"`);
      for (const { status } of await Promise.all(documents)) expect(status).toBeLessThan(300);
    }
    await engine.close();
  },
);
