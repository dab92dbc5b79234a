/** The match family: `match`, `match_phrase` and `multi_match`. */

import type { Token } from '../analysis/analyzer.js';
import { ElasticsearchError, notOffered, parseFailure, queryParsing } from '../errors.js';
import { POSITIONS, UNKNOWN_FIELD } from '../mapping/field.js';
import { textTerm } from '../mapping/terms.js';
import { floatOf, isObject, type JsonObject, strictIntOf, textOf } from '../mapping/values.js';
import {
  checkClauses,
  constant,
  type Dsl,
  fieldOptions,
  matchAll,
  NONE,
  ofType,
  onlyField,
  Options,
  type QueryCompiler,
  resolve,
  type ResolvedField,
  withBoost,
} from './context.js';
import { hashMapOrder } from './javaHashMap.js';
import { metaTerm } from './meta.js';
import { applyMinimum } from './minimumShouldMatch.js';
import { type BooleanNode, Occur, type PlanNode } from './plan.js';

/** How a text is matched against a field. */
interface Matching {
  phrase: boolean;
  occur: Occur;
  slop: number;
  analyzer: string | undefined;
  lenient: boolean;
  allIfNoTerms: boolean;
}

function readMatching(options: Options, dsl: Dsl): Matching {
  const operator = options.text('operator')?.toLowerCase();
  if (operator !== undefined && operator !== 'or' && operator !== 'and') {
    const detail = `text query requires operator to be either 'and' or 'or', not [${operator}]`;
    throw queryParsing(dsl.index, detail);
  }
  const slop = options.scalar('slop', 'phrase_slop');
  const analyzer = options.text('analyzer');
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[match] analyzer [${analyzer}] not found`);
  }
  const zeroTerms = options.text('zero_terms_query')?.toLowerCase();
  if (zeroTerms !== undefined && zeroTerms !== 'none' && zeroTerms !== 'all') {
    throw queryParsing(dsl.index, `Unsupported zero_terms_docs value [${zeroTerms}]`);
  }
  if (options.take('fuzziness') !== undefined) throw notOffered('[fuzziness] of a match query');
  if (options.take('cutoff_frequency') !== undefined) throw notOffered('[cutoff_frequency] of a match query');
  // These only matter with fuzziness or a prefix.
  options.take('prefix_length', 'max_expansions');
  options.take('max_expansions');
  options.take('rewrite', 'fuzzy_rewrite');
  options.take('fuzzy_transpositions');
  return {
    phrase: false,
    occur: operator === 'and' ? Occur.Must : Occur.Should,
    slop: slop === undefined ? 0 : Math.max(0, strictIntOf(slop)),
    analyzer,
    lenient: options.flag(false, 'lenient'),
    allIfNoTerms: zeroTerms === 'all',
  };
}

/** `match` and its spelling for phrases. */
export const match: QueryCompiler = (body, dsl, name) => {
  const [field, value] = onlyField(dsl, 'match', body, '[match] query malformed, no field');
  const options = fieldOptions(dsl, 'match', value, 'query');
  const text = options.text('query');
  if (text === undefined) throw queryParsing(dsl.index, 'No text specified for text query');
  const matching = readMatching(options, dsl);
  const type = options.text('type') ?? name;
  matching.phrase = phraseOf(type, () =>
    queryParsing(dsl.index, `[match] query does not support type ${type}`),
  );
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch');
  const boost = options.boost();
  options.end();
  return withBoost(applyMinimum(fieldQuery(field, text, matching, dsl), minimum), boost);
};

function phraseOf(type: string, unknown: () => ElasticsearchError): boolean {
  switch (type) {
    case 'match':
    case 'boolean':
      return false;
    case 'match_phrase':
    case 'matchPhrase':
    case 'phrase':
      return true;
    case 'match_phrase_prefix':
    case 'phrase_prefix':
    case 'phrasePrefix':
      throw notOffered('query [match_phrase_prefix]');
    default:
      throw unknown();
  }
}

const MULTI_TYPES: ReadonlyMap<string, 'best' | 'most' | 'phrase'> = new Map([
  ['best_fields', 'best'],
  ['boolean', 'best'],
  ['most_fields', 'most'],
  ['phrase', 'phrase'],
]);

/** `multi_match`: a disjunction maximum, or the sum, of matches on several fields. */
export const multiMatch: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'match', body);
  const given = options.take('query');
  const text = textOf(given);
  const fields = readFields(options.take('fields'), dsl);
  const typeName = options.text('type')?.toLowerCase() ?? 'best_fields';
  const type = MULTI_TYPES.get(typeName);
  if (type === undefined) {
    if (/^(cross_fields|phrase_prefix)$/.test(typeName))
      throw notOffered(`multi_match of type [${typeName}]`);
    throw parseFailure(`No type found for value: ${typeName}`);
  }
  const matching = readMatching(options, dsl);
  matching.phrase = type === 'phrase';
  const tie = options.scalar('tie_breaker');
  let tieBreaker = tie === undefined ? (type === 'most' ? 1 : 0) : floatOf(tie);
  const disMax = options.flag(type !== 'most', 'use_dis_max');
  if (disMax !== (type !== 'most')) tieBreaker = disMax && tie === undefined ? 0 : 1;
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch');
  const boost = options.boost();
  options.end();
  if (text === undefined) throw queryParsing(dsl.index, 'No text specified for multi_match query');
  if (fields.size === 0) throw queryParsing(dsl.index, 'No fields specified for multi_match query');
  const queries = hashMapOrder([...fields.keys()]).map((field) => {
    const query = applyMinimum(fieldQuery(field, text, matching, dsl), minimum);
    const own = fields.get(field);
    return own === undefined ? query : withBoost(query, own);
  });
  // With a single field the boost of the query replaces that of the field, as in 1.7.
  if (queries.length === 1) return withBoost(queries[0]!, boost);
  if (tieBreaker !== 1) return { kind: 'disMax', boost, tieBreaker, nodes: queries };
  return booleanOf(queries, Occur.Should, false, boost);
};

/** Names with their boosts, undefined where none is given. */
function readFields(given: unknown, dsl: Dsl): Map<string, number | undefined> {
  const fields = new Map<string, number | undefined>();
  if (given === undefined || given === null) return fields;
  if (isObject(given)) throw queryParsing(dsl.index, '[match] query does not support [fields]');
  for (const each of Array.isArray(given) ? given : [given]) {
    const text = textOf(each) ?? '';
    const caret = text.indexOf('^');
    const name = caret < 0 ? text : text.slice(0, caret);
    const boost = caret < 0 ? undefined : floatOf(text.slice(caret + 1));
    for (const found of dsl.model.names(name)) fields.set(found, boost);
  }
  return fields;
}

/** A text matched against one field. */
function fieldQuery(name: string, text: string, matching: Matching, dsl: Dsl): PlanNode {
  const meta = metaTerm(name, text, dsl);
  if (meta !== undefined) return meta;
  const resolved = resolve(dsl, name);
  const { field, number } = resolved;
  if (field?.isExact === true) {
    try {
      const node: PlanNode = { kind: 'term', field: number, boost: 1, term: field.term(text) };
      return ofType(resolved, field.isConstant ? constant(node, 1) : node);
    } catch (error) {
      if (matching.lenient && error instanceof ElasticsearchError) return noTerms(matching);
      throw error;
    }
  }
  const analyzerName = matching.analyzer ?? field?.searchAnalyzer() ?? 'default';
  const tokens = dsl.analyzer(analyzerName)?.analyze(text) ?? [];
  const query = tokensQuery(tokens, resolved, matching);
  return query === undefined ? noTerms(matching) : ofType(resolved, query);
}

function noTerms(matching: Matching): PlanNode {
  return matching.allIfNoTerms ? matchAll() : NONE;
}

/** Lucene's QueryBuilder. */
function tokensQuery(
  tokens: readonly Token[],
  resolved: ResolvedField,
  matching: Matching,
): PlanNode | undefined {
  const [first] = tokens;
  if (first === undefined) return undefined;
  const term = (token: Token): PlanNode => {
    return { kind: 'term', field: resolved.number, boost: 1, term: textTerm(token.term) };
  };
  if (tokens.length === 1) return term(first);
  const places = new Map<number, Token[]>();
  for (const token of tokens) {
    const place = places.get(token.position);
    if (place === undefined) places.set(token.position, [token]);
    else place.push(token);
  }
  if (places.size === 1) return booleanOf(tokens.map(term), Occur.Should, true, 1);
  if (matching.phrase) {
    checkPositions(resolved, first);
    const positions = [...places].map(([position, alternatives]) => ({
      position: position - 1,
      terms: alternatives.map((token) => textTerm(token.term)),
    }));
    return { kind: 'phrase', field: resolved.number, boost: 1, slop: matching.slop, positions };
  }
  const clauses = [...places.values()].map((alternatives) =>
    alternatives.length === 1
      ? term(alternatives[0]!)
      : booleanOf(alternatives.map(term), Occur.Should, true, 1),
  );
  return booleanOf(clauses, matching.occur, false, 1);
}

function booleanOf(queries: readonly PlanNode[], occur: Occur, noCoord: boolean, boost: number): BooleanNode {
  checkClauses(queries.length);
  const clauses = queries.map((node) => ({ occur, node }));
  return { kind: 'boolean', noCoord, boost, minimum: 0, clauses };
}

/** 500, as in 1.7: a phrase on a field whose positions are not indexed. */
function checkPositions({ field, number }: ResolvedField, first: Token): void {
  if (field?.core === undefined || number === UNKNOWN_FIELD || (field.core.flags & POSITIONS) !== 0) return;
  throw new ElasticsearchError(
    'IllegalStateException',
    `field "${field.fullName}" was indexed without position data; cannot run PhraseQuery (term=${first.term})`,
    { status: 500 },
  );
}

/** The families' names. */
export const matchQueries: Record<string, (body: JsonObject, dsl: Dsl, name: string) => PlanNode> = {
  match,
  match_phrase: match,
  matchPhrase: match,
  multi_match: multiMatch,
  multiMatch,
};
