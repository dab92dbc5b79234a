/** Documents with a point so far from another. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import type { Formula } from '../sortKeys.js';
import { type GeoBox, writeBox } from './geoBox.js';
import type { NodeKind } from './kind.js';

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

export const geoDistanceKind: NodeKind<GeoDistanceNode> = {
  write(node, out) {
    out.u8(NodeCode.geoDistance);
    out.u16(node.field);
    out.u8(node.formula);
    out.u8(node.box === undefined ? 0 : 1);
    for (const value of [node.lat, node.lon, node.lower, node.upper]) out.f64(value);
    if (node.box !== undefined) writeBox(node.box, out);
  },
};
