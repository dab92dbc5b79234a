/**
 * What may be under way at once, by kind of request, under the names of 1.7's thread pools: so many at a time, so many more
 * that wait, and a 429 for the rest. Here no thread belongs to a pool: its size is how many requests are carried out together.
 */
import { rejected } from '../errors.js';
import type { SettingLookup } from './breakers.js';

/** The pools that 1.7 has. */
export const POOLS = [
  'bulk',
  'flush',
  'generic',
  'get',
  'index',
  'management',
  'merge',
  'optimize',
  'percolate',
  'refresh',
  'search',
  'snapshot',
  'suggest',
  'warmer',
] as const;

export type PoolName = (typeof POOLS)[number];

/** What is told of a pool. */
export interface PoolStats {
  readonly size: number;
  /** How many may wait; -1: any number. */
  readonly queueSize: number;
  readonly active: number;
  readonly queue: number;
  readonly rejected: number;
  /** The most that were active at once. */
  readonly largest: number;
  readonly completed: number;
}

/** Writes are many at once, so that they share their commits; queues are as long as 1.7's. */
const DEFAULTS: Record<PoolName, readonly [size: number, queueSize: number]> = {
  bulk: [16, 50],
  flush: [8, -1],
  generic: [64, -1],
  get: [64, 1000],
  index: [256, 200],
  management: [64, -1],
  merge: [8, -1],
  optimize: [4, -1],
  percolate: [32, 1000],
  refresh: [16, -1],
  search: [64, 1000],
  snapshot: [4, -1],
  suggest: [32, 1000],
  warmer: [4, -1],
};
const MAX_SIZE = 10_000;

/** Where requests of one kind take their turns. */
export interface TurnTaker {
  /**
   * Takes a place; where all are taken, resolves when it is there. Throws or rejects with the 429 if too many wait already: of whom the most
   * wait, the last one goes.
   * @param asker whose requests share a turn: who sends many waits behind themselves, not before others
   */
  enter(asker: number): Promise<void> | undefined;
  /** Gives the place to the first that waits of whoever has waited for longest. Whoever has entered leaves. */
  leave(): void;
}

/** A request that waits for its place. */
interface Waiting {
  enter(): void;
  refuse(error: Error): void;
}

class Pool implements PoolStats, TurnTaker {
  readonly #name: PoolName;
  /** By who asked, each with their requests in their order; the first one is next. */
  readonly #waiting = new Map<number, Waiting[]>();
  queue = 0;
  size: number;
  queueSize: number;
  active = 0;
  rejected = 0;
  largest = 0;
  completed = 0;

  constructor(name: PoolName) {
    this.#name = name;
    [this.size, this.queueSize] = DEFAULTS[name];
  }

  enter(asker: number): Promise<void> | undefined {
    if (this.active >= this.size) return this.#place(asker);
    this.active++;
    if (this.active > this.largest) this.largest = this.active;
    return undefined;
  }

  leave(): void {
    this.completed++;
    this.#next();
  }

  /** A place in the queue. */
  #place(asker: number): Promise<void> {
    if (this.queueSize >= 0 && this.queue >= this.queueSize) this.#refuseOne(asker);
    const own = this.#waiting.get(asker) ?? [];
    this.#waiting.set(asker, own);
    this.queue++;
    return new Promise((enter, refuse) => own.push({ enter, refuse }));
  }

  /** Refuses the last one of whoever has the most that wait, which may be the one that asks for a place. */
  #refuseOne(asker: number): void {
    this.rejected++;
    const error = rejected(`rejected execution (queue capacity ${this.queueSize}) on [${this.#name}]`);
    let most: Waiting[] | undefined;
    for (const list of this.#waiting.values()) if (list.length > (most?.length ?? 0)) most = list;
    const own = this.#waiting.get(asker)?.length ?? 0;
    if (most === undefined || most.length <= own + 1) throw error;
    this.queue--;
    most.pop()!.refuse(error);
  }

  #next(): void {
    if (this.queue === 0 || this.active > this.size) {
      this.active--;
      return;
    }
    const [[asker, own]] = this.#waiting as unknown as [[number, Waiting[]]];
    const next = own.shift()!;
    // Whose turn it was goes behind the others.
    this.#waiting.delete(asker);
    if (own.length > 0) this.#waiting.set(asker, own);
    this.queue--;
    next.enter();
  }
}

/** All of a node's. */
export class ThreadPools {
  readonly #pools = new Map(POOLS.map((name) => [name, new Pool(name)]));

  pool(name: PoolName): TurnTaker {
    return this.#pools.get(name)!;
  }

  stats(name: PoolName): PoolStats {
    return this.#pools.get(name)!;
  }

  /** Reads `threadpool.<name>.size` and `.queue_size`; what can't be read leaves the default. */
  configure(setting: SettingLookup): void {
    for (const name of POOLS) {
      const pool = this.#pools.get(name)!;
      const [size, queueSize] = DEFAULTS[name];
      const given = (key: string) => Number(setting(`threadpool.${name}.${key}`) ?? Number.NaN);
      const most = Number.isNaN(given('size')) ? given('max') : given('size');
      pool.size = Number.isInteger(most) && most >= 1 ? Math.min(most, MAX_SIZE) : size;
      const queue = Number.isNaN(given('queue_size')) ? given('queue') : given('queue_size');
      pool.queueSize = Number.isInteger(queue) ? Math.max(-1, queue) : queueSize;
    }
  }
}
