import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  MAX_MESSAGE_BYTES,
  MessageTooLarge,
  PeerFailed,
  PeerRejected,
  PeerUnreachable,
  ServicesClosed,
} from '../../cluster/errors.js';
import { checkedName } from '../../cluster/names.js';
import { onAbort } from '../../cluster/onAbort.js';
import type { PeerHandler, Peers, QuestionLimit } from '../../cluster/peers.js';
import type { NatsNames } from './natsOptions.js';
import { PeerAnswers } from './peerAnswers.js';
import { type Frame, frameBytes, readFrame } from './peerFrames.js';
import { IncomingBytes, OutgoingBytes } from './transfers.js';

/** Milliseconds without any sign after which a node counts as unreachable. */
const SILENCE_MS = 3000;
/**
 * It is looked so often whether there was one. Looks are counted, not time: what came while this process stood still is read before the next.
 */
const LOOK_MS = 500;
/** Bytes of a piece, at most. */
const PIECE_BYTES = 256 * 1024;
/** Bytes of a frame beside its piece. */
const FRAME_ROOM = 1024;

/** Milliseconds after which a question that nobody takes is sent again: servers hear of each other's nodes with a delay. */
const AGAIN_MS = [30, 100, 300];

/** A question that waits for its answer. */
interface Asked {
  readonly node: string;
  /** Looks since something was heard of the node. */
  silent: number;
  readonly giveUp: (reason: unknown) => void;
  readonly settle: (how: () => void) => void;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly send: () => void;
  /** Times that nobody took it. */
  refused: number;
  outgoing: OutgoingBytes | undefined;
  incoming: IncomingBytes | undefined;
}

/** Questions between nodes, as messages of NATS that are delivered at most once. */
export class NatsPeers implements Peers {
  readonly #connection: NatsConnection;
  readonly #names: NatsNames;
  readonly #node: string;
  readonly #process: string;
  /** Subject of this process' answers, up to the number of the question. */
  readonly #answerPrefix: string;
  readonly #inbox: Subscription;
  readonly #asked = new Map<string, Asked>();
  #answers: PeerAnswers | undefined;
  #questions = 0;
  #closed = false;
  #looking: ReturnType<typeof setInterval> | undefined;

  /** @param process a name that no other process of the cluster has */
  constructor(connection: NatsConnection, names: NatsNames, node: string, process: string) {
    this.#connection = connection;
    this.#names = names;
    this.#node = node;
    this.#process = process;
    this.#answerPrefix = `${names.answers}${checkedName('node', process)}.`;
    this.#inbox = connection.subscribe(`${this.#answerPrefix}*`, {
      callback: (error, message) => this.#heard(error, message),
    });
  }

  async serve(handler: PeerHandler, limit: QuestionLimit = () => MAX_MESSAGE_BYTES): Promise<void> {
    if (this.#closed) throw new ServicesClosed();
    this.#answers = new PeerAnswers({
      connection: this.#connection,
      names: this.#names,
      node: this.#node,
      process: this.#process,
      pieceBytes: () => this.#pieceBytes,
      handler,
      limit,
    });
    await this.#connection.flush();
  }

  async ask(node: string, kind: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const to = this.#names.questions(node);
    checkedName('question', kind);
    if (bytes.length > MAX_MESSAGE_BYTES) throw new MessageTooLarge(bytes.length, MAX_MESSAGE_BYTES);
    signal.throwIfAborted();
    if (this.#closed) throw new ServicesClosed();
    const id = String(++this.#questions);
    const reply = `${this.#answerPrefix}${id}`;
    const send = (frame: Frame) => this.#publish(to, frame, reply);
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        unlisten();
        this.#asked.delete(id);
        how();
      };
      const giveUp = (reason: unknown) => {
        settle(() => reject(reason));
        send({ type: 'cancel' });
      };
      const aborted = () => giveUp(signal.reason);
      const unlisten = onAbort(signal, aborted);
      const first = (piece: Uint8Array) => send({ type: 'ask', kind, total: bytes.length, bytes: piece });
      const asked: Asked = {
        node,
        silent: 0,
        giveUp,
        settle,
        resolve,
        reject,
        refused: 0,
        outgoing: undefined,
        incoming: undefined,
        send: () => {
          asked.outgoing = new OutgoingBytes(bytes, this.#pieceBytes, first, send);
        },
      };
      this.#asked.set(id, asked);
      this.#looking ??= setInterval(() => this.#look(), LOOK_MS);
      asked.send();
    });
  }

  /** Gives up questions to nodes that nothing was heard of for too long. */
  #look(): void {
    if (this.#asked.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
    }
    for (const asked of [...this.#asked.values()])
      if (++asked.silent * LOOK_MS > SILENCE_MS)
        asked.giveUp(new PeerUnreachable(asked.node, `nothing was heard of it for ${SILENCE_MS} ms`, true));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#looking);
    this.#answers?.close();
    for (const { settle, reject } of [...this.#asked.values()]) settle(() => reject(new ServicesClosed()));
    if (!this.#connection.isClosed()) this.#inbox.unsubscribe();
  }

  get #pieceBytes(): number {
    return Math.min(PIECE_BYTES, (this.#connection.info?.max_payload ?? PIECE_BYTES) - FRAME_ROOM);
  }

  #publish(to: string, frame: Frame, reply: string): void {
    if (!this.#connection.isClosed()) this.#connection.publish(to, frameBytes(frame), { reply });
  }

  #heard(error: Error | null, message: Msg): void {
    if (error) return;
    const id = message.subject.slice(this.#answerPrefix.length);
    const asked = this.#asked.get(id);
    if (!asked) return;
    // What a server sends when nobody takes the question.
    if (message.data.length === 0 && message.headers?.code === 503) {
      this.#notTaken(id, asked);
      return;
    }
    const frame = readFrame(message.data);
    if (!frame) return;
    asked.silent = 0;
    this.#take(asked, frame, (taken) =>
      this.#publish(this.#names.questions(asked.node), taken, message.subject),
    );
  }

  #notTaken(id: string, asked: Asked): void {
    const ms = AGAIN_MS[asked.refused++];
    if (ms === undefined)
      asked.settle(() => asked.reject(new PeerUnreachable(asked.node, 'it is not there')));
    else setTimeout(() => this.#asked.get(id) === asked && asked.send(), ms);
  }

  #take(asked: Asked, frame: Frame, send: (frame: Frame) => void): void {
    const fail = (reason: string, isRejected = false) => {
      const Failure = isRejected ? PeerRejected : PeerFailed;
      asked.settle(() => asked.reject(new Failure(asked.node, reason)));
    };
    if (frame.type === 'taken') asked.outgoing?.taken(frame.bytes);
    else if (frame.type === 'failed') fail(frame.reason, frame.isRejected);
    else if (frame.type === 'piece') this.#piece(asked, frame.offset, frame.bytes, send);
    else if (frame.type === 'answer' && !asked.incoming) {
      if (frame.total > MAX_MESSAGE_BYTES) fail(new MessageTooLarge(frame.total, MAX_MESSAGE_BYTES).message);
      else {
        asked.incoming = new IncomingBytes(frame.total);
        this.#piece(asked, 0, frame.bytes, send);
      }
    }
  }

  #piece(asked: Asked, offset: number, bytes: Uint8Array, send: (frame: Frame) => void): void {
    const { incoming } = asked;
    if (!incoming?.take(offset, bytes)) {
      send({ type: 'cancel' });
      asked.settle(() => asked.reject(new PeerUnreachable(asked.node, 'a piece of its answer got lost')));
      return;
    }
    if (incoming.complete) asked.settle(() => asked.resolve(incoming.bytes));
    else send(incoming.taken);
  }
}
