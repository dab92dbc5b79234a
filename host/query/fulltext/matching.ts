/** A text matched against one field: what `match` and `multi_match` share. */

import { Occur } from '../../core/abi/plan.js';
import { ElasticsearchError, queryParsing } from '../../errors.js';
import { javaScalar, strictFloatOf, strictIntOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import { type PhrasePrefixNode, prefixText } from '../../plan/nodes/phrasePrefix.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  checkText,
  constant,
  type Dsl,
  matchAll,
  NONE,
  type Options,
  ofType,
  onUnknownField,
  type ResolvedField,
  resolve,
} from '../context.js';
import { type Fuzziness, readFuzziness } from '../term/fuzziness.js';
import { metaTerm } from '../term/meta.js';
import { isNumeric, prefixCoded } from '../term/numericTerms.js';
import { fuzzyNode, MAX_EXPANSIONS, type RewriteMethod, readRewrite } from '../term/patterns.js';
import { analyzed } from './analyzed.js';
import { applyMinimum, minimumsOf } from './minimumShouldMatch.js';
import { termNode, textQuery } from './text.js';

/** How a text is matched against a field. */
export interface Matching {
  type: 'boolean' | 'phrase' | 'phrasePrefix';
  occur: Occur;
  slop: number;
  analyzer: string | undefined;
  lenient: boolean;
  allIfNoTerms: boolean;
  fuzziness: Fuzziness | undefined;
  prefixLength: number;
  maxExpansions: number;
  transpositions: boolean;
  /** What a fuzzy word becomes. */
  rewrite: RewriteMethod | undefined;
  /** From which document frequency on a word only scores. */
  cutoff: number | undefined;
  minimum: string | undefined;
  /** Makes the query of a word in place of all others. */
  word?: ((text: string) => PlanNode) | undefined;
}

/** The options that decide how; `type` is filled in by the caller. */
export function readMatching(options: Options, dsl: Dsl): Matching {
  const operator = options.text('operator')?.toLowerCase();
  if (operator !== undefined && operator !== 'or' && operator !== 'and') {
    const detail = `text query requires operator to be either 'and' or 'or', not [${operator}]`;
    throw queryParsing(dsl.index, detail);
  }
  const slop = options.scalar('slop', 'phrase_slop', 'phraseSlop');
  const analyzer = options.text('analyzer');
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[match] analyzer [${analyzer}] not found`);
  }
  const zeroTerms = options.text('zero_terms_query')?.toLowerCase();
  if (zeroTerms !== undefined && zeroTerms !== 'none' && zeroTerms !== 'all') {
    throw queryParsing(dsl.index, `Unsupported zero_terms_docs value [${zeroTerms}]`);
  }
  const fuzziness = options.scalar('fuzziness');
  const cutoff = options.scalar('cutoff_frequency');
  // It is read and counts for nothing.
  readRewrite(options.text('fuzzy_rewrite', 'fuzzyRewrite'));
  return {
    type: 'boolean',
    occur: operator === 'and' ? Occur.Must : Occur.Should,
    slop: slop === undefined ? 0 : Math.max(0, strictIntOf(slop)),
    analyzer,
    lenient: options.flag(false, 'lenient'),
    allIfNoTerms: zeroTerms === 'all',
    fuzziness: fuzziness === undefined ? undefined : readFuzziness(fuzziness),
    prefixLength: count(options, 0, 'prefix_length', 'prefixLength'),
    maxExpansions: count(options, MAX_EXPANSIONS, 'max_expansions', 'maxExpansions'),
    transpositions: options.flag(false, 'fuzzy_transpositions'),
    rewrite: readRewrite(options.text('rewrite')),
    cutoff: cutoff === undefined ? undefined : strictFloatOf(cutoff),
    minimum: options.text('minimum_should_match', 'minimumShouldMatch'),
  };
}

function count(options: Options, fallback: number, ...names: string[]): number {
  const value = options.scalar(...names);
  return value === undefined ? fallback : Math.max(0, strictIntOf(value));
}

/** A text matched against one field; undefined where it can't be one of the field and that is to be overlooked. */
export function fieldQuery(name: string, value: unknown, matching: Matching, dsl: Dsl): PlanNode | undefined {
  const text = javaScalar(value) ?? '';
  const meta = metaTerm(name, text, dsl);
  if (meta !== undefined) return meta;
  const resolved = resolve(dsl, name);
  const { field } = resolved;
  if (field?.isExact === true) {
    try {
      return exactQuery(resolved, value);
    } catch (error) {
      if (matching.lenient && error instanceof ElasticsearchError) return undefined;
      throw error;
    }
  }
  checkText(dsl, text);
  const tokens = analyzed(text, resolved, matching.analyzer, dsl);
  const query = wordsQuery(tokens, resolved, matching, dsl);
  if (query === undefined) return matching.allIfNoTerms ? matchAll() : NONE;
  return applyMinimum(ofType(resolved, query), matching.minimum);
}

/** A term query of the whole value. */
export function exactQuery(resolved: ResolvedField, value: unknown): PlanNode {
  const { field } = resolved;
  if (field === undefined) return termNode(resolved, javaScalar(value) ?? '');
  const term = field.term(value);
  if (resolved.boosts !== undefined) return ofType(resolved, termNode(resolved, javaScalar(value) ?? ''));
  let node: PlanNode = { kind: 'term', field: resolved.number, boost: 1, term };
  if (isNumeric(field.type)) {
    node = { ...node, text: () => `${resolved.name}:${prefixCoded(field.type, term)}` };
  }
  return ofType(resolved, field.isConstant ? constant(node, 1) : node);
}

function wordsQuery(
  tokens: ReturnType<typeof analyzed>,
  resolved: ResolvedField,
  matching: Matching,
  dsl: Dsl,
): PlanNode | undefined {
  const { type, slop, occur } = matching;
  if (type === 'phrasePrefix') return phrasePrefix(tokens, resolved, matching);
  const word = matching.word ?? wordOf(resolved, matching, dsl);
  const query = textQuery(tokens, resolved, { phrase: type === 'phrase', slop, occur, word });
  if (type !== 'boolean' || matching.cutoff === undefined || query?.kind !== 'boolean') return query;
  const terms: Uint8Array[] = [];
  for (const { node } of query.clauses) {
    if (node.kind !== 'term') return query;
    terms.push(node.term);
  }
  return {
    kind: 'commonTerms',
    field: resolved.number,
    boost: 1,
    terms,
    cutoff: matching.cutoff,
    lowOccur: occur,
    highOccur: occur,
    lowMinimums: minimumsOf(terms.length, matching.minimum),
    highMinimums: minimumsOf(terms.length, undefined),
    noCoord: query.noCoord,
    text: () => tokens.map(({ term }) => `${resolved.name}:${term}`).join(', '),
  };
}

/** The query of one word, undefined for a plain term. */
function wordOf(
  resolved: ResolvedField,
  matching: Matching,
  dsl: Dsl,
): ((text: string) => PlanNode) | undefined {
  const { fuzziness, prefixLength, maxExpansions, transpositions, rewrite: method } = matching;
  if (fuzziness === undefined) return undefined;
  const options = { prefixLength, maxExpansions, transpositions, method, now: dsl.now };
  return (text) => fuzzyNode(resolved, text, fuzziness, options);
}

/** A phrase whose last word may go on. */
function phrasePrefix(
  tokens: ReturnType<typeof analyzed>,
  resolved: ResolvedField,
  { slop, maxExpansions, occur }: Matching,
): PlanNode | undefined {
  const phrase = textQuery(tokens, resolved, { phrase: true, slop, occur });
  let positions: { position: number; terms: Uint8Array[] }[];
  const first = tokens[0]?.position;
  // Words at one place are no phrase to Lucene, unless something ahead of them has been left out.
  if (phrase?.kind === 'boolean' && first !== 1)
    positions = [{ position: first! - 1, terms: tokens.map(({ term }) => textTerm(term)) }];
  else if (phrase?.kind === 'term') positions = [{ position: 0, terms: [phrase.term] }];
  else if (phrase?.kind === 'phrase') positions = phrase.positions;
  else return phrase;
  const last = positions.at(-1)!;
  const node: PhrasePrefixNode = {
    kind: 'phrasePrefix',
    field: resolved.number,
    boost: 1,
    slop,
    positions: positions.slice(0, -1),
    last: { position: last.position, prefixes: last.terms },
    maxExpansions,
  };
  return onUnknownField(resolved, node, () => prefixText(node) + (slop === 0 ? '' : `~${slop}`));
}
