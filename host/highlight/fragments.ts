/** Cuts a text into fragments and marks its terms: the highlighter of Lucene 4.10. */

import type { Token } from '../analysis/analyzer.js';
import type { QueryTerm } from './queryTerms.js';

/** A piece of a text; without a term of the query its score is 0. */
export interface Fragment {
  score: number;
  /** Its place among the fragments of the text. */
  number: number;
  text: string;
}

/** How a text is cut. */
export interface Cutting {
  /** The least size of fragments in UTF-16 units; undefined: the text stays whole. */
  size: number | undefined;
  /** Whether phrases are kept in one piece. */
  spans: boolean;
  /** Puts a text into the answer's encoding. */
  encode(text: string): string;
  before: string;
  after: string;
}

/** The position up to which no fragment ends, -1 for none; Lucene's fragmenter takes it along from text to text. */
export interface Waiting {
  until: number;
}

/** Tokens that overlap are marked as one; further ones of such a group count no more. */
const MAX_GROUP = 50;

/**
 * All fragments of a text in their order.
 * @param waiting what the text before has left, and this one leaves
 */
export function fragmentsOf(
  text: string,
  tokens: readonly Token[],
  terms: ReadonlyMap<string, QueryTerm>,
  cutting: Cutting,
  waiting: Waiting = { until: -1 },
): Fragment[] {
  const { encode } = cutting;
  const cutter = new Cutter(text, terms, cutting, waiting);
  const fragments: Fragment[] = [];
  let current: Fragment = { score: 0, number: 0, text: '' };
  let found = new Set<string>();
  let lastEnd = 0;
  let group: Group | undefined;
  const flush = (done: Group) => {
    const marked = encode(text.slice(done.from, done.to));
    if (done.from > lastEnd) current.text += encode(text.slice(lastEnd, done.from));
    current.text += done.total > 0 ? `${cutting.before}${marked}${cutting.after}` : marked;
    lastEnd = Math.max(done.to, lastEnd);
  };
  let before = 0;
  for (const token of tokens) {
    if (token.endOffset > text.length || token.startOffset > text.length) break;
    if (group !== undefined && token.startOffset >= group.end) {
      flush(group);
      group = undefined;
      if (cutter.beginsFragment(token, token.position - before)) {
        fragments.push(current);
        current = { score: 0, number: fragments.length, text: '' };
        found = new Set();
      }
    }
    before = token.position;
    const score = scoreOf(token, terms);
    if (score > 0 && !found.has(token.term)) {
      found.add(token.term);
      current.score = Math.fround(current.score + score);
    }
    group = joined(group, token, score);
  }
  if (group !== undefined) flush(group);
  if (lastEnd < text.length) current.text += encode(text.slice(lastEnd));
  fragments.push(current);
  return fragments;
}

/** The best fragments of a text, best first; of the rest the scores are too low. */
export function bestFragments(fragments: readonly Fragment[], count: number): Fragment[] {
  return [...fragments]
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, count)
    .filter(({ score }) => score > 0);
}

function scoreOf({ term, position }: Token, terms: ReadonlyMap<string, QueryTerm>): number {
  const known = terms.get(term);
  if (known === undefined) return 0;
  const { anywhere, spans, weight } = known;
  return anywhere || spans.some(({ start, end }) => position >= start && position < end) ? weight : 0;
}

/** Tokens that overlap. What is marked begins and ends with those that the query looks for. */
interface Group {
  from: number;
  to: number;
  end: number;
  total: number;
  size: number;
}

function joined(group: Group | undefined, { startOffset, endOffset }: Token, score: number): Group {
  if (group === undefined) return { from: startOffset, to: endOffset, end: endOffset, total: score, size: 1 };
  if (group.size >= MAX_GROUP) return group;
  group.size++;
  group.end = Math.max(group.end, endOffset);
  if (score > 0) {
    group.from = group.total === 0 ? startOffset : Math.min(group.from, startOffset);
    group.to = group.total === 0 ? endOffset : Math.max(group.to, endOffset);
    group.total += score;
  }
  return group;
}

/** Says where fragments begin. */
class Cutter {
  readonly #length: number;
  readonly #terms: ReadonlyMap<string, QueryTerm>;
  readonly #cutting: Cutting;
  /** As Lucene counts: tokens at which nothing can begin, such as the first, are not counted. */
  #position = -1;
  readonly #waiting: Waiting;
  #fragments = 1;

  constructor(text: string, terms: ReadonlyMap<string, QueryTerm>, cutting: Cutting, waiting: Waiting) {
    this.#length = text.length;
    this.#terms = terms;
    this.#cutting = cutting;
    this.#waiting = waiting;
  }

  /** @param step how far the token stands behind the one before it */
  beginsFragment({ term, endOffset }: Token, step: number): boolean {
    const { size, spans } = this.#cutting;
    if (size === undefined) return false;
    if (spans) {
      this.#position += step;
      if (this.#waiting.until === this.#position) this.#waiting.until = -1;
      else if (this.#waiting.until !== -1) return false;
      // Positions here begin at 1.
      const at = this.#terms.get(term)?.spans.find(({ start }) => start - 1 === this.#position);
      if (at !== undefined) this.#waiting.until = at.end - 1;
    }
    const begins = endOffset >= size * this.#fragments && (!spans || this.#length - endOffset >= size >>> 1);
    if (begins) this.#fragments++;
    return begins;
  }
}
