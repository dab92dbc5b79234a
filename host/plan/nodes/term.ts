/** Documents with a term. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import { termKey } from '../termKeys.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';

export interface TermNode extends Printed {
  kind: 'term';
  field: number;
  boost: number;
  term: Uint8Array;
}

export const termKind: NodeKind<TermNode> = {
  write(node, out) {
    out.u8(NodeCode.term);
    out.u16(node.field);
    out.f32(node.boost);
    out.term(node.term);
  },
  print: ({ field, term }, printer) => `${printer.name(field)}:${termText(term)}`,
  required: ({ field, term }) => [termKey(field, term)],
};
