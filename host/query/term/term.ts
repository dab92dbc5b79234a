/** `term`, as a query and as a filter. */

import { queryParsing } from '../../errors.js';
import { isObject, javaScalar, textOf } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  fieldOptions,
  IGNORED,
  Options,
  type QueryCompiler,
  type QueryKind,
  resolve,
  tokenText,
  withBoost,
} from '../context.js';
import { filterOptions } from '../filterOptions.js';
import { exactQuery } from '../fulltext/matching.js';
import { metaTerm } from './meta.js';
import { termSet } from './termSet.js';

/** One term of a field, as a query. */
export function termNode(name: string, value: unknown, dsl: Dsl): PlanNode {
  const text = javaScalar(value) ?? '';
  const meta = metaTerm(name, text, dsl);
  if (meta !== undefined) return meta;
  return exactQuery(resolve(dsl, name), value);
}

/** A value without options is read as its text. */
const query: QueryCompiler = (body, dsl) => {
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
  return withBoost(termNode(name, value, dsl), boost);
};

export const termQuery: QueryKind = { names: ['term'], read: query, reach: 'found', byField: true };

const filter: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name);
  let field: string | undefined;
  let value: unknown;
  for (const [given, inner] of options.rest()) {
    if (isObject(inner)) {
      const parts = new Options(dsl, name, inner, 'filter', { ignored: IGNORED });
      value = parts.scalar('term', 'value');
      parts.end();
      field = given;
      continue;
    }
    // Of a list, the last scalar counts; without one the name is no field.
    const scalars = [inner].flat(Number.POSITIVE_INFINITY).filter((each) => textOf(each) !== undefined);
    if (scalars.length === 0) continue;
    field = given;
    value = scalars.at(-1);
  }
  if (field === undefined) throw queryParsing(dsl.index, 'No field specified for term filter');
  if (textOf(value) === undefined) throw queryParsing(dsl.index, 'No value specified for term filter');
  return termSet(field, [value], dsl);
};

export const termFilter: FilterKind = { names: ['term'], read: filter, reach: 'found' };
