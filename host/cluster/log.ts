/** A message that a reader gets. */
export interface LogMessage {
  /** From 1, ascending, not always by one: a message that was sent in parts takes several positions, and is at the last of them. */
  readonly position: number;
  /** What it is about, such as `meta` or `shard.3`. */
  readonly subject: string;
  /** The id that it was appended with. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /**
   * 32 bits of position, subject, id, bytes and what its writer had read before. A reader stores it with the position, and hands both in
   * when it goes on reading.
   */
  readonly checksum: number;
  /**
   * The position that it was appended behind, where it expected one. In a log that has been trimmed a message may stand whose writer was
   * halted between asking and appending, for longer than messages are kept: readers that know the last message of the subject leave it out.
   */
  readonly after?: number;
}

/** What a log has. */
export interface LogExtent {
  /** The first position that is still there; one after the last when none is. */
  readonly first: number;
  /** The last position. */
  readonly last: number;
  /** Bytes of all its messages, about. */
  readonly bytes: number;
}

export interface AppendOptions {
  /**
   * Names the message: a second one with this id, within two minutes, is not appended and gets the position of the first. Without it, a
   * new id is made, so that a lost acknowledgement doesn't double the message.
   */
  id?: string;
  /**
   * The position of the last message of the same subject, 0 for none: when it is another one, nothing is appended. Either all messages of a
   * subject are appended so or none: what is appended without it at the same moment may come in between. The last message of such a
   * subject must not be trimmed.
   */
  expectLast?: number;
  /** Ends the waiting; the message may be in the log nevertheless. */
  signal?: AbortSignal;
}

export interface ReadOptions {
  /** The checksum of the message at `after`: what was read there before. */
  checksum?: number;
  /**
   * The only subject that is read: messages of others aren't sent, and it doesn't matter whether they have been trimmed. That messages of the
   * log are lost is noticed by readers of all of it; of a subject of which all messages expect a last one, by those of that subject too.
   */
  subject?: string;
  /** Whether messages are so rare that each may cost a question whether the log's servers agree on it before it is handed on. */
  isRare?: boolean;
}

/**
 * A totally ordered, replicated list of messages. A message that was acknowledged is on a majority of the log's servers; all readers see
 * the same messages at the same positions in the same order.
 *
 * A log that forgot acknowledged messages, as after a loss of power everywhere, is noticed and not mended: a reader checks the message
 * where it stopped, whenever it (re)connects, and each message carries position and checksum of the last one that its writer had read.
 */
export interface Log {
  readonly name: string;
  /** Why it hasn't answered for more than a second, such as that nobody leads it; undefined where it answers, as far as is known. */
  readonly trouble?: string | undefined;
  /**
   * Appends, and resolves with the position when a majority of servers has the message. Sends again by itself when no acknowledgement
   * comes, for at most ten seconds. A message longer than the servers' limit is sent in parts, up to 64 MB.
   * @throws UnexpectedLast, MessageTooLarge, LogMissing, LogUnavailable
   */
  append(subject: string, bytes: Uint8Array, options?: AppendOptions): Promise<number>;
  /**
   * All messages after that position, in order, each once; then waits for new ones. Ends when the signal aborts, and survives any loss
   * of connection. The next message is fetched ahead, but no more than some megabytes: a slow reader is waited for.
   * @throws LogTrimmed, LogShortened, LogDiffers, LogMissing
   */
  read(after: number, signal: AbortSignal, options?: ReadOptions): AsyncIterable<LogMessage>;
  /** The position of the last message, of a subject or of all; 0 when there has been none (or none of that subject is left). */
  lastPosition(subject?: string): Promise<number>;
  /** The first position that is still there; one after the last when none is. */
  firstPosition(): Promise<number>;
  /** All of that at one moment. */
  extent(): Promise<LogExtent>;
  /** Forgets messages before that position; some of them may stay. The last position stays known. */
  trim(before: number): Promise<void>;
  /** Deletes the log with all messages; readers get {@link LogMissing}. Deleting a log that is gone does nothing. */
  delete(): Promise<void>;
}

export interface Logs {
  /**
   * The log of that name, made of letters, digits, `_` and `-`. With `create` it is made when there is none.
   * @throws LogMissing without `create`, LogUnavailable
   */
  open(name: string, options?: { create?: boolean }): Promise<Log>;
  /** The names of all logs of this cluster, sorted. */
  list(): Promise<string[]>;
}
