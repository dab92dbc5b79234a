/** What bringing the shards' aggregations together may take: steps, and buckets that are made only here. */
import { ElasticsearchError } from '../errors.js';
import { WorkLimit } from '../workLimit.js';

/** Steps of a bucket, each of about 0.1 us. */
const BUCKET_STEPS = 4;
/** Buckets without documents that a search may be answered with. */
const MAX_EMPTY = 1_000_000;
/** What such a bucket takes in memory besides what it holds, about. */
const EMPTY_BYTES = 200;
/** Bytes that are weighed together. */
const WEIGHED = 64 * 1024;

/** Ends a reduction whose time is over. */
export class ReductionOver extends Error {}

export class Reduction {
  readonly #limit: WorkLimit;
  readonly #weigh: (bytes: number) => void;
  #empty = 0;
  /** Bytes that have been taken since they were weighed last. */
  #unweighed = 0;
  readonly #until: WorkLimit;
  #late = false;

  /**
   * @param limit counts the steps
   * @param weigh told what is made takes, in bytes; throws when that is too much
   * @param until when its time is over, what is done is all there is
   */
  constructor(
    limit: WorkLimit,
    weigh: (bytes: number) => void = () => {},
    until: WorkLimit = WorkLimit.none,
  ) {
    this.#limit = limit;
    this.#weigh = weigh;
    this.#until = until;
  }

  /** Counts buckets that are worked on; whether others should get the event loop. Throws {@link ReductionOver}. */
  isDue(buckets = 1): boolean {
    if (!this.#limit.isDue(BUCKET_STEPS * buckets)) return false;
    if (!this.#until.late) return true;
    this.#late = true;
    throw new ReductionOver();
  }

  /** Whether it has ended before all was done. */
  get isLate(): boolean {
    return this.#late;
  }

  /** Counts bytes that are about to be taken. */
  take(bytes: number): void {
    this.#unweighed += bytes;
    if (this.#unweighed < WEIGHED) return;
    const all = this.#unweighed;
    this.#unweighed = 0;
    this.#weigh(all);
  }

  /** Counts a bucket without documents before it is made; refuses too many of them. @param below bytes of what it holds */
  addEmpty(name: string, below: number): void {
    this.take(EMPTY_BYTES + below);
    if (++this.#empty <= MAX_EMPTY) return;
    throw new ElasticsearchError(
      'AggregationExecutionException',
      `aggregation [${name}] needs more than ${MAX_EMPTY} buckets without documents`,
      { status: 400 },
    );
  }
}
