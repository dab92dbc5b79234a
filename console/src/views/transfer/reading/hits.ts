/**
 * Hits with what it takes to write their documents again, as lines: `{"_id":"1","_type":"book","_routing":"a","_version":3,"_source":{…}}`.
 * Sources, ids and numbers stay as they were written.
 */
import {
  type DocumentReader,
  type DocumentSink,
  isBlank,
  type ReaderOptions,
  tooLong,
  trimmed,
} from './documents';
import { type Member, memberOf, members, NoJson, onOneLine, valueAt } from './jsonSlices';
import { type LineSink, Lines } from './lines';

/** What of a hit goes into the action that writes it again. */
const KEPT: ReadonlySet<string> = new Set([
  '_id',
  '_type',
  '_routing',
  '_parent',
  '_version',
  '_timestamp',
  '_ttl',
]);

/** A document. */
export interface Hit {
  id: string;
  /** What it has of {@link KEPT}: their JSON. */
  metadata: ReadonlyMap<string, string>;
  /** JSON on one line. */
  source: string;
}

/** Reads a hit, with its metadata beside `_source` or in `fields`; undefined if it has no id or no source. */
export function readHit(text: string): Hit | undefined {
  const metadata = new Map<string, string>();
  let source: string | undefined;
  let id: unknown;
  try {
    const found = members(text, 0);
    let next = found.next();
    for (; !next.done; next = found.next()) {
      const { name, from, to } = next.value;
      if (name === '_source') source = onOneLine(text.slice(from, to));
      else if (name === 'fields') for (const field of members(text, from)) keep(metadata, text, field);
      else {
        if (name === '_id') id = valueAt(text, { from, to });
        keep(metadata, text, next.value);
      }
    }
    for (let behind = next.value; behind < text.length; behind++)
      if (!isBlank(text.charCodeAt(behind))) return undefined;
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
    return undefined;
  }
  return typeof id === 'string' && source !== undefined ? { id, metadata, source } : undefined;
}

/** The members of an object that has the metadata. */
export function metadataText(metadata: ReadonlyMap<string, string>): string {
  return [...metadata].map(([name, json]) => `"${name}":${json}`).join(',');
}

/** Whether a line has both an id and a source, which documents can't have under these names. */
export function isHit(line: string): boolean {
  try {
    return memberOf(line, 0, '_id') !== undefined && memberOf(line, 0, '_source') !== undefined;
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
    return false;
  }
}

export class HitLines implements DocumentReader, LineSink {
  readonly #sink: DocumentSink;
  readonly #most: number;
  readonly #lines: Lines;

  constructor(sink: DocumentSink, { most }: ReaderOptions) {
    this.#sink = sink;
    this.#most = most;
    this.#lines = new Lines(most, this);
  }

  push(text: string): void {
    this.#lines.push(text);
  }

  end(): void {
    this.#lines.end();
  }

  line(text: string, number: number): void {
    const object = trimmed(text);
    if (object === '') return;
    const hit = readHit(object);
    if (hit === undefined) this.#sink.refuse('no hit with _id and _source', object, number);
    else this.#sink.document(writeAgain(hit), hit.id, hit.source, number);
  }

  tooLong(head: string, number: number): void {
    this.#sink.refuse(tooLong(this.#most), head, number);
  }
}

/** The action line that writes a hit's document. Its version stays, so that this may be done twice. */
function writeAgain({ metadata }: Hit): string {
  const versioned = metadata.has('_version') ? ',"_version_type":"external_gte"' : '';
  return `{"index":{${metadataText(metadata)}${versioned}}}`;
}

/** Only texts and numbers can be metadata; what comes from field data is a list of one. */
function keep(metadata: Map<string, string>, text: string, { name, from, to }: Member): void {
  if (!KEPT.has(name)) return;
  const value = valueAt(text, { from, to });
  if (value === null) return;
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') metadata.set(name, String(value[0]));
    return;
  }
  if (typeof value !== 'string' && typeof value !== 'number') throw new NoJson(`${name} is no text`);
  metadata.set(name, text.slice(from, to));
}
