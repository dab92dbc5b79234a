/**
 * What the main thread and the coordinators see at any time, in memory that they share. Numbers of 32 bits, which start over when they have
 * become too large:
 *
 *     0  changes   messages of changes that were sent to every coordinator
 *     1  commits   of the store
 *     2  files     how often another file has taken the store's place
 *     3  mark      what no search will find any more that begins from now on, see {@link FollowerSearches}
 *     4  waits     1: rows wait for searches of coordinators to end
 *     5  and so on, for each coordinator: the mark at which the oldest of its searches began, 0: none is under way; its connections
 *
 * Places of coordinators begin with that of the main thread, which has connections alone.
 */
import type { FollowerSearches } from '../../shard/shardLeader.js';
import type { StoreChanges } from '../../storage/lmdbReader.js';

const CHANGES = 0;
const COMMITS = 1;
const FILES = 2;
const MARK = 3;
const WAITS = 4;
const HEAD = 5;
const OLDEST = 0;
const CONNECTIONS = 1;
const PLACE = 2;

export class SharedNumbers implements StoreChanges, FollowerSearches {
  readonly numbers: Int32Array<SharedArrayBuffer>;
  readonly #places: number;

  /** @param numbers of {@link SharedNumbers.numbers}, in another thread */
  constructor(numbers: Int32Array<SharedArrayBuffer>) {
    this.numbers = numbers;
    this.#places = (numbers.length - HEAD) / PLACE;
  }

  /** For the main thread and so many coordinators beside it. */
  static of(coordinators: number): SharedNumbers {
    return new SharedNumbers(new Int32Array(new SharedArrayBuffer(4 * (HEAD + PLACE * (1 + coordinators)))));
  }

  get changes(): number {
    return Atomics.load(this.numbers, CHANGES);
  }

  /** A change has been sent. */
  changed(): void {
    Atomics.add(this.numbers, CHANGES, 1);
  }

  get commits(): number {
    return Atomics.load(this.numbers, COMMITS);
  }

  /** Something has been committed. */
  committed(): void {
    Atomics.add(this.numbers, COMMITS, 1);
  }

  get files(): number {
    return Atomics.load(this.numbers, FILES);
  }

  /** The store has another file. */
  replaced(): void {
    Atomics.add(this.numbers, FILES, 1);
  }

  mark(): number {
    // 0 stands for no search.
    const mark = (Atomics.add(this.numbers, MARK, 1) + 1) | 0;
    return mark === 0 ? this.mark() : mark;
  }

  areOver(mark: number): boolean {
    if (this.#areOver(mark)) return true;
    // Whoever ends a search from now on tells; one may have ended meanwhile.
    Atomics.store(this.numbers, WAITS, 1);
    return this.#areOver(mark);
  }

  #areOver(mark: number): boolean {
    for (let place = 1; place < this.#places; place++) {
      const oldest = Atomics.load(this.numbers, HEAD + PLACE * place + OLDEST);
      if (oldest !== 0 && ((oldest - mark) | 0) < 0) return false;
    }
    return true;
  }

  /** The mark of a search that begins now. */
  get now(): number {
    // 0 stands for no search; the mark before it is as good.
    return Atomics.load(this.numbers, MARK) || -1;
  }

  /** The oldest search of a coordinator began at that mark; 0: there is none. */
  setOldest(place: number, mark: number): void {
    Atomics.store(this.numbers, HEAD + PLACE * place + OLDEST, mark);
  }

  /** Whether rows have waited for searches to end; true once. */
  takeWaits(): boolean {
    return Atomics.load(this.numbers, WAITS) === 1 && Atomics.exchange(this.numbers, WAITS, 0) === 1;
  }

  /** A coordinator has a connection more (1), or less (-1). */
  connected(place: number, change: 1 | -1): void {
    Atomics.add(this.numbers, HEAD + PLACE * place + CONNECTIONS, change);
  }

  /** The connections of a coordinator. */
  connectionsOf(place: number): number {
    return Atomics.load(this.numbers, HEAD + PLACE * place + CONNECTIONS);
  }

  /** Connections of all. */
  get connections(): number {
    let all = 0;
    for (let place = 0; place < this.#places; place++) all += this.connectionsOf(place);
    return all;
  }

  /** Threads that accept connections. */
  get places(): number {
    return this.#places;
  }

  /** A coordinator is there no more. */
  clear(place: number): void {
    this.setOldest(place, 0);
    Atomics.store(this.numbers, HEAD + PLACE * place + CONNECTIONS, 0);
  }
}
