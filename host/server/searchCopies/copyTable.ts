/**
 * Which copies there are of each shard, and how new they are, in memory that all threads see. Numbers of 32 bits, for each shard:
 *
 *     0  generation   how often what searches see of the shard has changed; the owner counts, before anybody is told of the change
 *     1  wanted       1: a search would have gone to a copy that isn't as new as the shard
 *     2  epoch        how often the place has been given to a shard
 *     3  and so on, for each copy: its number in its worker, 0: it isn't there, -1: its worker can't hold it; its generation, 0: none
 *
 * The copies of a shard are in the workers that follow its owner, one in each.
 */

const GENERATION = 0;
const WANTED = 1;
const EPOCH = 2;
const HEAD = 3;
const SHARD = 0;
const NEW_AS = 1;
const COPY = 2;

/** A worker that has no room for a copy. */
const REFUSED = -1;
/** Shards beyond these have no copies. */
const MOST_SHARDS = 4096;

/** The place of a shard in the table. */
export interface CopyPlace {
  readonly slot: number;
  readonly epoch: number;
}

/** What the threads of a server know of copies. */
export interface CopyNumbers {
  readonly numbers: Int32Array<SharedArrayBuffer>;
  readonly workers: number;
  /** Of each shard. */
  readonly copies: number;
}

export class CopyTable implements CopyNumbers {
  readonly numbers: Int32Array<SharedArrayBuffer>;
  readonly workers: number;
  readonly copies: number;
  readonly #size: number;
  #next = 0;
  readonly #free: number[] = [];

  constructor({ numbers, workers, copies }: CopyNumbers) {
    this.numbers = numbers;
    this.workers = workers;
    this.copies = copies;
    this.#size = HEAD + COPY * copies;
  }

  /** A table for so many workers. @param copies of each shard; one less than there are workers at most */
  static of(workers: number, copies: number): CopyTable {
    const most = Math.max(0, Math.min(copies, workers - 1));
    const size = most === 0 ? 0 : MOST_SHARDS * (HEAD + COPY * most);
    return new CopyTable({ numbers: new Int32Array(new SharedArrayBuffer(4 * size)), workers, copies: most });
  }

  /** The worker that holds a copy of the shards of another one. */
  workerOf(owner: number, copy: number): number {
    return (owner + 1 + copy) % this.workers;
  }

  /** A place for a shard; undefined where it can have no copies. Main thread only, as is {@link free}. */
  take(): CopyPlace | undefined {
    if (this.copies === 0) return undefined;
    const slot = this.#free.pop() ?? (this.#next < MOST_SHARDS ? this.#next++ : -1);
    if (slot < 0) return undefined;
    this.changed(slot);
    return { slot, epoch: Atomics.add(this.numbers, slot * this.#size + EPOCH, 1) + 1 };
  }

  /** The shard has no copies any more. */
  free(slot: number): void {
    Atomics.add(this.numbers, slot * this.#size + EPOCH, 1);
    Atomics.store(this.numbers, slot * this.#size + WANTED, 0);
    for (let copy = 0; copy < this.copies; copy++) this.drop(slot, copy);
    this.#free.push(slot);
  }

  generation(slot: number): number {
    return Atomics.load(this.numbers, slot * this.#size + GENERATION);
  }

  /** Searches see something else from now on. */
  changed(slot: number): void {
    // 0 stands for a copy that isn't there.
    const at = slot * this.#size + GENERATION;
    if (Atomics.add(this.numbers, at, 1) === -1) Atomics.add(this.numbers, at, 1);
  }

  /** Whether copies have been wanted that aren't there; true once. */
  takeWanted(slot: number): boolean {
    const at = slot * this.#size + WANTED;
    return Atomics.load(this.numbers, at) === 1 && Atomics.exchange(this.numbers, at, 0) === 1;
  }

  /** A copy that isn't there is wanted. */
  want(slot: number): void {
    Atomics.store(this.numbers, slot * this.#size + WANTED, 1);
  }

  #copy(slot: number, copy: number): number {
    return slot * this.#size + HEAD + COPY * copy;
  }

  /** A copy is what the shard was in a generation. */
  set(slot: number, copy: number, shard: number, generation: number): void {
    const at = this.#copy(slot, copy);
    Atomics.store(this.numbers, at + NEW_AS, 0);
    Atomics.store(this.numbers, at + SHARD, shard);
    Atomics.store(this.numbers, at + NEW_AS, generation);
  }

  /** A copy is there no more. */
  drop(slot: number, copy: number): void {
    this.set(slot, copy, 0, 0);
  }

  /** There is no room for a copy. */
  refuse(slot: number, copy: number): void {
    this.set(slot, copy, REFUSED, 0);
  }

  /** The number, in its worker, of a copy that is as new as the shard; 0 where it isn't. One that is not is wanted from now on. */
  current({ slot, epoch }: CopyPlace, copy: number): number {
    const at = this.#copy(slot, copy);
    const shard = Atomics.load(this.numbers, at + SHARD);
    if (shard === REFUSED) return 0;
    const generation = this.generation(slot);
    const current = shard !== 0 && Atomics.load(this.numbers, at + NEW_AS) === generation;
    // Another shard may have taken the place meanwhile.
    if (Atomics.load(this.numbers, slot * this.#size + EPOCH) !== epoch) return 0;
    if (!current) this.want(slot);
    return current ? shard : 0;
  }
}
