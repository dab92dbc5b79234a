/** The postings highlighter over the values of a field, as 1.7 asks it: sentences of all values, or every value whole. */

import type { HighlightOptions } from './request.js';
import { type MultiTermNode, Rewrite } from '../plan/nodes/multiTerm.js';
import type { PlanNode } from '../plan/nodes.js';
import { flatQueries } from './flatQueries.js';
import { firstSentence, type Occurrence, PARAGRAPH_SEPARATOR, type Snippet, snippetsOf } from './passages.js';
import { type FieldText, placedTokens, positionsOf } from './placedTokens.js';
import { sentenceEnds } from './sentences.js';
import type { Passes } from '../passes.js';
import type { Turns, WorkLimit } from '../workLimit.js';

/** Steps of a work limit that a value takes. */
const VALUE_STEPS = 8;

/** The marked snippets. `field`: the field's number, if only queries of the field count. */
export function* postingsHighlight(
  text: FieldText,
  query: PlanNode,
  field: number | undefined,
  options: HighlightOptions,
  encode: (text: string) => string,
  work: WorkLimit,
  passes: Passes,
): Turns<string[]> {
  const { values } = text;
  const content = values.join(PARAGRAPH_SEPARATOR);
  const marking = { before: options.before[0]!, after: options.after[0]!, encode };
  const occurrences = yield* occurrencesOf(text, query, field, work, passes);
  let snippets: Snippet[];
  if (options.fragments === 0) {
    snippets = [];
    let from = 0;
    let next = 0;
    for (const value of values) {
      if (work.isDue(VALUE_STEPS)) yield;
      const to = from + value.length + 1;
      const moved: Occurrence[] = [];
      // They are in the order of the values.
      for (; next < occurrences.length && occurrences[next]!.start < to; next++) {
        const each = occurrences[next]!;
        moved.push({ ...each, start: each.start - from, end: each.end - from });
      }
      snippets.push(...snippetsOf(value, moved, [value.length], 1, marking));
      from = to;
    }
  } else {
    snippets = snippetsOf(content, occurrences, sentenceEnds(content), options.fragments, marking);
  }
  const kept = snippets.filter((each) => each.text !== '');
  if (kept.length === 0) {
    const first = options.noMatchSize > 0 ? encode(firstSentence(content)) : '';
    return first === '' ? [] : [first];
  }
  if (options.scoreOrdered) kept.sort((a, b) => b.score - a.score);
  return kept.map((each) => each.text);
}

/** All places of the query's terms; a term asked for in two fields counts twice, as in 1.7. */
function* occurrencesOf(
  text: FieldText,
  query: PlanNode,
  field: number | undefined,
  work: WorkLimit,
  passes: Passes,
): Turns<Occurrence[]> {
  if (text.isElsewhere === true) return [];
  const tokens = yield* placedTokens(text, work, passes);
  // The best terms of a multi-term query are looked up where it is alone, and where its rewriting does so.
  const isKept = (node: MultiTermNode) =>
    node === query || (node.rewrite !== Rewrite.constantFilter && node.rewrite !== Rewrite.constantAuto);
  const flattening = { throughJoins: true, isKept };
  const terms = new Map<string, Set<string>>();
  for (const flat of flatQueries(query, positionsOf(tokens), flattening)) {
    if (field !== undefined && flat.field !== field) continue;
    for (const term of flat.terms) {
      const known = terms.get(term);
      if (known === undefined) terms.set(term, new Set([`${flat.field} ${term}`]));
      else known.add(`${flat.field} ${term}`);
    }
  }
  const ids = [...new Set([...terms.values()].flatMap((each) => [...each]))].sort();
  const numbers = new Map(ids.map((id, i) => [id, i]));
  return tokens
    .flatMap(({ term, start, end }) =>
      [...(terms.get(term) ?? [])].map((id) => ({ term: numbers.get(id)!, start, end })),
    )
    .sort((a, b) => a.start - b.start || a.term - b.term);
}
