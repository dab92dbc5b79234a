/** What an import says; a file of its own, which is all that exported types reach of the rest. */

/** What was imported. */
export interface Imported {
  /** The name that the index has here. */
  index: string;
  documents: number;
}
