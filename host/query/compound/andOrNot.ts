/** The filters `and`, `or` and `not`. */

import { queryParsing } from '../../errors.js';
import { isCompound, isObject } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import {
  asFilter,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  IGNORED,
  listed,
  notStarted,
  show,
} from '../context.js';
import { filterOptions, malformed } from '../filterOptions.js';
import { combine } from '../sets.js';

/** `and` and `or`, also without their names: a list of filters is a conjunction. */
export const allOf: FilterCompiler = (body, dsl, name) => {
  let list: unknown = body;
  if (!Array.isArray(body)) {
    if (!isObject(body)) throw malformed(dsl);
    const rest = Object.entries(body).filter(([option]) => !IGNORED.has(option));
    for (const [option, value] of rest) {
      const unknown = unknownIn(option, value);
      if (unknown !== undefined) throw filterOptions(body, dsl, name).unsupported(unknown);
    }
    list = body.filters ?? rest.find(([, value]) => Array.isArray(value))?.[1];
  }
  if (!Array.isArray(list) || list.length === 0) {
    throw queryParsing(dsl.index, `[${name}] filter requires 'filters' to be set on it'`);
  }
  const filters = listed(list, 'filter', dsl).flatMap(
    (each) => dsl.filter(each, () => notStarted('filter', dsl)) ?? [],
  );
  const node = name === 'and' ? combine(filters, [], []) : combine([], filters, []);
  const sign = name === 'and' ? '+' : '';
  return node && asFilter(node, () => filters.map((each) => sign + show(dsl, each)).join(' '));
};

export const andOrFilter: FilterKind = { names: ['and', 'or'], read: allOf, reach: 'found' };

const not: FilterCompiler = (body, dsl) => {
  if (Array.isArray(body)) {
    const filters = body.flatMap((each) => dsl.filter(each) ?? []);
    if (body.length === 0) throw queryParsing(dsl.index, 'filter is required when using `not` filter');
    return notOf(combine(filters, [], []), dsl);
  }
  if (!isObject(body)) throw malformed(dsl);
  const rest = Object.fromEntries(Object.entries(body).filter(([option]) => !IGNORED.has(option)));
  if (Object.keys(rest).length === 0) {
    throw queryParsing(dsl.index, 'filter is required when using `not` filter');
  }
  for (const [option, value] of Object.entries(rest)) {
    if (value !== null && !isCompound(value)) throw filterOptions(body, dsl, 'not').unsupported(option);
  }
  if (rest.filter === undefined) return notOf(dsl.filter(rest), dsl);
  const unexpectedToken = () => filterOptions(body, dsl, 'not').unsupported('filter');
  return notOf(dsl.filter(rest.filter, unexpectedToken), dsl);
};

export const notFilter: FilterKind = { names: ['not'], read: not, reach: 'found' };

/** The first name that means nothing beside the list of a conjunction: of a scalar, or in an object. */
function unknownIn(option: string, value: unknown): string | undefined {
  if (value === null || Array.isArray(value)) return undefined;
  if (!isCompound(value)) return option;
  for (const [name, each] of Object.entries(value)) {
    const unknown = unknownIn(name, each);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

function notOf(inner: PlanNode | undefined, dsl: Dsl): PlanNode | undefined {
  if (inner === undefined) return undefined;
  return asFilter(combine([], [], [inner])!, () => `NotFilter(${show(dsl, inner)})`);
}
