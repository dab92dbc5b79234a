/** Documents with any of some terms, as a filter. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanNode } from '../nodes.js';
import { type Printed, printedAs } from '../printed.js';
import { termKey } from '../termKeys.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';

export interface TermsNode extends Printed {
  kind: 'terms';
  field: number;
  terms: Uint8Array[];
}

export const termsKind: NodeKind<TermsNode> = {
  write(node, out) {
    out.u8(NodeCode.terms);
    out.u16(node.field);
    out.u32(node.terms.length);
    for (const term of node.terms) out.term(term);
  },
  print: ({ field, terms }, printer) =>
    terms.map((term) => `${printer.name(field)}:${termText(term)}`).join(' '),
  required: ({ field, terms }) => terms.map((term) => termKey(field, term)),
};

/**
 * A set of one term as a term. Not so below a constant score: Lucene takes a filter for as long as the index and a term
 * query for as long as its postings, and that shows in the order in which a conjunction adds its scores.
 */
export function loneTerm(node: PlanNode): PlanNode {
  const [only] = node.kind === 'terms' ? node.terms : [];
  if (node.kind !== 'terms' || only === undefined || node.terms.length > 1) return node;
  return printedAs({ kind: 'term', field: node.field, boost: 1, term: only }, node);
}
