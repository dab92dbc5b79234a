/** The answering side of the way to a data worker: the calls of one thread, and what is answered to it. */
import { type MessagePort, receiveMessageOnPort, type TransferListItem } from 'node:worker_threads';
import type { Checkpoint } from '../shard/shardClient.js';
import { clockNow } from '../workLimit.js';
import {
  type Answer,
  type Answers,
  type Call,
  type Calls,
  type Cancelled,
  decodeSearches,
  encodeSmallValues,
  isCancelled,
  type Searches,
  type SmallValue,
  toWire,
  type WorkerPort,
} from './protocol.js';

/**
 * So many small answers are sent while further calls wait, so that the calling thread writes them meanwhile; more where more calls wait,
 * as each message wakes a thread. With 64 connections 8 at a time are 10 to 20 % more requests a second and a fifth less to wait than
 * where all wait for the last one. As many at a time as still wait save 8 % of the calling thread's processor time and 4 % of the worker's.
 */
const AT_ONCE = 8;
/** Values of more bytes are sent for themselves. */
const SMALL_BYTES = 16 * 1024;

/** What a thread sends: calls, or a port for another one. */
export type CallerMessage = Calls | Searches | WorkerPort;

/** What a data worker knows of itself when it answers. */
export interface Answering {
  /** Bytes of fields' values that its searches have needed. */
  readonly fielddata: number;
}

/** A thread that calls a data worker. */
export class Caller {
  readonly port: MessagePort;
  readonly #cancelled: Cancelled;
  readonly #worker: Answering;
  #answers: Answer[] = [];
  #smallValues: SmallValue[] = [];

  constructor(port: MessagePort, cancelled: Cancelled, worker: Answering) {
    this.port = port;
    this.#cancelled = cancelled;
    this.#worker = worker;
  }

  /** The next message that has come already; undefined where there is none. */
  receive(): CallerMessage | undefined {
    return receiveMessageOnPort(this.port)?.message as CallerMessage | undefined;
  }

  /** Whether the time of a call is over, or nobody waits for it any more. */
  isOver({ id, deadline }: Call): boolean {
    return clockNow() >= deadline || isCancelled(this.#cancelled, id);
  }

  answer(id: number, value: unknown): void {
    this.#willTell();
    if (value instanceof Uint8Array && value.length <= SMALL_BYTES)
      this.#smallValues.push({ id, small: value });
    else this.#answers.push({ id, value });
  }

  fail(id: number, error: unknown): void {
    this.#willTell();
    this.#answers.push({ id, error: toWire(error) });
  }

  /** Sends small answers if there are enough of them; `waiting`: calls of such a thread that have not been carried out yet. */
  tellIfMany(waiting: number): void {
    if (this.#smallValues.length >= Math.max(AT_ONCE, waiting)) this.tell();
  }

  /** Sends what has been answered. */
  tell(): void {
    if (this.#smallValues.length > 0)
      this.port.postMessage(encodeSmallValues(this.#smallValues, this.#worker.fielddata));
    this.#smallValues = [];
    if (this.#answers.length === 0) return;
    const list = this.#answers;
    this.#answers = [];
    const transfer = list.flatMap((each) => ('value' in each ? transferable(each.value) : []));
    this.port.postMessage({ list, fielddata: this.#worker.fielddata } satisfies Answers, transfer);
  }

  /** Answers that are there at the same time go together. */
  #willTell(): void {
    if (this.#answers.length + this.#smallValues.length === 0) queueMicrotask(() => this.tell());
  }
}

/** The calls of a message. */
export function callsOf(message: Calls | Searches): Calls {
  return message instanceof Uint8Array ? decodeSearches(message) : message;
}

/** Buffers that the host has no more use for move instead of being copied. */
function transferable(value: unknown): TransferListItem[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  if (typeof value !== 'object' || value === null || !('segments' in value)) return [];
  const { segments } = value as Partial<Checkpoint>;
  return (segments ?? []).flatMap(({ image }) => (image?.buffer instanceof ArrayBuffer ? image.buffer : []));
}
