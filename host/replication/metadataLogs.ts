/**
 * The log of a cluster's metadata. A repair begins another one in its place, with a number of its own: positions of a later log are greater than all
 * of the ones before, so that whoever compares positions of metadata need not know of logs.
 */
import { LogMissing } from '../cluster/errors.js';
import type { AppendOptions, Log, LogExtent, LogMessage, Logs, ReadOptions } from '../cluster/log.js';

/** The name of the first log. */
export const METADATA_LOG = 'metadata';
/** Positions that each log has room for. */
const ROOM = 2 ** 32;
const MOST_LOGS = 2 ** 20;

/** The number of the log that a position is of, from 0. */
export function logOfPosition(position: number): number {
  return Math.floor(position / ROOM);
}

/** What positions of a log are above; that of its first message is one more. */
export function beginOfLog(number: number): number {
  return number * ROOM;
}

/** The name of a log of that number. */
export function metadataLogName(number: number): string {
  return number === 0 ? METADATA_LOG : `${METADATA_LOG}-${number}`;
}

/** The logs of metadata that there are: one, but for moments of a repair. */
export class MetadataLogs {
  readonly #logs: Logs;

  constructor(logs: Logs) {
    this.#logs = logs;
  }

  /**
   * The number of the newest log; undefined where there is none. Logs after the one that is followed count from their first message on: a repair
   * that was cut off leaves an empty one.
   * @param followed the number of the log that is followed
   */
  async newest(followed: number): Promise<number | undefined> {
    for (const number of (await this.#numbers()).sort((a, b) => b - a))
      if (number <= followed || (await this.#hasBegun(number))) return number;
    return undefined;
  }

  async #hasBegun(number: number): Promise<boolean> {
    try {
      return (await (await this.open(number)).lastPosition()) > beginOfLog(number);
    } catch (e) {
      // One that another node makes at this moment, or has deleted.
      if (e instanceof LogMissing) return false;
      throw e;
    }
  }

  /** @throws LogMissing */
  async open(number: number): Promise<Log> {
    return shifted(number, await this.#logs.open(metadataLogName(number)));
  }

  /** The number of a log that is to begin after one; no other has it, be it an empty one: nodes may have followed that. */
  async next(number: number): Promise<number> {
    return 1 + Math.max(number, ...(await this.#numbers()));
  }

  /** Makes a log where there is none of that number. */
  async begin(number: number): Promise<Log> {
    return shifted(number, await this.#logs.open(metadataLogName(number), { create: true }));
  }

  /** Deletes logs in whose place another one is to begin. */
  async deleteBefore(number: number): Promise<void> {
    for (const older of await this.#numbers()) {
      if (older >= number) continue;
      try {
        await (await this.#logs.open(metadataLogName(older))).delete();
      } catch (e) {
        if (!(e instanceof LogMissing)) throw e;
      }
    }
  }

  async #numbers(): Promise<number[]> {
    return (await this.#logs.list()).flatMap((name) => {
      if (name === METADATA_LOG) return [0];
      const number = Number(/^metadata-([1-9]\d{0,6})$/.exec(name)?.[1] ?? MOST_LOGS);
      return number < MOST_LOGS ? [number] : [];
    });
  }
}

function shifted(number: number, log: Log): Log {
  return number === 0 ? log : new ShiftedLog(log, beginOfLog(number));
}

/** A log whose positions begin elsewhere. */
class ShiftedLog implements Log {
  readonly #inner: Log;
  readonly #begin: number;

  constructor(inner: Log, begin: number) {
    this.#inner = inner;
    this.#begin = begin;
  }

  get name(): string {
    return this.#inner.name;
  }

  get trouble(): string | undefined {
    return this.#inner.trouble;
  }

  async append(subject: string, bytes: Uint8Array, options: AppendOptions = {}): Promise<number> {
    const { expectLast, ...rest } = options;
    const expected = expectLast === undefined ? {} : { expectLast: this.#within(expectLast) };
    return this.#begin + (await this.#inner.append(subject, bytes, { ...rest, ...expected }));
  }

  /** What was read of an earlier log says nothing of this one. */
  async *read(after: number, signal: AbortSignal, options: ReadOptions = {}): AsyncGenerator<LogMessage> {
    const from = this.#within(after);
    const { checksum: _, ...others } = options;
    for await (const message of this.#inner.read(from, signal, from === 0 ? others : options)) {
      const { position, after: expected } = message;
      yield {
        ...message,
        position: this.#begin + position,
        ...(expected === undefined ? {} : { after: this.#begin + expected }),
      };
    }
  }

  async lastPosition(subject?: string): Promise<number> {
    return this.#begin + (await this.#inner.lastPosition(subject));
  }

  async firstPosition(): Promise<number> {
    return this.#begin + (await this.#inner.firstPosition());
  }

  async extent(): Promise<LogExtent> {
    const { first, last, bytes } = await this.#inner.extent();
    return { first: this.#begin + first, last: this.#begin + last, bytes };
  }

  trim(before: number): Promise<void> {
    return this.#inner.trim(this.#within(before));
  }

  delete(): Promise<void> {
    return this.#inner.delete();
  }

  #within(position: number): number {
    return Math.max(0, position - this.#begin);
  }
}
