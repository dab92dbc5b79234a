/** JSON lines: an object in each, which is passed on as it is. */
import {
  type DocumentReader,
  type DocumentSink,
  looksLikeObject,
  type ReaderOptions,
  tooLong,
  trimmed,
} from './documents';
import { idOf, isWholeObject, onOneLine } from './jsonSlices';
import { type LineSink, Lines } from './lines';

export class JsonLines implements DocumentReader, LineSink {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  readonly #lines: Lines;

  constructor(sink: DocumentSink, options: ReaderOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#lines = new Lines(options.most, this);
  }

  push(text: string): void {
    this.#lines.push(text);
  }

  end(): void {
    this.#lines.end();
  }

  line(text: string, number: number, isWhole: boolean): void {
    const object = trimmed(text);
    if (object === '') return;
    if (!looksLikeObject(object)) this.#sink.refuse('no JSON object', object, number);
    else if (!isWhole && !isWholeObject(object))
      this.#sink.refuse('the last line ends in the middle of its object', object, number);
    else handOn(object, this.#options.id, this.#sink, number);
  }

  tooLong(head: string, number: number): void {
    this.#sink.refuse(tooLong(this.#options.most), head, number);
  }
}

/** An object, under the id that its field gives. */
export function handOn(object: string, field: string | undefined, sink: DocumentSink, number: number): void {
  if (field === undefined) {
    sink.document(undefined, undefined, onOneLine(object), number);
    return;
  }
  const id = idOf(object, field);
  if (id === undefined) sink.refuse(`no field ${field} that can be an id`, object, number);
  else sink.document(`{"index":{"_id":${JSON.stringify(id)}}}`, id, onOneLine(object), number);
}
