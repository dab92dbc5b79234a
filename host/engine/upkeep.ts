/** What is done after a while without being asked: refreshes of what was written, and deletions of what has expired. */
import { ElasticsearchError } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Clock } from '../time/clock.js';
import { parseTime } from '../time/durations.js';
import { EXPIRY_MS, mayExpire } from './expiry.js';

/** What upkeep needs of the engine. */
export interface UpkeepContext {
  clock: Clock;
  warn(message: string): void;
  /** Makes all writes to an index searchable. */
  refresh(index: OpenIndex): Promise<void>;
  /** Deletes the documents whose time to live is over. */
  deleteExpired(): Promise<void>;
  /** Whether any index has documents that expire. */
  mayExpire(): boolean;
  /** How often to look for them, as the cluster's settings say it. */
  interval(): string | undefined;
}

/** Keeps the timers of one node. */
export class Upkeep {
  readonly #context: UpkeepContext;
  /** Calls off the next refresh of an index. */
  readonly #refreshes = new Map<OpenIndex, () => void>();
  /** Calls off the next look for expired documents. */
  #expiring: (() => void) | undefined;
  #closed = false;

  constructor(context: UpkeepContext) {
    this.#context = context;
  }

  /** An index is there: it may have documents that expire. */
  opened(): void {
    this.#expireLater();
  }

  /** Something was written to an index that no refresh has shown yet. */
  changed(index: OpenIndex): void {
    this.#refreshLater(index);
    if (this.#expiring === undefined && mayExpire(index)) this.#expireLater();
  }

  /** An index is there no more. */
  gone(index: OpenIndex): void {
    this.#refreshes.get(index)?.();
    this.#refreshes.delete(index);
  }

  /** Nothing is done any more. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#refreshes.values()) cancel();
    this.#expiring?.();
  }

  /** Looks for expired documents in a while, and goes on with that as long as any may expire. */
  #expireLater(): void {
    const { clock, warn, deleteExpired, interval } = this.#context;
    if (this.#closed || this.#expiring !== undefined || !this.#context.mayExpire()) return;
    const given = interval();
    this.#expiring = clock.after(given === undefined ? EXPIRY_MS : Math.max(1000, parseTime(given)), () => {
      deleteExpired()
        .catch((e) => warn(`deleting expired documents: ${e}`))
        .finally(() => {
          this.#expiring = undefined;
          this.#expireLater();
        });
    });
  }

  #refreshLater(index: OpenIndex): void {
    const { clock, warn, refresh } = this.#context;
    const { refreshInterval } = index.metadata.settings;
    if (refreshInterval < 0 || this.#refreshes.has(index) || this.#closed || index.closed) return;
    const cancel = clock.after(refreshInterval, () => {
      this.#refreshes.delete(index);
      // The interval may have been changed meanwhile.
      if (index.metadata.settings.refreshInterval < 0) return;
      refresh(index).catch((e) => {
        if (!(e instanceof ElasticsearchError)) warn(`[${index.name}] refresh: ${e}`);
        if (index.shards.some((shard) => shard.dirty && shard.active)) this.#refreshLater(index);
      });
    });
    this.#refreshes.set(index, cancel);
  }
}
