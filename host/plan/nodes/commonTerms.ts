/** Terms of which the frequent ones only score. */

import { NodeCode, type Occur } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import { type Minimums, writeMinimums } from '../minimums.js';
import type { Printed } from '../printed.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';

/**
 * Terms of a common terms query, or of a match query with a cutoff_frequency: those in more documents than `cutoff` (a
 * part of all below 1, a number of documents from 1 on) only score the documents that the others match.
 */
export interface CommonTermsNode extends Printed {
  kind: 'commonTerms';
  field: number;
  boost: number;
  terms: Uint8Array[];
  cutoff: number;
  lowOccur: Occur;
  highOccur: Occur;
  lowMinimums: Minimums;
  highMinimums: Minimums;
  noCoord: boolean;
}

export const commonTermsKind: NodeKind<CommonTermsNode> = {
  write(node, out) {
    out.u8(NodeCode.commonTerms);
    out.u16(node.field);
    out.f32(node.boost);
    out.f32(node.cutoff);
    out.u8(node.lowOccur);
    out.u8(node.highOccur);
    out.u8(node.noCoord ? 1 : 0);
    out.u16(count(node.terms));
    for (const term of node.terms) out.term(term);
    writeMinimums(node.lowMinimums, node.terms.length, out);
    writeMinimums(node.highMinimums, node.terms.length, out);
  },
  print: ({ field, terms }, printer) =>
    terms.map((term) => `${printer.name(field)}:${termText(term)}`).join(', '),
};
