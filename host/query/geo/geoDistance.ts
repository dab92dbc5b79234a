/** `geo_distance`: points in a circle. */

import { queryParsing } from '../../errors.js';
import { normalizePoint, readPoint } from '../../geo/geoPoints.js';
import { isObject } from '../../json/values.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, type FilterCompiler, type FilterKind, ofType } from '../context.js';
import { emptySays } from '../emptyOptions.js';
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
  let distance: unknown;
  for (const [key, value] of entriesOf(body, dsl)) {
    if (Array.isArray(value)) {
      at.name = key;
      at.point = readPoint(value);
    } else if (isObject(value)) {
      at.object(key, value, (name) =>
        queryParsing(dsl.index, `[geo_distance] filter does not support [${name}]`),
      );
    } else if (key === 'distance') distance = value;
    else if (!readCircleOption(options, key, value)) at.scalar(key, value);
  }
  if (distance === undefined || distance === null)
    throw queryParsing(dsl.index, "geo_distance requires 'distance' to be specified");
  const metres = readDistance(distance, options);
  const point = options.normalize ? normalizePoint(at.point) : at.point;
  const { resolved, field } = geoField(at.name, dsl);
  const { formula } = options;
  const node: PlanNode = {
    kind: 'geoDistance',
    field: resolved.number,
    formula,
    ...point,
    lower: Number.NEGATIVE_INFINITY,
    upper: neighbour(metres, false),
    box: boxOf(options, point, metres, field),
  };
  const shown = [
    field.fullName,
    FORMULA_NAMES[formula],
    ...[metres, point.lat, point.lon].map(doubleText),
  ].join(', ');
  return ofType(
    resolved,
    asFilter(node, () => `GeoDistanceFilter(${shown})`),
  );
};

export const geoDistanceFilter: FilterKind = {
  names: ['geo_distance', 'geoDistance'],
  read,
  reach: 'found',
  empty: emptySays("geo_distance requires 'distance' to be specified"),
};
