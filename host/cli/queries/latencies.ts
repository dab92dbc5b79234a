/** Many times in little memory: a histogram whose buckets are 1 % wide, from a microsecond to an hour. */

/** Each bucket begins so many times as high as the one before. */
const STEP = 1.01;
const LOG_STEP = Math.log(STEP);
const LEAST_MS = 0.001;
const MOST_MS = 3_600_000;
const BUCKETS = Math.ceil(Math.log(MOST_MS / LEAST_MS) / LOG_STEP) + 1;

export class Latencies {
  readonly #buckets = new Uint32Array(BUCKETS);
  #sum = 0;
  count = 0;
  /** The longest, in milliseconds. */
  max = 0;

  /** @param ms a time in milliseconds */
  add(ms: number): void {
    const bucket = Math.floor(Math.log(Math.max(LEAST_MS, Math.min(MOST_MS, ms)) / LEAST_MS) / LOG_STEP);
    this.#buckets[bucket]!++;
    this.#sum += ms;
    this.count++;
    this.max = Math.max(this.max, ms);
  }

  /** Adds all of others. */
  take(others: Latencies): void {
    for (let i = 0; i < BUCKETS; i++) this.#buckets[i]! += others.#buckets[i]!;
    this.#sum += others.#sum;
    this.count += others.count;
    this.max = Math.max(this.max, others.max);
  }

  /** In milliseconds; 0 without any. */
  get mean(): number {
    return this.count === 0 ? 0 : this.#sum / this.count;
  }

  /** The time, in milliseconds, that this share of all took at most, to 1 %; 0 without any. @param share from 0 to 1 */
  percentile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.count));
    let seen = 0;
    for (const [bucket, count] of this.#buckets.entries()) {
      seen += count;
      if (seen >= wanted) return Math.min(this.max, LEAST_MS * STEP ** (bucket + 1));
    }
    return 0;
  }
}
