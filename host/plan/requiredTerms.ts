/** Terms without which a document can't match: what queries are looked up by. */

import { kindOf, type PlanNode } from './nodes.js';
import type { RequiredTerms } from './termKeys.js';

/** Queries with more alternatives are tried with every document. */
const MAX_TERMS = 64;

/** Of these terms a document that matches has one at least; undefined where nothing can be said. */
export function requiredTerms(node: PlanNode): RequiredTerms {
  const terms = required(node);
  return terms === undefined || terms.length > MAX_TERMS ? undefined : terms;
}

function required(node: PlanNode): RequiredTerms {
  return kindOf(node).required?.(node, required);
}
