/** What texts are compressed with. */

/** Bytes of a dictionary at most. */
export const MOST_DICTIONARY_BYTES = 65_000;
/** Bytes of a text at most. */
export const MOST_TEXT_BYTES = 65_536;

/** Bytes that texts are likely to have parts of. */
export class Dictionary {
  readonly bytes: Uint8Array;
  /** The slot that it had last; whether it has it still, the slot knows. */
  slot = 0;

  constructor(bytes: Uint8Array) {
    if (bytes.length > MOST_DICTIONARY_BYTES) throw new RangeError(`a dictionary of ${bytes.length} bytes`);
    this.bytes = bytes;
  }
}

/** What reads a packed document. */
export interface DictionarySource {
  /** Throws {@link DamagedRow} where it can't be read. */
  get(number: number): Dictionary;
}
