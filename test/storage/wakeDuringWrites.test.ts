/** A shard that is brought back from its store while something is written to it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryStorage } from '../../host/storage/memory.js';
import type { CommitOptions, Puts } from '../../host/storage/storage.js';
import { type ApiResponse, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** A store in which a commit of nothing, as recovery makes one, lets another commit go first. */
class YieldingStorage extends MemoryStorage {
  /** Begins what goes first, once. */
  first: (() => void) | undefined;
  /** Whoever made what goes first is told of it when this resolves. */
  told: Promise<void> | undefined;
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
    if (this.#went === undefined) return;
    this.#went();
    this.#went = undefined;
    await this.told;
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

describe('documents that are written together meanwhile', () => {
  let storage: YieldingStorage;
  let api: Awaited<ReturnType<typeof openApi>>;

  beforeEach(async () => {
    storage = new YieldingStorage();
    api = await openApi(coreBytes(), storage);
    await api.call('PUT', '/books', { settings: { number_of_shards: 1, refresh_interval: -1 } });
    await api.call('PUT', '/books/book/1', { n: 1 });
    await shard().rest();
  });
  afterEach(() => api.close());

  const shard = () => api.engine.index('books').shards[0]!;
  const bulk = (...lines: unknown[]) =>
    api.call('POST', '/books/book/_bulk', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

  /** Brings the shard back, and writes meanwhile. */
  const wakeDuring = async (write: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    let written: Promise<ApiResponse> | undefined;
    storage.first = () => {
      written = write();
    };
    await shard().wake();
    return written!;
  };

  /** Ids and sources of what is found after a refresh. */
  const found = async () => {
    expect((await api.call('POST', '/books/_refresh')).body).toMatchObject({ _shards: { failed: 0 } });
    const { body } = await api.call('POST', '/books/_search', { sort: 'n' });
    const { hits } = body as { hits: { hits: { _id: string; _source: unknown }[] } };
    return hits.hits.map(({ _id, _source }) => [_id, _source]);
  };

  it('are found where the last of them is deleted', async () => {
    await wakeDuring(() =>
      bulk({ index: { _id: '2' } }, { n: 2 }, { index: { _id: '3' } }, { n: 3 }, { delete: { _id: '1' } }),
    );
    expect(await found()).toEqual([
      ['2', { n: 2 }],
      ['3', { n: 3 }],
    ]);
    await api.call('PUT', '/books/book/4', { n: 4 });
    expect((await found()).length).toBe(3);
  });

  it('are found where the store shows them before it says so', async () => {
    let tell = () => {};
    storage.told = new Promise((resolve) => {
      tell = resolve;
    });
    let written: Promise<ApiResponse> | undefined;
    await wakeDuring(async () => {
      written = bulk({ index: { _id: '2' } }, { n: 2 });
      return { status: 0, body: {} } as ApiResponse;
    });
    tell();
    await written;
    expect(await found()).toEqual([
      ['1', { n: 1 }],
      ['2', { n: 2 }],
    ]);
  });

  it('are found where they bring a field', async () => {
    await wakeDuring(() => bulk({ index: { _id: '2' } }, { n: 2, title: 'two' }));
    expect((await found()).length).toBe(2);
    const { body } = await api.call('POST', '/books/_search', { query: { match: { title: 'two' } } });
    expect(body).toMatchObject({ hits: { total: 1 } });
  });
});
