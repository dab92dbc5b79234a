/** The postings highlighter: the best sentences of a text, scored like small documents (Lucene 4.10's PostingsHighlighter). */

import { sentenceEnds } from './sentences.js';

/** A marked piece of a text. */
export interface Snippet {
  text: string;
  score: number;
}

/** An occurrence of the term with a number, in UTF-16 units. */
export interface Occurrence {
  term: number;
  start: number;
  end: number;
}

/** How snippets are marked. */
export interface Marking {
  before: string;
  after: string;
  encode(text: string): string;
}

/** Stands between the values of a field; sentences end at it. */
export const PARAGRAPH_SEPARATOR = '\u2029';

// PassageScorer: BM25 over the passages of one document.
const K1 = Math.fround(1.2);
const B = 0.75;
/** The length in units that a passage usually has. */
const PIVOT = 87;

interface Passage {
  start: number;
  end: number;
  score: number;
  matches: Occurrence[];
}

/**
 * The best passages of a text in its order.
 * @param occurrences ascending by start, then by term
 * @param ends where passages may end, ascending
 */
export function snippetsOf(
  text: string,
  occurrences: readonly Occurrence[],
  ends: readonly number[],
  count: number,
  marking: Marking,
): Snippet[] {
  const weights = weightsOf(occurrences, text.length);
  const passages: Passage[] = [];
  let current: Passage | undefined;
  let next = 0;
  for (const occurrence of occurrences) {
    if (current === undefined || occurrence.start >= current.end) {
      while (next < ends.length && ends[next]! <= occurrence.start) next++;
      if (next === ends.length) break;
      current = { start: next === 0 ? 0 : ends[next - 1]!, end: ends[next]!, score: 0, matches: [] };
      passages.push(current);
    }
    current.matches.push(occurrence);
  }
  for (const passage of passages) score(passage, weights);
  // Of equal passages the later ones stay.
  const best = [...passages].sort((a, b) => b.score - a.score || b.start - a.start).slice(0, count);
  return best
    .sort((a, b) => a.start - b.start)
    .map((passage) => ({ text: marked(text, passage, marking), score: passage.score }));
}

function weightsOf(occurrences: readonly Occurrence[], length: number): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { term } of occurrences) weights.set(term, (weights.get(term) ?? 0) + 1);
  const documents = Math.fround(1 + Math.fround(length / PIVOT));
  for (const [term, frequency] of weights) {
    const idf = Math.fround(Math.log(1 + (documents + 0.5) / (frequency + 0.5)));
    weights.set(term, Math.fround(Math.fround(K1 + 1) * idf));
  }
  return weights;
}

function score(passage: Passage, weights: ReadonlyMap<number, number>): void {
  const { start, end, matches } = passage;
  const frequencies = new Map<number, number>();
  for (const { term } of matches) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const norm = Math.fround(K1 * Math.fround(1 - B + Math.fround(B * Math.fround((end - start) / PIVOT))));
  let sum = 0;
  for (const [term, frequency] of frequencies) {
    const tf = Math.fround(frequency / Math.fround(frequency + norm));
    sum = Math.fround(sum + Math.fround(weights.get(term)! * tf));
  }
  passage.score = Math.fround(sum * Math.fround(1 + Math.fround(1 / Math.fround(Math.log(PIVOT + start)))));
}

/** Terms that overlap are marked as far as they are not marked yet. */
function marked(text: string, { start, end, matches }: Passage, { before, after, encode }: Marking): string {
  let at = start;
  let out = '';
  for (const match of matches) {
    if (match.start > at) out += encode(text.slice(at, match.start));
    if (match.end <= at) continue;
    out += before + encode(text.slice(Math.max(at, match.start), match.end)) + after;
    at = match.end;
  }
  return tidy(out + encode(text.slice(at, Math.max(at, end))));
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return tidy(text.slice(0, sentenceEnds(text)[0] ?? 0));
}

/** Without the separator of values at its end, and without control characters and blanks around. */
function tidy(text: string): string {
  let end = text.endsWith(PARAGRAPH_SEPARATOR) ? text.length - 1 : text.length;
  let start = 0;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}
