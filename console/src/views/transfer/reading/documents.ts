/** What readers of all formats have in common: they are given pieces of text, and hand documents on to a {@link DocumentSink}. */

/** Takes what a reader finds. */
export interface DocumentSink {
  /**
   * A document.
   * @param head its action line; undefined where it has no id, and gets one by its place
   * @param id documents of the same one are kept in their order
   * @param source JSON on one line; undefined for a deletion
   * @param line where it stood; in a list, the number of the element
   */
  document(head: string | undefined, id: string | undefined, source: string | undefined, line: number): void;
  /** A document without an id, whose action says more than that. */
  unnamed(meta: Readonly<Record<string, unknown>>, source: string, line: number): void;
  /** What can't be a document. */
  refuse(reason: string, source: string, line: number): void;
}

/** Reads one file. */
export interface DocumentReader {
  push(text: string): void;
  /** Nothing more comes. */
  end(): void;
}

/** How a file is read. */
export interface ReaderOptions {
  /** Only what is read can say into which index and type a document goes. */
  isIndexNamed: boolean;
  /** The field whose value is a document's id; dots lead into objects. */
  id: string | undefined;
  /** Characters of a document. */
  most: number;
  /** Between the cells of a table; undefined: by the format. */
  delimiter: string | undefined;
  /** All cells of a table are texts. */
  isText: boolean;
}

/** The file can't be read on: its header or its brackets are wrong. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Of a document that is too long, so much is kept. */
export const HEAD = 1024;

export function tooLong(most: number): string {
  return `longer than ${most / (1024 * 1024)} MB`;
}

/** Whether a text begins and ends as an object does; whoever stores it looks at the rest. */
export function looksLikeObject(text: string): boolean {
  return text.length > 1 && text.startsWith('{') && text.endsWith('}');
}

/** Without what JSON calls blanks, at both ends. */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Whether a code unit is a blank of JSON. */
export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
