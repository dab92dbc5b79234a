import {
  MAX_MESSAGE_BYTES,
  MessageTooLarge,
  PeerFailed,
  PeerRejected,
  PeerUnreachable,
  ServicesClosed,
} from '../errors.js';
import { checkedName } from '../names.js';
import { onAbort } from '../onAbort.js';
import {
  MOST_OPEN_QUESTIONS,
  type PeerHandler,
  type Peers,
  QUESTIONS_FULL,
  type QuestionLimit,
} from '../peers.js';
import type { NodeProcess } from './nodeProcess.js';

/** Milliseconds between two signs of life of a node that works on an answer. */
const LIFE_MS = 1000;
/** Milliseconds without any sign after which a node counts as unreachable. */
const SILENCE_MS = 3000;

/** Questions between nodes, as one node asks and answers them. */
export class NodePeers implements Peers {
  readonly #process: NodeProcess;
  readonly #find: (node: string) => NodePeers | undefined;
  /** Questions that have been carried out or are: each once. */
  readonly #seen = new Set<string>();
  readonly #aborts = new Map<string, AbortController>();
  #handler: PeerHandler | undefined;
  #limit: QuestionLimit = () => MAX_MESSAGE_BYTES;
  #asked = 0;

  /** @param find the peers of a node's running process */
  constructor(process: NodeProcess, find: (node: string) => NodePeers | undefined) {
    this.#process = process;
    this.#find = find;
  }

  async serve(handler: PeerHandler, limit: QuestionLimit = this.#limit): Promise<void> {
    this.#handler = handler;
    this.#limit = limit;
  }

  async ask(node: string, kind: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    checkedName('node', node);
    checkedName('question', kind);
    if (bytes.length > MAX_MESSAGE_BYTES) throw new MessageTooLarge(bytes.length, MAX_MESSAGE_BYTES);
    signal.throwIfAborted();
    const { clock } = this.#process;
    this.#process.throwIfClosed();
    const id = `${this.#process.id}-${++this.#asked}`;
    const question = bytes.slice();
    return new Promise((resolve, reject) => {
      let cancelTimer = () => {};
      const settle = (how: () => void) => {
        cancelTimer();
        unlisten();
        unlistenClose();
        how();
      };
      const giveUp = (reason: unknown) => {
        settle(() => reject(reason));
        this.#process.send(node, () => this.#find(node)?.cancel(id));
      };
      const aborted = () => giveUp(signal.reason);
      const unlistenClose = this.#process.onClose(() => giveUp(new ServicesClosed()));
      const heard = () => {
        cancelTimer();
        cancelTimer = clock.after(SILENCE_MS, () =>
          giveUp(new PeerUnreachable(node, `silent for ${SILENCE_MS} ms`, true)),
        );
      };
      const unlisten = onAbort(signal, aborted);
      heard();
      const back: AnswerChannel = {
        isThere: () => this.#process.running,
        alive: () => this.#process.receive(node, heard),
        answer: (answer) => this.#process.receive(node, () => settle(() => resolve(answer))),
        failed: (error) => this.#process.receive(node, () => settle(() => reject(error))),
      };
      this.#process.send(node, () => {
        const peer = this.#find(node);
        if (!peer?.answer(id, kind, question, back))
          back.failed(new PeerUnreachable(node, 'it is not there'));
      });
    });
  }

  /** Gives up a question, one that hasn't arrived yet too. */
  cancel(id: string): void {
    this.#seen.add(id);
    const abort = this.#aborts.get(id);
    this.#aborts.delete(id);
    abort?.abort();
  }

  /** Answers a question, once; false when this node answers none. */
  answer(id: string, kind: string, bytes: Uint8Array, back: AnswerChannel): boolean {
    const handler = this.#handler;
    if (!handler) return false;
    if (this.#seen.has(id)) return true;
    this.#seen.add(id);
    const { clock, name } = this.#process;
    const most = this.#limit(kind);
    if (bytes.length > most) {
      back.failed(new PeerFailed(name, new MessageTooLarge(bytes.length, most).message));
      return true;
    }
    if (this.#aborts.size >= MOST_OPEN_QUESTIONS) {
      back.failed(new PeerRejected(name, QUESTIONS_FULL));
      return true;
    }
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    const unlisten = this.#process.onClose(() => abort.abort());
    let cancelTimer = () => {};
    const signOfLife = () => {
      if (!back.isThere()) return this.cancel(id);
      back.alive();
      cancelTimer = clock.after(LIFE_MS, signOfLife);
    };
    cancelTimer = clock.after(LIFE_MS, signOfLife);
    const done = (how: () => void) => {
      cancelTimer();
      this.#aborts.delete(id);
      unlisten();
      if (this.#process.running) how();
    };
    handler(kind, bytes, abort.signal).then(
      (answer) =>
        done(() =>
          answer.length > MAX_MESSAGE_BYTES
            ? back.failed(new PeerFailed(name, new MessageTooLarge(answer.length, MAX_MESSAGE_BYTES).message))
            : back.answer(answer.slice()),
        ),
      (error) =>
        done(() => back.failed(new PeerFailed(name, error instanceof Error ? error.message : String(error)))),
    );
    return true;
  }
}

/** How an answer gets back to the asker. */
interface AnswerChannel {
  /** Whether the asker's process lives. */
  isThere(): boolean;
  alive(): void;
  answer(bytes: Uint8Array): void;
  failed(error: Error): void;
}
