/** A request that aims at cost, and what random choices it is made of. */
import { Chance } from '../../test/metamorphic/chance.js';
import { type Json, toJson } from '../../test/metamorphic/json.js';

export type { Json, JsonObject } from '../../test/metamorphic/json.js';

/** How a body is written. */
export type Written = 'json' | 'yaml' | 'cbor' | 'smile' | 'gzip' | 'deflate';

export interface CostRequest {
  method: string;
  path: string;
  /** A body of one value. */
  body?: Json;
  /** A body of lines, each of them JSON. */
  lines?: Json[];
  /** A body that is no JSON, or none that is valid. */
  text?: string;
  written?: Written;
}

/** The text of a body. */
export function textOf({ body, lines, text }: CostRequest): string {
  if (text !== undefined) return text;
  if (lines !== undefined) return lines.map((line) => `${toJson(line)}\n`).join('');
  return body === undefined ? '' : toJson(body);
}

/** Choices of sizes: mostly small, sometimes as large as they may be. */
export class Sizes extends Chance {
  /** A number from 1 to `most`; each order of magnitude is as likely as the others. */
  amount(most: number): number {
    return Math.max(1, Math.round(Math.exp(this.next() * Math.log(most))));
  }

  /** A list of `amount(most)` elements. */
  list<T>(most: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.amount(most) }, (_, i) => make(i));
  }

  /** A text repeated `amount(most)` times. */
  repeated(text: string, most: number): string {
    return text.repeat(this.amount(most));
  }

  /** A number that bounds are about. */
  extreme(): number {
    return this.of([
      0,
      1,
      -1,
      2,
      10,
      1000,
      10_000,
      1e6,
      1e9,
      2 ** 31 - 1,
      2 ** 31,
      -(2 ** 31),
      2 ** 53,
      1e300,
      0.5,
    ]);
  }
}

/** The words that texts of the data consist of. */
export const WORDS = Array.from({ length: 400 }, (_, i) => {
  const letters = 'etaoinshrdlu';
  return `${letters[i % 12]}${letters[(i * 5 + 3) % 12]}${letters[Math.floor(i / 12) % 12]}${i % 3 === 0 ? 'ing' : ''}`;
});

export function words(c: Chance, n: number): string {
  return Array.from({ length: n }, () => c.early(WORDS)).join(' ');
}
