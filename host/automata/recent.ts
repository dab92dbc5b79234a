/** The automata made last, by what they were made of: the same word or pattern is often looked for again. */
export class RecentAutomata {
  readonly #limit: number;
  readonly #made = new Map<string, Uint8Array>();
  #bytes = 0;

  /** @param limit bytes that are kept at most */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The automaton of a key, made if it is not at hand. */
  get(key: string, make: () => Uint8Array): Uint8Array {
    const known = this.#made.get(key);
    if (known !== undefined) {
      // The one used last is the last to go.
      this.#made.delete(key);
      this.#made.set(key, known);
      return known;
    }
    const made = make();
    const size = made.length + 2 * key.length;
    if (size > this.#limit >> 3) return made;
    this.#made.set(key, made);
    this.#bytes += size;
    for (const [oldest, { length }] of this.#made) {
      if (this.#bytes <= this.#limit) break;
      this.#made.delete(oldest);
      this.#bytes -= length + 2 * oldest.length;
    }
    return made;
  }
}
