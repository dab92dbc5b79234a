/** `inner_hits`: what a search is to show of the objects, children or parents by which its hits were found. */

import {
  type ElasticsearchError,
  illegalArgument,
  queryParsing,
  toElasticsearchError,
} from '../../errors.js';
import { tokenOf } from '../../json/jsonTokens.js';
import { isObject, type JsonObject, textOf } from '../../json/values.js';
import { type Dsl, matchAll } from '../context.js';
import type { InnerDefinition, InnerScope } from './innerDefinition.js';

/** What may be said by tokens of a kind; a sort and `_source` may be anything. */
const KEYS: Record<'value' | 'START_OBJECT' | 'START_ARRAY', readonly string[]> = {
  value: ['from', 'size', 'track_scores', 'trackScores', 'version', 'explain', 'fields'],
  START_OBJECT: ['highlight', 'script_fields', 'scriptFields'],
  START_ARRAY: ['fielddata_fields', 'fielddataFields', 'fields'],
};

function checkKey(key: string, value: unknown): void {
  if (key === 'sort' || key === '_source') return;
  const token = tokenOf(value);
  const kind = token === 'START_OBJECT' || token === 'START_ARRAY' ? token : 'value';
  if (token === 'VALUE_NULL' || KEYS[kind].includes(key)) return;
  // Whether it is one or not.
  throw illegalArgument(`Unknown key for a ${token} for nested query: [${key}].`);
}

/** What a query says of them: their name, if it has one, and how they are shown. */
export interface QueryInnerHits {
  name: string | undefined;
  options: JsonObject;
}

/** Reads `inner_hits` of a query or filter. */
export function queryInnerHits(json: JsonObject, dsl: Dsl): QueryInnerHits {
  const { name, ...options } = json;
  try {
    for (const [key, value] of Object.entries(options)) checkKey(key, value);
  } catch (e) {
    throw queryParsing(dsl.index, 'Failed to parse [_inner_hits]', toElasticsearchError(e));
  }
  return { name: textOf(name), options };
}

/** Reads the `inner_hits` that stand beside a query, by their names; undefined where there are none. */
export function readInnerHits(json: unknown, dsl: Dsl): InnerDefinition[] | undefined {
  const entries = Object.entries(isObject(json) ? json : {});
  if (entries.length === 0) return undefined;
  return entries.map(([name, body]) => {
    const [kind, scoped] = onlyEntry(name, body);
    if (kind !== 'path' && kind !== 'type')
      throw illegalArgument('Either path or type object must be defined');
    const [of, options] = onlyEntry(name, scoped);
    if (!isObject(options)) throw notObject(name, options);
    return definition(name, kind, of, options, dsl);
  });
}

function definition(
  name: string,
  kind: 'path' | 'type',
  of: string,
  body: JsonObject,
  dsl: Dsl,
): InnerDefinition {
  for (const [key, value] of Object.entries(body))
    if (!isObject(value) || (key !== 'query' && key !== 'inner_hits')) checkKey(key, value);
  const { query, inner_hits, ...options } = body;
  const [asked, below] = [query, inner_hits].map((part) => part ?? undefined);
  const compile = () => ({
    query: asked === undefined ? matchAll() : dsl.query(asked),
    inner: below === undefined ? [] : (readInnerHits(below, dsl) ?? []),
  });
  if (kind === 'path') {
    const object = dsl.model.objectAt(of, dsl.searchedTypes);
    if (object === undefined) throw illegalArgument(`path [${of}] doesn't exist`);
    if (object.nested === undefined) throw illegalArgument(`path [${of}] isn't nested`);
    const scope: InnerScope = { kind: 'parts', path: of, around: dsl.model.nestedPathOf(of) };
    return { name, scope, options, ...dsl.inside(of, compile) };
  }
  // Children and parents are shown whatever the filter of an alias says of them.
  dsl.checkReach('inner_hits', 'index');
  if (!dsl.model.hasType(of)) throw illegalArgument(`type [${of}] doesn't exist`);
  return { name, scope: { kind: 'family', type: of }, options, ...compile() };
}

/** The one entry of an object. */
function onlyEntry(name: string, json: unknown): [string, unknown] {
  if (!isObject(json)) throw notObject(name, json);
  const [first, second] = Object.entries(json);
  if (first === undefined) {
    const detail =
      'Unexpected token END_OBJECT inside inner hit definition. Either specify [path] or [type] object';
    throw illegalArgument(detail);
  }
  if (second !== undefined)
    throw illegalArgument('Expected [END_OBJECT] token, but got a [FIELD_NAME] token.');
  return first;
}

function notObject(name: string, json: unknown): ElasticsearchError {
  const token = tokenOf(json);
  return illegalArgument(
    `Inner hit definition for [${name} starts with a [${token}], expected a [START_OBJECT].`,
  );
}
