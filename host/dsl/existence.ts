/** Which documents have a field, and which lack it. */

import { NO_ANALYZER } from '../analysis/registry.js';
import { FIELD_NAMES } from '../mapping/field.js';
import { textTerm } from '../mapping/terms.js';
import { cached, type Dsl, matchAll, NONE, show } from './context.js';
import type { PlanNode } from './plan.js';
import { combine } from './sets.js';

/**
 * Documents in which a field, or any field of an object, was indexed. A text may leave no term behind; then the
 * field's name is indexed instead.
 */
export function existsSet(name: string, dsl: Dsl): PlanNode {
  const all = dsl.model.leavesOf(name);
  const leaves = all.filter((field) => field.number >= 0);
  const numbers = new Set(leaves.map((field) => field.number));
  const sets: PlanNode[] = [...numbers].map((field) => ({ kind: 'exists', field }));
  const texts = leaves.filter((field) => field.core!.analyzer !== NO_ANALYZER).map((field) => field.fullName);
  if (texts.length > 0) {
    sets.push({ kind: 'terms', field: FIELD_NAMES, terms: [...new Set(texts)].map(textTerm) });
  }
  const node = combine([], sets, []) ?? NONE;
  const names = all.length === 0 ? [name] : [...new Set(all.map((field) => field.fullName))];
  return cached({
    ...node,
    text: () => `BooleanFilter(${names.map((each) => `_field_names:${each}`).join(' ')})`,
  });
}

/** Documents in which none was. */
export function missingSet(name: string, dsl: Dsl): PlanNode {
  const set = existsSet(name, dsl);
  const node = set.kind === 'none' ? matchAll() : combine([], [], [set])!;
  return cached({ ...node, text: () => `NotFilter(${show(dsl, set)})` });
}
