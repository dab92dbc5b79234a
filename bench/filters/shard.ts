/**
 * One merged segment of made-up documents, and searches on it. A document has each word of WORDS with that word's probability, once
 * to five times, and 5 to 40 fillers, short documents being more frequent; every second document with `fifth0` and `fifth1` has them
 * side by side. Beside the text it has tags of three frequencies, a page of 1,000, a whole number of a million and a point within 500 km of
 * Prague. A seeded generator makes them.
 */
import type { Core } from '../../host/core/instance.js';
import { decodeResult } from '../../host/core/result.js';
import { generator } from '../generator.js';
import { MadeSegment } from '../madeSegment.js';
import { placeAt } from '../place.js';

/** The type of the documents. */
export const TYPE = 'text';
const KEYWORD = { type: 'string', index: 'not_analyzed' };
const MAPPING = {
  _all: { enabled: false },
  properties: {
    body: { type: 'string' },
    tags: KEYWORD,
    page: KEYWORD,
    bytes: { type: 'long' },
    place: { type: 'geo_point' },
  },
};

/** How many words there are of a density. */
export const TWENTIETHS = 64;
/** Words by density: their names are that of the density and a number. */
const WORDS: readonly (readonly [string, number, number])[] = [
  ['half', 0.5, 1],
  ['fifth', 0.2, 3],
  ['twentieth', 0.05, TWENTIETHS],
  ['hundredth', 0.01, 6],
  ['thousandth', 0.001, 4],
];
const TAGS: readonly (readonly [string, number])[] = [
  ['dense', 0.3],
  ['medium', 0.05],
  ['sparse', 0.003],
];
const FILLERS = 300;

function documents(): () => Record<string, unknown> {
  const random = generator(1);
  const pick = (n: number) => Math.floor(random() * n);
  function body(): string {
    const words: string[] = [];
    for (const [name, density, count] of WORDS) {
      for (let i = 0; i < count; i++) {
        if (random() >= density) continue;
        words.push(name + i);
        for (let more = 0; more < 4 && random() < 0.3; more++) words.push(name + i);
      }
    }
    const short = random();
    const fillers = 5 + Math.floor(36 * short * short);
    for (let i = 0; i < fillers; i++) words.push(`filler${Math.floor(FILLERS * random() * random())}`);
    for (let i = words.length - 1; i > 0; i--) {
      const k = pick(i + 1);
      [words[i], words[k]] = [words[k]!, words[i]!];
    }
    if (words.includes('fifth0') && words.includes('fifth1') && random() < 0.5)
      words.push('fifth0', 'fifth1');
    return words.join(' ');
  }
  return () => {
    const angle = random() * 2 * Math.PI;
    const share = random();
    return {
      body: body(),
      tags: TAGS.flatMap(([tag, density]) => (random() < density ? [tag] : [])),
      page: `page-${pick(1000)}`,
      bytes: pick(1e6),
      place: placeAt(share, angle),
    };
  };
}

export class FilterShard {
  readonly #segment: MadeSegment;

  constructor(core: Core, count: number) {
    this.#segment = new MadeSegment(core, TYPE, MAPPING, count, documents());
  }

  /** The plan of a request's body. */
  plan(body: unknown): Uint8Array {
    return this.#segment.compile(body).plan().slice();
  }

  /** Plan in, number of matches out. */
  search(plan: Uint8Array): number {
    return decodeResult(this.#segment.search(plan)).total;
  }

  /** A request's text in, number of matches out. */
  ask(body: string): number {
    return this.search(this.plan(JSON.parse(body)));
  }

  drop(): void {
    this.#segment.drop();
  }
}
