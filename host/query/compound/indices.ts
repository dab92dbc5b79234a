/** `indices`: one query on the indices that it names, another elsewhere. */

import { queryParsing } from '../../errors.js';
import { isCompound, textOf } from '../../json/values.js';
import { type Dsl, matchAll, NONE, Options, type QueryCompiler } from '../context.js';

/** What the options say of the names of indices. */
export function takeIndices(options: Options, dsl: Dsl, what: string): unknown[] | undefined {
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
export function isNamed(given: readonly unknown[] | undefined, dsl: Dsl, what: string): boolean {
  if (given === undefined) {
    throw queryParsing(dsl.index, `[${what}] requires 'indices' or 'index' element`);
  }
  // None means all.
  return given.length === 0 || given.some((each) => dsl.isIndex(textOf(each) ?? ''));
}

/** `indices`. */
export const indices: QueryCompiler = (body, dsl, name) => {
  const options = new Options(dsl, name, body, 'query', { knowsLists: true });
  const query = options.object('query');
  const otherwise = options.take('no_match_query') ?? undefined;
  const named = takeIndices(options, dsl, name);
  options.end();
  if (query === undefined) throw queryParsing(dsl.index, "[indices] requires 'query' element");
  const chosen = isNamed(named, dsl, name);
  if (chosen) return dsl.optionalQuery(query);
  if (otherwise === 'none') return NONE;
  if (isCompound(otherwise)) return dsl.optionalQuery(otherwise);
  return matchAll();
};
