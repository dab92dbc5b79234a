/** `query_string`: Lucene's classic syntax, with 1.7's ways of finding fields. */

import { Occur } from '../../core/abi/plan.js';
import { ElasticsearchError, queryParsing } from '../../errors.js';
import { strictIntOf, textOf } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import { parseZone, UTC, type Zone } from '../../time/calendar.js';
import { localeName } from '../../time/locales.js';
import {
  checkClauses,
  checkFields,
  checkText,
  constant,
  type Dsl,
  matchAll,
  NONE,
  Options,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
  withBoost,
} from '../context.js';
import { existsSet, missingSet } from '../term/existence.js';
import { readFuzziness, similarityOf } from '../term/fuzziness.js';
import { metaPrefix, metaTerm } from '../term/meta.js';
import { metaMatching } from '../term/metaPatterns.js';
import { isNumeric } from '../term/numericTerms.js';
import {
  fuzzyNode,
  MAX_EXPANSIONS,
  multiTerm,
  patternOn,
  prefixNode,
  type RewriteMethod,
  readRewrite,
} from '../term/patterns.js';
import { rangeNode } from '../term/range.js';
import { regexpMatcher, wildcardMatcher } from '../term/termMatchers.js';
import { analyzed } from './analyzed.js';
import { type Builder, escapeSyntax, type JoinedClause, parseClassic } from './classicParser.js';
import { SyntaxFailure } from './classicTokens.js';
import { exactQuery } from './matching.js';
import { applyMinimum } from './minimumShouldMatch.js';
import { readField } from './multiMatch.js';
import { booleanOf as joined, textQuery } from './text.js';

/** The options of a query string. */
interface Settings {
  /** The fields of words without one; several stand for each other. */
  fields: string[];
  boosts: Map<string, number>;
  defaultField: string;
  and: boolean;
  analyzer: string | undefined;
  quoteAnalyzer: string | undefined;
  quoteFieldSuffix: string | undefined;
  allowLeadingWildcard: boolean;
  autoPhrases: boolean;
  lowercase: boolean;
  useDisMax: boolean;
  tieBreaker: number;
  similarity: string;
  prefixLength: number;
  maxExpansions: number;
  fuzzyRewrite: RewriteMethod | undefined;
  rewrite: RewriteMethod | undefined;
  phraseSlop: number;
  analyzeWildcard: boolean;
  lenient: boolean;
  zone: Zone | undefined;
}

/** `query_string`. */
const queryString: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'query_string', body, 'query', { knowsLists: true });
  const given = options.text('query');
  checkText(dsl, given);
  const settings = readSettings(options, dsl);
  const escaped = options.flag(false, 'escape');
  const boost = options.boost();
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch');
  options.take('enable_position_increments', 'enablePositionIncrements');
  const locale = options.text('locale');
  if (locale !== undefined) localeName(locale);
  options.take('max_determinized_states', 'maxDeterminizedStates');
  options.end();
  if (given === undefined) {
    throw queryParsing(dsl.index, 'query_string must be provided with a [query]');
  }
  const text = escaped ? escapeSyntax(given) : given;
  const query = parse(text, settings, dsl);
  if (boost === 1 || !('boost' in query)) return applyMinimum(negativeFixed(query), minimum);
  return applyMinimum(negativeFixed(withBoost(query, Math.fround(query.boost * boost))), minimum);
};

export const queryStringQuery: QueryKind = {
  names: ['query_string', 'queryString'],
  read: queryString,
  reach: 'found',
};

function parse(text: string, settings: Settings, dsl: Dsl): PlanNode {
  if (text.trim() === '') return NONE;
  try {
    const query = parseClassic(text, new MapperBuilder(settings, dsl), settings.and);
    return query ?? joined([], Occur.Should, false);
  } catch (error) {
    const detail = `Failed to parse query [${text}]`;
    if (error instanceof SyntaxFailure) {
      const cause = new ElasticsearchError(error.cause17 ?? 'ParseException', error.message, { status: 400 });
      throw queryParsing(
        dsl.index,
        detail,
        parseException(`Cannot parse '${text}': ${error.message}`, cause),
      );
    }
    if (error instanceof ElasticsearchError && error.exception === 'TooManyClauses') {
      throw queryParsing(
        dsl.index,
        detail,
        parseException(`Cannot parse '${text}': too many boolean clauses`, error),
      );
    }
    throw error;
  }
}

function parseException(detail: string, nested: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError('ParseException', detail, { status: 400, nested });
}

function readSettings(options: Options, dsl: Dsl): Settings {
  const fields: string[] = [];
  const boosts = new Map<string, number>();
  const list = options.take('fields') ?? undefined;
  if (list !== undefined && !Array.isArray(list)) throw options.unsupported('fields');
  for (const each of list ?? []) {
    const { name, boost } = readField(textOf(each) ?? '');
    // A pattern stands for fields of all types, whichever are searched.
    for (const found of dsl.model.queriedNames(name)) {
      fields.push(found);
      if (boost !== undefined) boosts.set(found, boost);
    }
  }
  checkFields(dsl, fields.length);
  const operator = options.text('default_operator', 'defaultOperator');
  if (operator !== undefined && !/^(or|and)$/i.test(operator)) {
    throw queryParsing(dsl.index, `Query default operator [${operator}] is not allowed`);
  }
  const analyzer = options.text('analyzer');
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[query_string] analyzer [${analyzer}] not found`);
  }
  const quoteAnalyzer = options.text('quote_analyzer', 'quoteAnalyzer');
  if (quoteAnalyzer !== undefined && dsl.analyzer(quoteAnalyzer) === undefined) {
    throw queryParsing(dsl.index, `[query_string] quote_analyzer [${quoteAnalyzer}] not found`);
  }
  const fuzziness = options.scalar('fuzziness', 'fuzzy_min_sim', 'fuzzyMinSim');
  options.take('fuzzy_min_sim', 'fuzzyMinSim');
  const int = (fallback: number, ...names: string[]) => {
    const value = options.scalar(...names);
    return value === undefined ? fallback : Math.max(0, strictIntOf(value));
  };
  const zone = options.text('time_zone', 'timeZone');
  return {
    fields,
    boosts,
    defaultField: options.text('default_field', 'defaultField') ?? dsl.defaultField,
    and: operator?.toLowerCase() === 'and',
    analyzer,
    quoteAnalyzer: quoteAnalyzer ?? analyzer,
    quoteFieldSuffix: options.text('quote_field_suffix', 'quoteFieldSuffix'),
    allowLeadingWildcard: options.flag(true, 'allow_leading_wildcard', 'allowLeadingWildcard'),
    autoPhrases: options.flag(false, 'auto_generate_phrase_queries', 'autoGeneratePhraseQueries'),
    lowercase: options.flag(true, 'lowercase_expanded_terms', 'lowercaseExpandedTerms'),
    useDisMax: options.flag(true, 'use_dis_max', 'useDisMax'),
    tieBreaker: options.number(0, 'tie_breaker', 'tieBreaker'),
    similarity: fuzziness === undefined ? '2' : String(similarityOf(readFuzziness(fuzziness))),
    prefixLength: int(0, 'fuzzy_prefix_length', 'fuzzyPrefixLength'),
    maxExpansions: int(MAX_EXPANSIONS, 'fuzzy_max_expansions', 'fuzzyMaxExpansions'),
    fuzzyRewrite: readRewrite(options.text('fuzzy_rewrite', 'fuzzyRewrite')),
    rewrite: readRewrite(options.text('rewrite')),
    phraseSlop: int(0, 'phrase_slop', 'phraseSlop'),
    analyzeWildcard: options.flag(false, 'analyze_wildcard', 'analyzeWildcard'),
    lenient: options.flag(dsl.lenientStrings, 'lenient'),
    zone: zone === undefined ? undefined : parseZone(zone),
  };
}

/** A query that only says what is not wanted is meant of all documents. */
export function negativeFixed(query: PlanNode): PlanNode {
  if (query.kind !== 'boolean' || query.clauses.length === 0) return query;
  if (query.clauses.some(({ occur }) => occur !== Occur.MustNot)) return query;
  return { ...query, clauses: [...query.clauses, { occur: Occur.Must, node: matchAll() }] };
}

/** Makes the queries of a query string's parts. */
class MapperBuilder implements Builder<PlanNode> {
  readonly #settings: Settings;
  readonly #dsl: Dsl;
  /** The field of words without one; undefined where there are several. */
  readonly #default: string | undefined;

  constructor(settings: Settings, dsl: Dsl) {
    this.#settings = settings;
    this.#dsl = dsl;
    const { fields, defaultField } = settings;
    this.#default = fields.length > 1 ? undefined : (fields[0] ?? defaultField);
  }

  term(field: string | undefined, text: string): PlanNode | undefined {
    const special = this.#special(field, text);
    if (special !== undefined) return special;
    return this.#each(field, (name) => this.#words(name, text, false, 0));
  }

  phrase(field: string | undefined, text: string, slop: number | undefined): PlanNode | undefined {
    const special = this.#special(field, text);
    const { phraseSlop } = this.#settings;
    // Even of a single field 1.7 makes a disjunction.
    return this.#all(field, (name) => special ?? this.#words(name, text, true, slop ?? phraseSlop));
  }

  wildcard(field: string | undefined, pattern: string): PlanNode | undefined {
    const { allowLeadingWildcard, rewrite } = this.#settings;
    if (pattern === '*' && (field === undefined || field === '*' || field === this.#default)) {
      const actual = field ?? this.#default;
      if (actual === undefined || actual === '*' || actual === '_all') return matchAll();
      return constant(existsSet(actual, this.#dsl), 1);
    }
    const lower = this.#lowered(pattern);
    return this.#each(field, (name) =>
      this.#leniently(() => {
        const resolved = resolve(this.#dsl, name);
        const whole = this.#settings.analyzeWildcard ? this.#analyzedPattern(resolved, lower) : lower;
        if (name === '*' && whole === '*') return matchAll();
        if (!allowLeadingWildcard && /^[*?]/.test(whole)) {
          throw new SyntaxFailure("'*' or '?' not allowed as first character in WildcardQuery");
        }
        const matcher = wildcardMatcher(this.#lowered(whole));
        const meta = metaMatching(name, matcher, this.#dsl);
        return meta === undefined ? multiTerm(resolved, matcher, rewrite) : constant(meta, 1);
      }),
    );
  }

  prefix(field: string | undefined, prefix: string): PlanNode | undefined {
    const lower = this.#lowered(prefix);
    const { analyzeWildcard, rewrite, analyzer } = this.#settings;
    return this.#each(field, (name) =>
      this.#leniently(() => {
        const meta = metaPrefix(name, lower, this.#dsl);
        if (meta !== undefined) return constant(meta, 1);
        const resolved = resolve(this.#dsl, name);
        if (resolved.field?.isExact === true || !analyzeWildcard) {
          return prefixNode(resolved, lower, rewrite);
        }
        const words = analyzed(lower, resolved, analyzer, this.#dsl).map(({ term }) => this.#lowered(term));
        const queries = words.map((word) => prefixNode(resolved, word, rewrite));
        if (queries.length < 2) return queries[0];
        return joined(queries, Occur.Should, true);
      }),
    );
  }

  regexp(field: string | undefined, pattern: string): PlanNode | undefined {
    const lower = this.#lowered(pattern);
    return this.#each(field, (name) =>
      this.#leniently(() => {
        const matcher = regexpMatcher(lower);
        const meta = metaMatching(name, matcher, this.#dsl, (text) => regexpMatcher(text + lower));
        if (meta !== undefined) return constant(meta, 1);
        const resolved = resolve(this.#dsl, name);
        return multiTerm(resolved, patternOn(resolved, lower, regexpMatcher), this.#settings.rewrite);
      }),
    );
  }

  fuzzy(field: string | undefined, text: string, given: string | undefined): PlanNode | undefined {
    const { similarity, prefixLength, maxExpansions, fuzzyRewrite } = this.#settings;
    const lower = this.#lowered(text);
    const fuzziness = given ?? similarity;
    return this.#each(field, (name) =>
      this.#leniently(() => {
        const resolved = resolve(this.#dsl, name);
        const method = resolved.field === undefined ? fuzzyRewrite : undefined;
        const { now } = this.#dsl;
        return fuzzyNode(resolved, lower, fuzziness, {
          prefixLength,
          maxExpansions,
          transpositions: false,
          method,
          now,
        });
      }),
    );
  }

  range(
    field: string | undefined,
    from: string | undefined,
    to: string | undefined,
    includeFrom: boolean,
    includeTo: boolean,
  ): PlanNode | undefined {
    const open = (bound: string | undefined) => (bound === '*' ? undefined : bound);
    return this.#each(field, (name) => this.#rangeOn(name, open(from), open(to), includeFrom, includeTo));
  }

  boosted(query: PlanNode, boost: number): PlanNode {
    return withBoost(query, Math.fround(boost));
  }

  clauses(clauses: readonly JoinedClause<PlanNode>[]): PlanNode | undefined {
    if (clauses.length === 0) return undefined;
    checkClauses(clauses.length);
    const own = clauses.map(({ join, query }) => ({ occur: join, node: query }));
    return negativeFixed({ kind: 'boolean', noCoord: false, boost: 1, minimum: 0, clauses: own });
  }

  /** `_exists_:field` and `_missing_:field`. */
  #special(field: string | undefined, text: string): PlanNode | undefined {
    if (field === '_exists_') return constant(existsSet(text, this.#dsl), 1);
    if (field === '_missing_') return constant(missingSet(text, this.#dsl), 1);
    return undefined;
  }

  #rangeOn(
    name: string,
    from: string | undefined,
    to: string | undefined,
    includeLower: boolean,
    includeUpper: boolean,
  ): PlanNode | undefined {
    const resolved = resolve(this.#dsl, name);
    const { zone } = this.#settings;
    const isText = resolved.field !== undefined && !isNumeric(resolved.field.type);
    const bound = (text: string | undefined) =>
      text === undefined ? undefined : isText ? this.#lowered(text) : text;
    const bounds = {
      from: bound(from),
      to: bound(to),
      includeLower,
      includeUpper,
      zone: zone !== undefined && resolved.field?.type === 'date' ? zone : UTC,
      asFilter: false,
      now: this.#dsl.now,
    };
    return this.#leniently(() => rangeNode(resolved, bounds, this.#dsl));
  }

  /** A word or a phrase on one field. */
  #words(name: string, text: string, quoted: boolean, slop: number): PlanNode | undefined {
    if (!quoted && text.length > 1) {
      const [, sign, equals, bound] = /^([<>])(=(?=.))?(.+)$/s.exec(text) ?? [];
      if (sign === '>') return this.#rangeOn(name, bound, undefined, equals !== undefined, true);
      if (sign === '<') return this.#rangeOn(name, undefined, bound, true, equals !== undefined);
    }
    const meta = metaTerm(name, text, this.#dsl);
    if (meta !== undefined) return meta;
    const { analyzer, quoteAnalyzer, quoteFieldSuffix, autoPhrases, phraseSlop, and } = this.#settings;
    let resolved = resolve(this.#dsl, name);
    if (quoted && quoteFieldSuffix !== undefined) {
      const other = resolve(this.#dsl, name + quoteFieldSuffix);
      if (other.field !== undefined) resolved = other;
    }
    if (resolved.field?.isExact === true) return this.#leniently(() => exactQuery(resolved, text));
    const given = quoted ? (quoteAnalyzer ?? resolved.field?.quoteAnalyzer()) : analyzer;
    const tokens = analyzed(text, resolved, given, this.#dsl);
    const phrase = quoted || autoPhrases;
    const occur = and ? Occur.Must : Occur.Should;
    return textQuery(tokens, resolved, { phrase, occur, slop: quoted ? slop : phraseSlop });
  }

  /** The parts of a pattern between its stars and question marks, each as the analyzer makes its first word. */
  #analyzedPattern(resolved: ResolvedField, pattern: string): string {
    const { analyzer } = this.#settings;
    return pattern.replace(
      /[^*?]+/g,
      (part) => analyzed(part, resolved, analyzer, this.#dsl)[0]?.term || part,
    );
  }

  #lowered(text: string): string {
    return this.#settings.lowercase ? text.toLowerCase() : text;
  }

  /** Nothing where the text can't be one of the field, if that is to be overlooked. */
  #leniently(make: () => PlanNode | undefined): PlanNode | undefined {
    if (!this.#settings.lenient) return make();
    try {
      return make();
    } catch (error) {
      if (error instanceof ElasticsearchError) return undefined;
      throw error;
    }
  }

  /** On the one field, or on all that the name or the settings stand for. */
  #each(field: string | undefined, make: (name: string) => PlanNode | undefined): PlanNode | undefined {
    const names = this.#names(field);
    return names.length === 1 ? make(names[0]!) : this.#joined(names, make);
  }

  #all(field: string | undefined, make: (name: string) => PlanNode | undefined): PlanNode | undefined {
    return this.#joined(this.#names(field), make);
  }

  #names(field: string | undefined): string[] {
    const name = field ?? this.#default;
    if (name === undefined) return this.#settings.fields;
    const names = this.#dsl.model.queriedNames(name, this.#dsl.searchedTypes);
    checkFields(this.#dsl, names.length);
    return names;
  }

  #joined(names: readonly string[], make: (name: string) => PlanNode | undefined): PlanNode | undefined {
    const { boosts, useDisMax, tieBreaker } = this.#settings;
    const queries = names.flatMap((name) => {
      const query = make(name);
      if (query === undefined) return [];
      return [boosts.size === 0 ? query : withBoost(query, boosts.get(name) ?? 1)];
    });
    if (queries.length === 0) return undefined;
    if (useDisMax) return { kind: 'disMax', boost: 1, tieBreaker, nodes: queries };
    return joined(queries, Occur.Should, true);
  }
}
