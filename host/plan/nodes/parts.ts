/** Nested documents by the keys of those that they are parts of. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import { writeKeys } from './keys.js';
import type { NodeKind } from './kind.js';

/** The nested documents that are parts of those of the keys, which may be nested themselves: `parents` finds their like then. */
export interface PartsNode extends Printed {
  kind: 'parts';
  keys: readonly number[];
  parents: PlanNode | undefined;
}

export const partsKind: NodeKind<PartsNode> = {
  isUnkept: true,
  write(node, out, depth) {
    out.u8(NodeCode.parts);
    writeKeys(node.keys, out);
    out.u8(node.parents === undefined ? 0 : 1);
    if (node.parents !== undefined) out.node(node.parents, depth + 1);
  },
};
