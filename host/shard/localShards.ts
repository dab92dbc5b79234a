/** Shards in the caller's thread: for browsers, Deno, tests and embedding. */
import { decodeResult } from '../core/result.js';
import type { SearchMemory } from '../core/searchMemory.js';
import type { ShardClient, ShardTransport } from './shardClient.js';
import { ShardHost } from './shardHost.js';
import { defaultTurn, type Turn } from '../turn.js';

/** Hosts all shards in one instance of the core, in this thread. */
export class LocalTransport implements ShardTransport {
  readonly #host: ShardHost;

  /** @param host where they live, if others ask it as well */
  constructor(
    module: WebAssembly.Module,
    turn: Turn = defaultTurn(),
    host: ShardHost = new ShardHost(module, turn),
  ) {
    this.#host = host;
  }

  async open(): Promise<ShardClient> {
    const host = this.#host;
    const shard = host.open();
    return {
      define: async (fields) => host.define(shard, fields),
      apply: async (batch, seq) => host.apply(shard, batch, seq),
      refresh: async () => host.refresh(shard),
      search: async (plan, limit) => decodeResult(host.search(shard, plan, () => limit.over)),
      terms: async (request, limit) => host.terms(shard, request, () => limit.over),
      matches: async (plans, limit) => host.matches(shard, plans, () => limit.over),
      load: async (image, liveSet) => host.load(shard, image, liveSet),
      checkpoint: async (known) => host.checkpoint(shard, known),
      withoutUids: async () => host.withoutUids(shard),
      giveUids: async (segment, uids) => host.giveUids(shard, segment, uids),
      forceMerge: async (maxSegments) => host.forceMerge(shard, maxSegments),
      stats: async (fields) => host.stats(shard, fields),
      clear: async (what) => host.clear(shard, what),
      close: async () => host.close(shard),
    };
  }

  get fielddata(): number {
    return this.#host.fielddata;
  }

  limitFielddata(bytes: number): void {
    this.#host.limitFielddata(bytes);
  }

  get searchMemory(): SearchMemory {
    return this.#host.searchMemory;
  }

  async close(): Promise<void> {}
}
