import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { MAX_MESSAGE_BYTES, MessageTooLarge } from '../../cluster/errors.js';
import {
  MOST_OPEN_QUESTIONS,
  type PeerHandler,
  QUESTIONS_FULL,
  type QuestionLimit,
} from '../../cluster/peers.js';
import { SpareSignals } from '../../cluster/spareSignals.js';
import type { NatsNames } from './natsOptions.js';
import { type Frame, frameBytes, readFrame } from './peerFrames.js';
import { IncomingBytes, OutgoingBytes } from './transfers.js';

/** Milliseconds between two signs of life while an answer is worked on. */
const ALIVE_MS = 1000;
/** Milliseconds without any piece, or any sign that one was taken, after which the other side is given up. */
const SILENCE_MS = 5000;
/** An asker that hears nothing of so many signs of life in a row has gone. */
const MOST_UNHEARD = 3;
/** Bytes that questions which are still arriving, and answers that aren't taken yet, may hold in all. */
const MAX_HELD = 4 * MAX_MESSAGE_BYTES;
const TOO_MUCH = 'too many long questions and answers are under way';
const LONGEST_REPLY = 512;
/** Made once: each abort without a reason would make an exception of its own, 45 us of a question's 400. */
const OVER = new Error('nobody waits for the answer any more');
const KIND = /^[A-Za-z0-9_-]{1,128}$/;

/** A question of another node. */
interface Open {
  readonly kind: string;
  readonly abort: AbortController;
  readonly send: (frame: Frame) => void;
  incoming: IncomingBytes | undefined;
  outgoing: OutgoingBytes | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the answer is worked on. */
  isWorking: boolean;
  /** Bytes that it holds. */
  held: number;
  /** Its number among those that this process has answered. */
  readonly number: number;
  /** Signs of life that were sent, and those in a row that nobody took, up to which one. */
  signs: number;
  unheard: number;
  lastUnheard: number;
}

/** What answering needs. */
export interface AnsweringOptions {
  connection: NatsConnection;
  names: NatsNames;
  node: string;
  /** A name that no other process of the cluster has. */
  process: string;
  /** Bytes of a piece. */
  pieceBytes(): number;
  handler: PeerHandler;
  limit: QuestionLimit;
}

/** Takes questions for this node and answers them. */
export class PeerAnswers {
  readonly #connection: NatsConnection;
  readonly #replyPrefix: string;
  readonly #pieceBytes: () => number;
  readonly #handler: PeerHandler;
  readonly #limit: QuestionLimit;
  readonly #subscription: Subscription;
  /** What servers send to it when nobody takes a sign of life: the number of the question comes behind. */
  readonly #unheardPrefix: string;
  readonly #unheard: Subscription;
  readonly #signals = new SpareSignals();
  #number = 0;
  /** Open questions by the subject that they are answered to. */
  readonly #open = new Map<string, Open>();
  #held = 0;
  #signing: ReturnType<typeof setInterval> | undefined;

  constructor({ connection, names, node, process, pieceBytes, handler, limit }: AnsweringOptions) {
    this.#connection = connection;
    this.#replyPrefix = names.answers;
    this.#pieceBytes = pieceBytes;
    this.#handler = handler;
    this.#limit = limit;
    this.#unheardPrefix = `${names.answers}${process}.unheard.`;
    this.#unheard = connection.subscribe(`${this.#unheardPrefix}*`, {
      callback: (error, message) => {
        if (!error) this.#wasUnheard(message);
      },
    });
    this.#subscription = connection.subscribe(names.questions(node), {
      callback: (error, message) => {
        if (!error) this.#heard(message);
      },
    });
  }

  close(): void {
    clearInterval(this.#signing);
    for (const reply of [...this.#open.keys()]) this.#end(reply);
    if (this.#connection.isClosed()) return;
    this.#subscription.unsubscribe();
    this.#unheard.unsubscribe();
  }

  /** Nobody took a sign of life: who asked has gone, or is connecting anew. */
  #wasUnheard({ subject, data, headers }: Msg): void {
    if (data.length > 0 || headers?.code !== 503) return;
    const number = Number(subject.slice(this.#unheardPrefix.length));
    for (const [reply, open] of this.#open) {
      if (open.number !== number) continue;
      open.unheard = open.lastUnheard === open.signs - 1 ? open.unheard + 1 : 1;
      open.lastUnheard = open.signs;
      if (open.unheard >= MOST_UNHEARD) this.#end(reply);
    }
  }

  #heard({ reply = '', data }: Msg): void {
    // Whoever could choose where answers go could have this node write to any subject.
    if (!reply.startsWith(this.#replyPrefix) || reply.length > LONGEST_REPLY || /[*>\s]/.test(reply)) return;
    const frame = readFrame(data);
    const open = this.#open.get(reply);
    if (frame?.type === 'ask') this.#ask(reply, frame);
    else if (!frame || !open) return;
    else if (frame.type === 'cancel') this.#end(reply);
    else if (frame.type === 'taken') {
      this.#waitForTheOther(reply, open);
      open.outgoing?.taken(frame.bytes);
    } else if (frame.type === 'piece') this.#piece(reply, open, frame.offset, frame.bytes);
  }

  #ask(reply: string, { kind, total, bytes }: Frame & { type: 'ask' }): void {
    if (this.#open.has(reply)) return;
    const number = ++this.#number;
    const send = (frame: Frame) => {
      if (this.#connection.isClosed()) return;
      const options = frame.type === 'alive' ? { reply: `${this.#unheardPrefix}${number}` } : {};
      this.#connection.publish(reply, frameBytes(frame), options);
    };
    const refused = this.#refusal(kind, total);
    if (refused !== undefined) {
      send({ type: 'failed', ...refused });
      return;
    }
    const open: Open = {
      kind,
      abort: this.#signals.take(),
      send,
      incoming: new IncomingBytes(total),
      outgoing: undefined,
      timer: undefined,
      isWorking: false,
      held: 0,
      number,
      ...{ signs: 0, unheard: 0, lastUnheard: 0 },
    };
    this.#open.set(reply, open);
    this.#hold(open, total);
    this.#piece(reply, open, 0, bytes);
  }

  /** Why a question isn't taken. */
  #refusal(kind: string, total: number): { reason: string; isRejected: boolean } | undefined {
    if (!KIND.test(kind)) return { reason: 'this is no kind of question', isRejected: false };
    const most = Math.min(this.#limit(kind), MAX_MESSAGE_BYTES);
    if (total > most) return { reason: new MessageTooLarge(total, most).message, isRejected: false };
    if (this.#open.size >= MOST_OPEN_QUESTIONS) return { reason: QUESTIONS_FULL, isRejected: true };
    if (this.#held + total > MAX_HELD) return { reason: TOO_MUCH, isRejected: true };
    return undefined;
  }

  #piece(reply: string, open: Open, offset: number, bytes: Uint8Array): void {
    const { incoming } = open;
    if (!incoming) return;
    if (!incoming.take(offset, bytes)) {
      open.send({ type: 'failed', reason: 'a piece of the question got lost', isRejected: false });
      this.#end(reply);
      return;
    }
    if (incoming.complete) {
      open.incoming = undefined;
      void this.#answer(reply, open, incoming.bytes);
    } else {
      this.#waitForTheOther(reply, open);
      open.send(incoming.taken);
    }
  }

  async #answer(reply: string, open: Open, question: Uint8Array): Promise<void> {
    clearTimeout(open.timer);
    open.isWorking = true;
    this.#signing ??= setInterval(() => this.#sign(), ALIVE_MS);
    try {
      const answer = await this.#handler(open.kind, question, open.abort.signal);
      if (this.#open.get(reply) !== open) return;
      if (answer.length > MAX_MESSAGE_BYTES) throw new MessageTooLarge(answer.length, MAX_MESSAGE_BYTES);
      if (this.#held - open.held + answer.length > MAX_HELD) throw new Error(TOO_MUCH);
      const pieceBytes = this.#pieceBytes();
      const first = (bytes: Uint8Array) => open.send({ type: 'answer', total: answer.length, bytes });
      this.#hold(open, answer.length);
      if (answer.length > pieceBytes) this.#waitForTheOther(reply, open);
      open.outgoing = new OutgoingBytes(answer, pieceBytes, first, open.send);
      if (answer.length <= pieceBytes) this.#forget(reply, open);
    } catch (error) {
      if (this.#open.get(reply) !== open) return;
      const reason = error instanceof Error ? error.message : String(error);
      open.send({ type: 'failed', reason, isRejected: false });
      this.#end(reply);
    } finally {
      open.isWorking = false;
      // A long answer that isn't taken may be given up still.
      if (this.#open.get(reply) !== open) this.#signals.giveBack(open.abort);
    }
  }

  /** Shows those who wait for answers that this node lives. */
  #sign(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#signing);
      this.#signing = undefined;
    }
    for (const open of this.#open.values()) {
      if (!open.isWorking) continue;
      open.signs++;
      open.send({ type: 'alive' });
    }
  }

  /** Gives the question up when nothing is heard for a while; a long answer that was taken ends so as well. */
  #waitForTheOther(reply: string, open: Open): void {
    clearTimeout(open.timer);
    open.timer = setTimeout(() => this.#end(reply), SILENCE_MS);
    open.timer.unref();
  }

  #hold(open: Open, bytes: number): void {
    this.#held += bytes - open.held;
    open.held = bytes;
  }

  #end(reply: string): void {
    const open = this.#open.get(reply);
    if (!open) return;
    this.#forget(reply, open);
    open.abort.abort(OVER);
  }

  #forget(reply: string, open: Open): void {
    this.#open.delete(reply);
    this.#hold(open, 0);
    clearTimeout(open.timer);
  }
}
