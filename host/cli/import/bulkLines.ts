/** Elasticsearch's bulk format: a line for the action, and one for its source. Lines are passed on; actions without an id get one. */
import { isWholeObject } from '../jsonSlices.js';
import type { Place } from '../remote/place.js';
import { tooLong } from './documents.js';
import { isObject, LineReader, trimmed } from './lineReader.js';

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

export class BulkLines extends LineReader {
  #pending: Pending | undefined;

  override end(): void {
    super.end();
    const pending = this.#pending;
    if (pending === undefined) return;
    this.sink.refuse('no source follows it', pending.line, pending.place);
    this.#pending = undefined;
    this.place = pending.behind;
  }

  override line(bytes: Buffer, number: number, offset: number, end: number, isWhole: boolean): void {
    const pending = this.#pending;
    const before = this.place;
    if (pending === undefined) {
      super.line(bytes, number, offset, end, isWhole);
      if (this.#pending === undefined) return;
      // Reading that goes on begins with the action.
      this.#pending.behind = this.place;
      this.place = before;
    } else {
      this.#pending = undefined;
      this.#source(pending, trimmed(bytes), isWhole);
      this.place = { ...before, offset: end, line: number + 1, documents: before.documents + 1 };
    }
  }

  override tooLong(head: Buffer, number: number, offset: number, end: number): void {
    const pending = this.#pending;
    if (pending === undefined) {
      super.tooLong(head, number, offset, end);
      return;
    }
    this.#pending = undefined;
    this.sink.refuse(tooLong(this.options.most), `${pending.line}${head.toString()}`, pending.place);
    this.place = { ...this.place, offset: end, line: number + 1, documents: this.place.documents + 1 };
  }

  /** Takes the line of an action; what needs a source waits for it. */
  protected document(object: Buffer, place: Place): void {
    const action = actionOf(object.toString());
    if (action === undefined) this.sink.refuse('no action of a bulk', object.toString(), place);
    else if (action.kind !== 'delete') this.#pending = { ...action, place, behind: place };
    else {
      const id = textId(action.meta);
      if (!this.#hasPlace(action.meta)) this.sink.refuse(NO_PLACE, action.line, place);
      else if (id === undefined) this.sink.refuse('no _id', action.line, place);
      else this.sink.document(action.line, id, undefined, place);
    }
  }
  /** Whether it is known where an action's document goes. */
  #hasPlace({ _index, _type }: Readonly<Record<string, unknown>>): boolean {
    return !this.options.isIndexNamed || (_index !== undefined && _type !== undefined);
  }

  #source({ line, kind, meta, place }: Pending, source: Buffer, isWhole: boolean): void {
    if (!this.#hasPlace(meta)) this.sink.refuse(NO_PLACE, `${line}\n${source}`, place);
    else if (!isObject(source)) this.sink.refuse('its source is no JSON object', `${line}\n${source}`, place);
    else if (!isWhole && !isWholeObject(source))
      this.sink.refuse('the last line ends in the middle of its object', `${line}\n${source}`, place);
    else {
      const id = textId(meta);
      if (id !== undefined) this.sink.document(line, id, source, place);
      else if (kind === 'update') this.sink.refuse('no _id', `${line}\n${source}`, place);
      else this.sink.unnamed(meta, source, place);
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
