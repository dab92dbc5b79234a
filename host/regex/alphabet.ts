/** The code points that a pattern tells apart: classes of those that no set of the pattern divides. */
import { type CodePointSet, MAX_CODE_POINT } from './codePointSet.js';

const PAGE = 256;

/** Classes of code points, numbered from 0, and which of them belong to which set. */
export class Alphabet {
  /** How many classes there are. */
  readonly size: number;
  /** First code point of each run of one class, ascending, and its class. */
  readonly #starts: Int32Array;
  readonly #classes: Int32Array;
  /** Class by code point, 256 of them a page, made when one of them is met. */
  readonly #pages: (Int32Array | undefined)[] = new Array((MAX_CODE_POINT + 1) / PAGE);
  readonly #members: Uint8Array;

  constructor(sets: readonly CodePointSet[]) {
    const bounds = new Set([0]);
    for (const { ranges } of sets) {
      for (let i = 0; i < ranges.length; i += 2) bounds.add(ranges[i]!).add(ranges[i + 1]! + 1);
    }
    bounds.delete(MAX_CODE_POINT + 1);
    this.#starts = Int32Array.from(bounds).sort();
    this.#classes = new Int32Array(this.#starts.length);
    // Every set divides the classes that were there before it.
    let size = 1;
    for (const { ranges } of sets) {
      const inside = new Map<number, number>();
      let range = 0;
      const counts = new Int32Array(size);
      const within = new Uint8Array(this.#starts.length);
      for (let i = 0; i < this.#starts.length; i++) {
        while (range < ranges.length && ranges[range + 1]! < this.#starts[i]!) range += 2;
        within[i] = range < ranges.length && ranges[range]! <= this.#starts[i]! ? 1 : 0;
        counts[this.#classes[i]!]! |= within[i] === 1 ? 1 : 2;
      }
      for (let i = 0; i < this.#starts.length; i++) {
        const old = this.#classes[i]!;
        if (within[i] === 0 || counts[old] !== 3) continue;
        let divided = inside.get(old);
        if (divided === undefined) {
          divided = size++;
          inside.set(old, divided);
        }
        this.#classes[i] = divided;
      }
    }
    this.size = size;
    this.#members = new Uint8Array(sets.length * size);
    const met = new Set<number>();
    for (let i = 0; i < this.#starts.length; i++) {
      const cls = this.#classes[i]!;
      if (met.has(cls)) continue;
      met.add(cls);
      for (const [id, set] of sets.entries()) {
        if (set.has(this.#starts[i]!)) this.#members[id * size + cls] = 1;
      }
    }
  }

  /** The class of a code point. */
  classOf(codePoint: number): number {
    return (this.#pages[codePoint >>> 8] ?? this.#page(codePoint >>> 8))[codePoint & 255]!;
  }

  /** Whether the code points of a class belong to a set. */
  has(set: number, cls: number): boolean {
    return this.#members[set * this.size + cls] === 1;
  }

  #page(number: number): Int32Array {
    const page = new Int32Array(PAGE);
    let run = this.#runOf(number * PAGE);
    for (let i = 0; i < PAGE; i++) {
      while (run + 1 < this.#starts.length && this.#starts[run + 1]! <= number * PAGE + i) run++;
      page[i] = this.#classes[run]!;
    }
    this.#pages[number] = page;
    return page;
  }

  #runOf(codePoint: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= codePoint) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
