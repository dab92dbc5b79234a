/**
 * Whether the server that leads a stream has the message that another one sends. A server that was killed, or cut off from the others, may come
 * back with a message that no other server got, or without some that they have, and go on with both for good: NATS 2.9 is seen to do so. Whoever
 * read from it would carry out what nobody else does. It shows where reading goes on after trouble.
 */
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { hedged } from './hedged.js';
import { pause } from './natsErrors.js';
import { isSameMessage } from './natsMessages.js';
import type { ServerChoice } from './serverChoice.js';

/** Messages that are looked for at the leader when a session begins, and positions before and after the end that the stream has then. */
const FIRST = 32;
const NEAR_END = 32;
/** Milliseconds that a leader may be behind a server which follows it. */
const BEHIND_MS = 1000;
const RETRY_MS = 50;

/** A message as a reader gets it. */
export interface SentMessage {
  readonly seq: number;
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
}

export interface LeaderCheckSource {
  readonly stream: string;
  readonly manager: Pick<JetStreamManager, 'streams'>;
  readonly choice: Pick<ServerChoice, 'watched'>;
}

export class LeaderCheck {
  readonly #source: LeaderCheckSource;
  readonly #isOfAll: boolean;
  #isShared = false;
  /** Whether reading began where the log did, and has gone on since: there was no trouble. */
  #isNew: boolean | undefined;
  #last = 0;
  #compared = 0;

  /** @param isOfAll whether all messages are looked for */
  constructor(source: LeaderCheckSource, isOfAll: boolean) {
    this.#source = source;
    this.#isOfAll = isOfAll;
  }

  /** A session begins. @param copies servers that have the stream @param last position that its leader has */
  begin(copies: number, last: number): void {
    this.#isShared = copies > 1;
    this.#isNew = this.#isNew === undefined && last === 0;
    this.#last = last;
    this.#compared = 0;
  }

  /**
   * What the leader has in a message's place: the same, or it isn't one that is looked for; another one; or nothing yet.
   * @param isDoubtful whether it has to be looked for in any case
   */
  async compare(
    message: SentMessage,
    isDoubtful: boolean,
    signal: AbortSignal,
  ): Promise<'same' | 'other' | 'nothing'> {
    const isNear = this.#compared < FIRST || Math.abs(message.seq - this.#last) <= NEAR_END;
    const isAfterTrouble = isNear && this.#isNew !== true;
    if (!this.#isShared || !(isAfterTrouble || isDoubtful || this.#isOfAll)) return 'same';
    this.#compared++;
    const began = performance.now();
    for (;;) {
      const there = await this.#atLeader(message.seq);
      if (there !== null)
        return isSameMessage(message, { subject: there.subject, data: there.data, headers: there.header })
          ? 'same'
          : 'other';
      // It may have told the other server before it came to it itself.
      if (performance.now() - began >= BEHIND_MS) return 'nothing';
      await pause(RETRY_MS, signal);
    }
  }

  /** Such questions are answered by whoever leads. */
  #atLeader(seq: number): Promise<Pick<StoredMsg, 'seq' | 'subject' | 'data' | 'header'> | null> {
    const { stream, manager, choice } = this.#source;
    return choice.watched(
      'read',
      hedged(() => manager.streams.getMessage(stream, { seq })),
    );
  }
}
