/** `geo_distance_range`: points in a ring. */

import { normalizePoint, readPoint } from '../../geo/geoPoints.js';
import { booleanOf, isCompound } from '../../json/values.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, type FilterCompiler, type FilterKind, ofType } from '../context.js';
import { emptyHasNoField } from '../emptyOptions.js';
import {
  boxOf,
  circleOptions,
  FORMULA_NAMES,
  LoosePoint,
  neighbour,
  readCircleOption,
  readDistance,
} from './geoCircle.js';
import { entriesOf, geoField } from './geoField.js';

const read: FilterCompiler = (body, dsl) => {
  const at = new LoosePoint();
  const options = circleOptions();
  let [from, to]: unknown[] = [];
  let [includeLower, includeUpper] = [true, true];
  for (const [key, value] of entriesOf(body, dsl)) {
    if (isCompound(value)) {
      at.name = key;
      at.point = readPoint(value);
      continue;
    }
    switch (key) {
      case 'from':
        from = value;
        break;
      case 'to':
        to = value;
        break;
      case 'gt':
      case 'gte':
      case 'ge':
        from = value;
        includeLower = key !== 'gt';
        break;
      case 'lt':
      case 'lte':
      case 'le':
        to = value;
        includeUpper = key !== 'lt';
        break;
      case 'include_lower':
      case 'includeLower':
        includeLower = booleanOf(value);
        break;
      case 'include_upper':
      case 'includeUpper':
        includeUpper = booleanOf(value);
        break;
      default:
        if (!readCircleOption(options, key, value)) at.scalar(key, value);
    }
  }
  let lower = Number.NEGATIVE_INFINITY;
  let upper = Number.POSITIVE_INFINITY;
  if (from !== undefined && from !== null) {
    lower = readDistance(from, options);
    if (!includeLower) lower = neighbour(lower, true);
  }
  if (to !== undefined && to !== null) {
    upper = readDistance(to, options);
    if (!includeUpper) upper = neighbour(upper, false);
  }
  const point = options.normalize ? normalizePoint(at.point) : at.point;
  const { resolved, field } = geoField(at.name, dsl);
  const { formula } = options;
  const box = boxOf(options, point, upper, field);
  const node: PlanNode = {
    kind: 'geoDistance',
    field: resolved.number,
    formula,
    ...point,
    lower,
    upper,
    box,
  };
  const range = `[${doubleText(lower)} - ${doubleText(upper)}]`;
  const shown = [
    field.fullName,
    FORMULA_NAMES[formula],
    range,
    ...[point.lat, point.lon].map(doubleText),
  ].join(', ');
  return ofType(
    resolved,
    asFilter(node, () => `GeoDistanceRangeFilter(${shown})`),
  );
};

export const geoDistanceRangeFilter: FilterKind = {
  names: ['geo_distance_range', 'geoDistanceRange'],
  read,
  reach: 'found',
  empty: emptyHasNoField,
};
