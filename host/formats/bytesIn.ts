/** Reads the bytes of a binary format from front to back; throws where they end too soon. */
import { BrokenFormat } from './jsonWriter.js';

const utf8 = new TextDecoder();

export class BytesIn {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  /** The next byte, which stays the next. */
  peek(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new BrokenFormat('ends too soon');
    return byte;
  }

  byte(): number {
    const byte = this.peek();
    this.at++;
    return byte;
  }

  bytes(length: number): Uint8Array {
    return this.#bytes.subarray(this.#skip(length), this.at);
  }

  text(length: number): string {
    return utf8.decode(this.bytes(length));
  }

  /** All bytes up to one that is read too. */
  until(end: number): Uint8Array {
    const at = this.#bytes.indexOf(end, this.at);
    if (at < 0) throw new BrokenFormat('ends too soon');
    const found = this.bytes(at - this.at);
    this.at++;
    return found;
  }

  u16(): number {
    return this.#view.getUint16(this.#skip(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#skip(4));
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#skip(8));
  }

  f32(): number {
    return this.#view.getFloat32(this.#skip(4));
  }

  f64(): number {
    return this.#view.getFloat64(this.#skip(8));
  }

  #skip(length: number): number {
    if (!(length <= this.left)) throw new BrokenFormat('ends too soon');
    const start = this.at;
    this.at += length;
    return start;
  }
}
