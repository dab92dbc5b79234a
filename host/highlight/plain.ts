/** The plain highlighter: it analyzes every value again and cuts it where its tokens lie (Lucene 4.10's Highlighter). */

import type { Analyzer } from '../analysis/analyzer.js';
import type { HighlightOptions } from './request.js';
import type { PlanNode } from '../plan/nodes.js';
import { ElasticsearchError } from '../errors.js';
import { bestFragments, type Fragment, fragmentsOf, type Waiting } from './fragments.js';
import { analyzedPart, MAX_ANALYZED, positionsOf } from './placedTokens.js';
import { queryTerms } from './queryTerms.js';
import type { Passes } from '../passes.js';
import type { Turns, WorkLimit } from '../workLimit.js';

/** What analyzing a text costs, and each of its tokens, in steps of a work limit. */
const TEXT_STEPS = 64;
const TOKEN_STEPS = 4;

/** How a field is highlighted: by the options that its highlighter was made with, and by its own. */
export interface PlainOptions {
  made: HighlightOptions;
  own: HighlightOptions;
  waiting: Waiting;
}

/** The marked fragments of a field's values. `field`: its number, if only queries of the field count; `passes`: in which they are analyzed. */
export function* plainHighlight(
  texts: readonly string[],
  analyzer: Analyzer,
  query: PlanNode,
  field: number | undefined,
  { made, own: { fragments, scoreOrdered, noMatchSize }, waiting }: PlainOptions,
  encode: (text: string) => string,
  work: WorkLimit,
  passes: Passes,
): Turns<string[]> {
  const before = made.before[0]!;
  const after = made.after[0]!;
  const size = made.fragments === 0 ? undefined : made.fragmentSize;
  const cutting = { size, spans: made.fragmenter !== 'simple', encode, before, after };
  const wanted = fragments === 0 ? 1 : fragments;
  const all: Fragment[] = [];
  let left = MAX_ANALYZED;
  for (const text of texts) {
    const analyzed = analyzedPart(text, left);
    left -= analyzed.length;
    const tokens =
      analyzed === '' && text !== '' ? [] : yield* passes.inTurns(() => analyzer.analyze(analyzed));
    if (work.isDue(TEXT_STEPS + tokens.length * TOKEN_STEPS)) yield;
    const positions = positionsOf(tokens);
    if (work.isDue(tokens.length)) yield;
    const terms = queryTerms(query, positions, field);
    if (work.isDue(terms.size)) yield;
    const cut = fragmentsOf(text, tokens, terms, cutting, waiting);
    if (work.isDue(tokens.length)) yield;
    all.push(...bestFragments(cut, Math.max(1, wanted)));
  }
  if (scoreOrdered) all.sort((a, b) => Math.round(b.score - a.score));
  const whole = fragments === 0 && texts.length > 1 && all.length > 0;
  // 1.7 makes an array of that many.
  if (!whole && wanted < 0)
    throw new ElasticsearchError('NegativeArraySizeException', String(wanted), { status: 500 });
  const kept = whole ? all : all.slice(0, wanted);
  if (kept.length > 0) return kept.map(({ text }) => text);
  const [first] = texts;
  if (noMatchSize <= 0 || first === undefined) return [];
  let end = -1;
  for (const { endOffset } of yield* passes.inTurns(() => analyzer.analyze(analyzedPart(first)))) {
    if (endOffset > noMatchSize) break;
    end = endOffset;
  }
  return end > 0 ? [first.slice(0, end)] : [];
}
