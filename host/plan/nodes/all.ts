/** All documents, with one score. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

export interface AllNode extends Printed {
  kind: 'all';
  boost: number;
}

export const allKind: NodeKind<AllNode> = {
  isUnkept: true,
  write(node, out) {
    out.u8(NodeCode.all);
    out.f32(node.boost);
  },
  print: ({ boost }) => (boost === 1 ? 'ConstantScore(*:*)' : '*:*'),
};
