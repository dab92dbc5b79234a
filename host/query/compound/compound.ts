/** Queries around queries: `bool`, `filtered`, `constant_score`, `dis_max`, `boosting`; and `match_all`. */

import { queryParsing } from '../../errors.js';
import { valuesUnder } from '../../json/repeatedKeys.js';
import { isCompound, isObject, parseWhole } from '../../json/values.js';
import {
  CACHED,
  checkClauses,
  constant,
  type Dsl,
  IGNORED,
  listed,
  matchAll,
  NOTHING,
  notStarted,
  Options,
  type QueryCompiler,
  unexpectedTokenIn,
} from '../context.js';
import { applyMinimum } from '../fulltext/minimumShouldMatch.js';
import type { Clause } from '../../plan/nodes/boolean.js';
import { Occur } from '../../core/abi/plan.js';
import type { PlanNode } from '../../plan/nodes.js';

/** `match_all`. */
export const all: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'match_all', body, 'query', { ignored: NOTHING });
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

/** Clauses that are read although there are too many: 1.7 tells first of others that it can't read. */
const READ_CLAUSES = 4096;

/** `bool`: the clauses stand in the order of the JSON. */
export const bool: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'bool', body, 'query', { knowsLists: true });
  for (const name of Object.keys(body))
    if (!OCCURRENCES.has(name) && Array.isArray(body[name]))
      throw queryParsing(dsl.index, `bool query does not support [${name}]`);
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
    if (queries === null) continue;
    if (occur === undefined || !isCompound(queries)) throw options.unsupported(group);
    for (const each of valuesUnder(body, group)) {
      const unexpectedToken = unexpectedTokenIn(each, 'query', options, group, dsl);
      for (const query of listed(each, 'query', dsl)) {
        const node = dsl.optionalQuery(query, unexpectedToken);
        if (node !== undefined) clauses.push({ occur, node });
        if (clauses.length >= READ_CLAUSES) checkClauses(clauses.length);
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

const STRATEGIES =
  /^(query_first|queryFirst|random_access_always|randomAccessAlways|leap_frog|leapFrog|leap_frog_(query|filter)_first|leapFrog(Query|Filter)First)$/;
/** How many documents of a filter are still looked up one by one. */
const THRESHOLD = /^(?:random_access_|randomAccess)(.*)$/s;

function checkStrategy(strategy: string, dsl: Dsl): void {
  if (STRATEGIES.test(strategy)) return;
  const threshold = THRESHOLD.exec(strategy)?.[1];
  if (threshold === undefined)
    throw queryParsing(dsl.index, `[filtered] strategy value not supported [${strategy}]`);
  parseWhole(threshold, -(2n ** 31n), 2n ** 31n - 1n);
}

/** `filtered`. */
export const filtered: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'filtered', body, 'query', { ignored: IGNORED });
  const inner = options.object('query');
  const condition = options.object('filter');
  const strategy = options.text('strategy');
  const boost = options.boost();
  options.end();
  if (strategy !== undefined) checkStrategy(strategy, dsl);
  if (inner !== undefined && !isCompound(inner)) throw options.unsupported('query');
  if (condition !== undefined && !isCompound(condition)) {
    throw options.unsupported('filter');
  }
  const query =
    inner === undefined ? matchAll() : dsl.optionalQuery(inner, () => options.unsupported('query'));
  if (query === undefined) return undefined;
  const unexpectedToken = () => options.unsupported('filter');
  const filter = condition === undefined ? undefined : dsl.filter(condition, unexpectedToken);
  // Without a filter, or with one that everything passes, the boost is lost, as in 1.7.
  if (filter === undefined || filter.kind === 'all') return query;
  if (query.kind === 'all' && query.boost === 1) return constantOf(filter, boost);
  return { kind: 'filtered', boost, query, filter };
};

/** `constant_score`. */
export const constantScore: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'constant_score', body, 'query', { ignored: CACHED });
  const condition = options.object('filter');
  const inner = options.object('query');
  const boost = options.boost();
  options.end();
  if (condition === undefined && inner === undefined) {
    throw queryParsing(dsl.index, "[constant_score] requires either 'filter' or 'query' element");
  }
  const filter =
    condition === undefined ? undefined : dsl.filter(condition, () => options.unsupported('filter'));
  const query =
    inner === undefined ? undefined : dsl.optionalQuery(inner, () => options.unsupported('query'));
  // A filter goes before a query.
  if (filter !== undefined) return constantOf(filter, boost);
  return query && { kind: 'constant', boost, node: query, ofQuery: true };
};

/** A constant score over a filter. */
function constantOf(filter: PlanNode, boost: number): PlanNode {
  if (filter.kind === 'all') return matchAll(boost);
  return constant(filter, boost);
}

/** `dis_max`. */
export const disMax: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'dis_max', body, 'query', { knowsLists: true });
  const given = options.take('queries');
  const tieBreaker = options.number(0, 'tie_breaker', 'tieBreaker');
  const boost = options.boost();
  options.end();
  if (given === undefined) throw queryParsing(dsl.index, "[dis_max] requires 'queries' field");
  if (!isObject(given) && !Array.isArray(given)) throw options.unsupported('queries');
  const unexpectedToken = unexpectedTokenIn(given, 'query', options, 'queries', dsl);
  if (Array.isArray(given) && !isObject(given[0])) throw notStarted('query', dsl);
  const nodes = listed(given, 'query', dsl).flatMap(
    (query) => dsl.optionalQuery(query, unexpectedToken) ?? [],
  );
  return nodes.length === 0 ? undefined : { kind: 'disMax', boost, tieBreaker, nodes };
};

/** `boosting`. */
export const boosting: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'boosting', body, 'query', { ignored: NOTHING });
  const wanted = options.object('positive');
  const unwanted = options.object('negative');
  const negativeBoost = options.number(-1, 'negative_boost', 'negativeBoost');
  const boost = options.number(-1, 'boost');
  options.end();
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
