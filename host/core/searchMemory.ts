/**
 * What searches take in the memories of cores, and may take, all threads together. Cores ask before they take more than a few megabytes,
 * and count it for as long as the call lasts.
 */

/** Counted in so many bytes, so that numbers of 32 bits are enough. */
const UNIT = 1024;
/** The first number is the limit; behind it stands what each thread has taken. */
const LIMIT = 0;

/** The part of one thread, in memory that all of them see. */
export class SearchMemory {
  /** Those of all threads, for another one. */
  readonly numbers: Int32Array;
  readonly #own: number;

  /**
   * @param numbers those of all threads, {@link searchMemoryOf}
   * @param thread the number of this one, from 0 on
   */
  constructor(numbers: Int32Array, thread = 0) {
    this.numbers = numbers;
    this.#own = LIMIT + 1 + thread;
  }

  /** Bytes that searches of all threads have taken. */
  get used(): number {
    let units = 0;
    for (let i = LIMIT + 1; i < this.numbers.length; i++) units += Atomics.load(this.numbers, i);
    return units * UNIT;
  }

  /** Bounds them; infinite: no limit. */
  limit(bytes: number): void {
    Atomics.store(this.numbers, LIMIT, Math.min(0x7fffffff, Math.floor(bytes / UNIT)));
  }

  /** Counts bytes that are about to be taken: the units of them, or undefined where they would be too many. */
  take(bytes: number): number | undefined {
    const units = Math.ceil(bytes / UNIT);
    Atomics.add(this.numbers, this.#own, units);
    if (this.used <= Atomics.load(this.numbers, LIMIT) * UNIT) return units;
    this.give(units);
    return undefined;
  }

  /** Gives units back. */
  give(units: number): void {
    Atomics.sub(this.numbers, this.#own, units);
  }

  /** Forgets what a thread had taken that is there no more. */
  clear(): void {
    Atomics.store(this.numbers, this.#own, 0);
  }
}

/** The numbers for so many threads, without a limit; in memory that others see where there are several. */
export function searchMemoryOf(threads: number, shared = true): Int32Array {
  const bytes = 4 * (1 + threads);
  const numbers = new Int32Array(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  numbers[LIMIT] = 0x7fffffff;
  return numbers;
}
