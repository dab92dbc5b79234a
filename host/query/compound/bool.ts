/** `bool`, as a query and as a filter. */

import { Occur } from '../../core/abi/plan.js';
import { queryParsing } from '../../errors.js';
import { valuesUnder } from '../../json/repeatedKeys.js';
import { isCompound, type JsonObject } from '../../json/values.js';
import type { Clause } from '../../plan/nodes/boolean.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  asFilter,
  checkClauses,
  type FilterCompiler,
  type FilterKind,
  listed,
  matchAll,
  Options,
  type QueryCompiler,
  type QueryKind,
  show,
  unexpectedTokenIn,
} from '../context.js';
import { filterOptions } from '../filterOptions.js';
import { applyMinimum } from '../fulltext/minimumShouldMatch.js';
import { combine } from '../sets.js';

/** Which option of `bool` holds which clauses. */
const OCCURRENCES: ReadonlyMap<string, Occur> = new Map([
  ['must', Occur.Must],
  ['should', Occur.Should],
  ['must_not', Occur.MustNot],
  ['mustNot', Occur.MustNot],
]);

/** Clauses that are read although there are too many: 1.7 tells first of others that it can't read. */
const READ_CLAUSES = 4096;

/** The clauses stand in the order of the JSON. */
const query: QueryCompiler = (body, dsl) => {
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

export const boolQuery: QueryKind = {
  names: ['bool'],
  read: query,
  reach: 'found',
  keepsName: ({ kind }) => kind === 'boolean',
};

const filter: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  const groups = options.rest();
  if (groups.every(([, filters]) => filters === null)) {
    throw queryParsing(dsl.index, '[bool] filter has no inner should/must/must_not elements');
  }
  const clauses: [PlanNode[], PlanNode[], PlanNode[]] = [[], [], []];
  const inOrder: { sign: string; node: PlanNode }[] = [];
  for (const [group, filters] of groups) {
    const occur = OCCURRENCES.get(group);
    if (filters === null) continue;
    if (occur === undefined || !isCompound(filters)) throw options.unsupported(group);
    for (const each of valuesUnder(body as JsonObject, group)) {
      const unexpectedToken = unexpectedTokenIn(each, 'filter', options, group, dsl);
      for (const clause of listed(each, 'filter', dsl)) {
        const node = dsl.filter(clause, unexpectedToken);
        if (node === undefined) continue;
        clauses[occur].push(node);
        inOrder.push({ sign: ['+', '', '-'][occur]!, node });
      }
    }
  }
  const node = combine(clauses[Occur.Must], clauses[Occur.Should], clauses[Occur.MustNot]);
  const text = () => inOrder.map(({ sign, node }) => sign + show(dsl, node)).join(' ');
  return node && asFilter(node, () => `BooleanFilter(${text()})`);
};

export const boolFilter: FilterKind = { names: ['bool'], read: filter, reach: 'found' };
