/** One word in several fields, with one document frequency. */

import { NodeCode } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import type { Printed } from '../printed.js';
import { termText } from '../termText.js';
import type { NodeKind } from './kind.js';

/**
 * One word in several fields that score with one document frequency: 1.7's `BlendedTermQuery`. With a `tieBreaker` the best
 * field counts (a disjunction maximum), else the fields are a boolean without coord; with a `cutoff` they are split like common
 * terms.
 */
export interface BlendedNode extends Printed {
  kind: 'blended';
  boost: number;
  tieBreaker?: number | undefined;
  cutoff?: number | undefined;
  terms: { field: number; boost: number; term: Uint8Array }[];
}

export const blendedKind: NodeKind<BlendedNode> = {
  write(node, out) {
    out.u8(NodeCode.blended);
    out.f32(node.boost);
    out.u8((node.tieBreaker === undefined ? 0 : 1) | (node.cutoff === undefined ? 0 : 2));
    out.f32(node.tieBreaker ?? 0);
    out.f32(node.cutoff ?? 0);
    out.u16(count(node.terms));
    for (const { field, boost, term } of node.terms) {
      out.u16(field);
      out.f32(boost);
      out.term(term);
    }
  },
  print({ terms }, printer) {
    const list = terms.map(({ field, term }) => `${printer.name(field)}:${termText(term)}`);
    return `blended(terms:[${list.join(', ')}])`;
  },
};
