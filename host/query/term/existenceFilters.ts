/** The filters `exists` and `missing`. */

import { queryParsing } from '../../errors.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, cached, type Dsl, type FilterCompiler, type FilterKind, show } from '../context.js';
import { filterOptions } from '../filterOptions.js';
import { combine } from '../sets.js';
import { existsSet, missingSet } from './existence.js';
import { termSet } from './termSet.js';

const exists: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name, {});
  const field = options.text('field');
  options.end();
  if (field === undefined) throw queryParsing(dsl.index, 'exists must be provided with a [field]');
  return existsSet(field, dsl);
};

export const existsFilter: FilterKind = { names: ['exists'], read: exists, reach: 'found' };

const missing: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name, {});
  const field = options.text('field');
  const existence = options.flag(true, 'existence');
  const nullValue = options.flag(false, 'null_value');
  options.end();
  if (field === undefined) throw queryParsing(dsl.index, 'missing must be provided with a [field]');
  if (!existence && !nullValue) {
    const detail = 'missing must have either existence, or null_value, or both set to true';
    throw queryParsing(dsl.index, detail);
  }
  const nulls = nullValue ? nullsSet(field, dsl) : undefined;
  if (!existence) return nulls;
  const set = missingSet(field, dsl);
  if (nulls === undefined) return set;
  return asFilter(
    combine([], [set, nulls], [])!,
    () => `BooleanFilter(${show(dsl, set)} ${show(dsl, nulls)})`,
  );
};

export const missingFilter: FilterKind = { names: ['missing'], read: missing, reach: 'found' };

/** Documents in which the value that the mapping puts in place of null was indexed. */
function nullsSet(name: string, dsl: Dsl): PlanNode | undefined {
  const sets: PlanNode[] = [];
  for (const field of dsl.model.leavesOf(name)) {
    const stand = field.toJSON().null_value;
    if (stand !== undefined) sets.push(termSet(field.fullName, [stand], dsl));
  }
  const node = combine([], sets, []);
  return (
    node && cached(asFilter(node, () => `BooleanFilter(${sets.map((each) => show(dsl, each)).join(' ')})`))
  );
}
