/** The messages of an index's log that its shards on this node carry out, several at once, those of a shard in their order. */
import type { LogMessage } from '../cluster/log.js';
import { indexClosed } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Outcome } from '../shard/writeQueue.js';
import { type DocumentCommand, decodeCommand, MalformedCommand } from './documentCommand.js';
import type { FollowedMapping } from './followedMapping.js';
import type { ShardProgress } from './progress.js';

/** What they need of the node. */
export interface DocumentMessagesContext {
  warn(message: string): void;
  /** A message was carried out. */
  carriedOut(message: Omit<DocumentCommand, 'ops'>, outcomes: Outcome[], position: number): void;
}

/** A copy lacks a message that comes before a mapping which its node has adopted. */
export class CopyBehind extends Error {
  readonly shard: number;

  constructor(shard: number, detail: string) {
    super(`[${shard}] ${detail}`);
    this.shard = shard;
  }
}

/** Messages of all shards that are being carried out at once; more are read when some have ended. */
const MOST_RUNNING = 64;
const MOST_RUNNING_BYTES = 16 * 1024 * 1024;

export class DocumentMessages {
  readonly #index: OpenIndex;
  readonly #context: DocumentMessagesContext;
  readonly #mapping: FollowedMapping;
  readonly #progress: readonly ShardProgress[];
  readonly #running = new Set<Promise<void>>();
  #runningBytes = 0;

  /** @param progress of each shard: which messages are being carried out */
  constructor(
    index: OpenIndex,
    context: DocumentMessagesContext,
    mapping: FollowedMapping,
    progress: readonly ShardProgress[],
  ) {
    this.#index = index;
    this.#context = context;
    this.#mapping = mapping;
    this.#progress = progress;
  }

  /** Resolves when nothing is being carried out any more of what has been handed over. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Resolves when there is room for more. */
  async room(): Promise<void> {
    while (this.#running.size > MOST_RUNNING || this.#runningBytes > MOST_RUNNING_BYTES)
      await Promise.race(this.#running);
  }

  /** Has a shard carry a message out, if the node has a copy of it. @throws CopyBehind, NewerCommand */
  carryOut(message: LogMessage): void {
    const shard = Number(/^shard\.(\d+)$/.exec(message.subject)?.[1] ?? -1);
    const progress = this.#progress[shard];
    if (progress === undefined || this.#index.copyOf(shard) === undefined) return;
    const { position, bytes } = message;
    const { name } = this.#index;
    let command: DocumentCommand;
    try {
      command = decodeCommand(bytes);
    } catch (e) {
      if (!(e instanceof MalformedCommand)) throw e;
      // It is nothing on every copy alike.
      this.#context.warn(`[${name}][${shard}] a message of the log is left out: ${e.message}`);
      return;
    }
    if (this.#isBehindMapping(shard, position, command)) {
      const detail = `its copy is behind the mapping of ${this.#mapping.position}: a message at ${position} would be parsed by a newer one`;
      throw new CopyBehind(shard, detail);
    }
    if (this.#mapping.isClosed) for (const op of command.ops) op.refused = indexClosed(name);
    progress.begin(position);
    this.#runningBytes += bytes.length;
    const running = this.#apply(shard, message, command).then(
      () => progress.end(position),
      // The shard goes: whoever waits for it is told by whoever ends it.
      () => {},
    );
    this.#running.add(running);
    void running.then(() => {
      this.#running.delete(running);
      this.#runningBytes -= bytes.length;
    });
  }

  /**
   * Whether a copy lacks a message that comes before a mapping which this node has adopted. One that was fed by this node has it, or left it
   * out; one that had been fetched when the process ended, and wasn't caught up with, may not.
   */
  #isBehindMapping(shard: number, position: number, { writer, number, ops }: DocumentCommand): boolean {
    if (position > this.#mapping.position || ops.length === 0) return false;
    return this.#index.copyOf(shard)?.lacks({ position, writer, number }) === true;
  }

  async #apply(
    shard: number,
    { position, checksum }: LogMessage,
    { ops, ...header }: DocumentCommand,
  ): Promise<void> {
    const { writer, number, time, horizon, isCompared } = header;
    const place = { position, checksum, writer, number, time, horizon, isCompared };
    const outcomes = await this.#index.copyOf(shard)!.apply(place, ops);
    if (outcomes !== undefined) this.#context.carriedOut(header, outcomes, position);
  }
}
