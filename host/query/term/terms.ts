/** Queries on terms: `term`, `terms`, `ids`. */

import { type ElasticsearchError, queryParsing } from '../../errors.js';
import { isNumber, isObject, javaScalar, textOf } from '../../json/values.js';
import {
  checkClauses,
  constant,
  type Dsl,
  fieldOptions,
  NONE,
  Options,
  type QueryCompiler,
  resolve,
  tokenText,
  withBoost,
} from '../context.js';
import { tokenOf } from '../../json/jsonTokens.js';
import { exactQuery } from '../fulltext/matching.js';
import { metaTerm, uidsNode } from './meta.js';
import { applyMinimum } from '../fulltext/minimumShouldMatch.js';
import { Occur } from '../../core/abi/plan.js';
import type { PlanNode } from '../../plan/nodes.js';

/** One term of a field, as a query. */
function termQuery(name: string, value: unknown, dsl: Dsl): PlanNode {
  const text = javaScalar(value) ?? '';
  const meta = metaTerm(name, text, dsl);
  if (meta !== undefined) return meta;
  return exactQuery(resolve(dsl, name), value);
}

/** `term`: a value without options is read as its text. */
export const term: QueryCompiler = (body, dsl) => {
  const [entry] = Object.entries(body);
  if (entry === undefined) throw queryParsing(dsl.index, '[term] query malformed, no field');
  const [name, given] = entry;
  let boost = 1;
  let value: unknown = textOf(tokenText(given));
  if (isObject(given)) {
    const inner = fieldOptions(dsl, 'term', given, 'value');
    value = inner.bytes('term', 'value');
    boost = inner.boost();
    inner.end();
  }
  if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for term query');
  return withBoost(termQuery(name, value, dsl), boost);
};

/** `terms`: a boolean query of optional terms. */
export const terms: QueryCompiler = (body, dsl) => {
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
    return { occur: Occur.Should, node: termQuery(name, value, dsl) };
  });
  return applyMinimum({ kind: 'boolean', noCoord, boost, minimum: 0, clauses }, minimum);
};

/** `ids`: a constant score. */
export const ids: QueryCompiler = (body, dsl) => {
  const options = new Options(dsl, 'ids', body, 'query', { knowsLists: true });
  const values: unknown = body.values;
  for (const each of Array.isArray(values) ? values : [])
    if (typeof each !== 'string' && !isNumber(each)) {
      const token = tokenOf(each);
      throw queryParsing(dsl.index, `Illegal value for id, expecting a string or number, got: ${token}`);
    }
  const boost = options.boost();
  const set = idSet(options, dsl, () => queryParsing(dsl.index, '[ids] query, no ids values provided'));
  return set.kind === 'none' ? NONE : constant(set, boost);
};

/** The documents of the ids among the options. */
export function idSet(options: Options, dsl: Dsl, missing: () => ElasticsearchError): PlanNode {
  const values = options.take('values');
  const given = options.take('type', 'types') ?? options.scalar('_type');
  options.scalar('_type');
  options.end();
  if (Array.isArray(given) && given.includes(null))
    throw queryParsing(dsl.index, 'No type specified for term filter');
  if (values === undefined || values === null) throw missing();
  if (!Array.isArray(values)) throw options.unsupported('values');
  const named = (Array.isArray(given) ? given : given === undefined ? [] : [given]).flatMap(
    (type) => textOf(type) ?? [],
  );
  const isAll = named.length === 1 && named[0] === '_all';
  const types = isAll ? dsl.model.typeNames() : named.length === 0 ? dsl.types : named;
  const uids = values.flatMap((value) => {
    const id = textOf(value);
    if (id === undefined) throw queryParsing(dsl.index, 'No value specified for term filter');
    return types.map((type) => `${type}#${id}`);
  });
  return uids.length === 0 ? NONE : uidsNode(dsl, { uids });
}
