/** `_geo_distance`: a sort by how far points are away. */

import { NO_FIELD_NAME } from '../../compat17/javaCasts.js';
import { ElasticsearchError, illegalArgument, javaArgument, parseFailure } from '../../errors.js';
import { distanceUnit, type GeoPoint, normalizePoint, readPoint } from '../../geo/geoPoints.js';
import { tokenOf } from '../../json/jsonTokens.js';
import { booleanOf, isNumber, isObject, type JsonObject, textOf } from '../../json/values.js';
import { UNKNOWN_FIELD } from '../../mapping/field.js';
import type { PlanNode } from '../../plan/nodes.js';
import { Formula, type SortKey, SortMode } from '../../plan/sortKeys.js';
import type { Dsl } from '../context.js';
import { insideOf, type NestedOptions, nestedOption, readMode } from './sortOptions.js';

/** What is said of the distances. */
interface Distances {
  field: string | undefined;
  points: GeoPoint[];
  unit: number;
  formula: Formula;
  descending: boolean;
  mode: SortMode | undefined;
  normalize: boolean;
  nested: NestedOptions;
}

export function distanceKey(json: JsonObject, dsl: Dsl): SortKey<PlanNode> {
  const read: Distances = {
    field: undefined,
    points: [],
    unit: 1,
    formula: Formula.sloppy_arc,
    descending: false,
    mode: undefined,
    normalize: true,
    nested: { path: undefined, filter: undefined },
  };
  for (const [option, value] of Object.entries(json)) {
    if (Array.isArray(value)) {
      read.points.push(...pointsOf(value));
      read.field = option;
    } else if (value !== null && !nestedOption(read.nested, option, value, dsl))
      readOption(read, option, value);
  }
  const { field: name, formula, unit, descending, points, normalize } = read;
  if (read.mode === SortMode.sum)
    throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  if (name === undefined)
    throw new ElasticsearchError('NullPointerException', NO_FIELD_NAME, { status: 400 });
  const field = dsl.model.find(name, dsl.searchedTypes)?.field;
  if (field === undefined)
    throw illegalArgument(`failed to find mapper for [${name}] for geo distance based sort`);
  if (field.type !== 'geo_point') throw javaArgument(`field [${name}] is not a geo_point field`);
  const mode = read.mode ?? (descending ? SortMode.max : SortMode.min);
  const inside = insideOf(field.fullName, read.nested, dsl);
  if (points.length === 0) return withoutPoints(descending, mode);
  return {
    kind: 'distance',
    descending,
    field: field.number,
    formula,
    // The factor is no distance.
    unit: formula === Formula.factor ? 1 : unit,
    points: normalize ? points.map((point) => normalizePoint(point)) : points,
    mode,
    inside,
  };
}

/** Of no points, no document is at any distance. */
function withoutPoints(descending: boolean, mode: SortMode): SortKey<PlanNode> {
  return {
    kind: 'column',
    descending,
    field: UNKNOWN_FIELD,
    type: 'double',
    single: false,
    mode,
    missing: Number.MAX_VALUE,
  };
}

function readOption(read: Distances, option: string, value: unknown): void {
  if (isObject(value)) {
    read.points.push(readPoint(value));
    read.field = option;
    return;
  }
  switch (option) {
    case 'reverse':
      read.descending = booleanOf(value);
      break;
    case 'order':
      read.descending = value === 'desc';
      break;
    case 'unit':
      read.unit = distanceUnit(textOf(value) ?? '');
      break;
    case 'distance_type':
    case 'distanceType':
      read.formula = readFormula(value);
      break;
    case 'normalize':
      read.normalize = booleanOf(value);
      break;
    case 'sort_mode':
    case 'sortMode':
    case 'mode':
      read.mode = readMode(value);
      break;
    default:
      read.points.push(readPoint(textOf(value) ?? ''));
      read.field = option;
  }
}

/** The points of a list: two numbers are one, a longitude and a latitude. */
function pointsOf(list: readonly unknown[]): GeoPoint[] {
  const points: GeoPoint[] = [];
  for (let i = 0; i < list.length; i++) {
    const each = list[i];
    if (!isNumber(each)) {
      points.push(readPoint(each));
      continue;
    }
    const lat = list[++i];
    if (!isNumber(lat)) {
      const token = i < list.length ? tokenOf(lat) : 'END_ARRAY';
      throw parseFailure(`geo point parsing: expected second number but got${token}`);
    }
    points.push({ lon: Number(each), lat: Number(lat) });
  }
  return points;
}

/** The formula of that name. */
export function readFormula(value: unknown): Formula {
  const text = textOf(value) ?? '';
  const name = text.toLowerCase();
  if (!Object.hasOwn(Formula, name)) throw illegalArgument(`No geo distance for [${name}]`);
  return Formula[name as keyof typeof Formula];
}
