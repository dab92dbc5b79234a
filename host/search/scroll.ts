/**
 * Searches that are read page by page. What a search found is kept as the keys of its documents, in order, and the shards
 * are held so that these stay readable however they change: a picture of one moment that costs a few bytes a hit.
 */
import { type ElasticsearchError, rejected, type ShardFailure } from '../errors.js';
import { inTurns, type WorkLimit } from '../workLimit.js';
import type { Breakers, Held } from '../limits/breakers.js';
import type { Clock } from '../time/clock.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Hit, Ranking, ShardHits } from './ranking.js';
import type { SearchResponse } from './searchResponse.js';
import { fetchElsewhere, type SearchedShard } from '../shard/searchedShard.js';
import type { Shard } from '../shard/shard.js';
import type { SweepHits } from './scanHits.js';

/** What a scroll keeps. */
export interface ScrollContext {
  /** Everything of the answers but their hits. */
  base: SearchResponse;
  size: number;
  /** Ranked, or without an order: a scan. */
  hits: { ranked: Ranking } | { swept: SweepHits };
  indices: ReadonlySet<OpenIndex>;
  /** Whose it is; nobody's without. Nobody else gets to it. */
  owner?: string | undefined;
  /** The shards that it reads. */
  shards: readonly SearchedShard[];
  /** Memory that it takes. */
  bytes: number;
  /** Lets the shards go. */
  release(): void;
}

interface Entry extends ScrollContext {
  keepAlive: number;
  /** When it was last asked, in milliseconds. */
  used: number;
  held: Held;
  /** The page that is read, if one is. */
  reading: Promise<unknown> | undefined;
}

/** Contexts that outlived their time are looked for that often, as in 1.7. */
const SWEEP_MS = 60_000;
/** No context lives longer without being asked. */
const MAX_KEEP_ALIVE = 24 * 3_600_000;
const MAX_CONTEXTS = 1000;
const MAX_BYTES = 512 * 1024 * 1024;
/** What the breakers call them. */
const LABEL = '<scroll>';

/** What requests ask of them. */
export type ScrollInterface = Pick<Scrolls, 'free' | 'freeAll' | 'open' | 'over' | 'page' | 'size'>;

/** The scrolls that are open. */
export class Scrolls {
  readonly #clock: Clock;
  readonly #entries = new Map<number, Entry>();
  readonly #breakers: Breakers;
  readonly #limits: { contexts: number; bytes: number };
  #bytes = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, breakers: Breakers, limits = { contexts: MAX_CONTEXTS, bytes: MAX_BYTES }) {
    this.#clock = clock;
    this.#breakers = breakers;
    this.#limits = limits;
  }

  /** How many are open. */
  get size(): number {
    return this.#entries.size;
  }

  /** How many are open over a shard. */
  over(shard: Shard): number {
    let count = 0;
    for (const { shards } of this.#entries.values()) if (shards.some(({ uid }) => uid === shard.uid)) count++;
    return count;
  }

  /** Keeps a search; returns its number. 429 if there are too many, or their memory is too much. */
  open(context: ScrollContext, keepAlive: number): number {
    if (this.#entries.size >= this.#limits.contexts || this.#bytes + context.bytes > this.#limits.bytes) {
      context.release();
      throw rejected(
        `there are ${this.#entries.size} scrolls open, which hold ${this.#bytes} bytes; another one would be too many`,
      );
    }
    let held: Held;
    try {
      held = this.#breakers.hold('request', context.bytes, LABEL);
    } catch (e) {
      context.release();
      throw e;
    }
    const number = this.#newNumber();
    const used = this.#clock.now();
    const reading = undefined;
    this.#entries.set(number, { ...context, keepAlive: bounded(keepAlive), used, held, reading });
    this.#bytes += context.bytes;
    this.#cancel ??= this.#clock.after(SWEEP_MS, () => this.#sweep());
    return number;
  }

  /** One that nobody can guess: whoever knows it may read the scroll. */
  #newNumber(): number {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    const number = (high & 0xffff) * 0x1_0000_0000 + low;
    return this.#entries.has(number) ? this.#newNumber() : number;
  }

  /**
   * The next page; undefined if the context is gone, or somebody else's. One page is read after the other.
   * @param limit when its time is over, the hits that are there are the page, and the others are on the next one
   */
  async page(
    number: number,
    keepAlive: number | undefined,
    limit: WorkLimit,
    owner?: string,
  ): Promise<SearchResponse | undefined> {
    const entry = this.#entries.get(number);
    if (entry === undefined || entry.owner !== owner) return undefined;
    entry.used = this.#clock.now();
    if (keepAlive !== undefined) entry.keepAlive = bounded(keepAlive);
    while (entry.reading !== undefined) await entry.reading;
    if (this.#entries.get(number) !== entry) return undefined;
    const page = this.#read(entry, limit);
    entry.reading = page.catch(() => {});
    try {
      return await page;
    } finally {
      entry.reading = undefined;
      entry.used = this.#clock.now();
      // Whoever let it go has left it to be read to its end.
      if (this.#entries.get(number) !== entry) entry.release();
    }
  }

  async #read({ base, size, hits, shards: read }: Entry, limit: WorkLimit): Promise<SearchResponse> {
    const work = limit.untimed();
    for (const { elsewhere } of read) elsewhere?.forget();
    const held = this.#breakers.hold('request', 0, LABEL);
    const weigh = (bytes: number) => this.#breakers.grow('request', held, bytes, LABEL);
    try {
      if ('swept' in hits) {
        hits.swept.note(size);
        await fetchElsewhere(read, work);
        const page = await inTurns(hits.swept.next(size, weigh, work, limit), work);
        const failures = failuresOf(page.unread, base.node);
        const shards = { total: page.shards, failed: failures.length, failures };
        return { ...base, shards, maxScore: 0, hits: page.hits, timedOut: page.isLate };
      }
      const { ranked } = hits;
      const { maxScore } = ranked;
      const prefetched = ranked.prefetch(0, size, work);
      if (prefetched !== undefined) await prefetched;
      const found: Hit[] = size === 0 ? [] : await inTurns(ranked.next(size, weigh, work, limit), work);
      const failures = [...base.shards.failures, ...failuresOf(ranked.unread, base.node)];
      const shards = { ...base.shards, failed: failures.length, failures };
      const timedOut = size > 0 && ranked.isLate;
      return { ...base, shards, maxScore: size === 0 ? 0 : maxScore, hits: found, timedOut };
    } finally {
      held.release();
    }
  }

  /** Lets a context go; false if there is none of that number, or it is somebody else's. */
  free(number: number, owner?: string): boolean {
    const entry = this.#entries.get(number);
    if (entry === undefined || entry.owner !== owner) return false;
    this.#drop(number, entry);
    return true;
  }

  #drop(number: number, entry: Entry): void {
    this.#entries.delete(number);
    this.#bytes -= entry.bytes;
    entry.held.release();
    if (entry.reading === undefined) entry.release();
  }

  /** Lets all contexts go that are somebody's. */
  freeOwn(owner: string): void {
    this.#dropWhere((entry) => entry.owner === owner);
  }

  /** Lets all contexts go that read an index; all there are without one. */
  freeAll(index?: OpenIndex): void {
    this.#dropWhere(({ indices }) => index === undefined || indices.has(index));
  }

  #dropWhere(test: (entry: Entry) => boolean): void {
    for (const [number, entry] of this.#entries) if (test(entry)) this.#drop(number, entry);
    if (this.#entries.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #sweep(): void {
    this.#cancel = undefined;
    const now = this.#clock.now();
    for (const [number, entry] of this.#entries)
      if (entry.used + entry.keepAlive <= now) this.#drop(number, entry);
    if (this.#entries.size > 0) this.#cancel = this.#clock.after(SWEEP_MS, () => this.#sweep());
  }
}

/** The scrolls that are one principal's. */
export class OwnScrolls implements ScrollInterface {
  readonly #all: Scrolls;
  readonly #owner: string;
  readonly #manager: boolean;

  /** @param manager lets those of others go with its own, where it lets all go */
  constructor(all: Scrolls, owner: string, manager: boolean) {
    this.#all = all;
    this.#owner = owner;
    this.#manager = manager;
  }

  get size(): number {
    return this.#all.size;
  }

  over(shard: Shard): number {
    return this.#all.over(shard);
  }

  open(context: ScrollContext, keepAlive: number): number {
    return this.#all.open({ ...context, owner: this.#owner }, keepAlive);
  }

  page(number: number, keepAlive: number | undefined, limit: WorkLimit): Promise<SearchResponse | undefined> {
    return this.#all.page(number, keepAlive, limit, this.#owner);
  }

  free(number: number): boolean {
    return this.#all.free(number, this.#owner);
  }

  freeAll(): void {
    if (this.#manager) this.#all.freeAll();
    else this.#all.freeOwn(this.#owner);
  }
}

/** A negative time means for ever in 1.7. */
function bounded(keepAlive: number): number {
  return keepAlive < 0 ? MAX_KEEP_ALIVE : Math.min(keepAlive, MAX_KEEP_ALIVE);
}

/** What a page says of hits that can't be read. */
function failuresOf(
  unread: ReadonlyMap<Pick<ShardHits, 'index' | 'shard'>, ElasticsearchError>,
  node: string,
): ShardFailure[] {
  return [...unread].map(([{ index, shard }, error]) => ({
    node,
    index: index.name,
    shard: shard.number,
    error,
  }));
}
