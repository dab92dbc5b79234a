/** The hashes of a `LogDigest` after each of the last messages: a copy that has confirmed a write may be further when it is asked about it. */
import type { DigestMark } from './digestMark.js';

/** Messages whose hashes are remembered, at most. */
const REMEMBERED = 512;
const FIRST = 16;

/** The last messages; memory grows with them, since most shards get few. */
export class RecentDigests {
  /** Both of the message with number n are at n modulo their length. */
  #positions = new Float64Array(FIRST);
  #hashes = new Uint32Array(FIRST);
  /** How many there have been up to the newest, and before the oldest that is remembered. */
  #newest: number;
  #before: number;

  /** @param last what the copy has been up to, at that position or before */
  constructor({ messages, position, hash }: DigestMark) {
    this.#newest = messages - 1;
    this.#before = messages - 1;
    this.add(position, hash);
  }

  add(position: number, hash: number): void {
    const { length } = this.#positions;
    if (this.#newest - this.#before === length) {
      if (length < REMEMBERED) this.#grow();
      else this.#before++;
    }
    const at = ++this.#newest % this.#positions.length;
    this.#positions[at] = position;
    this.#hashes[at] = hash;
  }

  /** The hash after all messages up to a position. */
  at(position: number): DigestMark | undefined {
    const { length } = this.#positions;
    let messages = this.#newest;
    while (messages > this.#before && this.#positions[messages % length]! > position) messages--;
    return this.after(messages);
  }

  /** The hash after so many messages. */
  after(messages: number): DigestMark | undefined {
    if (messages <= this.#before || messages > this.#newest) return undefined;
    const at = messages % this.#positions.length;
    return { messages, position: this.#positions[at]!, hash: this.#hashes[at]! };
  }

  #grow(): void {
    const [positions, hashes] = [this.#positions, this.#hashes];
    this.#positions = new Float64Array(2 * positions.length);
    this.#hashes = new Uint32Array(2 * hashes.length);
    for (let messages = this.#before + 1; messages <= this.#newest; messages++) {
      const [from, to] = [messages % positions.length, messages % this.#positions.length];
      this.#positions[to] = positions[from]!;
      this.#hashes[to] = hashes[from]!;
    }
  }
}
