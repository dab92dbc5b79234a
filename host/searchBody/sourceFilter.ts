/** Which parts of the sources hits show. */

import { ElasticsearchError, parseFailure } from '../errors.js';
import { tokenOf } from '../json/jsonTokens.js';
import { booleanOf, isNumber, isObject, type JsonObject, RawNumber, textOf } from '../json/values.js';
import { ownValue } from '../ownNames.js';
import { tokenTexts } from './unread.js';

/** Which parts of the sources are wanted. */
export interface SourceFilter {
  enabled: boolean;
  includes: string[];
  excludes: string[];
}

/** Reads `_source`, whose key is told to who reads on behind a list. */
export function readSource(key: string, value: unknown): SourceFilter {
  const filter: SourceFilter = { enabled: true, includes: [], excludes: [] };
  if (isBoolean(value)) return { ...filter, enabled: booleanOf(value) };
  if (typeof value === 'string' || Array.isArray(value)) return { ...filter, includes: patterns(key, value) };
  if (!isObject(value)) throw parseFailure(`source element value can be of type ${tokenOf(value)}`);
  for (const [name, list] of Object.entries(value)) {
    const into = ownValue(SIDES, name);
    if (into === undefined) throw parseFailure(`Source definition may not contain ${name}`);
    if (list === null || isObject(list)) throw parseFailure('unexpected token while parsing source settings');
    filter[into].push(...patterns(name, list));
  }
  return filter;
}

const SIDES: Readonly<Record<string, 'includes' | 'excludes' | undefined>> = {
  include: 'includes',
  includes: 'includes',
  exclude: 'excludes',
  excludes: 'excludes',
};

/** Whether 1.7's parser takes a value for a boolean: whole numbers and some texts are. */
function isBoolean(value: unknown): boolean {
  if (isNumber(value)) return value instanceof RawNumber ? value.isWhole : Number.isInteger(value);
  return typeof value === 'boolean' || (typeof value === 'string' && BOOLEANS.has(value));
}

const BOOLEANS = new Set(['true', 'false', 'yes', 'no', 'on', 'off', '1', '0']);

/** Reads `fielddata_fields`. */
export function readFielddataFields(key: string, value: unknown): string[] {
  if (typeof value === 'string' || Array.isArray(value)) return patterns(key, value);
  throw new ElasticsearchError(
    'ElasticsearchIllegalStateException',
    `Expected either a VALUE_STRING or an START_ARRAY but got ${tokenOf(value)}`,
    { status: 400 },
  );
}

/** Reads `partial_fields`: a list of each name, or with a short one a single pattern; whatever else is read over. */
export function readPartialFields(json: JsonObject): Map<string, SourceFilter> {
  const fields = new Map<string, SourceFilter>();
  for (const [field, body] of Object.entries(json)) {
    if (!isObject(body)) continue;
    const filter: SourceFilter = { enabled: true, includes: [], excludes: [] };
    for (const [name, list] of Object.entries(body)) {
      const into = ownValue(SIDES, name);
      const isSingle = name === 'include' || name === 'exclude';
      const isRead = Array.isArray(list) || (isSingle && textOf(list) !== undefined);
      if (into !== undefined && isRead) filter[into].push(...patterns(name, list));
    }
    fields.set(field, filter);
  }
  return fields;
}

/** One pattern or a list of them. */
export function patterns(key: string, value: unknown): string[] {
  return Array.isArray(value) ? tokenTexts(key, value) : [textOf(value) ?? ''];
}
