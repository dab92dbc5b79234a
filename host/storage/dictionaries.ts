/**
 * The dictionaries of a shard's documents: parts of its first ones, which those after them are likely to have as well. They never change;
 * a document's row names the one it was packed with. Whoever can read the store can have them, in any thread.
 */
import { Dictionary, type DictionarySource } from './dictionary.js';
import { dictionaryKey, kindRange, numberOfDictionary } from './records.js';
import { DamagedRow, type Storage } from './storage.js';

const EMPTY = new Uint8Array(0);
/** Of their numbers. */
export const LAST_DICTIONARY = 255;

/** The dictionaries of one shard, each read when it is needed first. */
export class Dictionaries implements DictionarySource {
  readonly #storage: Pick<Storage, 'get' | 'range'>;
  readonly #shard: number;
  readonly #known: (Dictionary | undefined)[] = [];

  constructor(storage: Pick<Storage, 'get' | 'range'>, shard: number) {
    this.#storage = storage;
    this.#shard = shard;
  }

  get(number: number): Dictionary {
    const known = this.#known[number];
    if (known !== undefined) return known;
    const key = dictionaryKey(this.#shard, number);
    const bytes = this.#storage.get(key);
    if (bytes === undefined) throw new DamagedRow(key, EMPTY);
    const dictionary = new Dictionary(bytes);
    this.#known[number] = dictionary;
    return dictionary;
  }

  /** The number of the newest; 0 where there is none. */
  get newest(): number {
    const options = { reverse: true, limit: 1, keysOnly: true };
    const [last] = this.#storage.range(...kindRange('z', this.#shard), options);
    return last === undefined ? 0 : numberOfDictionary(last[0]);
  }
}
