/** The most probable phrases that can be made of what may stand at each place. */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import type { Candidate, WordScorer } from './wordScorers.js';

/** What may stand at one place: what was written, and what it is like. */
export interface CandidateSet {
  original: Candidate;
  candidates: Candidate[];
}

/** A phrase with how probable it is. */
export interface Correction {
  score: number;
  words: Candidate[];
}

/** More words than this are not scored for one phrase. */
const MAX_SCORED = 300_000;

/** The score of a phrase. */
export function phraseScore(words: readonly Candidate[], scorer: WordScorer, gramSize: number): number {
  return Math.exp(words.reduce((sum, _, i) => sum + scorer.score(words, i, gramSize), 0));
}

/** Up to `wanted` phrases that score more than `cutoff`, with at most `maxErrors` words (below 1: a share of them) replaced. */
export function bestCorrections(
  sets: readonly CandidateSet[],
  scorer: WordScorer,
  {
    wanted,
    maxErrors,
    cutoff,
    gramSize,
  }: { wanted: number; maxErrors: number; cutoff: number; gramSize: number },
): Correction[] {
  const errors =
    maxErrors >= 1 ? Math.trunc(maxErrors) : Math.floor(Math.fround(maxErrors * sets.length) + 0.5);
  const best: Correction[] = [];
  const path = new Array<Candidate>(sets.length);
  let scored = 0;
  const visit = (at: number, errorsLeft: number, score: number): void => {
    const { original, candidates } = sets[at]!;
    for (let i = -1; i < (errorsLeft > 0 ? candidates.length : 0); i++) {
      path[at] = i < 0 ? original : candidates[i]!;
      if (++scored > MAX_SCORED)
        throw illegalArgument('the phrase has more corrections than can be looked at');
      const sum = score + scorer.score(path, at, gramSize);
      if (at + 1 < sets.length) visit(at + 1, i < 0 ? errorsLeft : errorsLeft - 1, sum);
      else keep(Math.exp(sum));
    }
  };
  const keep = (score: number): void => {
    if (!(score > cutoff)) return;
    if (best.length >= wanted && !(best.at(-1)!.score < score)) return;
    const correction = { score, words: [...path] };
    let at = best.length;
    while (at > 0 && goesBefore(correction, best[at - 1]!)) at--;
    best.splice(at, 0, correction);
    if (best.length > wanted) best.pop();
  };
  visit(0, Math.max(1, errors), 0);
  return best;
}

function goesBefore(a: Correction, b: Correction): boolean {
  if (a.score !== b.score) return a.score > b.score;
  const differs = a.words.findIndex(({ term }, i) => term !== b.words[i]!.term);
  return differs >= 0 && a.words[differs]!.term < b.words[differs]!.term;
}

/** The words with blanks between them; those that are replaced, side by side, between tags if there are any. */
export function joined(
  words: readonly Candidate[],
  tags?: { before: string; after: string | undefined },
): string {
  if (tags === undefined) return words.map(({ term }) => term).join(' ');
  const { before, after } = tags;
  return words
    .map(({ term, userInput }, i) => {
      if (userInput) return term;
      // 1.7 misses the other tag only where it is needed.
      if (after === undefined) throw new ElasticsearchError('NullPointerException', null);
      const first = i === 0 || words[i - 1]!.userInput;
      const last = i + 1 === words.length || words[i + 1]!.userInput;
      return `${first ? before : ''}${term}${last ? after : ''}`;
    })
    .join(' ');
}
