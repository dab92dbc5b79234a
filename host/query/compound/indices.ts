/** `indices`, as a query and as a filter: one on the indices that it names, another elsewhere. */

import { queryParsing } from '../../errors.js';
import { isCompound, textOf } from '../../json/values.js';
import {
  asFilter,
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  matchAll,
  NONE,
  Options,
  type QueryCompiler,
  type QueryKind,
} from '../context.js';
import { emptySays } from '../emptyOptions.js';
import { filterOptions } from '../filterOptions.js';

/** What the options say of the names of indices. */
function takeIndices(options: Options, dsl: Dsl, what: string): unknown[] | undefined {
  const list = options.take('indices') ?? undefined;
  const one = options.scalar('index');
  if (list !== undefined && !Array.isArray(list)) throw options.unsupported('indices');
  if (list !== undefined && one !== undefined)
    throw queryParsing(dsl.index, `[${what}] indices or index already specified`);
  if (list?.includes(null) === true)
    throw queryParsing(dsl.index, `[${what}] no value specified for 'indices' entry`);
  return list ?? (one === undefined ? undefined : [one]);
}

/** Whether the index is one of those that are named. */
function isNamed(given: readonly unknown[] | undefined, dsl: Dsl, what: string): boolean {
  if (given === undefined) {
    throw queryParsing(dsl.index, `[${what}] requires 'indices' or 'index' element`);
  }
  // None means all.
  return given.length === 0 || given.some((each) => dsl.isIndex(textOf(each) ?? ''));
}

const query: QueryCompiler = (body, dsl, name) => {
  const options = new Options(dsl, name, body, 'query', { knowsLists: true });
  const inner = options.object('query');
  const otherwise = options.take('no_match_query') ?? undefined;
  const named = takeIndices(options, dsl, name);
  options.end();
  if (inner === undefined) throw queryParsing(dsl.index, "[indices] requires 'query' element");
  const chosen = isNamed(named, dsl, name);
  if (chosen) return dsl.optionalQuery(inner);
  if (otherwise === 'none') return NONE;
  if (isCompound(otherwise)) return dsl.optionalQuery(otherwise);
  return matchAll();
};

export const indicesQuery: QueryKind = { names: ['indices'], read: query, reach: 'found' };

const filter: FilterCompiler = (body, dsl, name) => {
  const options = filterOptions(body, dsl, name, { knowsLists: true });
  const inner = options.object('filter');
  const otherwise = options.take('no_match_filter') ?? undefined;
  const named = takeIndices(options, dsl, name);
  options.end();
  if (inner === undefined) throw queryParsing(dsl.index, "[indices] requires 'filter' element");
  const chosen = isNamed(named, dsl, name);
  if (chosen) return dsl.filter(inner);
  if (otherwise === 'none') return NONE;
  if (otherwise === null || isCompound(otherwise)) return dsl.filter(otherwise);
  return asFilter(matchAll(), () => '*:*');
};

export const indicesFilter: FilterKind = {
  names: ['indices'],
  read: filter,
  reach: 'found',
  empty: emptySays("[indices] requires 'filter' element"),
};
