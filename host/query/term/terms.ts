/** `terms`, as a query and as a filter. */

import { Occur } from '../../core/abi/plan.js';
import { queryParsing } from '../../errors.js';
import { isObject, type JsonObject, textOf } from '../../json/values.js';
import {
  checkClauses,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  IGNORED,
  NONE,
  Options,
  type QueryCompiler,
  type QueryKind,
} from '../context.js';
import { emptySays } from '../emptyOptions.js';
import { filterOptions } from '../filterOptions.js';
import { applyMinimum } from '../fulltext/minimumShouldMatch.js';
import { combine } from '../sets.js';
import { termNode } from './term.js';
import { termSet } from './termSet.js';

/** A boolean query of optional terms. */
const query: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'terms', body, 'query', { knowsLists: true });
  const noCoord = options.flag(false, 'disable_coord', 'disableCoord');
  const minimum = options.text('minimum_should_match', 'minimumShouldMatch', 'minimum_match', 'minimumMatch');
  const boost = options.boost();
  const fields = options.rest();
  let name: string | undefined;
  let values: unknown[] = [];
  for (const [field, given] of fields) {
    if (!Array.isArray(given)) throw options.unsupported(field);
    if (name !== undefined) throw queryParsing(dsl.index, '[terms] query does not support multiple fields');
    name = field;
    values = given;
  }
  if (name === undefined) throw queryParsing(dsl.index, 'No field specified for terms query');
  checkClauses(values.length);
  const clauses = values.map((value) => {
    if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for terms query');
    return { occur: Occur.Should, node: termNode(name, value, dsl) };
  });
  return applyMinimum({ kind: 'boolean', noCoord, boost, minimum: 0, clauses }, minimum);
};

export const termsQuery: QueryKind = {
  names: ['terms', 'in'],
  read: query,
  reach: 'found',
  empty: emptySays('[terms] query does not support [null]'),
};

const EXECUTIONS = /^(plain|fielddata|(bool|and|or)(_nocache)?)$/;

const filter: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name, { ignored: IGNORED, knowsLists: true });
  const execution = options.text('execution');
  let field: string | undefined;
  const values: unknown[] = [];
  for (const [given, list] of options.rest()) {
    if (list === null) continue;
    if (isObject(list)) values.push(...lookedUp(list, dsl));
    else if (!Array.isArray(list)) throw options.unsupported(given);
    else if (field !== undefined)
      throw queryParsing(dsl.index, '[terms] filter does not support multiple fields');
    else values.push(...list);
    field = given;
  }
  if (field === undefined) {
    throw queryParsing(dsl.index, 'terms filter requires a field name, followed by array of terms');
  }
  const name17 = field;
  if (values.some((value) => textOf(value) === undefined)) {
    throw queryParsing(dsl.index, 'No value specified for terms filter');
  }
  if (execution !== undefined && !EXECUTIONS.test(execution)) {
    throw queryParsing(dsl.index, `terms filter execution value [${execution}] not supported`);
  }
  if (values.length === 0) return NONE;
  if (execution?.startsWith('and') === true) {
    return combine(
      values.map((value) => termSet(name17, [value], dsl)),
      [],
      [],
    );
  }
  return termSet(field, values, dsl);
};

/** The list of terms may be a value of a document. */
export const termsFilter: FilterKind = { names: ['terms', 'in'], read: filter, reach: 'named' };

/** The terms that a field of another document holds. */
function lookedUp(given: JsonObject, dsl: Dsl): unknown[] {
  const options = new Options(dsl, 'terms', given, 'filter');
  const index = options.text('index') ?? dsl.index;
  const [type, id, path] = [options.text('type'), options.text('id'), options.text('path')];
  options.take('routing');
  options.take('cache');
  const [unknown] = options.rest();
  if (unknown !== undefined) {
    const detail = `[terms] filter does not support [${unknown[0]}] within lookup element`;
    throw queryParsing(dsl.index, detail);
  }
  for (const [key, value] of Object.entries({ type, id, path })) {
    if (value === undefined) {
      throw queryParsing(dsl.index, `[terms] filter lookup element requires specifying the ${key}`);
    }
  }
  return valuesAt(dsl.source(index, type!, id!), path!.split('.')).filter(
    (value) => textOf(value) !== undefined,
  );
}

/** The values at a path, lists flattened; a name may have dots. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  if (path.length === 0) return [value];
  if (!isObject(value)) return [];
  const found: unknown[] = [];
  for (let end = 1; end <= path.length; end++) {
    const name = path.slice(0, end).join('.');
    if (Object.hasOwn(value, name)) found.push(...valuesAt(value[name], path.slice(end)));
  }
  return found;
}
