/** A JSON list of objects, read element by element as it comes: no more than one element is held. */
import {
  type DocumentReader,
  type DocumentSink,
  HEAD,
  isBlank,
  looksLikeObject,
  type ReaderOptions,
  tooLong,
  trimmed,
  Unreadable,
} from './documents';
import { handOn } from './jsonLines';

type State = 'before' | 'within' | 'behind';

export class JsonList implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  #state: State = 'before';
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The element so far, and its characters, also those that aren't kept. */
  #rest = '';
  #length = 0;
  #number = 1;
  /** Of the text, before the piece that is read. */
  #offset = 0;
  /** A comma came last. */
  #isOpen = false;

  constructor(sink: DocumentSink, options: ReaderOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  push(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === 0x5c) this.#isEscaped = true;
        else if (unit === 0x22) this.#inString = false;
        continue;
      }
      if (this.#state !== 'within') {
        if (isBlank(unit)) continue;
        if (this.#state === 'behind' || unit !== 0x5b)
          throw new Unreadable(`character ${this.#offset + at} is no part of a list`);
        this.#state = 'within';
        from = at + 1;
      } else if (unit === 0x22) this.#inString = true;
      else if (unit === 0x7b || unit === 0x5b) this.#depth++;
      else if (unit === 0x2c && this.#depth === 0) {
        this.#element(text.slice(from, at));
        this.#isOpen = true;
        from = at + 1;
      } else if (unit === 0x7d || unit === 0x5d) {
        if (this.#depth-- > 0) continue;
        if (unit === 0x7d) throw new Unreadable(`character ${this.#offset + at} closes what is not open`);
        this.#element(text.slice(from, at));
        this.#state = 'behind';
        from = text.length;
      }
    }
    if (this.#state === 'within' && from < text.length) this.#keep(text.slice(from));
    this.#offset += text.length;
  }

  end(): void {
    if (this.#state === 'behind') return;
    const rest = trimmed(this.#rest);
    if (rest !== '') this.#sink.refuse('the list ends in the middle of this element', rest, this.#number);
    throw new Unreadable('the list has no end');
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length <= this.#options.most) this.#rest += part;
    else this.#rest = `${this.#rest.slice(0, HEAD)}${part.slice(0, HEAD)}`.slice(0, HEAD);
  }

  #element(part: string): void {
    this.#keep(part);
    const isLong = this.#length > this.#options.most;
    const element = trimmed(this.#rest);
    this.#rest = '';
    this.#length = 0;
    // An empty list.
    if (element === '' && !this.#isOpen) return;
    this.#isOpen = false;
    const number = this.#number++;
    if (isLong) this.#sink.refuse(tooLong(this.#options.most), element, number);
    else if (!looksLikeObject(element)) this.#sink.refuse('no JSON object', element, number);
    else handOn(element, this.#options.id, this.#sink, number);
  }
}
