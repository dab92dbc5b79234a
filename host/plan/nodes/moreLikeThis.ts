/** The terms that say most of a text. */

import { NodeCode } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import { type Minimums, writeMinimums } from '../minimums.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

/** The terms of a text that more_like_this selects by the shard's document frequencies. Each group is selected by itself. */
export interface MoreLikeThisNode extends Printed {
  kind: 'moreLikeThis';
  boost: number;
  minDocFreq: number;
  maxDocFreq: number;
  maxQueryTerms: number;
  /** 0: terms are not boosted by their tf-idf. */
  boostTerms: number;
  groups: { fields: number[]; terms: { frequency: number; term: Uint8Array }[] }[];
  /** For every number of selected terms up to all of them. */
  minimums: Minimums;
}

export const moreLikeThisKind: NodeKind<MoreLikeThisNode> = {
  write(node, out) {
    out.u8(NodeCode.moreLikeThis);
    out.f32(node.boost);
    out.u32(node.minDocFreq);
    out.u32(node.maxDocFreq);
    out.u16(Math.min(node.maxQueryTerms, 0xffff));
    out.f32(node.boostTerms);
    out.u16(count(node.groups));
    let terms = 0;
    for (const group of node.groups) {
      out.u16(count(group.fields));
      for (const field of group.fields) out.u16(field);
      out.u16(count(group.terms));
      for (const { frequency, term } of group.terms) {
        out.u32(frequency);
        out.term(term);
      }
      terms += group.terms.length;
    }
    writeMinimums(node.minimums, terms, out);
  },
};
