/** `indices`: one query on the indices that it names, another elsewhere. */

import { queryParsing } from '../errors.js';
import { isCompound, textOf } from '../mapping/values.js';
import { type Dsl, matchAll, NONE, Options, type QueryCompiler } from './context.js';

/** What the options say of the names of indices. */
export function takeIndices(options: Options): unknown {
  const list = options.take('indices');
  const one = options.take('index');
  return list ?? one;
}

/** Whether the index is one of those that are named. */
export function isNamed(given: unknown, dsl: Dsl, what: string): boolean {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) {
    throw queryParsing(dsl.index, `[${what}] requires 'indices' or 'index' element`);
  }
  const names = (Array.isArray(given) ? given : [given]).flatMap((each) => textOf(each) ?? []);
  return names.some((each) => dsl.isIndex(each));
}

/** `indices`. */
export const indices: QueryCompiler = (body, dsl, name) => {
  const options = new Options(dsl, name, body);
  const query = options.take('query');
  const otherwise = options.take('no_match_query');
  const named = takeIndices(options);
  options.end();
  if (query === undefined) throw queryParsing(dsl.index, "[indices] requires 'query' element");
  const chosen = isNamed(named, dsl, name);
  if (chosen) return dsl.optionalQuery(query);
  if (otherwise === 'none') return NONE;
  if (otherwise === null || isCompound(otherwise)) return dsl.optionalQuery(otherwise);
  return matchAll();
};
