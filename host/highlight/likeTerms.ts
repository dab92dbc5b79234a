/** The terms that queries for what is like a text come to where there is nothing but the text that is highlighted. */

import type { FuzzyLikeThisNode } from '../plan/nodes/fuzzyLikeThis.js';
import type { MoreLikeThisNode } from '../plan/nodes/moreLikeThis.js';
import { levenshtein } from '../suggest/distances.js';
import { expand, type Positions, termText } from './termSpans.js';

/** A term, and the field that it is looked for in. */
export interface LikeTerm {
  field: number;
  term: string;
  boost: number;
}

/** The terms of `more_like_this` as it selects them by the frequencies of a single document: they are in it, or they aren't. */
export function moreLikeTerms(node: MoreLikeThisNode, positions: Positions): LikeTerm[] {
  if (node.minDocFreq > 1 || node.maxDocFreq < 1) return [];
  return allLikeTerms(node, positions);
}

/** The same without regard to how many documents must have a term. */
export function allLikeTerms(
  { groups, maxQueryTerms, boostTerms }: MoreLikeThisNode,
  positions: Positions,
): LikeTerm[] {
  return groups.flatMap(({ fields, terms }) => {
    const found = terms
      .map(({ frequency, term }) => ({ frequency, term: termText(term) }))
      .filter(({ term }) => positions.has(term))
      .sort((a, b) => b.frequency - a.frequency)
      .slice(0, maxQueryTerms);
    const best = found[0]?.frequency ?? 1;
    return found.map(({ frequency, term }) => ({
      field: fields[0] ?? -1,
      term,
      boost: boostTerms > 0 ? Math.fround((boostTerms * frequency) / best) : 1,
    }));
  });
}

/** The variants of the words of `fuzzy_like_this` that a text has. */
export function fuzzyLikeTerms(
  { words, minSimilarity }: FuzzyLikeThisNode,
  positions: Positions,
): LikeTerm[] {
  return words.flatMap(({ word, variants }) => {
    const text = termText(word.term);
    return expand(variants.matcher, positions)
      .filter((term) => isAlike(term, text, minSimilarity))
      .map((term) => ({ field: word.field, term, boost: 1 }));
  });
}

function isAlike(term: string, word: string, least: number): boolean {
  if (term === word || least === 0) return true;
  const edits = Math.round((1 - levenshtein(term, word)) * Math.max(term.length, word.length));
  return 1 - edits / Math.min(term.length, word.length) > least;
}
