import type { Json, JsonObject } from './json.js';
import { Random } from '../torture/random.js';

/** Random choices that a seed fixes. */
export class Chance extends Random {
  /** Seeds next to each other draw unlike numbers. */
  constructor(seed: number) {
    super(Math.imul(seed, 0x9e3779b1));
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** One of them, the earlier ones more often. */
  early<T>(items: readonly T[]): T {
    return items[Math.min(this.below(items.length), this.below(items.length))]!;
  }

  /** A whole number of `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** Between `from` and `to` results of `make`. */
  many<T>(from: number, to: number, make: () => T): T[] {
    return Array.from({ length: this.between(from, to) }, make);
  }

  /** `{ [key]: make() }` so often, else nothing: to be spread. */
  maybe(p: number, key: string, make: () => Json): JsonObject {
    return this.chance(p) ? { [key]: make() } : {};
  }
}
