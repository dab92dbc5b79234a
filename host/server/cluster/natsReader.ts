import {
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Place, checksumOf } from '../../cluster/checksum.js';
import {
  type ClusterError,
  LogDiffers,
  LogMissing,
  LogShortened,
  LogTrimmed,
  ServicesClosed,
} from '../../cluster/errors.js';
import type { LogMessage, ReadOptions } from '../../cluster/log.js';
import { checkedSubject } from '../../cluster/names.js';
import { onAbort } from '../../cluster/onAbort.js';
import { ReadPlaces } from '../../cluster/readPlaces.js';
import { hedged } from './hedged.js';
import { LeaderCheck } from './leaderCheck.js';
import { demandMajority } from './majority.js';
import { isConnectionClosed, isConsumerTrouble, isStreamMissing, pause } from './natsErrors.js';
import { expectedLast, publishedSubjects, type StoredMessage, storedMessage } from './natsMessages.js';
import { isPassing } from './passing.js';
import { PartBuffer } from './partBuffer.js';
import type { ServerChoice } from './serverChoice.js';
import { watchSilence } from './silence.js';

/** Messages that are fetched ahead. */
const AHEAD = 32;
const PULL_MS = 30_000;
/** Milliseconds between two signs of life of what sends messages; two that don't come end the session. */
const LIFE_MS = 1000;
/** Milliseconds after which servers forget a reader that is gone. */
const FORGOTTEN_MS = 30_000;
const RETRY_MS = 250;
/** Notifications after which nobody knows what was sent. */
const TROUBLE: ReadonlySet<string> = new Set([
  'heartbeats_missed',
  'consumer_not_found',
  'stream_not_found',
  'consumer_deleted',
  'reset',
  'ordered_consumer_recreated',
  'no_responders',
]);

/** The stream that is read. */
export interface ReadStream {
  readonly log: string;
  readonly stream: string;
  /** What the subjects of messages begin with. */
  readonly messagePrefix: string;
  readonly partSubject: string;
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
  readonly choice: Pick<ServerChoice, 'watched'>;
  readonly confirmMs: number;
  readonly closing: AbortSignal;
  /** Told of each message that was read. */
  readonly onRead: (place: Place) => void;
  /** Told what whoever runs the servers should know. */
  readonly warn: (message: string) => void;
}

/**
 * Reads a stream in sessions. Each begins by looking whether the stream still has what was read last; any trouble ends a session and begins
 * the next one.
 */
export async function* readStream(
  source: ReadStream,
  after: number,
  options: ReadOptions,
  signal: AbortSignal,
): AsyncGenerator<LogMessage> {
  const over = new AbortController();
  // Not `AbortSignal.any`: what that makes of a signal that lives long is kept for ever (Node 20).
  const ends = [signal, source.closing].map((each) => onAbort(each, () => over.abort(each.reason)));
  if (signal.aborted || source.closing.aborted) over.abort();
  try {
    yield* readSessions(source, new Reading(source, after, options), signal, over.signal);
  } finally {
    for (const end of ends) end();
  }
  if (!signal.aborted) throw new ServicesClosed();
}

/** Reads until `ended` aborts. */
async function* readSessions(
  source: ReadStream,
  reading: Reading,
  signal: AbortSignal,
  ended: AbortSignal,
): AsyncGenerator<LogMessage> {
  while (!ended.aborted) {
    let beginning: Promise<Session> | undefined;
    try {
      await verify(source, reading, ended);
      reading.restart();
      beginning = Session.begin(source, reading, ended);
      for await (const message of (await beginning).messages) {
        if (ended.aborted) break;
        if (!reading.follows(message)) break;
        reading.isTaking = true;
        const stored = reading.parsed(message);
        const atLeader = await reading.check.compare(message, reading.isDoubtful(stored), ended);
        if (atLeader === 'other') reading.warn(message.seq, (await beginning).server);
        // The next session may be with another server.
        if (atLeader !== 'same') break;
        const read = await reading.take(message, stored, ended);
        if (read) yield read;
        reading.isTaking = false;
      }
    } catch (error) {
      if (source.closing.aborted) break;
      if (signal.aborted) return;
      if (!isPassing(error) && !isConsumerTrouble(error)) throw error;
    } finally {
      beginning?.then((session) => session.end()).catch(() => {});
    }
    if (!ended.aborted) await pause(RETRY_MS, ended).catch(() => {});
  }
}

/** How far a stream has been read. */
class Reading {
  readonly #source: ReadStream;
  readonly #places: ReadPlaces;
  readonly #parts: PartBuffer;
  readonly check: LeaderCheck;
  /** What the stream is asked for, where that isn't all it has. */
  readonly filter: string | undefined;
  /** The last message that was read as a whole. */
  at: number;
  /** What comes next: after `at`, or after parts of a message that isn't there as a whole. */
  next: number;
  /** Whether a message is being taken, by whoever reads too: no other one is waited for meanwhile. */
  isTaking = false;
  #warned: number | undefined;
  /** What was missing when another message came. */
  gap: number | undefined;

  constructor(source: ReadStream, after: number, { checksum, subject, isRare = false }: ReadOptions) {
    this.#source = source;
    this.check = new LeaderCheck(source, isRare);
    if (subject !== undefined) this.filter = publishedSubjects(source.messagePrefix, checkedSubject(subject));
    const start = checksum === undefined ? undefined : { position: after, checksum };
    this.#places = new ReadPlaces(source.log, start);
    this.#parts = new PartBuffer(source);
    this.at = after;
    this.next = after + 1;
  }

  /** The checksum of the message at `at`, where it is known. */
  get checksum(): number | undefined {
    return this.#places.last?.checksum;
  }

  /** Begins anew behind the last whole message. */
  restart(): void {
    this.isTaking = false;
    this.gap = undefined;
    this.next = this.at + 1;
  }

  /**
   * Whether a message is the next one; what is missing is looked for when the next session begins. Of a filtered stream it is known where a
   * message says which one it was appended behind. A server that lags begins where it is, before what it was asked for.
   */
  follows({ seq, subject }: Pick<StoredMsg, 'seq' | 'subject'>): boolean {
    if (this.filter === undefined) {
      if (seq === this.next) return true;
      this.gap = this.next;
      return false;
    }
    if (seq < this.next) return false;
    const before = expectedLast(subject) ?? 0;
    if (before <= this.at || before >= seq) return true;
    this.gap = before;
    return false;
  }

  /** A message as a log has written it; undefined where it is a part of one, null where it isn't any. */
  parsed(message: Parameters<typeof storedMessage>[0]): StoredMessage | undefined | null {
    const { partSubject, messagePrefix } = this.#source;
    return message.subject === partSubject ? undefined : (storedMessage(message, messagePrefix) ?? null);
  }

  /** Whether its writer had read another message in the place of one that was read here. */
  isDoubtful(stored: StoredMessage | undefined | null): boolean {
    return stored === null || (stored !== undefined && this.#places.differs(stored));
  }

  /** A server has another message than the one that leads: that is said once. */
  warn(position: number, server = 'that it reads from'): void {
    if (this.#warned === position) return;
    this.#warned = position;
    this.#source.warn(
      `the NATS server [${server}] has another message at ${position} of the log [${this.#source.log}] than the server that leads it: this node leaves it out. End that server, delete what it has stored, and start it again: it gets all from the others`,
    );
  }

  /** Takes the next message; nothing where it is a part of a longer one. */
  async take(
    message: Parameters<typeof storedMessage>[0],
    stored: StoredMessage | undefined | null,
    signal: AbortSignal,
  ): Promise<LogMessage | undefined> {
    const { log, onRead } = this.#source;
    this.next = message.seq + 1;
    if (stored === undefined) {
      this.#parts.keep(message.seq, message.data);
      return undefined;
    }
    if (stored === null) throw new LogDiffers(log, message.seq);
    const { position, subject, id, after } = stored;
    const bytes = stored.parts ? await this.#parts.joined(stored.parts, position, signal) : stored.bytes;
    const checksum = this.#places.take(stored);
    onRead({ position, checksum });
    this.at = position;
    return { position, subject, id, bytes, checksum, ...(after === undefined ? {} : { after }) };
  }
}

/**
 * Resolves when the stream has the message that was read at `at`, and nothing is missing after it. What seems to be lost counts when it has
 * been so for a while: a server that doesn't lead any more may not know it yet, and answers with what it has.
 */
async function verify(source: ReadStream, reading: Reading, signal: AbortSignal): Promise<void> {
  const { log, confirmMs, connection } = source;
  let since: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    let problem: ClusterError | undefined;
    try {
      problem = await source.choice.watched(
        'read',
        hedged(() => problemOf(source, reading)),
      );
      if (!problem) return;
    } catch (error) {
      if (error instanceof LogTrimmed) throw error;
      if (isConnectionClosed(error) || connection.isClosed()) throw new ServicesClosed();
      if (isStreamMissing(error)) problem = new LogMissing(log);
      else if (!isPassing(error)) throw error;
    }
    if (problem) {
      since ??= performance.now();
      if (performance.now() - since >= confirmMs) throw problem;
    } else since = undefined;
    await pause(Math.min(RETRY_MS, confirmMs), signal);
  }
}

async function problemOf(
  { log, stream, manager, messagePrefix }: ReadStream,
  { at, checksum, gap, filter, check }: Reading,
): Promise<ClusterError | undefined> {
  const info = await manager.streams.info(stream);
  const { state, config } = info;
  check.begin(config.num_replicas, state.last_seq);
  if (at > state.last_seq) {
    demandMajority(info);
    return new LogShortened(log, at, state.last_seq);
  }
  if (state.first_seq > at + 1) {
    if (filter === undefined) throw new LogTrimmed(log, at, state.first_seq);
    const query = { seq: state.first_seq, next_by_subj: filter };
    const next = await manager.streams.getMessage(stream, query);
    // One that was appended behind what was read is the next one: none of the subject is missing.
    if (next && (expectedLast(next.subject) ?? at + 1) > at) throw new LogTrimmed(log, at, state.first_seq);
  }
  if (checksum !== undefined && at >= state.first_seq && state.messages > 0) {
    const message = await manager.streams.getMessage(stream, { seq: at });
    const there = message && storedMessage(withHeaders(message), messagePrefix);
    if (!there || checksumOf(there) !== checksum) return new LogDiffers(log, at);
  }
  if (gap !== undefined && gap <= state.last_seq && !(await manager.streams.getMessage(stream, { seq: gap })))
    return state.first_seq > gap ? undefined : new LogDiffers(log, gap);
  return undefined;
}

/** The last position of what is read. */
async function lastOf({ stream, manager }: ReadStream, filter: string | undefined): Promise<number> {
  if (filter === undefined) return (await manager.streams.info(stream)).state.last_seq;
  return (await manager.streams.getMessage(stream, { last_by_subj: filter }))?.seq ?? 0;
}

function withHeaders({ seq, subject, data, header: headers }: StoredMsg) {
  return { seq, subject, data, headers };
}

/** One stretch of reading without trouble. */
class Session {
  readonly messages: ConsumerMessages;
  /** The server that sends them, where that is known. */
  readonly server: string | undefined;
  readonly #forget: () => void;

  private constructor(messages: ConsumerMessages, server: string | undefined, forget: () => void) {
    this.messages = messages;
    this.server = server;
    this.#forget = forget;
  }

  static async begin(
    source: ReadStream,
    reading: Pick<Reading, 'next' | 'filter' | 'isTaking'>,
    signal: AbortSignal,
  ): Promise<Session> {
    const { next, filter } = reading;
    const consumer = await source.client.consumers.get(source.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: next,
      inactive_threshold: FORGOTTEN_MS,
      ...(filter === undefined ? {} : { filter_subjects: filter }),
    });
    const messages = await consumer.consume({
      max_messages: AHEAD,
      expires: PULL_MS,
      idle_heartbeat: LIFE_MS,
    });
    const close = () => void messages.close();
    const unlisten = onAbort(signal, close);
    if (signal.aborted) close();
    const watchTrouble = async () => {
      for await (const { type } of messages.status()) if (TROUBLE.has(type)) close();
    };
    const connectionStatus = source.connection.status();
    const watchConnection = async () => {
      for await (const { type } of connectionStatus) if (type === 'reconnect') close();
    };
    void watchTrouble();
    void watchConnection();
    const endWatch = watchSilence({
      next: () => (reading.isTaking ? undefined : reading.next),
      last: () => lastOf(source, filter),
      stuck: close,
    });
    const { cluster } = await consumer.info(true);
    return new Session(messages, cluster?.leader, () => {
      endWatch();
      unlisten();
      close();
      (connectionStatus as { stop?: () => void }).stop?.();
      consumer.delete().catch(() => {});
    });
  }

  end(): void {
    this.#forget();
  }
}
