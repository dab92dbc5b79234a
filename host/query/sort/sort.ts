/** `sort` of a search: which keys decide the order of hits, and what documents without a value count as. */

import { NO_FIELD_NAME } from '../../compat17/javaCasts.js';
import {
  ElasticsearchError,
  illegalArgument,
  javaArgument,
  numberFormat,
  fielddataForbidden,
} from '../../errors.js';
import { compileScript, noScore, readsScore, type ScriptSpec, scriptKey } from '../../script/script.js';
import { Column, columnOf, type LeafField, TYPE, UNKNOWN_FIELD } from '../../mapping/field.js';
import {
  distanceUnit,
  type GeoPoint,
  isCoordinates,
  normalizePoint,
  readPoint,
} from '../../geo/geoPoints.js';
import {
  booleanOf,
  isObject,
  type JsonObject,
  parseFraction,
  parseWhole,
  textOf,
} from '../../json/values.js';
import type { Dsl } from '../context.js';
import type { Reach } from '../reach.js';
import { compileInside, nestedDocumentsNode, nestedObject } from '../joining/nested.js';
import { filterProblem } from '../term/fielddataFilters.js';
import type { PlanNode } from '../../plan/nodes.js';
import { rewriteFilter } from '../../plan/rewrite.js';
import { metaSort, SORTED_META } from './sortMeta.js';
import {
  type ColumnKey,
  type DistanceKey,
  Formula,
  type ScriptKey,
  type SortKey,
  SortMode,
} from '../../plan/sortKeys.js';

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
      if (inside !== undefined) throw illegalArgument('sort option [null] not supported');
      return fieldKey(name, {}, dsl);
    }
    const kind = SORT_KINDS.find(({ names }) => names.includes(name));
    if (kind === undefined) return fieldKey(name, value, dsl);
    return dsl.reaching(name, kind.reach, () => kind.read(value, dsl));
  });
}

function scriptSort(json: JsonObject, dsl: Dsl): ScriptKey {
  const spec: ScriptSpec = { source: 'inline' };
  let descending = false;
  let type: string | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (scriptKey(spec, key, value)) continue;
    const text = textOf(value);
    if (key === 'reverse') descending = booleanOf(value);
    else if (key === 'order') descending = text === 'desc';
    else if (key === 'type') type = text;
    else if (key === 'mode') readMode(value);
  }
  if (spec.text === undefined) throw missingOf('script');
  if (type === undefined) throw missingOf('type');
  const script = compileScript(spec, 'search', dsl);
  if (readsScore(script)) dsl.refuse(noScore());
  if (type !== 'number' && type !== 'string') {
    const detail = `custom script sort type [${type}] not supported`;
    throw new ElasticsearchError('SearchParseException', detail);
  }
  return { kind: 'script', descending, script, textual: type === 'string' };
}

function missingOf(what: string): ElasticsearchError {
  const detail = `_script sorting requires setting the ${what === 'type' ? 'type of the script' : 'script to sort by'}`;
  return new ElasticsearchError('SearchParseException', detail);
}

function readMode(value: unknown): SortMode {
  const text = textOf(value) ?? '';
  const name = text.toLowerCase();
  if (!Object.hasOwn(SortMode, name)) throw illegalArgument(`Illegal sort_mode ${text}`);
  return SortMode[name as keyof typeof SortMode];
}

/** What is said of one key. */
interface KeyOptions {
  /** undefined: the usual order. */
  descending: boolean | undefined;
  missing: string | undefined;
  unmapped: string | undefined;
  mode: SortMode | undefined;
  nested: NestedOptions;
}

/** Which objects of a nested field have the values. */
interface NestedOptions {
  path: string | undefined;
  filter: unknown;
}

function nestedOption(nested: NestedOptions, option: string, value: unknown, dsl: Dsl): void {
  if (option === 'nested_filter' || option === 'nestedFilter') {
    nested.filter = value;
    return;
  }
  nested.path = textOf(value) ?? '';
  nestedObject(nested.path, dsl);
}

/** The nested documents with the values of a field; undefined for a field outside of nested ones. */
function insideOf(fullName: string, { path: given, filter }: NestedOptions, dsl: Dsl): PlanNode | undefined {
  const path = given ?? (dsl.sortsOwnValues ? undefined : dsl.model.nestedPathOf(fullName));
  if (path === undefined) return undefined;
  const node = filter === undefined ? undefined : compileInside('filter', filter, path, dsl);
  return rewriteFilter(node ?? nestedDocumentsNode(path));
}

function readOptions(name: string, options: JsonObject, dsl: Dsl): KeyOptions {
  const read: KeyOptions = {
    descending: undefined,
    missing: undefined,
    unmapped: undefined,
    mode: undefined,
    nested: { path: undefined, filter: undefined },
  };
  for (const [option, value] of Object.entries(options)) {
    switch (option) {
      case 'reverse':
        // Of scores, the usual order is downwards already.
        read.descending = booleanOf(value) !== (name === '_score');
        break;
      case 'order':
        if (value === 'asc' || value === 'desc') read.descending = value === 'desc';
        break;
      case 'missing':
        read.missing = textOf(value);
        break;
      case 'ignore_unmapped':
      case 'ignoreUnmapped':
        if (booleanOf(value)) read.unmapped = 'long';
        break;
      case 'unmapped_type':
      case 'unmappedType':
        read.unmapped = textOf(value);
        break;
      case 'mode':
        read.mode = readMode(value);
        break;
      case 'nested_path':
      case 'nestedPath':
      case 'nested_filter':
      case 'nestedFilter':
        nestedOption(read.nested, option, value, dsl);
        break;
      default:
        throw illegalArgument(`sort option [${option}] not supported`);
    }
  }
  return read;
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

function distanceKey(json: JsonObject, dsl: Dsl): DistanceKey<PlanNode> {
  let name: string | undefined;
  let points: GeoPoint[] = [];
  let unit = 1;
  let formula: Formula = Formula.sloppy_arc;
  let descending = false;
  let mode: SortMode | undefined;
  let normalize = true;
  const nested: NestedOptions = { path: undefined, filter: undefined };
  for (const [option, value] of Object.entries(json)) {
    if (Array.isArray(value)) {
      points = isCoordinates(value) ? [readPoint(value)] : value.map(readPoint);
      name = option;
    } else if (isObject(value)) {
      if (option === 'nested_filter' || option === 'nestedFilter') nestedOption(nested, option, value, dsl);
      else {
        points = [readPoint(value)];
        name = option;
      }
    } else {
      switch (option) {
        case 'reverse':
          descending = booleanOf(value);
          break;
        case 'order':
          descending = value === 'desc';
          break;
        case 'unit':
          unit = distanceUnit(textOf(value) ?? '');
          break;
        case 'distance_type':
        case 'distanceType':
          formula = readFormula(value);
          break;
        case 'normalize':
          normalize = booleanOf(value);
          break;
        case 'sort_mode':
        case 'sortMode':
        case 'mode':
          mode = readMode(value);
          break;
        case 'nested_path':
        case 'nestedPath':
          nestedOption(nested, option, value, dsl);
          break;
        default:
          points = [readPoint(textOf(value) ?? '')];
          name = option;
      }
    }
  }
  if (mode === SortMode.sum)
    throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  if (name === undefined)
    throw new ElasticsearchError('NullPointerException', NO_FIELD_NAME, { status: 400 });
  const field = dsl.model.find(name, dsl.searchedTypes)?.field;
  if (field === undefined)
    throw illegalArgument(`failed to find mapper for [${name}] for geo distance based sort`);
  if (field.type !== 'geo_point') throw javaArgument(`field [${name}] is not a geo_point field`);
  return {
    kind: 'distance',
    descending,
    field: field.number,
    formula,
    // The factor is no distance.
    unit: formula === Formula.factor ? 1 : unit,
    points: normalize ? points.map((point) => normalizePoint(point)) : points,
    mode: mode ?? (descending ? SortMode.max : SortMode.min),
    inside: insideOf(field.fullName, nested, dsl),
  };
}

/** The formula of that name. */
export function readFormula(value: unknown): Formula {
  const text = textOf(value) ?? '';
  const name = text.toLowerCase();
  if (!Object.hasOwn(Formula, name)) throw illegalArgument(`No geo distance for [${name}]`);
  return Formula[name as keyof typeof Formula];
}
