/** Places of a text as 1.7's parser prints them: lines, and columns that are counted in bytes. */

export class JsonPlaces {
  readonly #text: string;
  readonly #offset: number;

  /** @param offset where the text begins in the bytes that it was cut out of */
  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
  }

  /** A place, its column counted from `first`. */
  at(at: number, first: number): string {
    const start = at === 0 ? 0 : this.#text.lastIndexOf('\n', at - 1) + 1;
    const bytes = utf8Length(this.#text.slice(start, at));
    return this.#shown(at, bytes + Math.max(0, at - this.#text.length) + first);
  }

  /** The end, which the parser has met `ends` times before: each time it has counted the bytes up to there once more. */
  end(ends: number): string {
    const start = this.#text.lastIndexOf('\n') + 1;
    const lastLine = utf8Length(this.#text.slice(start));
    const before = start === 0 ? 0 : utf8Length(this.#text.slice(0, start));
    const column = lastLine + (this.#offset + before + lastLine) * (ends + 1) + 1;
    return this.#shown(this.#text.length, column);
  }

  #shown(at: number, column: number): string {
    return `[Source: ${this.#source()}; line: ${this.#lineOf(at)}, column: ${column}]`;
  }

  #lineOf(at: number): number {
    let lines = 1;
    for (let i = this.#text.indexOf('\n'); i >= 0 && i < at; i = this.#text.indexOf('\n', i + 1)) lines++;
    return lines;
  }

  /** What Java prints of an array of bytes: its type and a number, here one that depends on the text. */
  #source(): string {
    let hash = 0;
    for (let i = 0; i < Math.min(this.#text.length, 1000); i++) {
      hash = (Math.imul(hash, 31) + this.#text.charCodeAt(i)) >>> 0;
    }
    return `[B@${hash.toString(16)}`;
  }
}

/** Characters that are encoded at a time: a body of many megabytes has no copy of its own. */
const PIECE = 16 * 1024;
const utf8 = new TextEncoder();
const scratch = new Uint8Array(3 * PIECE);

function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE);
    // The halves of a character aren't parted.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    bytes += utf8.encodeInto(text.slice(at, end), scratch).written;
    at = end;
  }
  return bytes;
}
