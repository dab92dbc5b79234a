/** A shard that is brought back from its store while something is written to it. */
import { expect, it } from 'vitest';
import { Engine } from '../../host/engine/engine.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { CommitOptions, Puts } from '../../host/storage/storage.js';
import { wallClock } from '../../host/time/clock.js';
import { WorkLimit } from '../../host/workLimit.js';
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
  const module = await WebAssembly.compile(coreBytes());
  const engine = await Engine.open({
    ...{ storage, module, blobs: new MemoryBlobs(), clock: wallClock, transport: new LocalTransport(module) },
    warn: () => {},
  });
  const router = createRouter(engine, { node: 'test', cluster: 'test', version: '0.0.0' });
  const call = async (method: string, uri: string, body?: unknown) => {
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const response = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
    return JSON.parse(new TextDecoder().decode(response.body));
  };
  try {
    await call('PUT', '/books', { settings: { number_of_shards: 1, refresh_interval: -1 } });
    await call('PUT', '/books/book/1', { n: 1 });
    const shard = engine.index('books').shards[0]!;
    await shard.rest();
    expect(shard.rests).toBe(true);
    let written: Promise<{ _version: number }> | undefined;
    storage.first = () => {
      written = call('PUT', '/books/book/1', { n: 2 });
    };
    await shard.wake();
    expect((await written!)._version).toBe(2);
    const { hits } = await call('POST', '/books/_search?version=true', {});
    await call('POST', '/books/_refresh');
    expect(hits.total).toBe(1);
    const { hits: after } = await call('POST', '/books/_search?version=true', {});
    expect(after).toMatchObject({ total: 1, hits: [{ _version: 2, _source: { n: 2 } }] });
  } finally {
    await engine.close();
  }
});
