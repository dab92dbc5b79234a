/**
 * Lines as `resilin export --metadata` writes them, each a hit: `{"_id":"1","_type":"book","_routing":"a","_version":3,"_source":{…}}`.
 * Sources are passed on as they are; versions are kept (`external_gte`), so that the same line may be taken twice.
 */
import { isBlank, members, NoJson, valueAt } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { isObject, trimmed } from './jsonLines.js';
import { Lines } from './lines.js';

/** What of a hit goes into its action; all else but the source is left. */
const KEPT = new Set(['_id', '_type', '_routing', '_parent', '_version', '_timestamp', '_ttl']);

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
      const hit = hitAction(object);
      if (hit === undefined) this.#sink.refuse('no hit with _id and _source', object.toString(), place);
      else this.#sink.document(hit.head, hit.id, hit.source, place);
    }
    this.place = { file, offset: end, line: number + 1, documents: documents + (isHit ? 1 : 0) };
  }

  tooLong(head: Buffer, number: number, offset: number, end: number): void {
    const { file, documents } = this.place;
    this.#sink.refuse(tooLong(this.#most), head.toString(), { file, offset, line: number, documents });
    this.place = { file, offset: end, line: number + 1, documents: documents + 1 };
  }
}

/** The action that writes a hit again; undefined if it is none. */
export function hitAction(bytes: Buffer): { head: string; id: string; source: Buffer } | undefined {
  let meta = '';
  let id: unknown;
  let source: Buffer | undefined;
  let isVersioned = false;
  try {
    const found = members(bytes, 0);
    let member = found.next();
    for (; !member.done; member = found.next()) {
      const { name, from, to } = member.value;
      if (name === '_source') source = bytes.subarray(from, to);
      else if (KEPT.has(name)) {
        const value = valueAt(bytes, { from, to });
        if (typeof value !== 'string' && typeof value !== 'number') return undefined;
        if (name === '_id') id = value;
        isVersioned ||= name === '_version';
        meta += `${meta === '' ? '' : ','}"${name}":${bytes.toString('utf8', from, to)}`;
      }
    }
    for (let behind = member.value; behind < bytes.length; behind++)
      if (!isBlank(bytes[behind])) return undefined;
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
    return undefined;
  }
  if (typeof id !== 'string' || source === undefined || !isObject(source)) return undefined;
  if (isVersioned) meta += ',"_version_type":"external_gte"';
  return { head: `{"index":{${meta}}}`, id, source };
}
