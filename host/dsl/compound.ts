/** Queries around queries: `bool`, `filtered`, `constant_score`, `dis_max`, `boosting`; and `match_all`. */

import { queryParsing } from '../errors.js';
import { valuesUnder } from '../mapping/repeatedKeys.js';
import { isCompound, isObject } from '../mapping/values.js';
import { checkClauses, constant, matchAll, Options, type QueryCompiler, strayIn } from './context.js';
import { applyMinimum } from './minimumShouldMatch.js';
import { type Clause, Occur, type PlanNode } from './plan.js';

/** `match_all`. */
export const all: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'match_all', body);
  const boost = options.boost();
  options.end();
  return matchAll(boost);
};

/** Which option of `bool` holds which clauses. */
export const OCCURRENCES: ReadonlyMap<string, Occur> = new Map([
  ['must', Occur.Must],
  ['should', Occur.Should],
  ['must_not', Occur.MustNot],
  ['mustNot', Occur.MustNot],
]);

/** `bool`: the clauses stand in the order of the JSON. */
export const bool: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'bool', body);
  const noCoord = options.flag(false, 'disable_coord', 'disableCoord');
  const minimum = options.text(
    'minimum_should_match',
    'minimumShouldMatch',
    'minimum_number_should_match',
    'minimumNumberShouldMatch',
  );
  const adjust = options.flag(true, 'adjust_pure_negative', 'adjustPureNegative');
  const boost = options.boost();
  const clauses: Clause[] = [];
  for (const [group, queries] of options.rest()) {
    const occur = OCCURRENCES.get(group);
    if (occur === undefined) throw options.unsupported(group);
    if (!isCompound(queries)) throw options.unsupported(group);
    for (const each of valuesUnder(body, group)) {
      const stray = strayIn(each, 'query', options, group, dsl);
      for (const query of [each].flat()) {
        const node = dsl.optionalQuery(query, stray);
        if (node !== undefined) clauses.push({ occur, node });
      }
    }
  }
  if (clauses.length === 0) return { ...matchAll(), text: () => '*:*' };
  checkClauses(clauses.length);
  const node = applyMinimum({ kind: 'boolean', noCoord, boost, minimum: 0, clauses }, minimum);
  if (adjust && clauses.every((clause) => clause.occur === Occur.MustNot)) {
    clauses.push({ occur: Occur.Must, node: matchAll() });
  }
  return node;
};

const STRATEGY = /^(query_?first|random_?access_?(always|\d+)|leap_?frog(_?(query|filter)_?first)?)$/i;

/** `filtered`. */
export const filtered: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'filtered', body);
  const inner = options.take('query');
  const condition = options.take('filter');
  const strategy = options.text('strategy');
  const boost = options.boost();
  options.end();
  if (strategy !== undefined && !STRATEGY.test(strategy)) {
    throw queryParsing(dsl.index, `[filtered] strategy value not supported [${strategy}]`);
  }
  if (inner !== undefined && !isCompound(inner)) throw options.unsupported('query');
  if (condition !== undefined && !isCompound(condition)) {
    throw options.unsupported('filter');
  }
  const query =
    inner === undefined ? matchAll() : dsl.optionalQuery(inner, () => options.unsupported('query'));
  if (query === undefined) return undefined;
  const stray = () => options.unsupported('filter');
  const filter = condition === undefined ? undefined : dsl.filter(lastOf(condition), stray);
  // Without a filter, or with one that everything passes, the boost is lost, as in 1.7.
  if (filter === undefined || filter.kind === 'all') return query;
  if (query.kind === 'all' && query.boost === 1) return constantOf(filter, boost);
  return { kind: 'filtered', boost, query, filter };
};

/** `constant_score`. */
export const constantScore: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'constant_score', body);
  const condition = options.take('filter');
  const inner = options.take('query');
  const boost = options.boost();
  options.end();
  if (condition === undefined && inner === undefined) {
    throw queryParsing(dsl.index, "[constant_score] requires either 'filter' or 'query' element");
  }
  if (condition === undefined) {
    const query = dsl.optionalQuery(inner, () => options.unsupported('query'));
    return query && { kind: 'constant', boost, node: query, ofQuery: true };
  }
  const filter = dsl.filter(lastOf(condition), () => options.unsupported('filter'));
  return filter === undefined ? matchAll(boost) : constantOf(filter, boost);
};

/** Of a list of filters where one is expected 1.7 keeps the last. */
function lastOf(condition: unknown): unknown {
  return Array.isArray(condition) ? (condition.at(-1) ?? {}) : condition;
}

/** A constant score over a filter. */
function constantOf(filter: PlanNode, boost: number): PlanNode {
  if (filter.kind === 'all') return matchAll(boost);
  return constant(filter, boost);
}

/** `dis_max`. */
export const disMax: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'dis_max', body);
  const given = options.take('queries');
  const tieBreaker = options.number(0, 'tie_breaker', 'tieBreaker');
  const boost = options.boost();
  options.end();
  if (given === undefined) throw queryParsing(dsl.index, "[dis_max] requires 'queries' field");
  if (Array.isArray(given) && given.length === 0) {
    throw queryParsing(dsl.index, '[_na] query malformed, must start with start_object');
  }
  if (!isObject(given) && !Array.isArray(given)) throw options.unsupported('queries');
  const stray = strayIn(given, 'query', options, 'queries', dsl);
  const nodes = [given].flat().flatMap((query) => dsl.optionalQuery(query, stray) ?? []);
  return nodes.length === 0 ? undefined : { kind: 'disMax', boost, tieBreaker, nodes };
};

/** `boosting`. */
export const boosting: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'boosting', body);
  const wanted = options.take('positive');
  const unwanted = options.take('negative');
  const negativeBoost = options.number(-1, 'negative_boost', 'negativeBoost');
  const boost = options.number(-1, 'boost');
  options.end();
  for (const [name, given] of Object.entries({ positive: wanted, negative: unwanted })) {
    if (given !== undefined && !isObject(given)) throw options.unsupported(name);
  }
  const part = (given: unknown, name: string) =>
    given === undefined ? undefined : dsl.optionalQuery(given, () => options.unsupported(name));
  const positive = part(wanted, 'positive');
  const negative = part(unwanted, 'negative');
  if (wanted === undefined) {
    throw queryParsing(dsl.index, "[boosting] query requires 'positive' query to be set'");
  }
  if (unwanted === undefined) {
    throw queryParsing(dsl.index, "[boosting] query requires 'negative' query to be set'");
  }
  if (negativeBoost < 0) {
    throw queryParsing(
      dsl.index,
      "[boosting] query requires 'negative_boost' to be set to be a positive value'",
    );
  }
  if (positive === undefined || negative === undefined) return undefined;
  // The boost of the whole counts for nothing: Lucene rewrites the query to its parts.
  void boost;
  return { kind: 'boosting', positive, negative, negativeBoost };
};
