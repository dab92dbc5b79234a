/**
 * The scorers of Lucene 4.10, as far as their order of additions can be seen in a score. All arithmetic is rounded to
 * 32-bit floats except the sums of disjunctions, which are double.
 */

import { exactFrequency, type PhrasePart, repetitionGroups, sloppyFrequency } from './naivePhrase.js';

const f = Math.fround;

/** No more documents. */
export const END = Number.MAX_SAFE_INTEGER;

/** A document and its score, one after the other; `cost` is what conjunctions are sorted by. */
export abstract class Scorer {
  doc = -1;
  abstract readonly cost: number;
  abstract next(): number;
  abstract score(): number;
  /** How many clauses match. */
  clauses(): number {
    return 1;
  }
  advance(target: number): number {
    while (this.doc < target) this.next();
    return this.doc;
  }
}

/** Documents with scores that are already known: terms, phrases, constants. */
export class ListScorer extends Scorer {
  readonly cost: number;
  readonly #hits: readonly { doc: number; score: number }[];
  #at = -1;

  constructor(hits: readonly { doc: number; score: number }[], cost: number) {
    super();
    this.#hits = hits;
    this.cost = cost;
  }

  next(): number {
    this.doc = this.#hits[++this.#at]?.doc ?? END;
    return this.doc;
  }

  score(): number {
    return this.#hits[this.#at]!.score;
  }
}

/** All of them; a float sum by ascending cost, ties in the order given. */
export class ConjunctionScorer extends Scorer {
  readonly #scorers: Scorer[];
  readonly #coord: number;
  readonly cost: number;

  constructor(scorers: readonly Scorer[], coord: number) {
    super();
    this.#scorers = [...scorers].sort((a, b) => a.cost - b.cost);
    this.#coord = coord;
    this.cost = this.#scorers[0]!.cost;
  }

  next(): number {
    let target = this.#scorers[0]!.next();
    for (;;) {
      let agreed = true;
      for (const scorer of this.#scorers) {
        if (scorer.doc < target) scorer.advance(target);
        if (scorer.doc > target) {
          target = scorer.doc;
          agreed = false;
          break;
        }
      }
      if (agreed || target === END) {
        this.doc = target;
        return target;
      }
    }
  }

  score(): number {
    return f(this.sum() * this.#coord);
  }

  protected sum(): number {
    let sum = 0;
    for (const scorer of this.#scorers) sum = f(sum + scorer.score());
    return sum;
  }
}

/** A required and an optional side of which both must match, with a coord of what matched. */
export class CoordinatingConjunctionScorer extends ConjunctionScorer {
  readonly #coords: readonly number[];
  readonly #required: number;
  readonly #optional: Scorer;

  constructor(required: Scorer, count: number, optional: Scorer, coords: readonly number[]) {
    super([required, optional], 1);
    this.#coords = coords;
    this.#required = count;
    this.#optional = optional;
  }

  override score(): number {
    return f(this.#coords[this.#required + this.#optional.clauses()]! * super.score());
  }
}

/** Any of them, on the heap of Lucene 4.10: its state decides the order of additions. */
abstract class DisjunctionScorer extends Scorer {
  readonly #heap: Scorer[];
  readonly cost: number;

  constructor(scorers: readonly Scorer[]) {
    super();
    this.#heap = [...scorers];
    this.cost = scorers.reduce((sum, scorer) => sum + scorer.cost, 0);
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#adjust(i);
  }

  protected matching(): Scorer[] {
    const found: Scorer[] = [];
    const visit = (i: number): void => {
      if (i >= this.#heap.length || this.#heap[i]!.doc !== this.doc) return;
      found.push(this.#heap[i]!);
      visit(2 * i + 1);
      visit(2 * i + 2);
    };
    visit(0);
    return found;
  }

  override clauses(): number {
    return this.matching().length;
  }

  next(): number {
    return this.#move(
      (top) => top.next(),
      (doc) => doc !== this.doc,
    );
  }

  override advance(target: number): number {
    return this.#move(
      (top) => top.advance(target),
      (doc) => doc >= target,
    );
  }

  #move(move: (top: Scorer) => number, arrived: (doc: number) => boolean): number {
    for (;;) {
      if (move(this.#heap[0]!) !== END) this.#adjust(0);
      else if (!this.#removeTop()) {
        this.doc = END;
        return END;
      }
      const doc = this.#heap[0]!.doc;
      if (arrived(doc)) {
        this.doc = doc;
        return doc;
      }
    }
  }

  #removeTop(): boolean {
    const last = this.#heap.pop()!;
    if (this.#heap.length === 0) return false;
    this.#heap[0] = last;
    this.#adjust(0);
    return true;
  }

  #adjust(root: number): void {
    const heap = this.#heap;
    const scorer = heap[root]!;
    let i = root;
    while (i <= (heap.length >> 1) - 1) {
      const left = 2 * i + 1;
      const right = left + 1;
      const leftDoc = heap[left]!.doc;
      const rightDoc = right < heap.length ? heap[right]!.doc : END;
      let child: number;
      if (leftDoc < scorer.doc) child = rightDoc < leftDoc ? right : left;
      else if (rightDoc < scorer.doc) child = right;
      else return;
      heap[i] = heap[child]!;
      heap[child] = scorer;
      i = child;
    }
  }
}

/** `(float) (double sum) * coord`. */
export class DisjunctionSumScorer extends DisjunctionScorer {
  readonly #coords: readonly number[];

  constructor(scorers: readonly Scorer[], coords: readonly number[]) {
    super(scorers);
    this.#coords = coords;
  }

  score(): number {
    const matching = this.matching();
    let sum = 0;
    for (const scorer of matching) sum += scorer.score();
    return f(f(sum) * this.#coords[matching.length]!);
  }
}

/** `max + (sum - max) * tie`. */
export class DisjunctionMaxScorer extends DisjunctionScorer {
  readonly #tie: number;

  constructor(scorers: readonly Scorer[], tie: number) {
    super(scorers);
    this.#tie = tie;
  }

  score(): number {
    let sum = 0;
    let max = 0;
    for (const scorer of this.matching()) {
      const score = scorer.score();
      sum = f(sum + score);
      if (score > max) max = score;
    }
    return f(max + f(f(sum - max) * this.#tie));
  }
}

/** At least so many of them. */
export class MinShouldMatchScorer extends Scorer {
  readonly #scorers: readonly Scorer[];
  readonly #minimum: number;
  readonly #coords: readonly number[];
  readonly cost: number;

  constructor(scorers: readonly Scorer[], minimum: number, coords: readonly number[]) {
    super();
    this.#scorers = scorers;
    this.#minimum = minimum;
    this.#coords = coords;
    const costs = scorers.map((scorer) => scorer.cost).sort((a, b) => a - b);
    const candidates = costs.slice(0, scorers.length - minimum + 1).reduce((a, b) => a + b, 0);
    this.cost = candidates * minimum;
  }

  next(): number {
    for (;;) {
      const target = this.doc + 1;
      for (const scorer of this.#scorers) if (scorer.doc < target) scorer.advance(target);
      this.doc = Math.min(...this.#scorers.map((scorer) => scorer.doc));
      if (this.doc === END || this.clauses() >= this.#minimum) return this.doc;
    }
  }

  override clauses(): number {
    return this.#scorers.filter((scorer) => scorer.doc === this.doc).length;
  }

  score(): number {
    let sum = 0;
    for (const scorer of this.#scorers) if (scorer.doc === this.doc) sum += scorer.score();
    return f(this.#coords[this.clauses()]! * f(sum));
  }
}

/** The required side, and the optional one where it matches, with a coord of what matched. */
export class RequiredOptionalScorer extends Scorer {
  readonly #required: Scorer;
  readonly #optional: Scorer;
  readonly #coord: (optional: number) => number;
  readonly cost: number;

  /** `coord` of the number of optional clauses that match. */
  constructor(required: Scorer, optional: Scorer, coord: (optional: number) => number) {
    super();
    this.#required = required;
    this.#optional = optional;
    this.#coord = coord;
    this.cost = required.cost;
  }

  next(): number {
    this.doc = this.#required.next();
    return this.doc;
  }

  override advance(target: number): number {
    this.doc = this.#required.advance(target);
    return this.doc;
  }

  score(): number {
    if (this.#optional.doc < this.doc) this.#optional.advance(this.doc);
    const score = this.#required.score();
    if (this.#optional.doc !== this.doc) return f(score * this.#coord(0));
    return f(f(score + this.#optional.score()) * this.#coord(this.#optional.clauses()));
  }
}

/** One side without the documents of the other. */
export class ExclusionScorer extends Scorer {
  readonly #main: Scorer;
  readonly #excluded: ReadonlySet<number>;
  readonly cost: number;

  constructor(main: Scorer, excluded: ReadonlySet<number>) {
    super();
    this.#main = main;
    this.#excluded = excluded;
    this.cost = main.cost;
  }

  override clauses(): number {
    return this.#main.clauses();
  }

  next(): number {
    do this.doc = this.#main.next();
    while (this.doc !== END && this.#excluded.has(this.doc));
    return this.doc;
  }

  override advance(target: number): number {
    this.doc = this.#main.advance(target);
    return this.doc !== END && this.#excluded.has(this.doc) ? this.next() : this.doc;
  }

  score(): number {
    return this.#main.score();
  }
}

/** A scorer whose scores are multiplied. */
export class CoordScorer extends Scorer {
  readonly #main: Scorer;
  readonly #coord: number;
  readonly cost: number;

  constructor(main: Scorer, coord: number) {
    super();
    this.#main = main;
    this.#coord = coord;
    this.cost = main.cost;
  }

  next(): number {
    this.doc = this.#main.next();
    return this.doc;
  }

  override advance(target: number): number {
    this.doc = this.#main.advance(target);
    return this.doc;
  }

  score(): number {
    return f(this.#main.score() * this.#coord);
  }
}

/** How often a phrase is in a document; 0 if it isn't. */
export function phraseFrequency(parts: readonly PhrasePart[], slop: number): number {
  if (slop === 0) return exactFrequency(parts);
  return sloppyFrequency(parts, slop, repetitionGroups(parts));
}
