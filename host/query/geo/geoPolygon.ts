/** `geo_polygon`: points in a polygon. */

import { queryParsing } from '../../errors.js';
import { type GeoPoint, normalizePoint, readPoint } from '../../geo/geoPoints.js';
import { checkVertexCount } from '../../geo/vertices.js';
import { booleanOf, isObject } from '../../json/values.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, type FilterCompiler, type FilterKind, ofType } from '../context.js';
import { emptySays } from '../emptyOptions.js';
import { entriesOf, geoField } from './geoField.js';

const read: FilterCompiler = (body, dsl) => {
  const refuse = (what: string) => queryParsing(dsl.index, `[geo_polygon] filter does not support [${what}]`);
  let name: string | undefined;
  let points: GeoPoint[] = [];
  let normalize = true;
  for (const [key, value] of entriesOf(body, dsl)) {
    if (isObject(value)) {
      name = key;
      for (const [inner, list] of Object.entries(value)) {
        if (inner !== 'points' || !Array.isArray(list)) throw refuse(inner);
        checkVertexCount(list.length);
        points = list.map(readPoint);
      }
    } else if (key === 'normalize') normalize = booleanOf(value);
    else if (!Array.isArray(value)) throw refuse(key);
  }
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined)
    throw queryParsing(dsl.index, 'no points defined for geo_polygon filter');
  const closed = first.lat === last.lat && first.lon === last.lon;
  if (points.length < (closed ? 4 : 3))
    throw queryParsing(dsl.index, 'too few points defined for geo_polygon filter');
  if (!closed) points.push(first);
  if (normalize) points = points.map((point) => normalizePoint(point));
  const { resolved, field } = geoField(name, dsl);
  const node: PlanNode = { kind: 'geoPolygon', field: resolved.number, points };
  const shown = points.map(({ lat, lon }) => `[${doubleText(lat)}, ${doubleText(lon)}]`).join(', ');
  return ofType(
    resolved,
    asFilter(node, () => `GeoPolygonFilter(${field.fullName}, [${shown}])`),
  );
};

export const geoPolygonFilter: FilterKind = {
  names: ['geo_polygon', 'geoPolygon'],
  read,
  reach: 'found',
  empty: emptySays('[geo_polygon] unexpected token type [END_ARRAY]'),
};
