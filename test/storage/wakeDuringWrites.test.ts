/** A shard that is brought back from its store while something is written to it. */
import { expect, it } from 'vitest';
import { MemoryStorage } from '../../host/storage/memory.js';
import type { CommitOptions, Puts } from '../../host/storage/storage.js';
import { type ApiResponse, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** A store in which a commit of nothing, as recovery makes one, lets another commit go first. */
class YieldingStorage extends MemoryStorage {
  /** Begins what goes first, once. */
  first: (() => void) | undefined;
  #went: (() => void) | undefined;

  override async commit(puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions): Promise<void> {
    const { first } = this;
    if (Array.isArray(puts) && puts.length === 0 && first !== undefined) {
      this.first = undefined;
      const gone = new Promise<void>((resolve) => {
        this.#went = resolve;
      });
      first();
      await gone;
    }
    await super.commit(puts, deletes, options);
    this.#went?.();
  }
}

it('a document that is replaced meanwhile is found once', async () => {
  const storage = new YieldingStorage();
  const { engine, call, close } = await openApi(coreBytes(), storage);
  const search = async () => (await call('POST', '/books/_search?version=true', {})).body;
  try {
    await call('PUT', '/books', { settings: { number_of_shards: 1, refresh_interval: -1 } });
    await call('PUT', '/books/book/1', { n: 1 });
    const shard = engine.index('books').shards[0]!;
    await shard.rest();
    expect(shard.rests).toBe(true);
    let written: Promise<ApiResponse> | undefined;
    storage.first = () => {
      written = call('PUT', '/books/book/1', { n: 2 });
    };
    await shard.wake();
    expect((await written!).body).toMatchObject({ _version: 2 });
    expect(await search()).toMatchObject({ hits: { total: 1 } });
    await call('POST', '/books/_refresh');
    const hits = [{ _version: 2, _source: { n: 2 } }];
    expect(await search()).toMatchObject({ hits: { total: 1, hits } });
  } finally {
    await close();
  }
});
