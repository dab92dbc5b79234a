/** Which documents have a field, and which lack it. */

import { NO_ANALYZER } from '../../analysis/registry.js';
import { FIELD_NAMES, type LeafField } from '../../mapping/field.js';
import { META } from '../../mapping/metaNames.js';
import { textTerm } from '../../mapping/terms.js';
import { matches } from '../../mapping/typeTable.js';
import type { PlanNode } from '../../plan/nodes.js';
import { cached, type Dsl, matchAll, NONE, resolve, show, typeNode } from '../context.js';
import { combine } from '../sets.js';

/**
 * Documents in which a field, or any field of an object, was indexed. A text may leave no term behind, and what is kept but not
 * indexed has none; then the field's name is indexed instead. Fields about documents are there as the types say.
 */
export function existsSet(name: string, dsl: Dsl): PlanNode {
  const all = dsl.model.leavesOf(name);
  const meta = metaNames(name, dsl);
  // Where fields must be known, one that isn't is refused.
  if (all.length + meta.length === 0 && !name.includes('*')) resolve(dsl, name);
  const leaves = all.filter((field) => field.number >= 0 && field.isIndexed);
  const numbers = new Set(leaves.map((field) => field.number));
  const sets: PlanNode[] = [...numbers].map((field) => ({ kind: 'exists', field }));
  const texts = all.filter(isNoted).map((field) => field.fullName);
  if (texts.length > 0) {
    sets.push({ kind: 'terms', field: FIELD_NAMES, terms: [...new Set(texts)].map(textTerm) });
  }
  const types = typesWith(meta, dsl);
  if (types.length > 0) sets.push(typeNode(types));
  const node = combine([], sets, []) ?? NONE;
  // Sorted, so that it doesn't matter in which order a mapping came to have them.
  const found = [...new Set([...all.map((field) => field.fullName), ...meta])].sort();
  const names = found.length === 0 ? [name] : found;
  return cached({
    ...node,
    text: () => `BooleanFilter(${names.map((each) => `_field_names:${each}`).join(' ')})`,
  });
}

/** Whether the name of a field may be all that is indexed of a value. */
function isNoted(field: LeafField): boolean {
  if (field.isKeptOnly) return true;
  return field.number >= 0 && field.core!.analyzer !== NO_ANALYZER;
}

/** The names of fields about documents that a name or a pattern stands for. */
function metaNames(name: string, { model }: Dsl): string[] {
  if (META.has(name)) return [name];
  if (!name.includes('*') || model.typeNames().length === 0) return [];
  const parts = name.split('*');
  return [...META].filter((each) => matches(parts, each));
}

/** The types whose documents all have one of these fields. */
function typesWith(names: readonly string[], { model }: Dsl): string[] {
  if (names.length === 0) return [];
  return model.typeNames().filter((type) => {
    const indexed = model.type(type)!.indexedMeta();
    return names.some((name) => indexed.includes(name));
  });
}

/** Documents in which none was. */
export function missingSet(name: string, dsl: Dsl): PlanNode {
  const set = existsSet(name, dsl);
  const node = set.kind === 'none' ? matchAll() : combine([], [], [set])!;
  return cached({ ...node, text: () => `NotFilter(${show(dsl, set)})` });
}
