/** Instances of the core that runs use one after the other: making one takes longer than most of what a simulated node does with it. */
import { Core } from '../../../host/core/instance.js';
import { SearchMemory, searchMemoryOf } from '../../../host/core/searchMemory.js';
import type { ShardHandle } from '../../../host/core/status.js';
import { ShardLost } from '../../../host/shard/shardClient.js';
import { type Hosted, ShardHost } from '../../../host/shard/shardHost.js';
import type { Turn } from '../../../host/turn.js';

/** Bytes of an instance that is used again. */
const MOST_BYTES = 16 * 1024 * 1024;

/** An instance that knows its shards. */
class PooledCore extends Core {
  readonly memory: SearchMemory;
  readonly #shards = new Set<ShardHandle>();

  constructor(module: WebAssembly.Module) {
    const memory = new SearchMemory(searchMemoryOf(1, false));
    super(module, memory);
    this.memory = memory;
  }

  override createShard(): ShardHandle {
    const shard = super.createShard();
    this.#shards.add(shard);
    return shard;
  }

  override dropShard(shard: ShardHandle): void {
    this.#shards.delete(shard);
    super.dropShard(shard);
  }

  /** Drops all shards; whether it may be used again: one that has grown much is not worth its memory. */
  empties(): boolean {
    if (this.dead) return false;
    for (const shard of [...this.#shards]) this.dropShard(shard);
    return this.memoryBytes <= MOST_BYTES;
  }
}

const pools = new WeakMap<WebAssembly.Module, CorePool>();

export class CorePool {
  readonly #module: WebAssembly.Module;
  readonly #free: PooledCore[] = [];
  readonly #hosts: PooledHost[] = [];

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** The pool of a module in this thread. */
  static of(module: WebAssembly.Module): CorePool {
    const pool = pools.get(module) ?? new CorePool(module);
    pools.set(module, pool);
    return pool;
  }

  /** A host of shards, until the pool takes its instance back. */
  host(turn: Turn): ShardHost {
    const host = new PooledHost(this.#module, turn, this.#free.pop() ?? new PooledCore(this.#module));
    this.#hosts.push(host);
    return host;
  }

  /** Takes all instances back. Their hosts are of no use any more. */
  takeBack(): void {
    for (const host of this.#hosts.splice(0)) {
      const core = host.end();
      if (core.empties()) this.#free.push(core);
    }
  }
}

/** A host whose first instance is one of the pool. */
class PooledHost extends ShardHost {
  readonly #pooled: PooledCore;
  #isTaken = false;
  #isOver = false;

  constructor(module: WebAssembly.Module, turn: Turn, pooled: PooledCore) {
    super(module, turn, pooled.memory);
    this.#pooled = pooled;
  }

  protected override makeCore(module: WebAssembly.Module): Core {
    if (this.#isTaken) return super.makeCore(module);
    this.#isTaken = true;
    return this.#pooled;
  }

  protected override run<T>(shard: number, body: (s: Hosted) => T): T {
    if (this.#isOver) throw new ShardLost('the run is over');
    return super.run(shard, body);
  }

  /** Nothing goes on in it from now on; its instance of the pool. */
  end(): PooledCore {
    this.#isOver = true;
    return this.#pooled;
  }
}
