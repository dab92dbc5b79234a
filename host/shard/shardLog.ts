/** How far a shard has followed the log of its index. */
import {
  type LastMessage,
  type LogPlace,
  readPlace,
  readWriters,
  type ShardPlace,
} from '../storage/logRows.js';
import type { Storage } from '../storage/storage.js';

const DAY_MS = 24 * 60 * 60_000;

/** Admits the messages of a log, each once. */
export class ShardLog {
  readonly #storage: Storage;
  readonly #uid: number;
  #place: ShardPlace | undefined;
  /** Read when they are needed first. */
  #writers: Map<string, LastMessage> | undefined;
  /** Writers whose rows go with the next message. */
  #forgotten: string[] = [];

  constructor(storage: Storage, uid: number) {
    this.#storage = storage;
    this.#uid = uid;
  }

  /** Where it is; what is carried out now counts already. */
  get place(): ShardPlace | undefined {
    if (this.#writers === undefined) {
      this.#place = readPlace(this.#storage, this.#uid);
      this.#writers = readWriters(this.#storage, this.#uid);
    }
    return this.#place;
  }

  /** The store has been filled with other rows. */
  forget(): void {
    this.#writers = undefined;
  }

  /** Deletions from before count no more. */
  get horizon(): number {
    return this.place?.horizon ?? 0;
  }

  /** Whether a message is neither carried out already nor one that its writer sent twice. */
  lacks({ position, writer, number }: Pick<LogPlace, 'position' | 'writer' | 'number'>): boolean {
    if (position <= (this.place?.position ?? 0)) return false;
    return (this.#writers!.get(writer)?.number ?? -1) < number;
  }

  /**
   * A message that is to be carried out now, with the time and the horizon of the log, which never go back; undefined for one that has been
   * carried out.
   */
  admit(message: LogPlace): LogPlace | undefined {
    const { place: before } = this;
    const writers = this.#writers!;
    const { position, checksum, writer, number } = message;
    if (before !== undefined && position <= before.position) return undefined;
    const time = Math.max(message.time, before?.time ?? 0);
    const horizon = Math.max(message.horizon, before?.horizon ?? 0);
    this.#place = { position, checksum, time, horizon };
    if (before !== undefined) this.#forget(before.time, time);
    // The log has it twice, at two positions.
    if ((writers.get(writer)?.number ?? -1) >= number) return undefined;
    writers.set(writer, { number, time });
    const forgotten = this.#forgotten.filter((each) => each !== writer);
    this.#forgotten = [];
    return { ...message, time, horizon, ...(forgotten.length === 0 ? {} : { forgotten }) };
  }

  /**
   * Forgets processes that have written nothing for a day, once a day: both by the time of the log, so that all copies do so with the same
   * message. The log knows ids of messages for minutes, and no message is sent again after that.
   */
  #forget(before: number, time: number): void {
    const day = Math.floor(time / DAY_MS);
    if (day <= Math.floor(before / DAY_MS)) return;
    for (const [writer, last] of this.#writers!) {
      if (last.time >= (day - 1) * DAY_MS) continue;
      this.#writers!.delete(writer);
      this.#forgotten.push(writer);
    }
  }
}
