/** Documents with a term between two others, as a filter. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import { rangeText, type TermRange, writeRange } from '../termRange.js';
import type { NodeKind } from './kind.js';

export interface RangeNode extends Printed, TermRange {
  kind: 'range';
  field: number;
}

export const rangeKind: NodeKind<RangeNode> = {
  write(node, out) {
    out.u8(NodeCode.range);
    out.u16(node.field);
    writeRange(out, node);
  },
  print: (node, printer) => `${printer.name(node.field)}:${rangeText(node)}`,
};
