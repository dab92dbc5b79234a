import type { IsDue } from '../passes.js';
import { atOnce, type Turns } from '../workLimit.js';

/** What a word costs in steps of a long part. */
const WORD_STEPS = 4;

const utf8 = new TextEncoder();

/** Writes a stage's arguments: little endian, without alignment. */
export class Args {
  #bytes = new Uint8Array(64);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  u8(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  u16(value: number): this {
    this.#reserve(2);
    this.#view.setUint16(this.#length, value, true);
    this.#length += 2;
    return this;
  }

  u32(value: number): this {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** u32 length, then UTF-8. */
  text(text: string): this {
    const at = this.#length;
    this.u32(0).#utf8(text);
    this.#view.setUint32(at, this.#length - at - 4, true);
    return this;
  }

  /** A word set of the core: `u32 n, n × (u32 value, u16 length, bytes)`. Words of more than 65,535 bytes match no token and are left out. */
  words(words: Iterable<string> | ReadonlyMap<string, number>): this {
    return atOnce(this.wordsInTurns(words, () => false));
  }

  /** The same in turns. */
  *wordsInTurns(words: Iterable<string> | ReadonlyMap<string, number>, isDue: IsDue): Turns<this> {
    const start = this.#length;
    this.u32(0);
    let count = 0;
    const add = (word: string, value: number) => {
      const at = this.#length;
      this.u32(value).u16(0).#utf8(word);
      const length = this.#length - at - 6;
      if (length > 0xffff) {
        this.#length = at;
        return;
      }
      this.#view.setUint16(at + 4, length, true);
      count++;
    };
    if (words instanceof Map) for (const [word, value] of words) add(word, value);
    else {
      for (const word of words as Iterable<string>) {
        if (isDue(WORD_STEPS)) yield;
        add(word, 0);
      }
    }
    this.#view.setUint32(start, count, true);
    return this;
  }

  /** Bytes written. */
  get length(): number {
    return this.#length;
  }

  /** What was written. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #utf8(text: string): void {
    const { length } = text;
    this.#reserve(length * 3);
    const bytes = this.#bytes;
    let at = this.#length;
    let i = 0;
    // Most are ASCII and short, for which a call of the encoder costs more than the letters.
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) break;
      bytes[at++] = unit;
    }
    if (i < length) at += utf8.encodeInto(text.slice(i), bytes.subarray(at)).written;
    this.#length = at;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const VERSION = 1;

/** The definition of a chain (`assembly/analysis/README.md`, *Chains*): the stages one after the other. */
export function encodeChain(stages: readonly { kind: number; args: Uint8Array }[]): Uint8Array {
  const args = new Args().u8(VERSION).u8(stages.length).u16(0);
  for (const stage of stages) {
    args.u16(stage.kind).u16(0).u32(stage.args.length).raw(stage.args);
    args.raw(new Uint8Array(-stage.args.length & 3));
  }
  return args.bytes();
}
