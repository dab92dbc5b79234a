/**
 * What requests take in memory, estimated and bounded, as by the circuit breakers of 1.7: one for what requests hold
 * (bodies, answers, shards' results, scrolls), one for the field values that searches need, and a parent over both.
 */
import { ElasticsearchError } from '../errors.js';
import { parseSize, sizeText } from '../settings/sizes.js';

/** The breakers that are asked. */
export type BreakerName = 'request';

/** Reads a setting; undefined where it isn't set. */
export type SettingLookup = (name: string) => string | undefined;

/** What is told of a breaker. */
export interface BreakerStats {
  /** Bytes; -1: no limit. */
  limit: number;
  /** Bytes that are held, as estimated. */
  used: number;
  overhead: number;
  /** How often something was refused. */
  tripped: number;
}

const DEFAULTS = {
  fielddata: { limit: '60%', overhead: 1.03 },
  request: { limit: '40%', overhead: 1 },
  total: { limit: '70%', overhead: 1 },
} as const;

class Breaker implements BreakerStats {
  readonly #measured: () => number;
  limit = -1;
  held = 0;
  overhead = 1;
  tripped = 0;

  /** @param measured bytes that are counted elsewhere */
  constructor(measured: () => number = () => 0) {
    this.#measured = measured;
  }

  get used(): number {
    return this.held + this.#measured();
  }

  get weight(): number {
    return this.used * this.overhead;
  }
}

/** Bytes that are held until they are released. */
export class Held {
  readonly #breaker: Breaker;
  #bytes = 0;

  constructor(breaker: Breaker, bytes: number) {
    this.#breaker = breaker;
    this.#take(bytes);
  }

  /** How many. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Lets them go; more than once does nothing. */
  release(): void {
    this.#take(-this.#bytes);
  }

  /** For {@link Breakers}: more of them. */
  add(bytes: number): void {
    this.#take(bytes);
  }

  #take(bytes: number): void {
    this.#bytes += bytes;
    this.#breaker.held += bytes;
  }
}

/** All of a node's. */
export class Breakers {
  readonly #memory: number;
  readonly #each: Readonly<Record<'request' | 'fielddata', Breaker>>;
  readonly #parent = new Breaker();
  readonly #kept: () => number;

  /**
   * @param memory bytes that shares are shares of
   * @param fielddata bytes of fields' values that searches have needed
   * @param kept bytes that are kept whatever is asked: mappings, and documents where they are kept in memory
   * @param searches bytes that searches have taken in the memories of cores
   */
  constructor(
    memory: number,
    fielddata: () => number = () => 0,
    kept: () => number = () => 0,
    searches: () => number = () => 0,
  ) {
    this.#memory = memory;
    this.#kept = kept;
    this.#each = { request: new Breaker(searches), fielddata: new Breaker(fielddata) };
    this.configure(() => undefined);
  }

  /** Reads `indices.breaker.*`; a value that can't be read leaves things as they are. */
  configure(setting: SettingLookup): void {
    for (const [name, breaker] of [
      ['fielddata', this.#each.fielddata],
      ['request', this.#each.request],
      ['total', this.#parent],
    ] as const) {
      const { limit, overhead } = DEFAULTS[name];
      breaker.limit =
        parseSize(setting(`indices.breaker.${name}.limit`) ?? limit, this.#memory) ?? breaker.limit;
      const given = Number(setting(`indices.breaker.${name}.overhead`) ?? overhead);
      if (given >= 0) breaker.overhead = given;
      if (setting(`indices.breaker.${name}.type`)?.toLowerCase() === 'noop') breaker.limit = -1;
    }
  }

  /** Holds bytes for what the label names; 500 `CircuitBreakingException` if that would be too much. */
  hold(name: BreakerName, bytes: number, label: string): Held {
    this.check(name, bytes, label);
    return new Held(this.#each[name], bytes);
  }

  /** The same for more of what is held already, or for less of it; refused, it stays as it is. */
  grow(name: BreakerName, held: Held, bytes: number, label: string): void {
    if (bytes > 0) this.check(name, bytes, label);
    held.add(bytes);
  }

  /** Refuses what would be kept for good, or for the time of a request, if it took more than a share of the memory. */
  checkShare(bytes: number, share: number, label: string): void {
    const limit = Math.floor(share * this.#memory);
    if (bytes <= limit) return;
    this.#parent.tripped++;
    throw tooLarge('parent', label, limit);
  }

  /** Bytes of fields' values that searches may need. */
  get fielddataLimit(): number {
    return this.#limitOf(this.#each.fielddata);
  }

  /** Bytes that searches may take in the memories of cores. */
  get searchLimit(): number {
    return this.#limitOf(this.#each.request);
  }

  #limitOf({ limit, overhead }: Breaker): number {
    const most = [limit, this.#parent.limit].filter((each) => each >= 0);
    return overhead === 0 ? Number.POSITIVE_INFINITY : Math.min(Number.POSITIVE_INFINITY, ...most) / overhead;
  }

  /** What is said to a search that needs more of a field's values than that. */
  refuseFielddata(field: string): ElasticsearchError {
    const { fielddata } = this.#each;
    const isOwn = fielddata.limit >= 0 && (this.#parent.limit < 0 || fielddata.limit <= this.#parent.limit);
    const refusal = isOwn ? trip(fielddata, 'fielddata', field) : trip(this.#parent, 'parent', field);
    // It comes out of the cache that 1.7 loads values into.
    const detail = `org.elasticsearch.common.breaker.CircuitBreakingException: ${refusal.detail}`;
    const nested = new ElasticsearchError('UncheckedExecutionException', detail, { nested: refusal });
    return new ElasticsearchError('ElasticsearchException', detail, { nested });
  }

  /** Refuses bytes that are about to be taken. */
  check(name: BreakerName, bytes: number, label: string): void {
    // Where too much is kept, what frees some of it goes on.
    if (bytes === 0) return;
    const breaker = this.#each[name];
    if (breaker.limit >= 0 && (breaker.used + bytes) * breaker.overhead > breaker.limit)
      throw trip(breaker, name, label);
    const { request, fielddata } = this.#each;
    const all = request.weight + fielddata.weight + this.#kept() + bytes * breaker.overhead;
    if (this.#parent.limit >= 0 && all > this.#parent.limit) throw trip(this.#parent, 'parent', label);
  }

  /** In the order in which 1.7 tells of them. */
  get stats(): Record<'request' | 'fielddata' | 'parent', BreakerStats> {
    const { request, fielddata } = this.#each;
    const used = Math.round(request.weight + fielddata.weight + this.#kept());
    const { limit, overhead, tripped } = this.#parent;
    return { request, fielddata, parent: { limit, used, overhead, tripped } };
  }
}

function trip(breaker: Breaker, name: string, label: string): ElasticsearchError {
  breaker.tripped++;
  return tooLarge(name, label, breaker.limit);
}

function tooLarge(name: string, label: string, limit: number): ElasticsearchError {
  const detail = `[${name.toUpperCase()}] Data too large, data for [${label}] would be larger than limit of [${limit}/${sizeText(limit)}]`;
  return new ElasticsearchError('CircuitBreakingException', detail);
}
