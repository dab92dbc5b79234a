/** What readers of all formats have in common: they are given chunks, and hand documents on to a {@link DocumentSink}. */
import type { Place } from '../remote/place.js';

/** Takes what a reader finds. */
export interface DocumentSink {
  /**
   * A document.
   * @param head its action line; undefined where it has no id, and gets one by its place
   * @param id decides which documents are kept in their order: those of the same one
   * @param source a view that is valid while the call lasts; undefined for a deletion
   */
  document(
    head: string | undefined,
    id: string | undefined,
    source: Uint8Array | undefined,
    place: Place,
  ): void;
  /** A document without an id, whose action has more than that. */
  unnamed(meta: Readonly<Record<string, unknown>>, source: Uint8Array, place: Place): void;
  /** What can't be a document. */
  refuse(reason: string, source: string, place: Place): void;
}

/** Reads one file. */
export interface DocumentReader {
  push(chunk: Buffer): void;
  /** Nothing more comes. */
  end(): void;
  /** Behind the last document. */
  readonly place: Place;
}

/** How files are read. */
export interface ReaderOptions {
  /** Only what is read can say into which index and type a document goes. */
  isIndexNamed: boolean;
  /** The field whose value is a document's id; dots lead into objects. */
  id: string | undefined;
  /** Bytes of a document. */
  most: number;
  /** Between the cells of a table; undefined: by the format. */
  delimiter: string | undefined;
  /** All cells of a table are texts. */
  isText: boolean;
}

/** Why a document with so many bytes is refused. */
export function tooLong(most: number): string {
  return `longer than ${most / (1024 * 1024)} MB (--max-document)`;
}
