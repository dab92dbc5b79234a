/** Where a document stands in what is read. */

export interface Place {
  /** Number of the file, from 0. */
  file: number;
  /** Bytes of the file, unpacked, before it. */
  offset: number;
  /** Number of its first line, from 1; in a list, of the element. */
  line: number;
  /** Documents before it, of all files. */
  documents: number;
}

export const BEGINNING: Place = { file: 0, offset: 0, line: 1, documents: 0 };

/** Whether a place stands before another. */
export function isBefore(a: Place, b: Place): boolean {
  return a.file < b.file || (a.file === b.file && a.offset < b.offset);
}
