/** `simple_query_string`. */

import { hashOrder } from '../../compat17/javaHash.js';
import { Occur } from '../../core/abi/plan.js';
import { ElasticsearchError, illegalArgument, queryParsing } from '../../errors.js';
import { isNumber, isObject, strictIntOf, textOf } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import type { BooleanNode } from '../../plan/nodes/boolean.js';
import { Rewrite } from '../../plan/nodes/multiTerm.js';
import type { PlanNode } from '../../plan/nodes.js';
import { localeName } from '../../time/locales.js';
import {
  checkClauses,
  checkFields,
  checkText,
  type Dsl,
  matchAll,
  Options,
  type QueryCompiler,
  type QueryKind,
  type ResolvedField,
  resolve,
  withBoost,
} from '../context.js';
import { isNumeric, parsedTerm, prefixCoded } from '../term/numericTerms.js';
import { MAX_EXPANSIONS, multiTerm } from '../term/patterns.js';
import { fuzzyMatcher } from '../term/termMatchers.js';
import { analyzed } from './analyzed.js';
import { applyMinimum } from './minimumShouldMatch.js';
import { readField } from './multiMatch.js';
import { ALL_OPERATORS, type Group, Operator, parseSimple, type SimpleBuilder } from './simpleSyntax.js';
import { booleanOf, type TextForm, textQuery } from './text.js';

const FLAGS: Readonly<Record<string, number>> = {
  ALL: ALL_OPERATORS,
  NONE: 0,
  AND: Operator.and,
  NOT: Operator.not,
  OR: Operator.or,
  PREFIX: Operator.prefix,
  PHRASE: Operator.phrase,
  PRECEDENCE: Operator.precedence,
  ESCAPE: Operator.escape,
  WHITESPACE: Operator.whitespace,
  FUZZY: Operator.fuzzy,
  NEAR: Operator.near,
  SLOP: Operator.near,
};

/** `simple_query_string`. */
const simpleQueryString: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'simple_query_string', body, 'query', { knowsLists: true });
  const unsupported = (option: string) =>
    queryParsing(dsl.index, `[simple_query_string] unsupported field [${option}]`);
  const text = options.text('query');
  checkText(dsl, text);
  const fields = readWeights(options.take('fields'), dsl, unsupported);
  const analyzer = options.text('analyzer');
  if (analyzer !== undefined && dsl.analyzer(analyzer) === undefined) {
    throw queryParsing(dsl.index, `[simple_query_string] analyzer [${analyzer}] not found`);
  }
  // Without fields, the one field that is named counts for nothing.
  options.text('field');
  const operator = options.text('default_operator', 'defaultOperator');
  if (operator !== undefined && !/^(or|and)$/i.test(operator)) {
    throw queryParsing(dsl.index, `[simple_query_string] default operator [${operator}] is not allowed`);
  }
  const flags = readFlags(options.scalar('flags'));
  const settings: Settings = {
    fields: fields.size > 0 ? fields : new Map([[dsl.defaultField, 1]]),
    analyzer,
    all: operator?.toLowerCase() === 'and',
    lowercase: options.flag(true, 'lowercase_expanded_terms'),
    analyzeWildcard: options.flag(false, 'analyze_wildcard'),
    lenient: options.flag(false, 'lenient'),
  };
  const locale = options.text('locale');
  if (locale !== undefined) localeName(locale);
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch');
  for (const [option, value] of options.rest()) {
    if (value === null || isObject(value)) continue;
    throw Array.isArray(value) ? options.unsupported(option) : unsupported(option);
  }
  if (text === undefined) throw queryParsing(dsl.index, '[simple_query_string] query text missing');
  const query = parseSimple(text, new FieldsBuilder(settings, dsl), flags, settings.all);
  if (query === undefined) return undefined;
  return applyMinimum(query, minimum);
};

export const simpleQueryStringQuery: QueryKind = {
  names: ['simple_query_string', 'simpleQueryString'],
  read: simpleQueryString,
  reach: 'found',
};

function readWeights(
  given: unknown,
  dsl: Dsl,
  unsupported: (option: string) => ElasticsearchError,
): Map<string, number> {
  const weights = new Map<string, number>();
  if (given === undefined || given === null) return weights;
  if (!Array.isArray(given)) throw unsupported('fields');
  for (const each of given) {
    const { name, boost } = readField(textOf(each) ?? '');
    // A pattern stands for fields of all types, whichever are searched.
    for (const found of dsl.model.queriedNames(name)) weights.set(found, boost ?? 1);
  }
  checkFields(dsl, weights.size);
  return new Map(hashOrder([...weights.keys()]).map((name) => [name, weights.get(name)!]));
}

function readFlags(value: unknown): number {
  if (value === undefined) return ALL_OPERATORS;
  if (isNumber(value)) {
    const given = strictIntOf(value);
    return given < 0 ? ALL_OPERATORS : given;
  }
  let flags = 0;
  for (const part of (textOf(value) ?? '').split('|')) {
    if (part === '') continue;
    const flag = FLAGS[part.toUpperCase()];
    if (flag === undefined) throw illegalArgument(`Unknown simple_query_string flag [${part}]`);
    if (flag === 0 || flag === ALL_OPERATORS) return flag;
    flags |= flag;
  }
  return flags;
}

interface Settings {
  /** Names with their boosts. */
  fields: ReadonlyMap<string, number>;
  analyzer: string | undefined;
  all: boolean;
  lowercase: boolean;
  analyzeWildcard: boolean;
  lenient: boolean;
}

/** Each part becomes a query on every field. */
class FieldsBuilder implements SimpleBuilder<PlanNode> {
  readonly #settings: Settings;
  readonly #dsl: Dsl;

  constructor(settings: Settings, dsl: Dsl) {
    this.#settings = settings;
    this.#dsl = dsl;
  }

  words(text: string): PlanNode | undefined {
    const occur = this.#settings.all ? Occur.Must : Occur.Should;
    return this.#each((resolved) => this.#text(text, resolved, { phrase: false, occur, slop: 0 }));
  }

  phrase(text: string, slop: number): PlanNode | undefined {
    return this.#each((resolved) => this.#text(text, resolved, { phrase: true, occur: Occur.Must, slop }));
  }

  /** A text on one field. Without an analyzer of the query's, what a number's or date's makes of it is its term. */
  #text(text: string, resolved: ResolvedField, form: TextForm): PlanNode | undefined {
    const { analyzer } = this.#settings;
    const { field, name } = resolved;
    if (analyzer !== undefined || field === undefined || !isNumeric(field.type))
      return textQuery(analyzed(text, resolved, analyzer, this.#dsl), resolved, form);
    const term = parsedTerm(field, text);
    const node: PlanNode = { kind: 'term', field: resolved.number, boost: 1, term };
    return { ...node, text: () => `${name}:${prefixCoded(field.type, term)}` };
  }

  prefix(text: string): PlanNode | undefined {
    const { analyzer, analyzeWildcard } = this.#settings;
    const lower = this.#lowered(text);
    const prefixOf = (resolved: ResolvedField, word: string) =>
      multiTerm(resolved, { type: 'prefix', prefix: textTerm(word) });
    return this.#each((resolved) => {
      if (!analyzeWildcard) return prefixOf(resolved, lower);
      const words = analyzed(lower, resolved, analyzer, this.#dsl).map(({ term }) =>
        prefixOf(resolved, term),
      );
      return words.length < 2 ? words[0] : booleanOf(words, Occur.Should, true);
    });
  }

  fuzzy(text: string, edits: number): PlanNode | undefined {
    const matcher = fuzzyMatcher(this.#lowered(text), edits, 0, true);
    return this.#each((resolved) =>
      multiTerm(resolved, matcher, { rewrite: Rewrite.topTerms, size: MAX_EXPANSIONS }),
    );
  }

  not(query: PlanNode): PlanNode {
    const clauses = [
      { occur: Occur.MustNot, node: query },
      { occur: Occur.Should, node: { ...matchAll(), text: () => '*:*' } },
    ];
    return { kind: 'boolean', noCoord: false, boost: 1, minimum: 0, clauses };
  }

  group(first: PlanNode, all: boolean): Group<PlanNode> {
    const occur = all ? Occur.Must : Occur.Should;
    const query: BooleanNode = booleanOf([first], occur, false);
    return {
      query,
      add(next) {
        query.clauses.push({ occur, node: next });
        checkClauses(query.clauses.length);
      },
    };
  }

  #lowered(text: string): string {
    return this.#settings.lowercase ? text.toLowerCase() : text;
  }

  #each(make: (resolved: ResolvedField) => PlanNode | undefined): PlanNode | undefined {
    const { fields, lenient } = this.#settings;
    const queries: PlanNode[] = [];
    for (const [name, boost] of fields) {
      try {
        // Words of _all are plain terms here, whatever boosts its fields have, as in 1.7.
        const query = make({ ...resolve(this.#dsl, name), boosts: undefined });
        if (query !== undefined) queries.push(withBoost(query, boost));
      } catch (error) {
        if (!lenient || !(error instanceof ElasticsearchError)) throw error;
      }
    }
    return queries.length < 2 ? queries[0] : booleanOf(queries, Occur.Should, true);
  }
}
