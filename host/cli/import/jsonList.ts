/** A JSON list of objects, read element by element as its bytes come: no more than one element is held. */
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../../json/jsonSyntax.js';
import { isBlank, onOneLine } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { idOf } from './ids.js';
import { isObject, trimmed } from './lineReader.js';
import { HEAD_BYTES } from './lines.js';

type State = 'before' | 'within' | 'behind';

/** The text is no list. */
export class NoList extends Error {
  override readonly name = 'NoList';
}

export class JsonList implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  /** Elements before it are there already. */
  readonly #from: Place;
  #state: State = 'before';
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The element so far. */
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Offset of the element's first byte, behind the comma. */
  #start: number;
  #offset: number;
  #number = 1;
  /** A comma came last. */
  #isOpen = false;
  place: Place;

  /** @param offset of the first byte that comes */
  constructor(sink: DocumentSink, options: ReaderOptions, from: Place, offset: number) {
    this.#sink = sink;
    this.#options = options;
    this.#from = from;
    this.#offset = offset;
    this.#start = offset;
    this.place = from;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      if (this.#state !== 'within') {
        if (isBlank(byte)) continue;
        if (this.#state === 'behind' || byte !== OPEN_LIST)
          throw new NoList(`byte ${this.#offset + at} is no part of a list`);
        this.#state = 'within';
        from = at + 1;
        this.#start = this.#offset + from;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++;
      else if (byte === COMMA && this.#depth === 0) {
        this.#element(chunk.subarray(from, at), this.#offset + at + 1);
        this.#isOpen = true;
        from = at + 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#depth-- > 0) continue;
        if (byte === CLOSE_OBJECT) throw new NoList(`byte ${this.#offset + at} closes what is not open`);
        this.#element(chunk.subarray(from, at), this.#offset + at + 1);
        this.#state = 'behind';
        from = chunk.length;
      }
    }
    if (this.#state === 'within' && from < chunk.length) this.#keep(chunk.subarray(from), true);
    this.#offset += chunk.length;
  }

  end(): void {
    if (this.#state === 'behind') return;
    const rest = trimmed(Buffer.concat(this.#parts));
    if (rest.length > 0) this.#refuse('the list ends in the middle of this element', rest, this.#offset);
    throw new NoList('the list has no end');
  }

  #keep(part: Buffer, mayChange: boolean): void {
    const { most } = this.#options;
    const before = this.#bytes;
    this.#bytes += part.length;
    if (this.#bytes <= most) this.#parts.push(mayChange ? Buffer.from(part) : part);
    else if (before <= most)
      this.#parts = [Buffer.concat([...this.#parts, part.subarray(0, HEAD_BYTES)]).subarray(0, HEAD_BYTES)];
  }

  /** An element ends with this part; `end` is the offset of what comes behind it. */
  #element(part: Buffer, end: number): void {
    this.#keep(part, false);
    const isLong = this.#bytes > this.#options.most;
    const bytes = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    const element = trimmed(bytes);
    const isLast = end > 0 && element.length === 0 && !this.#isOpen;
    // An empty list.
    if (isLast) return;
    this.#isOpen = false;
    if (isLong) this.#refuse(tooLong(this.#options.most), element.subarray(0, HEAD_BYTES), end);
    else if (!isObject(element)) this.#refuse('no JSON object', element, end);
    else {
      const { id } = this.#options;
      const value = id === undefined ? undefined : idOf(element, id);
      if (id !== undefined && value === undefined)
        this.#refuse(`no field ${id} that can be an id`, element, end);
      else {
        const head = value === undefined ? undefined : `{"index":{"_id":${JSON.stringify(value)}}}`;
        this.#pass(end, (place) => this.#sink.document(head, value, onOneLine(element), place));
      }
    }
  }

  #refuse(reason: string, bytes: Buffer, end: number): void {
    this.#pass(end, (place) => this.#sink.refuse(reason, bytes.toString(), place));
  }

  /** Goes past an element, and hands it on unless that was done before. */
  #pass(end: number, hand: (place: Place) => void): void {
    const number = this.#number++;
    const { file } = this.#from;
    const offset = this.#start;
    this.#start = end;
    if (offset < this.#from.offset) return;
    const { documents } = this.place;
    hand({ file, offset, line: number, documents });
    this.place = { file, offset: end, line: number + 1, documents: documents + 1 };
  }
}
