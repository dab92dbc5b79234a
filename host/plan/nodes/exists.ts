/** Documents with any value of a field. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

export interface ExistsNode extends Printed {
  kind: 'exists';
  field: number;
}

export const existsKind: NodeKind<ExistsNode> = {
  write(node, out) {
    out.u8(NodeCode.exists);
    out.u16(node.field);
  },
  print: ({ field }, printer) => `_field_names:${printer.name(field)}`,
};
