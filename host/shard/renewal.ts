/** Moving shards from one instance of the core to another one: what is kept of them for that, and how it is done. */
import type { Core, CoreField } from '../core/instance.js';
import type { CoreStats } from '../core/stats.js';
import type { ShardHandle } from '../core/status.js';

/** An instance may have so much that it doesn't use, and that part of what it uses. */
const SPARE_BYTES = 32 * 1024 * 1024;
const SPARE_PART = 0.5;
/** Fields that are defined in one turn. */
const FIELDS = 500;

/** Whether an instance has much memory that it doesn't use. */
export function isWasteful(core: Core): boolean {
  return !core.dead && core.memoryBytes > core.memoryUsed() * (1 + SPARE_PART) + SPARE_BYTES;
}

/** The fields of a shard. */
export class Definitions {
  readonly #fields = new Map<number, CoreField>();
  /** Chains of analyzers by their bytes: most fields have the same few. */
  readonly #chains = new Map<string, Uint8Array>();
  /** How many definitions there were. */
  count = 0;

  add(field: CoreField): void {
    this.count++;
    const { analyzer } = field;
    // A filter that isn't given again stays.
    const filter = field.filter ?? this.#fields.get(field.field)?.filter;
    const kept = typeof analyzer === 'number' ? analyzer : this.#chain(analyzer);
    this.#fields.set(field.field, { ...field, analyzer: kept, ...(filter === undefined ? {} : { filter }) });
  }

  #chain(bytes: Uint8Array): Uint8Array {
    const key = String.fromCharCode(...bytes.subarray(0, MOST_KEY));
    const known = this.#chains.get(key);
    if (known !== undefined && known.length === bytes.length && known.every((each, i) => each === bytes[i]))
      return known;
    this.#chains.set(key, bytes);
    return bytes;
  }

  [Symbol.iterator](): IterableIterator<CoreField> {
    return this.#fields.values();
  }
}

/** Bytes by which chains are found. */
const MOST_KEY = 4096;

/** Counters that go on in another instance. */
export interface Past {
  total: number;
  totalDocs: number;
  totalBytes: number;
  evictions: number;
}

export const NOTHING: Past = { total: 0, totalDocs: 0, totalBytes: 0, evictions: 0 };

/** What an instance has counted, and those before it. */
export function pastOf({ merges, filters }: CoreStats, past: Past): Past {
  return {
    total: past.total + merges.total,
    totalDocs: past.totalDocs + merges.totalDocs,
    totalBytes: past.totalBytes + merges.totalBytes,
    evictions: past.evictions + filters.evictions,
  };
}

/** An instance's counters, with those of the instances before it. */
export function withPast(stats: CoreStats, past: Past): CoreStats {
  if (past === NOTHING) return stats;
  const { evictions, ...merges } = pastOf(stats, past);
  return { ...stats, merges: { ...stats.merges, ...merges }, filters: { ...stats.filters, evictions } };
}

/** Makes an empty shard of an instance what one of another instance is, in steps between which others have their turn. */
export function* moving(
  from: { core: Core; handle: ShardHandle; fields: Iterable<CoreField> },
  to: Core,
  handle: ShardHandle,
): Generator<void> {
  let defined = 0;
  for (const field of from.fields) {
    to.defineField(handle, field);
    if (++defined % FIELDS === 0) yield;
  }
  for (let i = 0; i < from.core.segmentCount(from.handle); i++) {
    yield;
    to.adoptSegment(handle, from.core, from.handle, i);
  }
  yield;
}
