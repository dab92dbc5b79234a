/** What the registered queries of all indices take in memory, those that are ready to run. */

/**
 * Refuses that they take so many bytes.
 * @param ready whether they are there already, and not about to be written: these may take more
 */
export type AdmitQueries = (bytes: number, ready: boolean) => void;

/** Counts them. */
export class QueryMemory {
  readonly #admit: AdmitQueries;
  #bytes = 0;

  constructor(admit: AdmitQueries) {
    this.#admit = admit;
  }

  /** Bytes, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Refuses a query that is about to be written. */
  check(bytes: number): void {
    this.#admit(this.#bytes + bytes, false);
  }

  /** Counts queries that are there, or are no more; refused, none of them is counted. */
  add(bytes: number): void {
    if (bytes > 0) this.#admit(this.#bytes + bytes, true);
    this.#bytes += bytes;
  }
}
