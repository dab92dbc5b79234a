/** What the store takes for each shard's rows: estimated by samples, which together come to what the store has in use. */
import { rowBytes } from '../shard/rowBytes.js';
import type { RowSizes, SizedShard } from '../shard/rowSizes.js';
import type { Storage } from '../storage/storage.js';
import { turnInLine } from '../workLimit.js';

/** The store has metadata, too, and its pages aren't full: what shards are estimated at is corrected for that, but not beyond these. */
const LEAST_FACTOR = 0.5;
const MOST_FACTOR = 2;

/** Estimates are kept until their shard's rows change. */
export class StoreSizes implements RowSizes {
  readonly #storage: Storage;
  readonly #known = new WeakMap<SizedShard, { state: string; bytes: number }>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async of<T extends SizedShard>(shards: readonly T[]): Promise<ReadonlyMap<T, number>> {
    const sizes = new Map<T, number>();
    let sum = 0;
    for (const shard of shards) {
      const state = shard.rowsState;
      let known = this.#known.get(shard);
      if (known?.state !== state) {
        await new Promise<void>((resolve) => turnInLine(resolve));
        known = { state, bytes: rowBytes(this.#storage, shard.uid) };
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
