/**
 * What any word has in common with all others as far as edits go (Schulz and Mihov, "Fast string correction with Levenshtein automata",
 * 2002): how far behind and at what cost one may stand in a word depends on which of the next few characters are the one that comes, and
 * on how many are left, but not on the word. The steps between such sets of places are worked out once, the first time they are asked for.
 */

import { after, type Place, reduced } from './levenshtein.js';

/** A set of places in a word, of which the first is at 0. */
interface Shape {
  readonly places: readonly Place[];
  /** By what is left and which characters are the next one: 1 + shape * OFFSETS + how much further the first place is; 0: not known yet. */
  readonly steps: Int32Array;
}

const OFFSETS = 16;
/** Of a step: no place is left. */
export const NOWHERE = -1;

/** The steps for one number of edits. */
export class Parametric {
  /** How many characters from the first place on decide about a step. */
  readonly window: number;
  readonly #most: number;
  readonly #transpositions: boolean;
  readonly #shapes: Shape[] = [];
  readonly #numbers = new Map<string, number>();

  /**
   * @param most edits
   * @param transpositions whether swapping neighbours is one
   */
  constructor(most: number, transpositions: boolean) {
    this.#most = most;
    this.#transpositions = transpositions;
    this.window = 2 * most + 2;
    this.#numberOf([{ at: 0, edits: 0, swapped: false }]);
  }

  /**
   * Where a character leads from a shape: the next shape * 16 + how much further it begins, or NOWHERE. Shape 0 is the start.
   * @param left characters from the first place on
   * @param same a bit for each of the first of these, as many as `window`: whether it is the character
   */
  step(shape: number, left: number, same: number): number {
    const { places, steps } = this.#shapes[shape]!;
    const at = (Math.min(left, this.window + 1) << this.window) | same;
    const known = steps[at]!;
    if (known !== 0) return known - 2;
    const made = this.#step(places, Math.min(left, this.window + 1), same);
    steps[at] = made + 2;
    return made;
  }

  #step(places: readonly Place[], left: number, same: number): number {
    const word = Array.from({ length: left }, (_, i) => (same >>> i) & 1);
    const next = reduced(places.flatMap((place) => after(place, 1, word, this.#most, this.#transpositions)));
    if (next.length === 0) return NOWHERE;
    const first = Math.min(...next.map(({ at }) => at));
    return this.#numberOf(next.map((place) => ({ ...place, at: place.at - first }))) * OFFSETS + first;
  }

  #numberOf(places: readonly Place[]): number {
    const key = places.map(({ at, edits, swapped }) => `${at}.${edits}${swapped ? 's' : ''}`).join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#shapes.push({ places, steps: new Int32Array((this.window + 2) << this.window) }) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** 1 + the edits of a word that ends here, 0 where it would take too many. */
  accepts(shape: number, left: number): number {
    let least = this.#most + 1;
    for (const { at, edits, swapped } of this.#shapes[shape]!.places)
      if (!swapped) least = Math.min(least, edits + left - at);
    return least <= this.#most ? 1 + least : 0;
  }

  /** 1 + the edits of the best word that goes on from here. */
  least(shape: number): number {
    let least = this.#most;
    for (const { edits } of this.#shapes[shape]!.places) least = Math.min(least, edits);
    return 1 + least;
  }
}
