/** `sort` of a search: which keys decide the order of hits, and what documents without a value count as. */

import { classCast, invokedOnNull } from '../../compat17/javaCasts.js';
import { ElasticsearchError, fielddataForbidden, illegalArgument, numberFormat } from '../../errors.js';
import { isObject, type JsonObject, parseFraction, parseWhole } from '../../json/values.js';
import { Column, columnOf, type LeafField, TYPE, UNKNOWN_FIELD } from '../../mapping/field.js';
import type { PlanNode } from '../../plan/nodes.js';
import { type ColumnKey, type SortKey, SortMode } from '../../plan/sortKeys.js';
import type { Dsl } from '../context.js';
import type { Reach } from '../reach.js';
import { filterProblem } from '../term/fielddataFilters.js';
import { distanceKey } from './distanceSort.js';
import { scriptSort } from './scriptSort.js';
import { metaSort, SORTED_META } from './sortMeta.js';
import { insideOf, readOptions } from './sortOptions.js';

const utf8 = new TextEncoder();

/** The keys of `sort`; undefined where hits go by their scores alone. */
export function compileSort(json: unknown, dsl: Dsl): SortKey<PlanNode>[] | undefined {
  let keys: SortKey<PlanNode>[];
  if (typeof json === 'string') keys = [fieldKey(json, {}, dsl)];
  else if (Array.isArray(json)) {
    keys = json.flatMap((each): SortKey<PlanNode>[] => {
      if (typeof each === 'string') return [fieldKey(each, {}, dsl)];
      if (isObject(each) && !isTakenTooFar(each)) return objectKeys(each, dsl);
      throw illegalArgument(
        'malformed sort format, within the sort array, an object, or an actual string are allowed',
      );
    });
  } else if (isObject(json)) keys = objectKeys(json, dsl);
  else throw illegalArgument('malformed sort format, either start with array, object, or an actual string');
  const [first, second] = keys;
  if (first === undefined) return undefined;
  return second === undefined && first.kind === 'score' && first.descending ? undefined : keys;
}

/**
 * Whether the last key of a sort has neither a direction nor options. 1.7 reads on for them, takes the end of the sort for theirs,
 * and what follows the sort for more keys.
 */
export function isTakenTooFar(json: unknown): boolean {
  if (!isObject(json) || Object.keys(json).length === 0) return false;
  const last = Object.values(json).at(-1);
  return typeof last !== 'string' && !isObject(last);
}

interface SortKind {
  names: readonly string[];
  read(json: JsonObject, dsl: Dsl): SortKey<PlanNode>;
  reach: Reach;
}

/** 400: 1.7 looks at the name of an option, and there is none. */
function noOption(): ElasticsearchError {
  const why = invokedOnNull('String.equals(Object)', 'currentFieldName');
  return new ElasticsearchError('NullPointerException', why, { status: 400 });
}

/** What is sorted by beside the values of a field in the documents that are found. */
export const SORT_KINDS: readonly SortKind[] = [
  { names: ['_geo_distance', '_geoDistance'], read: distanceKey, reach: 'found' },
  { names: ['_script'], read: scriptSort, reach: 'scripts' },
];

function objectKeys(json: JsonObject, dsl: Dsl): SortKey<PlanNode>[] {
  return Object.entries(json).map(([name, value]) => {
    if (typeof value === 'string') {
      if (value !== 'asc' && value !== 'desc')
        throw illegalArgument(`sort direction [${name}] not supported`);
      return fieldKey(name, { order: value }, dsl);
    }
    if (!isObject(value)) {
      const inside = Array.isArray(value) ? value[0] : undefined;
      if (inside !== undefined && inside !== null) throw noOption();
      return fieldKey(name, {}, dsl);
    }
    const kind = SORT_KINDS.find(({ names }) => names.includes(name));
    if (kind === undefined) return fieldKey(name, value, dsl);
    return dsl.reaching(name, kind.reach, () => kind.read(value, dsl));
  });
}

function fieldKey(name: string, json: JsonObject, dsl: Dsl): SortKey<PlanNode> {
  const options = readOptions(name, json, dsl);
  const descending = options.descending ?? name === '_score';
  if (name === '_score') return { kind: 'score', descending };
  if (name === '_doc') return { kind: 'document', descending };
  const usual = descending ? SortMode.max : SortMode.min;
  // Only numbers have a sum and a mean.
  const textual = options.mode === undefined || options.mode > SortMode.max ? usual : options.mode;
  const missing = missingText(options.missing);
  if (SORTED_META.has(name) && isTyped(dsl))
    return { kind: 'meta', descending, missing, ...metaSort(name, textual, dsl) };
  if ((name === '_type' || name === '_id') && isTyped(dsl)) {
    const field = name === '_type' ? TYPE : UNKNOWN_FIELD;
    return { kind: 'column', descending, field, type: 'string', single: false, mode: textual, missing };
  }
  const field = dsl.model.find(name, dsl.searchedTypes)?.field;
  const type = field?.type ?? options.unmapped;
  if (field === undefined && type !== undefined) checkUnmapped(type);
  if (type === undefined) {
    const detail = `No mapping found for [${name}] in order to sort on`;
    throw new ElasticsearchError('SearchParseException', detail);
  }
  if (type === 'completion') {
    const detail = `Sorting not supported for field[${name}]`;
    throw new ElasticsearchError('SearchParseException', detail);
  }
  if (field?.type === 'binary' && !field.forbidsFielddata)
    throw illegalArgument("can't sort on binary field");
  if (type === 'geo_shape')
    throw illegalArgument(`found no fielddata type for field [${field?.fullName ?? name}]`);
  if (type === 'geo_point') {
    throw illegalArgument(
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    );
  }
  if (field?.forbidsFielddata === true) throw fielddataForbidden(field.fullName);
  const problem = field === undefined ? undefined : filterProblem(field);
  if (problem !== undefined) throw problem;
  const stored = storedAs(field, type);
  return {
    kind: 'column',
    descending,
    field: columnOf(field),
    type: stored,
    single: type === 'float',
    mode: stored === 'string' ? textual : (options.mode ?? usual),
    missing: missingValue(stored, options.missing, descending, dsl),
    inside: insideOf(field?.fullName ?? name, options.nested, dsl),
  };
}

/** Refuses types of fields that there are none of. */
function checkUnmapped(type: string): void {
  if (!FIELD_TYPES.has(type)) throw illegalArgument(`No mapper found for type [${type}]`);
  if (type !== 'object' && type !== 'nested') return;
  const mapper = 'org.elasticsearch.index.mapper';
  throw classCast(`${mapper}.object.ObjectMapper`, `${mapper}.FieldMapper`);
}

const FIELD_TYPES = new Set([
  ...['string', 'byte', 'short', 'integer', 'long', 'float', 'double', 'boolean', 'binary', 'date', 'ip'],
  ...['token_count', 'murmur3', 'completion', 'geo_point', 'geo_shape', 'object', 'nested', 'multi_field'],
]);

/** Whether there is a type that is searched: without one there is no field, not even one about documents. */
function isTyped({ model, searchedTypes }: Dsl): boolean {
  const names = model.typeNames();
  const all = searchedTypes.length === 0 || (searchedTypes.length === 1 && searchedTypes[0] === '_all');
  return all ? names.length > 0 : searchedTypes.some((type) => names.includes(type));
}

/** How the values of a field are kept. */
function storedAs(field: LeafField | undefined, type: string): ColumnKey['type'] {
  switch ((field?.core?.flags ?? 0) & COLUMN_KINDS) {
    case Column.long:
      return 'long';
    case Column.double:
      return 'double';
    case Column.ordinal:
      return 'string';
  }
  if (type === 'double' || type === 'float') return 'double';
  return WHOLE_TYPES.has(type) ? 'long' : 'string';
}

const COLUMN_KINDS = Column.long | Column.double | Column.ordinal | Column.geo;
const WHOLE_TYPES = new Set(['long', 'integer', 'short', 'byte', 'date', 'ip', 'token_count', 'murmur3']);

const MOST = 2n ** 63n - 1n;

/** What texts of documents without one count as. */
function missingText(given: string | undefined): 'first' | 'last' | Uint8Array {
  if (given === undefined || given === '_last') return 'last';
  return given === '_first' ? 'first' : utf8.encode(given);
}

function missingValue(
  type: ColumnKey['type'],
  given: string | undefined,
  descending: boolean,
  dsl: Dsl,
): ColumnKey['missing'] {
  const end = given === undefined || given === '_last';
  if (type === 'string') return missingText(given);
  if (end || given === '_first') {
    const low = end === descending;
    if (type === 'double') return low ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return low ? -MOST - 1n : MOST;
  }
  try {
    return type === 'double' ? parseFraction(given) : BigInt(parseWhole(given, -MOST - 1n, MOST));
  } catch {
    // 1.7 finds it out when it begins to search.
    dsl.refuse(numberFormat(given));
    return 0n;
  }
}
