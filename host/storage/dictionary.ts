/** What texts are compressed with, by a part that browsers load when the first shard has so many documents that it is worth it. */
import { LatePart } from '../latePart.js';

export const compression = new LatePart(
  'what compresses documents',
  [],
  () => import('./packedDocuments.js'),
);

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
