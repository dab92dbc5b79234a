/** The tokens of a field's values in one row, as term vectors and postings with offsets keep them. */

import type { Analyzer } from '../analysis/analyzer.js';
import type { PlacedToken } from './phraseList.js';

/** The values of a field and how they are analyzed. */
export interface FieldText {
  values: readonly string[];
  analyzer: Analyzer;
  /** Positions left out between two values. */
  gap: number;
  /** Whether they are those of nested documents, and what is indexed of them stands there. */
  isElsewhere?: boolean;
}

/** Offsets go on from value to value with one unit between them. */
export function placedTokens({ values, analyzer, gap }: FieldText): PlacedToken[] {
  const placed: PlacedToken[] = [];
  let position = 0;
  let offset = 0;
  for (const value of values) {
    let last = position;
    for (const { term, position: at, startOffset, endOffset } of analyzer.analyze(value)) {
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
