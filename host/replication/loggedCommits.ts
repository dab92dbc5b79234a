/**
 * Commits of what the log of an index says of a shard, together with how far the shard has followed it. One that fails is tried again until it
 * succeeds: nothing of a log may be left out.
 */
import type { CommitGate, LoggedCommits as Commits } from '../shard/shardIndex.js';
import type { Span } from '../shard/writeQueue.js';
import { type LogPlace, placeRow, writerKey, writerRow } from '../storage/logRows.js';
import type { Rows } from '../storage/rows.js';
import type { CommitOptions, Entry, Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import { pause } from './pause.js';
import type { StoreStall } from './storeStall.js';

const RETRY_MS = 1000;

/** The commits of one shard. */
export class LoggedCommits implements Commits {
  readonly #storage: Storage;
  readonly #uid: number;
  readonly #clock: Clock;
  readonly #stall: StoreStall;
  /** Whether one waits to be tried again. */
  #isPaused = false;
  /** Who waits for that. */
  #waiting: (() => void)[] = [];

  /** @param uid the shard's number in the store */
  constructor(storage: Storage, uid: number, clock: Clock, stall: StoreStall) {
    this.#storage = storage;
    this.#uid = uid;
    this.#clock = clock;
    this.#stall = stall;
  }

  async commit(rows: Rows, spans: readonly Span[], options: CommitOptions, gate: CommitGate): Promise<void> {
    for (const row of logRows(this.#uid, spans)) rows.push(...row);
    const gone = forgottenRows(this.#uid, spans);
    const { ending } = this.#stall;
    let hasFailed = false;
    try {
      for (;;) {
        try {
          await this.#storage.commit(rows, gone, options);
          return;
        } catch (e) {
          if (gate.isOver() || ending.aborted) throw e;
          hasFailed = true;
          this.#stall.failed(this.#uid, e instanceof Error ? e.message : String(e));
          await this.#pause(gate);
          if (gate.isOver() || ending.aborted) throw e;
        }
      }
    } finally {
      if (hasFailed) this.#stall.over(this.#uid);
    }
  }

  async #pause(gate: CommitGate): Promise<void> {
    this.#isPaused = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
    await pause(this.#clock, RETRY_MS, this.#stall.ending);
    for (let frozen = gate.frozen(); frozen !== undefined; frozen = gate.frozen()) await frozen;
    this.#isPaused = false;
  }

  paused(): Promise<void> {
    if (this.#isPaused) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/** The rows that say how far a shard is in its log when these operations are in the store. Messages are in one chunk each. */
function* logRows(shard: number, spans: readonly Span[]): Generator<Entry> {
  let last: LogPlace | undefined;
  for (const { group } of spans) {
    if (group.logged === undefined) continue;
    last = group.logged.message;
    yield writerRow(shard, last);
  }
  if (last !== undefined) yield placeRow(shard, last);
}

/** The rows of writers that are forgotten with these operations, but for those that have written again. */
function forgottenRows(shard: number, spans: readonly Span[]): Uint8Array[] {
  const gone = new Set<string>();
  for (const { group } of spans) {
    if (group.logged === undefined) continue;
    const { forgotten, writer } = group.logged.message;
    for (const each of forgotten ?? []) gone.add(each);
    gone.delete(writer);
  }
  return [...gone].map((writer) => writerKey(shard, writer));
}
