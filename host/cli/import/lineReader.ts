/** What readers have in common whose documents are lines: one for each line that isn't blank, unless a reader takes lines in another way. */
import { CLOSE_OBJECT, OPEN_OBJECT } from '../../json/jsonSyntax.js';
import { isBlank } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { type LineSink, Lines } from './lines.js';

export abstract class LineReader implements DocumentReader, LineSink {
  protected readonly sink: DocumentSink;
  protected readonly options: ReaderOptions;
  readonly #lines: Lines;
  place: Place;

  constructor(sink: DocumentSink, options: ReaderOptions, from: Place) {
    this.sink = sink;
    this.options = options;
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
    if (isDocument) this.document(object, { file, offset, line: number, documents }, isWhole);
    this.place = { file, offset: end, line: number + 1, documents: documents + (isDocument ? 1 : 0) };
  }

  tooLong(head: Buffer, number: number, offset: number, end: number): void {
    const { file, documents } = this.place;
    const place = { file, offset, line: number, documents };
    this.sink.refuse(tooLong(this.options.most), head.toString(), place);
    this.place = { file, offset: end, line: number + 1, documents: documents + 1 };
  }

  /** Takes a line's bytes, without blanks around them. @param isWhole whether a line feed follows */
  protected abstract document(object: Buffer, place: Place, isWhole: boolean): void;
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
