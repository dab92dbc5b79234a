/** What a shard's new documents are packed with: a dictionary made of its first ones, as soon as there are enough of them. */
import { type Dictionaries, LAST_DICTIONARY } from '../storage/dictionaries.js';
import { compression } from '../storage/compression.js';
import type { Dictionary } from '../storage/dictionary.js';
import { addDocument } from '../storage/operationRows.js';
import { dictionaryKey } from '../storage/records.js';
import type { Rows } from '../storage/rows.js';
import { DamagedRow } from '../storage/storage.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { SourceSample } from '../storage/sourceSample.js';

/** Bytes of sources from which on some are chosen for a dictionary: small shards have none. */
const CHOOSES_FROM = 256 * 1024;

/** Packs the documents of one shard on their way to the store. */
export class Packing {
  readonly #shard: number;
  readonly #dictionaries: Dictionaries;
  /** What documents are packed with. It is in the store. */
  #dictionary: Dictionary | undefined;
  /** Its number, or that of the one before the next. */
  #number = 0;
  /** Bytes of sources that came before any were chosen. */
  #bytes = 0;
  #sample: SourceSample | undefined;
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
    if (dictionary !== undefined) {
      const { addPackedDocument } = compression.loaded;
      const packed = addPackedDocument(rows, this.#shard, seq, document, this.#number, dictionary);
      return packed ?? addDocument(rows, this.#shard, seq, document);
    }
    if (this.#number < LAST_DICTIONARY) this.#gather(rows, document.source);
    return addDocument(rows, this.#shard, seq, document);
  }

  /** The rows are in the store, and so is a dictionary that is among them. */
  committed(rows: Rows): void {
    if (this.#made === undefined || !this.#carriers.has(rows)) return;
    this.#made = this.#sample = undefined;
    this.#number++;
    this.#take();
  }

  #gather(rows: Rows, source: Uint8Array): void {
    this.#bytes += source.length;
    if (this.#bytes < CHOOSES_FROM) return;
    if (!compression.isLoaded) {
      // Without it documents stay as they are; where it can't be loaded, the next one tries again.
      compression.load().catch(() => {});
      return;
    }
    this.#sample ??= new compression.loaded.SourceSample();
    this.#made ??= this.#sample.add(source);
    if (this.#made === undefined || this.#carriers.has(rows)) return;
    // A commit may fail: the rows after it bring the dictionary again, until it is known to be there.
    rows.push(dictionaryKey(this.#shard, this.#number + 1), this.#made);
    this.#carriers.add(rows);
  }
}
