/** A term as a span. */

import { NodeCode } from '../../../core/abi/plan.js';
import type { Printed } from '../../printed.js';
import { termText } from '../../termText.js';
import type { NodeKind } from '../kind.js';

export interface SpanTermNode extends Printed {
  kind: 'spanTerm';
  field: number;
  boost: number;
  term: Uint8Array;
}

export const spanTermKind: NodeKind<SpanTermNode> = {
  write(node, out) {
    out.u8(NodeCode.spanTerm);
    out.u16(node.field);
    out.f32(node.boost);
    out.term(node.term);
  },
  print: ({ field, term }, printer) => `${printer.name(field)}:${termText(term)}`,
};
