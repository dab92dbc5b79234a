/** The JSON of an aggregation, read the way 1.7's parsers walk through it. */

import type { Dsl } from '../dsl/context.js';
import type { PlanNode } from '../dsl/plan.js';
import { ElasticsearchError } from '../errors.js';
import { isObject, type JsonObject, RawNumber } from '../mapping/values.js';
import { classCast, sourceOf, type ValueSource, ValueType, valuesClass } from './source.js';

/** What aggregations are compiled for. */
export interface AggregationContext {
  dsl: Dsl;
  /** How many shards the search has. */
  shards: number;
  /** The filters of the aggregations, in the order of their numbers. */
  filters: PlanNode[];
  /** The first thing that is wrong and that 1.7 finds out when it begins to search. */
  failure: ElasticsearchError | undefined;
  /** The nested field whose objects are aggregated; undefined: documents themselves are. */
  inside: string | undefined;
  /** Whether a nested aggregation stands above. */
  nested: boolean;
  /** How many aggregations above have several buckets. */
  depth: number;
}

/** What 1.7's parser calls a value. */
export function tokenOf(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (typeof value === 'string') return 'VALUE_STRING';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  if (typeof value === 'number' || value instanceof RawNumber) return 'VALUE_NUMBER';
  return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
}

/** 400: a body that can't be meant; the index stands around it. */
export function malformed(detail: string): ElasticsearchError {
  return new ElasticsearchError('SearchParseException', detail);
}

/** Reads the keys of a body, each by a function of its value's token. */
export type KeyReader = (value: unknown, token: string, key: string) => boolean;

export function readKeys(
  name: string,
  body: JsonObject,
  read: KeyReader,
  unknown = 'Unknown key for a',
): void {
  for (const [key, value] of Object.entries(body)) {
    const token = tokenOf(value);
    if (read(value, token, key)) continue;
    throw malformed(`${unknown} ${token} in [${name}]: [${key}].`);
  }
}

/** The keys that say where values come from. */
export interface SourceKeys {
  field?: string;
  format?: string;
  valueType?: ValueType;
}

/** Takes a key in if it says where values come from. */
export function sourceKey(keys: SourceKeys, value: unknown, token: string, key: string): boolean {
  if (key === 'lang' && token === 'VALUE_STRING') return true;
  if (SCRIPTS.has(key) && token === 'VALUE_STRING') throw scriptsDisabled();
  if (key === 'params' && token === 'START_OBJECT') return true;
  if (key === 'field' && token === 'VALUE_STRING') keys.field = String(value);
  else if (key === 'format' && token === 'VALUE_STRING') keys.format = String(value);
  else if ((key === 'value_type' || key === 'valueType') && token === 'VALUE_STRING')
    keys.valueType = valueTypeOf(String(value));
  else if (key === 'script_values_sorted' || key === 'script_values_unique') return token === 'VALUE_BOOLEAN';
  else return false;
  return true;
}

const SCRIPTS = new Set(['script', 'script_id', 'scriptId', 'script_file', 'scriptFile']);

function valueTypeOf(name: string): ValueType {
  switch (name) {
    case 'string':
      return ValueType.string;
    case 'double':
    case 'float':
    case 'number':
      return ValueType.double;
    default:
      return ValueType.long;
  }
}

export function scriptsDisabled(): ElasticsearchError {
  return new ElasticsearchError(
    'ScriptException',
    'scripts of type [inline], operation [aggs] and lang [groovy] are disabled',
    { status: 400 },
  );
}

/** What an aggregation can take. */
export type Wanted = 'any' | 'number' | 'point';

/** The source that the keys name. Where its values don't fit, the search fails when it begins. */
export function sourceFrom(
  keys: SourceKeys,
  name: string,
  wanted: Wanted,
  context: AggregationContext,
): ValueSource {
  if (keys.field === undefined) {
    throw new ElasticsearchError(
      'AggregationExecutionException',
      `could not find the appropriate value context to perform aggregation [${name}]`,
      { status: 400 },
    );
  }
  const unmapped =
    keys.valueType ??
    (wanted === 'point' ? ValueType.point : wanted === 'number' ? ValueType.double : ValueType.string);
  const source = sourceOf(context.dsl.model, keys.field, unmapped, keys.format);
  const numeric = source.type === ValueType.long || source.type === ValueType.double;
  const fits =
    wanted === 'any' || !source.mapped || (wanted === 'number' ? numeric : source.type === ValueType.point);
  if (!fits) {
    const other = wanted === 'number' ? ValueType.double : ValueType.point;
    const what = valuesClass(other).replace(/\$FieldData$/, '');
    context.failure ??= classCast(`${valuesClass(source.type)} cannot be cast to ${what}`);
    return { ...source, field: 0xffff, type: unmapped };
  }
  return source;
}

/** A body that must be an object. */
export function objectBody(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
