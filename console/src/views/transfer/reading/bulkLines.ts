/** Elasticsearch's bulk format: a line for the action, and one for its source. Lines are passed on; actions without an id get one. */
import {
  type DocumentReader,
  type DocumentSink,
  looksLikeObject,
  type ReaderOptions,
  tooLong,
  trimmed,
} from './documents';
import { isWholeObject } from './jsonSlices';
import { type LineSink, Lines } from './lines';

const KINDS: ReadonlySet<string> = new Set(['index', 'create', 'update', 'delete']);
const NO_PLACE = 'no _index or no _type, and no index is named';

export interface BulkAction {
  line: string;
  kind: string;
  meta: Readonly<Record<string, unknown>>;
}

/** An action whose source hasn't come. */
interface Pending extends BulkAction {
  number: number;
}

export class BulkLines implements DocumentReader, LineSink {
  readonly #sink: DocumentSink;
  readonly #options: ReaderOptions;
  readonly #lines: Lines;
  #pending: Pending | undefined;

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
    const { line, number } = this.#pending ?? {};
    if (line !== undefined) this.#sink.refuse('no source follows it', line, number!);
    this.#pending = undefined;
  }

  line(text: string, number: number, isWhole: boolean): void {
    const pending = this.#pending;
    const object = trimmed(text);
    if (pending !== undefined) {
      this.#pending = undefined;
      this.#source(pending, object, isWhole);
      return;
    }
    if (object === '') return;
    const action = actionOf(object);
    if (action === undefined) this.#sink.refuse('no action of a bulk', object, number);
    else if (action.kind !== 'delete') this.#pending = { ...action, number };
    else {
      const id = textId(action.meta);
      if (!this.#hasPlace(action.meta)) this.#sink.refuse(NO_PLACE, action.line, number);
      else if (id === undefined) this.#sink.refuse('no _id', action.line, number);
      else this.#sink.document(action.line, id, undefined, number);
    }
  }

  tooLong(head: string, number: number): void {
    const { line = '', number: first = number } = this.#pending ?? {};
    this.#sink.refuse(tooLong(this.#options.most), `${line}${head}`, first);
    this.#pending = undefined;
  }

  /** Whether it is known where an action's document goes. */
  #hasPlace({ _index, _type }: Readonly<Record<string, unknown>>): boolean {
    return !this.#options.isIndexNamed || (_index !== undefined && _type !== undefined);
  }

  #source({ line, kind, meta, number }: Pending, source: string, isWhole: boolean): void {
    const refuse = (reason: string) => this.#sink.refuse(reason, `${line}\n${source}`, number);
    if (!this.#hasPlace(meta)) refuse(NO_PLACE);
    else if (!looksLikeObject(source)) refuse('its source is no JSON object');
    else if (!isWhole && !isWholeObject(source)) refuse('the last line ends in the middle of its object');
    else {
      const id = textId(meta);
      if (id !== undefined) this.#sink.document(line, id, source, number);
      else if (kind === 'update') refuse('no _id');
      else this.#sink.unnamed(meta, source, number);
    }
  }
}

/** What an action line says; undefined if it is none. */
export function actionOf(line: string): BulkAction | undefined {
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
