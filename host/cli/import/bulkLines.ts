/** Elasticsearch's bulk format: a line for the action, and one for its source. Lines are passed on; actions without an id get one. */
import type { Place } from '../remote/place.js';
import { isWholeObject } from '../jsonSlices.js';
import { type DocumentReader, type DocumentSink, type ReaderOptions, tooLong } from './documents.js';
import { isObject, trimmed } from './jsonLines.js';
import { Lines } from './lines.js';

const KINDS = new Set(['index', 'create', 'update', 'delete']);

const NO_PLACE = 'no _index or no _type, and no --index';

/** An action whose source hasn't come. */
interface Pending {
  line: string;
  kind: string;
  meta: Readonly<Record<string, unknown>>;
  place: Place;
  /** Behind its line. */
  behind: Place;
}

export class BulkLines implements DocumentReader {
  readonly #sink: DocumentSink;
  readonly #most: number;
  readonly #isIndexNamed: boolean;
  readonly #lines: Lines;
  #pending: Pending | undefined;
  place: Place;

  constructor(sink: DocumentSink, { most, isIndexNamed }: ReaderOptions, from: Place) {
    this.#sink = sink;
    this.#most = most;
    this.#isIndexNamed = isIndexNamed;
    this.#lines = new Lines(most, this, from.offset, from.line);
    this.place = from;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#sink.refuse('no source follows it', pending.line, pending.place);
    this.#pending = undefined;
    this.#passed(pending.behind);
  }

  line(bytes: Buffer, number: number, offset: number, end: number, isWhole: boolean): void {
    const { file, documents } = this.place;
    const behind = { file, offset: end, line: number + 1, documents: documents + 1 };
    const pending = this.#pending;
    const object = trimmed(bytes);
    if (pending !== undefined) {
      this.#source(pending, object, isWhole);
      this.#pending = undefined;
      this.#passed(behind);
      return;
    }
    const place = { file, offset, line: number, documents };
    if (object.length === 0) {
      this.#passed({ ...behind, documents });
      return;
    }
    const action = actionOf(object.toString());
    if (action === undefined) {
      this.#sink.refuse('no action of a bulk', object.toString(), place);
      this.#passed(behind);
    } else if (action.kind !== 'delete') this.#pending = { ...action, place, behind };
    else {
      const id = textId(action.meta);
      if (!this.#hasPlace(action.meta)) this.#sink.refuse(NO_PLACE, action.line, place);
      else if (id === undefined) this.#sink.refuse('no _id', action.line, place);
      else this.#sink.document(action.line, id, undefined, place);
      this.#passed(behind);
    }
  }

  tooLong(head: Buffer, number: number, offset: number, end: number): void {
    const { file, documents } = this.place;
    const place = this.#pending?.place ?? { file, offset, line: number, documents };
    this.#sink.refuse(tooLong(this.#most), `${this.#pending?.line ?? ''}${head.toString()}`, place);
    this.#pending = undefined;
    this.#passed({ file, offset: end, line: number + 1, documents: documents + 1 });
  }

  /** Whether it is known where an action's document goes. */
  #hasPlace({ _index, _type }: Readonly<Record<string, unknown>>): boolean {
    return !this.#isIndexNamed || (_index !== undefined && _type !== undefined);
  }

  #passed(place: Place): void {
    this.place = place;
  }

  #source({ line, kind, meta, place }: Pending, source: Buffer, isWhole: boolean): void {
    if (!this.#hasPlace(meta)) this.#sink.refuse(NO_PLACE, `${line}\n${source}`, place);
    else if (!isObject(source))
      this.#sink.refuse('its source is no JSON object', `${line}\n${source}`, place);
    else if (!isWhole && !isWholeObject(source))
      this.#sink.refuse('the last line ends in the middle of its object', `${line}\n${source}`, place);
    else {
      const id = textId(meta);
      if (id !== undefined) this.#sink.document(line, id, source, place);
      else if (kind === 'update') this.#sink.refuse('no _id', `${line}\n${source}`, place);
      else this.#sink.unnamed(meta, source, place);
    }
  }
}

/** What an action line says; undefined if it is none. */
export function actionOf(
  line: string,
): { line: string; kind: string; meta: Readonly<Record<string, unknown>> } | undefined {
  try {
    const entries = Object.entries(JSON.parse(line) as Record<string, unknown>);
    const [kind, meta] = entries[0] ?? [];
    if (entries.length !== 1 || kind === undefined || !KINDS.has(kind)) return undefined;
    if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return undefined;
    return { line, kind, meta: meta as Readonly<Record<string, unknown>> };
  } catch {
    return undefined;
  }
}

function textId({ _id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof _id === 'string' || typeof _id === 'number' ? String(_id) : undefined;
}
