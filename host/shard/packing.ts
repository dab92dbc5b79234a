/** What a shard's new documents are packed with: a dictionary made of its first ones, as soon as there are enough of them. */
import { type Dictionaries, LAST_DICTIONARY } from '../storage/dictionaries.js';
import { compression, type Dictionary } from '../storage/dictionary.js';
import { addDocument, addPackedDocument } from '../storage/operationRows.js';
import { dictionaryKey } from '../storage/records.js';
import type { Rows } from '../storage/rows.js';
import { DamagedRow } from '../storage/storage.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import { SourceSample } from './sourceSample.js';

/** Packs the documents of one shard on their way to the store. */
export class Packing {
  readonly #shard: number;
  readonly #dictionaries: Dictionaries;
  /** What documents are packed with. It is in the store. */
  #dictionary: Dictionary | undefined;
  /** Its number, or that of the one before the next. */
  #number = 0;
  readonly #sample = new SourceSample();
  /** The next one, while it isn't known to be in the store. */
  #made: Uint8Array | undefined;
  /** Rows that it is among. */
  #carriers = new WeakSet<Rows>();

  constructor(shard: number, dictionaries: Dictionaries) {
    this.#shard = shard;
    this.#dictionaries = dictionaries;
  }

  /** Before the first document: goes on with the newest dictionary there is. */
  begin(): void {
    this.#number = this.#dictionaries.newest;
    if (this.#number > 0) this.#take();
  }

  /** Takes what the store has under the number; a damaged one is left to those who read old documents. */
  #take(): void {
    try {
      this.#dictionary = this.#dictionaries.get(this.#number);
    } catch (e) {
      if (!(e instanceof DamagedRow)) throw e;
    }
  }

  /** Adds a document to rows; returns which of them it is. */
  add(rows: Rows, seq: number, document: StoredDocument): number {
    const dictionary = this.#dictionary;
    if (dictionary !== undefined)
      return addPackedDocument(rows, this.#shard, seq, document, this.#number, dictionary);
    if (this.#number < LAST_DICTIONARY) this.#gather(rows, document.source);
    return addDocument(rows, this.#shard, seq, document);
  }

  /** The rows are in the store, and so is a dictionary that is among them. */
  committed(rows: Rows): void {
    if (this.#made === undefined || !this.#carriers.has(rows)) return;
    this.#made = undefined;
    this.#number++;
    this.#take();
  }

  #gather(rows: Rows, source: Uint8Array): void {
    this.#made ??= this.#sample.add(source);
    if (this.#made === undefined || this.#carriers.has(rows)) return;
    if (!compression.isLoaded) {
      // Without it documents stay as they are; where it can't be loaded, the next one tries again.
      compression.load().catch(() => {});
      return;
    }
    // A commit may fail: the rows after it bring the dictionary again, until it is known to be there.
    rows.push(dictionaryKey(this.#shard, this.#number + 1), this.#made);
    this.#carriers.add(rows);
  }
}
