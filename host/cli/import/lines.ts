/** Lines of a stream of bytes, as views of its chunks where they lie within one. */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Of a line that is too long, so much is kept. */
export const HEAD_BYTES = 1024;

/** Takes lines. */
export interface LineSink {
  /**
   * @param bytes without the line feed and a carriage return before it; valid while the call lasts
   * @param offset of its first byte
   * @param end offset behind its line feed
   * @param isWhole whether it had one
   */
  line(bytes: Buffer, number: number, offset: number, end: number, isWhole: boolean): void;
  /** A line that has more bytes than a line may have. */
  tooLong(head: Buffer, number: number, offset: number, end: number): void;
}

export class Lines {
  readonly #most: number;
  readonly #sink: LineSink;
  /** What came of a line whose end hasn't come. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  /** Bytes of a line that is too long, of which only the first are kept. */
  #dropped = 0;
  #offset: number;
  #number: number;

  /** @param most bytes of a line; @param offset of the first byte that comes, @param number of its line */
  constructor(most: number, sink: LineSink, offset: number, number: number) {
    this.#most = most;
    this.#sink = sink;
    this.#offset = offset;
    this.#number = number;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const to = chunk.indexOf(LINE_FEED, from);
      if (to < 0) break;
      if (this.#partBytes === 0 && to - from <= this.#most) this.#line(chunk, from, to);
      else {
        this.#keep(chunk.subarray(from, to));
        this.#kept(true);
      }
      from = to + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** Nothing more comes: what is left is a line without a line feed. */
  end(): void {
    if (this.#partBytes > 0) this.#kept(false);
  }

  #line(chunk: Buffer, from: number, to: number): void {
    const offset = this.#offset;
    this.#offset += to - from + 1;
    const last = to > from && chunk[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
    this.#sink.line(chunk.subarray(from, last), this.#number++, offset, this.#offset, true);
  }

  #keep(part: Buffer): void {
    this.#partBytes += part.length;
    if (this.#partBytes <= this.#most + 1) {
      // A copy: who reads may use the chunk again.
      this.#parts.push(Buffer.from(part));
      return;
    }
    if (this.#dropped === 0) {
      const head = Buffer.concat([...this.#parts, part.subarray(0, HEAD_BYTES)]).subarray(0, HEAD_BYTES);
      this.#parts = [Buffer.from(head)];
    }
    this.#dropped = this.#partBytes;
  }

  #kept(isWhole: boolean): void {
    const [offset, bytes, isLong] = [this.#offset, Buffer.concat(this.#parts), this.#dropped > 0];
    const length = this.#partBytes;
    this.#parts = [];
    this.#partBytes = 0;
    this.#dropped = 0;
    this.#offset += length + (isWhole ? 1 : 0);
    const hasReturn = !isLong && bytes.at(-1) === CARRIAGE_RETURN;
    const line = hasReturn ? bytes.subarray(0, -1) : bytes;
    const number = this.#number++;
    if (isLong || line.length > this.#most)
      this.#sink.tooLong(line.subarray(0, HEAD_BYTES), number, offset, this.#offset);
    else this.#sink.line(line, number, offset, this.#offset, isWhole);
  }
}
