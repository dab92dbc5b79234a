/** Documents by a script. */

import { NodeCode } from '../../core/abi/plan.js';
import { type BoundExpression, writeProgram } from '../../expression/program.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

/** Documents for which a script is not 0. */
export interface ExpressionNode extends Printed {
  kind: 'expression';
  script: BoundExpression;
}

export const expressionKind: NodeKind<ExpressionNode> = {
  write(node, out) {
    out.u8(NodeCode.expression);
    writeProgram(node.script, out);
  },
};
