/** Documents with a point in a box. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanBytes } from '../../core/planBytes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

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

export const geoBoxKind: NodeKind<GeoBoxNode> = {
  write(node, out) {
    out.u8(NodeCode.geoBox);
    out.u16(node.field);
    writeBox(node.box, out);
  },
};

export function writeBox({ top, left, bottom, right }: GeoBox, out: PlanBytes): void {
  for (const side of [top, left, bottom, right]) out.f64(side);
}
