/**
 * Results of searches that come again and again, kept until their shard changes: until then the same plan finds the same. As Elasticsearch's
 * request cache does since its version 2, but for the hits as well. What is found for the first and the second time is computed; a search
 * that never comes again costs a hash of its plan.
 */
import type { CoreField, Interrupted } from '../core/instance.js';
import type { SegmentInfo } from '../core/result.js';
import type { SearchMemory } from '../core/searchMemory.js';
import { hashOf, RepeatedBytes } from '../repeatedBytes.js';
import { ShardHost } from '../shard/shardHost.js';
import type { Turn } from '../turn.js';

/** Longer plans and results are not kept: they are rare, and copying them is part of what they cost. */
const MOST_PLAN_BYTES = 4096;
const MOST_RESULT_BYTES = 16 * 1024;
/** What is kept beside the bytes of a plan and its result takes so many, about. */
const OVERHEAD = 400;
/** Of each generation. */
const MOST_RESULTS = 8192;

/** What a plan has found. */
interface Found {
  /** The shard, and how often it had changed. */
  readonly shard: number;
  readonly version: number;
  readonly result: Uint8Array;
}

export class CachingShardHost extends ShardHost {
  readonly #found: RepeatedBytes<Found>;
  readonly #bytes: number;
  /** How often each shard has changed. */
  readonly #versions = new Map<number, number>();
  /** Searches that were not carried out. */
  hits = 0;

  /** @param bytes what results and their plans may take; 0: none are kept */
  constructor(module: WebAssembly.Module, turn: Turn, memory: SearchMemory, bytes: number) {
    super(module, turn, memory);
    this.#bytes = bytes;
    this.#found = new RepeatedBytes({ values: MOST_RESULTS, weight: bytes / 2 });
  }

  override search(shard: number, plan: Uint8Array, interrupted?: Interrupted): Uint8Array {
    const version = this.#versions.get(shard);
    // A shard that isn't there is told of by whoever would search it.
    if (version === undefined || plan.length > MOST_PLAN_BYTES || this.#bytes === 0)
      return super.search(shard, plan, interrupted);
    const hash = hashOf(plan, Math.imul(shard, 0x9e3779b1) ^ version);
    const known = this.#found.get(hash, plan);
    if (known !== undefined && known.shard === shard && known.version === version) {
      this.hits++;
      // Whoever gets a result may have its buffer moved.
      return known.result.slice();
    }
    if (!this.#found.cameBefore(hash)) return super.search(shard, plan, interrupted);
    let stopped = false;
    const watched: Interrupted | undefined =
      interrupted &&
      (() => {
        stopped = interrupted();
        return stopped;
      });
    const result = super.search(shard, plan, watched);
    if (!stopped && result.length <= MOST_RESULT_BYTES) {
      const weight = plan.length + result.length + OVERHEAD;
      this.#found.keep(hash, plan, { shard, version, result: result.slice() }, weight);
    }
    return result;
  }

  protected override changing(shard: number): void {
    this.#versions.set(shard, (this.#versions.get(shard) ?? 0) + 1);
  }

  override open(): number {
    const shard = super.open();
    this.changing(shard);
    return shard;
  }

  override close(shard: number): void {
    this.#versions.delete(shard);
    super.close(shard);
  }

  override define(shard: number, fields: readonly CoreField[]): void {
    this.changing(shard);
    super.define(shard, fields);
  }

  override load(shard: number, image: Uint8Array, liveSet: Uint8Array): SegmentInfo {
    this.changing(shard);
    return super.load(shard, image, liveSet);
  }

  override giveUids(shard: number, segment: number, uids: Uint8Array): void {
    this.changing(shard);
    super.giveUids(shard, segment, uids);
  }

  override forceMerge(shard: number, maxSegments: number): Promise<void> {
    this.changing(shard);
    return super.forceMerge(shard, maxSegments);
  }

  override clear(shard: number, what: number): void {
    this.changing(shard);
    super.clear(shard, what);
  }
}
