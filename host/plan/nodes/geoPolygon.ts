/** Documents with a point in a polygon. */

import { NodeCode } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import type { GeoPoint } from '../../geo/geoPoints.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

/** The last point is the first. */
export interface GeoPolygonNode extends Printed {
  kind: 'geoPolygon';
  field: number;
  points: readonly GeoPoint[];
}

export const geoPolygonKind: NodeKind<GeoPolygonNode> = {
  write(node, out) {
    out.u8(NodeCode.geoPolygon);
    out.u16(node.field);
    out.u16(count(node.points));
    for (const { lat, lon } of node.points) {
      out.f64(lat);
      out.f64(lon);
    }
  },
};
