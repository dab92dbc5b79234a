import { JetStreamError, type JetStreamManager } from '@nats-io/jetstream';
import { LogDiffers, LogTrimmed, MAX_MESSAGE_BYTES } from '../../cluster/errors.js';
import { orAborted } from './natsErrors.js';
import { type Parts, contentChecksum } from './natsMessages.js';

/** Bytes of parts that are kept until their message comes; older ones are fetched again. */
const KEPT_BYTES = 2 * MAX_MESSAGE_BYTES;

/** Parts of long messages that were read before the message itself. */
export class PartBuffer {
  readonly #log: string;
  readonly #stream: string;
  readonly #partSubject: string;
  readonly #manager: JetStreamManager;
  readonly #parts = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(source: { log: string; stream: string; partSubject: string; manager: JetStreamManager }) {
    this.#log = source.log;
    this.#stream = source.stream;
    this.#partSubject = source.partSubject;
    this.#manager = source.manager;
  }

  keep(position: number, bytes: Uint8Array): void {
    this.#drop(position);
    this.#parts.set(position, bytes.slice());
    this.#bytes += bytes.length;
    for (const oldest of this.#parts.keys()) {
      if (this.#bytes <= KEPT_BYTES) break;
      this.#drop(oldest);
    }
  }

  /**
   * The bytes of a message at that position.
   * @throws LogTrimmed when parts of it are gone, LogDiffers when they aren't what was written
   */
  async joined(parts: Parts, position: number, signal: AbortSignal): Promise<Uint8Array> {
    const result = new Uint8Array(parts.bytes);
    let at = 0;
    for (const part of parts.positions) {
      const bytes = this.#parts.get(part) ?? (await this.#fetched(part, position, signal));
      if (at + bytes.length > result.length) throw new LogDiffers(this.#log, position);
      result.set(bytes, at);
      at += bytes.length;
      this.#drop(part);
    }
    if (at !== result.length || contentChecksum(result) !== parts.checksum)
      throw new LogDiffers(this.#log, position);
    return result;
  }

  async #fetched(part: number, position: number, signal: AbortSignal): Promise<Uint8Array> {
    const { state } = await orAborted(this.#manager.streams.info(this.#stream), signal);
    if (part < state.first_seq) throw new LogTrimmed(this.#log, position - 1, state.first_seq);
    // A server that has just been elected may not know yet all that it has.
    if (part > state.last_seq) throw new JetStreamError(`there is no message at ${part} yet`);
    const message = await orAborted(this.#manager.streams.getMessage(this.#stream, { seq: part }), signal);
    if (message?.subject !== this.#partSubject) throw new LogDiffers(this.#log, position);
    return message.data;
  }

  #drop(position: number): void {
    this.#bytes -= this.#parts.get(position)?.length ?? 0;
    this.#parts.delete(position);
  }
}
