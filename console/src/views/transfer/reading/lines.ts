/** Lines of a text that comes in pieces. */
import { HEAD } from './documents';

/** Takes lines, without their line feed and a carriage return before it. */
export interface LineSink {
  /** @param isWhole whether it had a line feed */
  line(text: string, number: number, isWhole: boolean): void;
  /** A line that is longer than a line may be. */
  tooLong(head: string, number: number): void;
}

export class Lines {
  readonly #most: number;
  readonly #sink: LineSink;
  /** What came of a line whose end hasn't come. */
  #rest = '';
  /** Its characters, also those that aren't kept. */
  #length = 0;
  #number = 1;

  constructor(most: number, sink: LineSink) {
    this.#most = most;
    this.#sink = sink;
  }

  push(text: string): void {
    let from = 0;
    for (;;) {
      const to = text.indexOf('\n', from);
      if (to < 0) break;
      this.#keep(text.slice(from, to));
      this.#line(true);
      from = to + 1;
    }
    if (from < text.length) this.#keep(text.slice(from));
  }

  end(): void {
    if (this.#length > 0) this.#line(false);
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length <= this.#most + 1) this.#rest += part;
    else this.#rest = `${this.#rest.slice(0, HEAD)}${part.slice(0, HEAD)}`.slice(0, HEAD);
  }

  #line(isWhole: boolean): void {
    const [text, length] = [this.#rest, this.#length];
    this.#rest = '';
    this.#length = 0;
    const isCut = length > this.#most + 1;
    const line = !isCut && text.endsWith('\r') ? text.slice(0, -1) : text;
    const number = this.#number++;
    if (isCut || line.length > this.#most) this.#sink.tooLong(line.slice(0, HEAD), number);
    else this.#sink.line(line, number, isWhole);
  }
}
