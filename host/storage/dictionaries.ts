/**
 * The dictionaries of a shard's documents: parts of its first ones, which those after them are likely to have as well. They never change;
 * a document's row names the one it was packed with. Whoever can read the store can have them, in any thread.
 */
import { compression, Dictionary } from './dictionary.js';
import { dictionaryKey, kindRange, numberOfDictionary } from './records.js';
import { DamagedRow, type Storage } from './storage.js';

const EMPTY = new Uint8Array(0);
/** Of the numbers of shards; no store has it. */
const LAST_SHARD = 0xffff_ffff;
/** Of their numbers. */
export const LAST_DICTIONARY = 255;

/** Loads what reads packed documents, if a store has any. */
export async function loadForPacked(storage: Pick<Storage, 'range'>): Promise<void> {
  const [from] = kindRange('z', 0);
  const [to] = kindRange('z', LAST_SHARD);
  const [first] = storage.range(from, to, { limit: 1, keysOnly: true });
  if (first !== undefined) await compression.load();
}

/** What reads a packed document. */
export interface DictionarySource {
  /** Throws {@link DamagedRow} where it can't be read. */
  get(number: number): Dictionary;
}

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
