import type { Frame } from './peerFrames.js';

/** Bytes that may be under way before the other side says that it has taken some. */
const WINDOW = 2 * 1024 * 1024;

/** Sends bytes in pieces, no faster than the other side takes them. */
export class OutgoingBytes {
  readonly #bytes: Uint8Array;
  readonly #pieceBytes: number;
  readonly #send: (frame: Frame) => void;
  #sent = 0;

  /** @param first sends the first piece, in a frame of its own; more follow when the other side has taken it */
  constructor(
    bytes: Uint8Array,
    pieceBytes: number,
    first: (piece: Uint8Array) => void,
    send: (frame: Frame) => void,
  ) {
    this.#bytes = bytes;
    this.#pieceBytes = pieceBytes;
    this.#send = send;
    const piece = bytes.subarray(0, pieceBytes);
    this.#sent = piece.length;
    first(piece);
  }

  /** The other side has so many bytes. */
  taken(bytes: number): void {
    while (this.#sent < this.#bytes.length && this.#sent - bytes < WINDOW) {
      const piece = this.#bytes.subarray(this.#sent, this.#sent + this.#pieceBytes);
      this.#send({ type: 'piece', offset: this.#sent, bytes: piece });
      this.#sent += piece.length;
    }
  }
}

/** Takes bytes that come in pieces, in order. */
export class IncomingBytes {
  readonly bytes: Uint8Array;
  #at = 0;

  /** @param total bytes in all, which the caller has bounded */
  constructor(total: number) {
    this.bytes = new Uint8Array(total);
  }

  get complete(): boolean {
    return this.#at === this.bytes.length;
  }

  /** Takes the piece at an offset; false when another one is due, or it is too long. What to answer is `taken`. */
  take(offset: number, piece: Uint8Array): boolean {
    if (offset !== this.#at || offset + piece.length > this.bytes.length) return false;
    if (piece.length === 0 && !this.complete) return false;
    this.bytes.set(piece, offset);
    this.#at += piece.length;
    return true;
  }

  get taken(): Frame {
    return { type: 'taken', bytes: this.#at };
  }
}
