/** Queries on every term that matches something: `prefix`, `wildcard`, `regexp`, `fuzzy`. */

import { illegalArgument, queryParsing } from '../../errors.js';
import { isCompound, isObject, type JsonObject, strictIntOf, textOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import { type MultiTermNode, Rewrite } from '../../plan/nodes/multiTerm.js';
import type { PlanNode } from '../../plan/nodes.js';
import { matcherText, type TermMatcher } from '../../plan/termMatcher.js';
import {
  asFilter,
  constant,
  type Dsl,
  fieldOptions,
  type Options,
  ofType,
  onField,
  onUnknownField,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
  tokenText,
} from '../context.js';
import { editsOf, type Fuzziness, readFuzziness } from './fuzziness.js';
import { metaPrefix } from './meta.js';
import { metaMatching } from './metaPatterns.js';
import { around, isNumeric, numericRangeText, prefixCoded } from './numericTerms.js';
import { fuzzyMatcher, regexpMatcher, wildcardMatcher } from './termMatchers.js';

/** What a multi-term query becomes; `size` counts for the top kinds. */
export interface RewriteMethod {
  rewrite: Rewrite;
  size: number;
}

/** The default: a constant score, which weighs even where no term is found. */
const CONSTANT: RewriteMethod = { rewrite: Rewrite.constantFilter, size: 0 };
/** The most terms that a fuzzy query stands for by default. */
export const MAX_EXPANSIONS = 50;

const METHODS = new Map<string, Rewrite>([
  ['constant_score_auto', Rewrite.constantFilter],
  ['constantScoreAuto', Rewrite.constantFilter],
  ['constant_score_filter', Rewrite.constantFilter],
  ['constantScoreFilter', Rewrite.constantFilter],
  ['scoring_boolean', Rewrite.scoringBoolean],
  ['scoringBoolean', Rewrite.scoringBoolean],
  ['constant_score_boolean', Rewrite.constantBoolean],
  ['constantScoreBoolean', Rewrite.constantBoolean],
]);
const TOP_METHODS = new Map<string, Rewrite>([
  ['top_terms_', Rewrite.topTerms],
  ['topTerms', Rewrite.topTerms],
  ['top_terms_boost_', Rewrite.topTermsBoost],
  ['topTermsBoost', Rewrite.topTermsBoost],
]);

/** A `rewrite` option. */
export function readRewrite(text: string | undefined): RewriteMethod | undefined {
  if (text === undefined) return undefined;
  const plain = METHODS.get(text);
  if (plain !== undefined) return { rewrite: plain, size: 0 };
  const [, name = '', digits = ''] = /^(\D*)(\d{1,9})$/.exec(text) ?? [];
  const top = TOP_METHODS.get(name);
  if (top === undefined) throw illegalArgument(`Failed to parse rewrite_method [${text}]`);
  return { rewrite: top, size: Number(digits) };
}

/** A query on the terms of a field that the matcher takes. */
export function multiTerm(
  resolved: ResolvedField,
  matcher: TermMatcher,
  { rewrite, size }: RewriteMethod = CONSTANT,
  boost = 1,
): MultiTermNode {
  const node: MultiTermNode = {
    kind: 'multiTerm',
    field: resolved.number,
    boost,
    rewrite,
    size: Math.min(size, 1024),
    matcher,
  };
  if (matcher.type === 'range' && resolved.field !== undefined && isNumeric(resolved.field.type))
    node.ofNumbers = true;
  return onUnknownField(resolved, node, () => matcherText(matcher));
}

/** What a pattern matches on a field: of one that doesn't have texts it is read as a value, whose term is the pattern then. */
export function patternOn(
  { field }: ResolvedField,
  pattern: string,
  make: (pattern: string) => TermMatcher,
): TermMatcher {
  if (field === undefined) return make(pattern);
  if (field.type === 'boolean') return make(termText.decode(field.term(pattern)));
  if (!isNumeric(field.type)) return make(pattern);
  const term = field.term(pattern);
  // What is no pattern is refused, even if nobody wrote it.
  make(prefixCoded(field.type, term));
  return { type: 'range', lower: term, upper: term, includeLower: true, includeUpper: true };
}

const termText = new TextDecoder();

/** The terms that begin so. */
export function prefixNode(
  resolved: ResolvedField,
  value: string,
  method: RewriteMethod = CONSTANT,
  boost = 1,
): PlanNode {
  const prefix = resolved.field === undefined ? textTerm(value) : resolved.field.term(value);
  return multiTerm(resolved, { type: 'prefix', prefix }, method, boost);
}

/** How far words are looked for, and what a query of them becomes. */
export interface FuzzyOptions {
  prefixLength: number;
  maxExpansions: number;
  transpositions: boolean;
  method?: RewriteMethod | undefined;
  now: number;
}

/** A fuzzy word of a text field, an interval of numbers or dates; `now` is what that stands for in these. */
export function fuzzyNode(
  resolved: ResolvedField,
  value: unknown,
  fuzziness: Fuzziness,
  { prefixLength, maxExpansions, transpositions, method, now }: FuzzyOptions,
): PlanNode {
  const { field } = resolved;
  if (field !== undefined && isNumeric(field.type)) {
    const { lower, upper } = around(field, textOf(value) ?? '', fuzziness, now);
    const bounds = { includeLower: true, includeUpper: true };
    const query = multiTerm(resolved, { type: 'range', lower, upper, ...bounds }, method);
    return onField(resolved, query, () => numericRangeText(field.type, lower, upper, bounds));
  }
  const word = textOf(value) ?? '';
  const term = field?.type === 'boolean' ? termText.decode(field.term(word)) : word;
  const matcher = fuzzyMatcher(term, editsOf(fuzziness, word), prefixLength, transpositions);
  return multiTerm(resolved, matcher, method ?? { rewrite: Rewrite.topTerms, size: maxExpansions });
}

/** `prefix`. */
const prefix: QueryCompiler = (body, dsl) => {
  const { field, options } = patternOptions('prefix', body, dsl, '[prefix] query malformed, no field');
  const value = options.text('value', 'prefix');
  const boost = options.boost();
  const method = readRewrite(options.text('rewrite'));
  refuseOthers(options);
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for prefix query');
  const meta = metaPrefix(field, value, dsl);
  if (meta !== undefined)
    return constant(
      asFilter(meta, () => `${field}:${value}*`),
      boost,
    );
  const resolved = resolve(dsl, field);
  return ofType(resolved, prefixNode(resolved, value, method, boost));
};

export const prefixQuery: QueryKind = { names: ['prefix'], read: prefix, reach: 'found', byField: true };

/** A query on the terms of a field that is about documents. */
function ofMeta(set: PlanNode, field: string, matcher: TermMatcher, boost: number): PlanNode {
  return constant(
    asFilter(set, () => `${field}:${matcherText(matcher)}`),
    boost,
  );
}

/** A pattern on an ordinary field. */
function patternQuery(
  resolved: ResolvedField,
  pattern: string,
  make: (pattern: string) => TermMatcher,
  method: RewriteMethod | undefined,
  boost: number,
): PlanNode {
  const query = multiTerm(resolved, patternOn(resolved, pattern, make), method, boost);
  const { field } = resolved;
  if (field === undefined || !isNumeric(field.type)) return ofType(resolved, query);
  return ofType(
    resolved,
    onField(resolved, query, () => prefixCoded(field.type, field.term(pattern))),
  );
}

/** `wildcard`. */
const wildcard: QueryCompiler = (body, dsl) => {
  const { field, options } = patternOptions('wildcard', body, dsl, '[wildcard] query malformed, no field');
  const value = options.tokenText('value', 'wildcard');
  const boost = options.boost();
  const method = readRewrite(options.text('rewrite'));
  options.end();
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for prefix query');
  const matcher = wildcardMatcher(value);
  const meta = metaMatching(field, matcher, dsl);
  if (meta !== undefined) return ofMeta(meta, field, matcher, boost);
  return patternQuery(resolve(dsl, field), value, wildcardMatcher, method, boost);
};

export const wildcardQuery: QueryKind = {
  names: ['wildcard'],
  read: wildcard,
  reach: 'found',
  byField: true,
};

/** `regexp`. */
const regexp: QueryCompiler = (body, dsl) => {
  const { field, options } = patternOptions('regexp', body, dsl, '[regexp] query malformed, no field');
  const value = options.text('value');
  const boost = options.boost();
  const method = readRewrite(options.text('rewrite'));
  const flags = readFlags(options.text('flags'), options.scalar('flags_value'));
  refuseOthers(options);
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for regexp query');
  const matcher = regexpMatcher(value, flags);
  const meta = metaMatching(field, matcher, dsl, (text) => regexpMatcher(text + value, flags));
  if (meta !== undefined) return ofMeta(meta, field, matcher, boost);
  return patternQuery(resolve(dsl, field), value, (text) => regexpMatcher(text, flags), method, boost);
};

export const regexpQuery: QueryKind = { names: ['regexp'], read: regexp, reach: 'found', byField: true };

const FLAGS = new Map([
  ['INTERSECTION', 0x0001],
  ['COMPLEMENT', 0x0002],
  ['EMPTY', 0x0004],
  ['ANYSTRING', 0x0008],
  ['AUTOMATON', 0x0010],
  ['INTERVAL', 0x0020],
  ['NONE', 0x0000],
  ['ALL', 0xffff],
]);

/** The optional operators of a regular expression, as Lucene numbers them. */
export function readFlags(text: string | undefined, number?: unknown): number {
  if (text === undefined || text === '') {
    const value = number === undefined ? -1 : strictIntOf(number);
    return value < 0 ? 0xffff : value & 0xffff;
  }
  let flags = 0;
  for (const name of text.split('|')) {
    if (name === '') continue;
    const flag = FLAGS.get(name.toUpperCase());
    if (flag === undefined) throw illegalArgument(`Unknown regexp flag [${name}]`);
    if (flag === 0xffff || flag === 0) return flag;
    flags |= flag;
  }
  return flags;
}

/** `fuzzy`. */
const fuzzy: QueryCompiler = (body, dsl) => {
  const { field, options } = patternOptions('fuzzy', body, dsl, '[fuzzy] query malformed, no field');
  const value = options.tokenText('term', 'value');
  const boost = options.boost();
  const fuzziness = options.scalar('fuzziness', 'min_similarity', 'minSimilarity');
  const prefixLength = intOption(options, 0, 'prefix_length', 'prefixLength');
  const maxExpansions = intOption(options, MAX_EXPANSIONS, 'max_expansions', 'maxExpansions');
  const transpositions = options.flag(false, 'transpositions');
  const method = readRewrite(options.text('rewrite'));
  options.end();
  if (value === undefined) throw queryParsing(dsl.index, 'No value specified for fuzzy query');
  const resolved = resolve(dsl, field);
  const query = fuzzyNode(resolved, value, fuzziness === undefined ? 'AUTO' : readFuzziness(fuzziness), {
    prefixLength,
    maxExpansions,
    transpositions,
    method,
    now: dsl.now,
  });
  return ofType(resolved, boost === 1 || !('boost' in query) ? query : { ...query, boost });
};

export const fuzzyQuery: QueryKind = { names: ['fuzzy'], read: fuzzy, reach: 'found', byField: true };

function intOption(options: Options, fallback: number, ...names: string[]): number {
  const value = options.scalar(...names);
  return value === undefined ? fallback : Math.max(0, strictIntOf(value));
}

/** Whatever scalars are said besides are read over; anything else is not. */
function refuseOthers(options: Options): void {
  const other = options.rest().find(([, value]) => value === null || isCompound(value));
  if (other !== undefined) throw options.unsupported(other[0]);
}

/** The field of a query on one field, with its options: the value alone stands for an object. */
function patternOptions(
  what: string,
  body: JsonObject,
  dsl: Dsl,
  missing: string,
): { field: string; options: Options } {
  const [entry] = Object.entries(body);
  if (entry === undefined) throw queryParsing(dsl.index, missing);
  const [field, value] = entry;
  const given = isObject(value) ? value : { value: tokenText(value) };
  return { field, options: fieldOptions(dsl, what, given, 'value', what === 'prefix' || what === 'regexp') };
}
