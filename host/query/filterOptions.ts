/** How filters read their options. */

import { queryParsing } from '../errors.js';
import { isObject } from '../json/values.js';
import { type Dsl, IGNORED, Options, type Reading } from './context.js';

/** The options of a filter whose body is an object; an empty array stands for an empty object, as in 1.7. */
export function filterOptions(
  body: unknown,
  dsl: Dsl,
  name: string,
  reading: Reading = { ignored: IGNORED },
): Options {
  if (Array.isArray(body) && body.length === 0) return new Options(dsl, name, {}, 'filter', reading);
  if (!isObject(body)) throw malformed(dsl);
  return new Options(dsl, name, body, 'filter', reading);
}

export function malformed(dsl: Dsl) {
  return queryParsing(dsl.index, '[_na] filter malformed, no field after start_object');
}
