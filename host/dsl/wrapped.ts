/** Queries in other forms: `wrapper` holds one in Base64, `template` one with holes. */

import { indexMissing, jsonParse, notOffered, queryParsing } from '../errors.js';
import { isObject, textOf } from '../mapping/values.js';
import { type Dsl, type FilterCompiler, Options, type QueryCompiler } from './context.js';
import { Mustache } from './mustache.js';

/** `wrapper`. */
export const wrapper: QueryCompiler = (body, dsl, name) => {
  const [entry] = Object.entries(body);
  if (entry === undefined || entry[0] !== 'query') {
    throw queryParsing(dsl.index, `[${name}] query malformed`);
  }
  return dsl.optionalQuery(unwrapped(textOf(entry[1]) ?? '', dsl));
};

/** The filter of that name. */
export const wrapperFilter: FilterCompiler = (body, dsl, name) => {
  const options = new Options(
    dsl,
    name,
    typeof body === 'object' && body !== null ? { ...body } : {},
    'filter',
  );
  const filter = options.text('filter');
  if (filter === undefined) throw queryParsing(dsl.index, `[${name}] filter malformed`);
  return dsl.filter(unwrapped(filter, dsl));
};

const utf8 = new TextDecoder();

/** JSON from Base64. */
export function unwrapped(text: string, dsl: Dsl): unknown {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return JSON.parse(utf8.decode(bytes));
  } catch {
    const why = jsonParse(`Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS)`);
    throw queryParsing(dsl.index, 'Failed to parse', why);
  }
}

/** `template`: inline, or stored under an id. */
export const template: QueryCompiler = (body, dsl, name) => {
  const { query, template: inline, params, id, file } = body;
  const given = query ?? inline ?? (typeof id === 'string' ? dsl.template(id) : undefined);
  if (given === undefined) {
    if (id !== undefined) throw indexMissing('.scripts');
    if (file !== undefined) throw notOffered('a template of a file');
    throw queryParsing(dsl.index, `[${name}] query malformed, no field after start_object`);
  }
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const rendered = new Mustache(text).render(isObject(params) ? params : {});
  let parsed: unknown;
  try {
    parsed = JSON.parse(rendered);
  } catch (error) {
    throw queryParsing(dsl.index, 'Failed to parse', jsonParse(String(error)));
  }
  return dsl.optionalQuery(parsed);
};
