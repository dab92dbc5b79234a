/** Queries for all the terms of a field that something matches. */

import { NodeCode, Rewrite } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import { matcherText, type TermMatcher, writeMatcher } from '../termMatcher.js';
import type { NodeKind } from './kind.js';

/**
 * What a multi-term query becomes. `constantAuto` (the default of 1.7) is `constantFilter`, but a query of no clauses, without
 * weight, where the shard has no such term. `scoringBoolean` and `constantBoolean` refuse more than 1,024 terms; the top kinds
 * keep the `size` terms of the highest boost (then the first).
 */
export { Rewrite };

/** Prefix, wildcard, regexp, fuzzy and range queries. In a filter all their terms match, without scoring. */
export interface MultiTermNode extends Printed {
  kind: 'multiTerm';
  field: number;
  boost: number;
  rewrite: Rewrite;
  /** Of the top kinds; fuzzy queries have 50 by default. */
  size: number;
  matcher: TermMatcher;
  /** Whether it is a range of numbers, which no text lies in. */
  ofNumbers?: boolean;
}

export const multiTermKind: NodeKind<MultiTermNode> = {
  write(node, out) {
    out.u8(NodeCode.multiTerm);
    out.u16(node.field);
    out.f32(node.boost);
    out.u8(node.rewrite);
    out.u16(Math.min(node.size, 0xffff));
    writeMatcher(out, node.matcher);
  },
  print: ({ field, matcher }, printer) => `${printer.name(field)}:${matcherText(matcher)}`,
};
