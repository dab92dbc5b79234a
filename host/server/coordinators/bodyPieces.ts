/** Bodies that are too long for the memory, on their way to another thread. */
import type { BodyStream } from '../../rest/bodyStream.js';
import { toWire } from '../protocol.js';
import type { Told } from './messages.js';

/** A body that is sent piece by piece. */
export class BodyPieces {
  #take: (() => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #ended = false;
  readonly done: Promise<void>;
  readonly #stream: BodyStream;
  #started = false;
  readonly #send: (message: Told) => void;
  readonly #id: number;
  #finish!: () => void;

  constructor(stream: BodyStream, send: (message: Told) => void, id: number) {
    this.#stream = stream;
    this.#send = send;
    this.#id = id;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** A piece is wanted. */
  take(): void {
    if (!this.#started) {
      this.#started = true;
      void this.#run();
      return;
    }
    const take = this.#take;
    this.#take = undefined;
    take?.();
  }

  /** None is wanted any more. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#started) this.#fail?.(new Error('nobody takes the rest'));
    else {
      this.#stream.release();
      this.#finish();
    }
  }

  async #run(): Promise<void> {
    const piece = (bytes: Uint8Array | undefined, error?: unknown) =>
      this.#send({ piece: this.#id, bytes, error: error === undefined ? undefined : toWire(error) });
    try {
      await this.#stream.write((bytes) => {
        if (this.#ended) return Promise.reject(new Error('nobody takes the rest'));
        piece(bytes);
        return new Promise((resolve, reject) => {
          this.#take = resolve;
          this.#fail = reject;
        });
      });
      piece(undefined);
    } catch (e) {
      piece(undefined, e);
    } finally {
      this.#ended = true;
      this.#finish();
    }
  }
}
