/** Queries in other forms: `wrapper` holds one in Base64, `template` one with holes. */

import {
  illegalArgument,
  indexMissing,
  jsonParse,
  noContent,
  queryParsing,
  toElasticsearchError,
} from '../../errors.js';
import { jsonText } from '../../json/jsonText.js';
import { looksLikeJson, parseLax } from '../../json/laxJson.js';
import { isCompound, isObject, javaText, textOf } from '../../json/values.js';
import { decodeBase64, NoBase64 } from '../../text/base64.js';
import {
  type Dsl,
  type FilterCompiler,
  type FilterKind,
  IGNORED,
  Options,
  type QueryCompiler,
  type QueryKind,
} from '../context.js';
import { emptyCrashes } from '../emptyOptions.js';
import { Mustache } from './mustache.js';

/** `wrapper`. */
const wrapper: QueryCompiler = (body, dsl, name) => {
  const [entry] = Object.entries(body);
  if (entry === undefined || entry[0] !== 'query') {
    throw queryParsing(dsl.index, `[${name}] query malformed`);
  }
  return dsl.optionalQuery(unwrapped(textOf(entry[1]) ?? '', dsl));
};

export const wrapperQuery: QueryKind = { names: ['wrapper'], read: wrapper, reach: 'found' };

/** The filter of that name. */
const readWrapperFilter: FilterCompiler = (body, dsl, name) => {
  const options = new Options(dsl, name, isCompound(body) ? { ...body } : {}, 'filter', { ignored: IGNORED });
  const filter = options.text('filter');
  if (filter === undefined) throw queryParsing(dsl.index, `[${name}] filter malformed`);
  return dsl.filter(unwrapped(filter, dsl));
};

export const wrapperFilter: FilterKind = { names: ['wrapper'], read: readWrapperFilter, reach: 'found' };

const utf8 = new TextDecoder();

/** JSON from Base64. */
export function unwrapped(text: string, dsl: Dsl): unknown {
  try {
    const bytes = decodeBase64(text);
    if (!looksLikeJson(bytes)) throw noContent();
    return parseLax(utf8.decode(bytes));
  } catch (e) {
    const why = e instanceof NoBase64 ? jsonParse(`${NO_BASE64} ${e.message}`) : toElasticsearchError(e);
    throw queryParsing(dsl.index, 'Failed to parse', why);
  }
}

const NO_BASE64 = 'Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS):';

/** `template`: inline, or stored under an id. */
const template: QueryCompiler = (body, dsl, name) => {
  const { query, template: inline, params, id, file } = body;
  const given = query ?? inline ?? (typeof id === 'string' ? dsl.stored('mustache', id) : undefined);
  if (given === undefined) {
    if (id !== undefined) throw indexMissing('.scripts');
    if (file !== undefined) throw illegalArgument(`Unable to find on disk script ${javaText(file)}`);
    throw queryParsing(dsl.index, `[${name}] query malformed, no field after start_object`);
  }
  const text = typeof given === 'string' ? given : jsonText(given);
  const rendered = new Mustache(text).render(isObject(params) ? params : {});
  let parsed: unknown;
  try {
    parsed = parseLax(rendered);
  } catch (error) {
    throw queryParsing(dsl.index, 'Failed to parse', toElasticsearchError(error));
  }
  return dsl.optionalQuery(parsed);
};

export const templateQuery: QueryKind = {
  names: ['template'],
  read: template,
  reach: 'scripts',
  empty: emptyCrashes,
};
