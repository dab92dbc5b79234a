/** The plain highlighter: it analyzes every value again and cuts it where its tokens lie (Lucene 4.10's Highlighter). */

import type { Analyzer } from '../analysis/analyzer.js';
import type { HighlightOptions } from '../dsl/highlight.js';
import type { PlanNode } from '../dsl/plan.js';
import { bestFragments, type Fragment, fragmentsOf } from './fragments.js';
import { positionsOf } from './placedTokens.js';
import { queryTerms } from './queryTerms.js';

/** The marked fragments of a field's values. `field`: its number, if only queries of the field count. */
export function plainHighlight(
  texts: readonly string[],
  analyzer: Analyzer,
  query: PlanNode,
  field: number | undefined,
  options: HighlightOptions,
  encode: (text: string) => string,
): string[] {
  const { noMatchSize } = options;
  const before = options.before[0]!;
  const after = options.after[0]!;
  const size = options.fragments === 0 ? undefined : options.fragmentSize;
  const cutting = { size, spans: options.fragmenter !== 'simple', encode, before, after };
  const wanted = options.fragments === 0 ? 1 : options.fragments;
  const all: Fragment[] = [];
  for (const text of texts) {
    const tokens = analyzer.analyze(text);
    const terms = queryTerms(query, positionsOf(tokens), field);
    if (terms.size > 0) all.push(...bestFragments(fragmentsOf(text, tokens, terms, cutting), wanted));
  }
  if (options.scoreOrdered) all.sort((a, b) => Math.round(b.score - a.score));
  const kept = options.fragments === 0 && texts.length > 1 ? all : all.slice(0, Math.max(0, wanted));
  if (kept.length > 0) return kept.map(({ text }) => text);
  const [first] = texts;
  if (noMatchSize <= 0 || first === undefined) return [];
  let end = -1;
  for (const { endOffset } of analyzer.analyze(first)) {
    if (endOffset > noMatchSize) break;
    end = endOffset;
  }
  return end > 0 ? [first.slice(0, end)] : [];
}
