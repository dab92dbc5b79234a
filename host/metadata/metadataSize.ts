/**
 * What metadata take in memory beside the fields of mappings: settings, aliases with their filters, warmers, `_meta`, templates, settings
 * of the cluster. Estimated from the rows that keep them, and refused before a row is written.
 */
import { parsedSize, parsedSizeInTurns } from '../json/parsedSize.js';
import { INDEX_RANGE, SETTINGS_RANGE, TEMPLATE_RANGE } from '../storage/records.js';
import type { Entry, Storage } from '../storage/storage.js';
import { inTurnsIfLong, WorkLimit } from '../workLimit.js';

/** Refuses that all metadata together take so many bytes. */
export type AdmitMetadata = (bytes: number) => void;

const RANGES = [INDEX_RANGE, TEMPLATE_RANGE, SETTINGS_RANGE];
/** Keys of rows that are counted begin so. */
const COUNTED = new Set(RANGES.map(([from]) => String.fromCharCode(...from)));

/** The sizes of all rows of metadata. */
export class MetadataSize {
  readonly #rows = new Map<string, number>();
  readonly #admit: AdmitMetadata;
  readonly #measured = new WeakMap<Uint8Array, number>();
  #bytes = 0;

  constructor(admit: AdmitMetadata) {
    this.#admit = admit;
  }

  /** Bytes that all of it takes, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what the store holds; nothing is refused. */
  load(storage: Storage): void {
    for (const [from, to] of RANGES)
      for (const [key, value] of storage.range(from, to, { damaged: () => {} }))
        this.#set(nameOf(key), parsedSize(value));
  }

  /** Finds out in turns what a long row takes that is about to be committed. */
  async measure(row: Uint8Array): Promise<void> {
    const work = WorkLimit.of(Number.POSITIVE_INFINITY);
    this.#measured.set(row, await inTurnsIfLong(parsedSizeInTurns(row, work), work));
  }

  /**
   * Commits rows, in the turn in which it is called: what they hold may be older in the next one. Nothing is written where metadata would get
   * larger than may be.
   * @param write commits them, and removes others
   */
  async commit(
    puts: readonly Entry[],
    removed: readonly Uint8Array[],
    write: () => Promise<void>,
  ): Promise<void> {
    const changes: [string, number][] = removed.map((key) => [nameOf(key), 0]);
    for (const [key, value] of puts) {
      const name = nameOf(key);
      if (COUNTED.has(name.slice(0, 2))) changes.push([name, this.#measured.get(value) ?? parsedSize(value)]);
    }
    const more = changes.reduce((sum, [name, bytes]) => sum + bytes - (this.#rows.get(name) ?? 0), 0);
    if (more > 0) this.#admit(this.#bytes + more);
    await write();
    for (const [name, bytes] of changes) this.#set(name, bytes);
  }

  /** Counts rows that another node has committed; nothing is refused. */
  follow(puts: readonly Entry[], removed: readonly Uint8Array[]): void {
    for (const key of removed) this.#set(nameOf(key), 0);
    for (const [key, value] of puts) {
      const name = nameOf(key);
      if (COUNTED.has(name.slice(0, 2))) this.#set(name, parsedSize(value));
    }
  }

  #set(name: string, bytes: number): void {
    this.#bytes += bytes - (this.#rows.get(name) ?? 0);
    if (bytes === 0) this.#rows.delete(name);
    else this.#rows.set(name, bytes);
  }
}

/** A key as a text, one character for each byte. */
function nameOf(key: Uint8Array): string {
  let name = '';
  for (const byte of key) name += String.fromCharCode(byte);
  return name;
}
