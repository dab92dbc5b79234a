/** Documents with a term that begins so, as a filter. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';

export interface PrefixNode extends Printed {
  kind: 'prefix';
  field: number;
  prefix: Uint8Array;
}

export const prefixKind: NodeKind<PrefixNode> = {
  write(node, out) {
    out.u8(NodeCode.prefix);
    out.u16(node.field);
    out.term(node.prefix);
  },
  print: ({ field, prefix }, printer) => `PrefixFilter(${printer.name(field)}:${termText(prefix)})`,
};
