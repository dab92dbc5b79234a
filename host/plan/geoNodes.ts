/** Documents by where their points are. */

import type { GeoPoint } from '../geo/geoPoints.js';
import type { Printed } from './printed.js';
import type { Formula } from './sortKeys.js';

/** Documents with a point so many metres from another; both bounds are included. */
export interface GeoDistanceNode extends Printed {
  kind: 'geoDistance';
  field: number;
  formula: Formula;
  lat: number;
  lon: number;
  lower: number;
  upper: number;
  /** Points outside it don't count. */
  box: GeoBox | undefined;
}
/** A box in degrees; where `left` is east of `right` it lies across the date line. */
export interface GeoBox {
  top: number;
  left: number;
  bottom: number;
  right: number;
}
export interface GeoBoxNode extends Printed {
  kind: 'geoBox';
  field: number;
  box: GeoBox;
}
/** The last point is the first. */
export interface GeoPolygonNode extends Printed {
  kind: 'geoPolygon';
  field: number;
  points: readonly GeoPoint[];
}
