/** The tokens of a field's values in one row, as term vectors and postings with offsets keep them. */

import type { Analyzer } from '../analysis/analyzer.js';
import type { Passes } from '../passes.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import type { PlacedToken } from './phraseList.js';

/** Steps of a work limit that a token takes. */
const TOKEN_STEPS = 2;

/** The values of a field and how they are analyzed. */
export interface FieldText {
  values: readonly string[];
  analyzer: Analyzer;
  /** Positions left out between two values. */
  gap: number;
  /** Whether they are those of nested documents, and what is indexed of them stands there. */
  isElsewhere?: boolean;
}

/** Characters of a field's values that are analyzed to highlight them; what follows has no marks. */
export const MAX_ANALYZED = 512 * 1024;
/** So far before that a blank is looked for, where a text may be cut. */
const MAX_WORD = 1024;

/** The part of a text that is analyzed, of so many characters at most: it ends before a blank where there is one. */
export function analyzedPart(text: string, most = MAX_ANALYZED): string {
  if (text.length <= most) return text;
  const least = Math.max(0, most - MAX_WORD);
  const blank = text.slice(least, most).search(/\s\S*$/);
  return text.slice(0, blank < 0 ? most : least + blank);
}

/** Offsets go on from value to value with one unit between them. */
export function* placedTokens(
  { values, analyzer, gap }: FieldText,
  work: WorkLimit,
  passes: Passes,
): Turns<PlacedToken[]> {
  const placed: PlacedToken[] = [];
  let position = 0;
  let offset = 0;
  for (const value of values) {
    let last = position;
    const text = analyzedPart(value, Math.max(0, MAX_ANALYZED - offset));
    const tokens = text === '' && value !== '' ? [] : yield* passes.inTurns(() => analyzer.analyze(text));
    for (const { term, position: at, startOffset, endOffset } of tokens) {
      if (work.isDue(TOKEN_STEPS)) yield;
      last = position + at;
      placed.push({ term, position: last, start: offset + startOffset, end: offset + endOffset });
    }
    position = last + gap;
    offset += value.length + 1;
  }
  return placed;
}

/** The positions of every term. */
export function positionsOf(
  tokens: readonly Pick<PlacedToken, 'term' | 'position'>[],
): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const { term, position } of tokens) {
    const known = positions.get(term);
    if (known === undefined) positions.set(term, [position]);
    else known.push(position);
  }
  return positions;
}
