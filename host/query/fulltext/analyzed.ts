/** The tokens of a text of a query. */

import type { Token } from '../../analysis/analyzer.js';
import type { Dsl, ResolvedField } from '../context.js';

/** Tokens by the analyzer named, else by the one that the field searches with, else by the index's default. */
export function analyzed(
  text: string,
  { field }: ResolvedField,
  given: string | undefined,
  dsl: Dsl,
): Token[] {
  const name = given ?? field?.searchAnalyzer();
  const analyzer =
    name === undefined ? (dsl.analyzer('default_search') ?? dsl.analyzer('default')) : dsl.analyzer(name);
  const tokens = analyzer?.analyze(text) ?? [];
  dsl.count(tokens.length);
  return tokens;
}
