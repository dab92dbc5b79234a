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
  /** Takes a place; where all are taken, resolves when it is there. Throws the 429 if too many wait already. */
  enter(): Promise<void> | undefined;
  /** Gives the place to the first that waits. Whoever has entered leaves. */
  leave(): void;
}

class Pool implements PoolStats, TurnTaker {
  readonly #name: PoolName;
  readonly #waiting: (() => void)[] = [];
  #head = 0;
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

  get queue(): number {
    return this.#waiting.length - this.#head;
  }

  enter(): Promise<void> | undefined {
    if (this.active >= this.size) return this.#place();
    this.active++;
    if (this.active > this.largest) this.largest = this.active;
    return undefined;
  }

  leave(): void {
    this.completed++;
    this.#next();
  }

  /** A place in the queue. */
  #place(): Promise<void> {
    if (this.queueSize >= 0 && this.queue >= this.queueSize) {
      this.rejected++;
      throw rejected(`rejected execution (queue capacity ${this.queueSize}) on [${this.#name}]`);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    if (this.queue === 0 || this.active > this.size) {
      this.active--;
      return;
    }
    const next = this.#waiting[this.#head++]!;
    if (this.#head > 1000 && this.#head * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
    next();
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
