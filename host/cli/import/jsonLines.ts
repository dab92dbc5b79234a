/** JSON lines: an object in each, whose bytes are passed on as they are. */
import { CLOSE_OBJECT, OPEN_OBJECT } from '../../json/jsonSyntax.js';
import { isBlank, isWholeObject } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { idOf } from './ids.js';
import { Lines } from './lines.js';

export class JsonLines implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  readonly #lines: Lines;
  place: Place;

  constructor(sink: DocumentSink, options: ReaderOptions, from: Place) {
    this.#sink = sink;
    this.#options = options;
    this.#lines = new Lines(options.most, this, from.offset, from.line);
    this.place = from;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  line(bytes: Buffer, number: number, offset: number, end: number, isWhole: boolean): void {
    const object = trimmed(bytes);
    const { file, documents } = this.place;
    const isDocument = object.length > 0;
    if (isDocument) this.#document(object, { file, offset, line: number, documents }, isWhole);
    this.place = { file, offset: end, line: number + 1, documents: documents + (isDocument ? 1 : 0) };
  }

  tooLong(head: Buffer, number: number, offset: number, end: number): void {
    const { file, documents } = this.place;
    const place = { file, offset, line: number, documents };
    this.#sink.refuse(tooLong(this.#options.most), head.toString(), place);
    this.place = { file, offset: end, line: number + 1, documents: documents + 1 };
  }

  #document(object: Buffer, place: Place, isWhole: boolean): void {
    const { id } = this.#options;
    if (!isObject(object)) this.#sink.refuse('no JSON object', object.toString(), place);
    else if (!isWhole && !isWholeObject(object))
      this.#sink.refuse('the last line ends in the middle of its object', object.toString(), place);
    else if (id === undefined) this.#sink.document(undefined, undefined, object, place);
    else {
      const value = idOf(object, id);
      if (value === undefined)
        this.#sink.refuse(`no field ${id} that can be an id`, object.toString(), place);
      else this.#sink.document(`{"index":{"_id":${JSON.stringify(value)}}}`, value, object, place);
    }
  }
}

/** Without blanks at both ends. */
export function trimmed(bytes: Buffer): Buffer {
  let from = 0;
  let to = bytes.length;
  while (from < to && isBlank(bytes[from])) from++;
  while (to > from && isBlank(bytes[to - 1])) to--;
  return from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
}

/** Whether bytes begin and end as an object does; whoever stores it looks at the rest. */
export function isObject(bytes: Uint8Array): boolean {
  return bytes.length > 1 && bytes[0] === OPEN_OBJECT && bytes[bytes.length - 1] === CLOSE_OBJECT;
}
