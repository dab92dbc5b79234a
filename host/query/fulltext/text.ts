/** Lucene's QueryBuilder: the query that a text's tokens make on one field. */

import type { Token } from '../../analysis/analyzer.js';
import { Occur } from '../../core/abi/plan.js';
import { UNKNOWN_FIELD } from '../../mapping/field.js';
import { textTerm } from '../../mapping/terms.js';
import type { BooleanNode } from '../../plan/nodes/boolean.js';
import { type PhraseNode, phraseText } from '../../plan/nodes/phrase.js';
import type { PlanNode } from '../../plan/nodes.js';
import { checkClauses, onUnknownField, type ResolvedField } from '../context.js';
import { allTerm } from './allTerms.js';

/** How tokens become a query. */
export interface TextForm {
  /** Tokens of several places are a phrase. */
  phrase: boolean;
  /** How they occur otherwise. */
  occur: Occur;
  slop: number;
  /** Makes the query of one word, if it is not a plain term. */
  word?: ((text: string) => PlanNode) | undefined;
}

/** The query of these tokens, undefined if there are none. */
export function textQuery(
  tokens: readonly Token[],
  resolved: ResolvedField,
  { phrase, occur, slop, word }: TextForm,
): PlanNode | undefined {
  const [first] = tokens;
  if (first === undefined) return undefined;
  const query = word ?? ((text: string) => termNode(resolved, text));
  if (tokens.length === 1) return query(first.term);
  const places = placesOf(tokens);
  if (places.size === 1 && (first.position === 1 || phrase)) {
    // Before any of them is made: the automata of fuzzy ones take long.
    checkClauses(tokens.length);
    return booleanOf(
      tokens.map((token) => query(token.term)),
      Occur.Should,
      true,
    );
  }
  if (phrase) return phraseOf(places, resolved, slop);
  checkClauses(places.size);
  const clauses = [...places.values()].map((alternatives) =>
    alternatives.length === 1
      ? query(alternatives[0]!)
      : booleanOf(alternatives.map(query), Occur.Should, true),
  );
  return booleanOf(clauses, occur, false);
}

/** The texts at each place, by position. */
function placesOf(tokens: readonly Token[]): Map<number, string[]> {
  const places = new Map<number, string[]>();
  for (const { position, term } of tokens) {
    const place = places.get(position);
    if (place === undefined) places.set(position, [term]);
    else place.push(term);
  }
  return places;
}

/** One term of a field. */
export function termNode(resolved: ResolvedField, text: string): PlanNode {
  const term = textTerm(text);
  const { number, boosts } = resolved;
  if (boosts !== undefined && number !== UNKNOWN_FIELD) return allTerm(number, term, boosts);
  const node: PlanNode = { kind: 'term', field: number, boost: 1, term };
  return onUnknownField(resolved, node, () => text);
}

function phraseOf(
  places: ReadonlyMap<number, readonly string[]>,
  resolved: ResolvedField,
  slop: number,
): PhraseNode {
  const positions = [...places].map(([position, texts]) => ({
    position: position - 1,
    terms: texts.map(textTerm),
  }));
  const node: PhraseNode = { kind: 'phrase', field: resolved.number, boost: 1, slop, positions };
  return onUnknownField(resolved, node, () => phraseText(positions) + (slop === 0 ? '' : `~${slop}`));
}

/** A boolean query all of whose clauses occur alike. */
export function booleanOf(
  queries: readonly PlanNode[],
  occur: Occur,
  noCoord: boolean,
  boost = 1,
): BooleanNode {
  checkClauses(queries.length);
  const clauses = queries.map((node) => ({ occur, node }));
  return { kind: 'boolean', noCoord, boost, minimum: 0, clauses };
}
