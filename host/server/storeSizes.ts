/** What the store takes for each shard's rows: estimated by samples, which together come to what the store has in use. */
import { rowBytes, sampledKeys } from '../shard/rowBytes.js';
import type { RowSizes, SizedShard } from '../shard/rowSizes.js';
import type { Storage } from '../storage/storage.js';
import { turnInLine } from '../workLimit.js';

/** The store has metadata, too, and its pages aren't full: what shards are estimated at is corrected for that, but not beyond these. */
const LEAST_FACTOR = 0.5;
const MOST_FACTOR = 2;

/** An estimate holds until so much of a shard has changed. */
const CHANGED = 0.01;

/** Estimates, which are kept for as long as they hold: who watches a server asks for them every few seconds. */
export class StoreSizes implements RowSizes {
  readonly #storage: Storage;
  readonly #known = new WeakMap<SizedShard, { changes: number; bytes: number }>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async of<T extends SizedShard>(shards: readonly T[]): Promise<ReadonlyMap<T, number>> {
    const sizes = new Map<T, number>();
    let sum = 0;
    for (const shard of shards) {
      const changes = shard.rowChanges;
      let known = this.#known.get(shard);
      if (known === undefined || changes - known.changes > CHANGED * known.changes) {
        await new Promise<void>((resolve) => turnInLine(resolve));
        const { isCold = false } = this.#storage;
        if (isCold) await this.#storage.prefetch?.(sampledKeys(this.#storage, shard.uid));
        known = { changes, bytes: rowBytes(this.#storage, shard.uid) };
        this.#known.set(shard, known);
      }
      sizes.set(shard, known.bytes);
      sum += known.bytes;
    }
    const { usedBytes } = this.#storage;
    if (usedBytes === undefined || sum === 0) return sizes;
    const factor = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, usedBytes / sum));
    for (const [shard, bytes] of sizes) sizes.set(shard, Math.round(factor * bytes));
    return sizes;
  }
}
