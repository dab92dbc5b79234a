import {
  type JetStreamClient,
  JetStreamError,
  type JetStreamManager,
  type StoredMsg,
  type StreamInfo,
  jetstream,
} from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { Place } from '../../cluster/checksum.js';
import {
  LogMissing,
  LogUnavailable,
  MAX_MESSAGE_BYTES,
  MessageTooLarge,
  UnexpectedLast,
} from '../../cluster/errors.js';
import type { AppendOptions, Log, LogExtent, LogMessage, ReadOptions } from '../../cluster/log.js';
import { checkedSubject } from '../../cluster/names.js';
import type { BytesInFlight } from './bytesInFlight.js';
import { hedged } from './hedged.js';
import { LogTrouble } from './logTrouble.js';
import { demandMajority } from './majority.js';
import { apiCode, isStreamMissing, isWrongLast, pause, retried } from './natsErrors.js';
import {
  contentChecksum,
  headersOf,
  idOf,
  partsPayload,
  publishedSubject,
  publishedSubjects,
} from './natsMessages.js';
import { isNotTaken, isPassing } from './passing.js';
import type { NatsNames } from './natsOptions.js';
import { readStream } from './natsReader.js';
import type { ServerChoice } from './serverChoice.js';

/** Milliseconds that a server may take to acknowledge before the message is sent again. */
const ACKNOWLEDGED_MS = 1000;
/** The code that says of a message which is sent again that it is being stored (2.11 and newer). */
const BEING_STORED = 10158;
/** Milliseconds that are waited for the answer that there is no such stream. */
const MISSING_MS = 300;
/** Milliseconds until a question of readers has no answer. */
const QUESTION_MS = 2500;
/** An append that took longer may have been halted for so long that what it expected has been trimmed; messages are kept for minutes. */
const HALTED_MS = 60_000;
/** Bytes of a message that the headers may take, beside its payload. */
const HEADER_ROOM = 4096;
/** Bytes of a part, at most. */
const PART_BYTES = 512 * 1024;
/** Positions before a trim at which parts may be that belong to a message after it. */
const PART_WINDOW = 1024;

/** What the logs of one process share. */
export interface NatsLogContext {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly names: NatsNames;
  readonly choice: ServerChoice;
  readonly inFlight: BytesInFlight;
  readonly confirmMs: number;
  /** Aborts when the services are closed. */
  readonly closing: AbortSignal;
  newId(): string;
  warn(message: string): void;
}

/** A log that is a stream of JetStream. */
export class NatsLog implements Log {
  readonly name: string;
  readonly #context: NatsLogContext;
  readonly #client: JetStreamClient;
  readonly #stream: string;
  /** What the subjects of messages begin with. */
  readonly #prefix: string;
  readonly #trouble: LogTrouble;
  /** What this process has read last. */
  #lastRead: Place | undefined;

  constructor(name: string, context: NatsLogContext) {
    this.name = name;
    this.#context = context;
    this.#client = jetstream(context.connection, { timeout: QUESTION_MS });
    this.#trouble = new LogTrouble(name, context.choice);
    this.#stream = context.names.stream(name);
    this.#prefix = context.names.messages(name);
  }

  get trouble(): string | undefined {
    return this.#trouble.reason;
  }

  async append(subject: string, bytes: Uint8Array, options: AppendOptions = {}): Promise<number> {
    checkedSubject(subject);
    if (bytes.length > MAX_MESSAGE_BYTES) throw new MessageTooLarge(bytes.length, MAX_MESSAGE_BYTES);
    const { id = this.#context.newId(), expectLast, signal } = options;
    const to = publishedSubject(this.#prefix, subject, expectLast);
    const release = await this.#context.inFlight.take(bytes.length, signal);
    try {
      const whole = bytes.length <= this.#payloadLimit();
      const payload = whole ? bytes : await this.#appendParts(bytes, id, signal);
      const publish = () =>
        this.#publish(to, payload, id, headersOf(this.#lastRead, !whole), expectLast !== undefined);
      if (expectLast === undefined) return await retried(this.#trouble, 'write', this.name, publish, signal);
      const began = performance.now();
      const position = await retried(
        this.#trouble,
        'write',
        this.name,
        () => this.#publishAfter(subject, id, expectLast, publish),
        signal,
      );
      if (performance.now() - began > HALTED_MS) await this.#demandThat(subject, expectLast);
      return position;
    } finally {
      release();
    }
  }

  /** Publishes when the subject's last message is the expected one. */
  async #publishAfter(subject: string, id: string, expectLast: number, publish: () => Promise<number>) {
    const last = await this.#lastMessage(subject);
    // An earlier try may have got through without its acknowledgement.
    if (last && idOf(last.header) === id) return last.seq;
    if ((last?.seq ?? 0) === expectLast) {
      try {
        return await publish();
      } catch (error) {
        if (!isWrongLast(error)) throw error;
        const first = await this.#lastMessage(subject, expectLast);
        if (first && idOf(first.header) === id) return first.seq;
      }
    }
    throw new UnexpectedLast(this.name, subject, expectLast);
  }

  /**
   * Refuses what was expected where that has been trimmed meanwhile: servers know what followed it no more, and have taken the message. Readers
   * leave it out.
   */
  async #demandThat(subject: string, expected: number): Promise<void> {
    if ((await this.firstPosition()) > Math.max(1, expected))
      throw new UnexpectedLast(this.name, subject, expected);
  }

  read(after: number, signal: AbortSignal, options: ReadOptions = {}): AsyncIterable<LogMessage> {
    const { connection, manager, names, confirmMs, closing, warn } = this.#context;
    return readStream(
      {
        log: this.name,
        stream: this.#stream,
        messagePrefix: this.#prefix,
        partSubject: names.parts(this.name),
        connection,
        manager,
        client: this.#client,
        choice: this.#trouble,
        confirmMs,
        closing,
        warn,
        onRead: (place) => {
          this.#lastRead = place;
        },
      },
      after,
      options,
      signal,
    );
  }

  async lastPosition(subject?: string): Promise<number> {
    if (subject !== undefined) checkedSubject(subject);
    const read = this.#lastRead?.position;
    if (subject === undefined && read !== undefined) {
      // A bulk request's message would come whole, in base64.
      const { last_seq } = (await this.#info()).state;
      if (last_seq === read) return read;
    }
    // Both of one server: one that is cut off answers with the last message that it has got itself.
    const [last, { state }] = await retried(this.#trouble, 'read', this.name, () =>
      hedged(() => Promise.all([this.#lastMessage(subject), this.#infoOfMajority()])),
    );
    if (last) return last.seq;
    return subject === undefined ? Math.max(1, state.first_seq) - 1 : 0;
  }

  async firstPosition(): Promise<number> {
    return Math.max(1, (await this.#info()).state.first_seq);
  }

  async extent(): Promise<LogExtent> {
    const { first_seq, last_seq, bytes } = (await this.#info()).state;
    return { first: Math.max(1, first_seq), last: last_seq, bytes };
  }

  async trim(before: number): Promise<void> {
    const { manager, names } = this.#context;
    const { first_seq, last_seq } = (await this.#info()).state;
    let first = Math.min(before, last_seq + 1);
    if (first <= first_seq) return;
    const seq = Math.max(1, first_seq, first - PART_WINDOW);
    const query = { seq, next_by_subj: names.parts(this.name) };
    const part = await retried(this.#trouble, 'read', this.name, () =>
      manager.streams.getMessage(this.#stream, query),
    );
    if (part) first = Math.min(first, part.seq);
    if (first > first_seq)
      await retried(this.#trouble, 'write', this.name, () =>
        manager.streams.purge(this.#stream, { seq: first }),
      );
  }

  async delete(): Promise<void> {
    try {
      await retried(this.#trouble, 'write', this.name, () =>
        this.#context.manager.streams.delete(this.#stream),
      );
    } catch (error) {
      if (!(error instanceof LogMissing)) throw error;
    }
  }

  /** The last message of a subject, or of all, or the one that expected a certain message before it. */
  #lastMessage(subject: string | undefined, expected?: number): Promise<StoredMsg | null> {
    const of =
      subject !== undefined && expected !== undefined
        ? publishedSubject(this.#prefix, subject, expected)
        : publishedSubjects(this.#prefix, subject);
    return this.#context.manager.streams.getMessage(this.#stream, { last_by_subj: of });
  }

  #info(): Promise<StreamInfo> {
    return retried(this.#trouble, 'read', this.name, () => hedged(() => this.#infoOfMajority()));
  }

  async #infoOfMajority(): Promise<StreamInfo> {
    const info = await this.#context.manager.streams.info(this.#stream);
    demandMajority(info);
    return info;
  }

  /** Bytes that one message may have. */
  #payloadLimit(): number {
    return (this.#context.connection.info?.max_payload ?? PART_BYTES) - HEADER_ROOM;
  }

  /** Appends the parts of a long message, each once whatever happens; the payload that names them. */
  async #appendParts(bytes: Uint8Array, id: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const size = Math.min(PART_BYTES, this.#payloadLimit());
    const to = this.#context.names.parts(this.name);
    const positions: number[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const part = bytes.subarray(at, at + size);
      const partId = `${id}/${positions.length}`;
      positions.push(
        await retried(
          this.#trouble,
          'write',
          this.name,
          () => this.#publish(to, part, partId, headersOf(undefined, false)),
          signal,
        ),
      );
    }
    return partsPayload({ positions, bytes: bytes.length, checksum: contentChecksum(bytes) });
  }

  /** @param first whether it has to be the first message of its subject */
  async #publish(
    to: string,
    payload: Uint8Array,
    id: string,
    headers: MsgHdrs,
    first = false,
  ): Promise<number> {
    const expect = { streamName: this.#stream, ...(first ? { lastSubjectSequence: 0 } : {}) };
    try {
      const options = { msgID: id, headers, expect, timeout: ACKNOWLEDGED_MS, retries: 0 };
      const { seq } = await this.#client.publish(to, payload, options);
      // Servers know a message that is sent again before they have stored it, and acknowledge it with no position then (2.10).
      if (!(seq >= 1)) throw new JetStreamError('the message is being stored');
      return seq;
    } catch (error) {
      if (apiCode(error) === BEING_STORED) throw new JetStreamError(String(error));
      // Nobody takes it: the stream has no leader at the moment, or there is none.
      if (isNotTaken(error)) await this.#demandThere();
      else if (apiCode(error) !== undefined && !isWrongLast(error) && !isPassing(error))
        throw new LogUnavailable(this.name, String(error));
      throw error;
    }
  }

  /** Throws where there is no such stream. While nobody leads it, there is no answer. */
  async #demandThere(): Promise<void> {
    const asked = this.#context.manager.streams.info(this.#stream);
    try {
      await Promise.race([asked, pause(MISSING_MS)]);
    } catch (error) {
      if (isStreamMissing(error)) throw error;
    } finally {
      asked.catch(() => {});
    }
  }
}
