/**
 * Lines as `resilin export --metadata` writes them, each a hit: `{"_id":"1","_type":"book","_routing":"a","_version":3,"_source":{…}}`.
 * Sources are passed on as they are; versions are kept (`external_gte`), so that the same line may be taken twice.
 */
import { actionOf, readHit } from '../remote/hits.js';
import type { Place } from '../remote/place.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { trimmed } from './jsonLines.js';
import { Lines } from './lines.js';

export class HitLines implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #most: number;
  readonly #lines: Lines;
  place: Place;

  constructor(sink: DocumentSink, { most }: ReaderOptions, from: Place) {
    this.#sink = sink;
    this.#most = most;
    this.#lines = new Lines(most, this, from.offset, from.line);
    this.place = from;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  line(bytes: Buffer, number: number, offset: number, end: number): void {
    const { file, documents } = this.place;
    const object = trimmed(bytes);
    const isHit = object.length > 0;
    if (isHit) {
      const place = { file, offset, line: number, documents };
      const hit = readHit(object);
      if (hit === undefined) this.#sink.refuse('no hit with _id and _source', object.toString(), place);
      else this.#sink.document(actionOf(hit), hit.id, hit.source, place);
    }
    this.place = { file, offset: end, line: number + 1, documents: documents + (isHit ? 1 : 0) };
  }

  tooLong(head: Buffer, number: number, offset: number, end: number): void {
    const { file, documents } = this.place;
    this.#sink.refuse(tooLong(this.#most), head.toString(), { file, offset, line: number, documents });
    this.place = { file, offset: end, line: number + 1, documents: documents + 1 };
  }
}
