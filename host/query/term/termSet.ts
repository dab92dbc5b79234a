/** Documents by the values of a field, as a filter. */

import { javaScalar } from '../../json/values.js';
import { textTerm } from '../../mapping/terms.js';
import type { PlanNode } from '../../plan/nodes.js';
import { asFilter, cached, type Dsl, ofType, type ResolvedField, resolve } from '../context.js';
import { metaSet } from './meta.js';
import { isNumeric, prefixCoded } from './numericTerms.js';

/** The documents that have any of these values. */
export function termSet(name: string, values: readonly unknown[], dsl: Dsl): PlanNode {
  const meta = metaSet(
    name,
    values.map((value) => javaScalar(value) ?? ''),
    dsl,
  );
  if (meta !== undefined) return cached(meta);
  const resolved = resolve(dsl, name);
  const { field, number } = resolved;
  const terms = values.map((value) =>
    field === undefined ? textTerm(javaScalar(value) ?? '') : field.term(value),
  );
  const node: PlanNode = { kind: 'terms', field: number, terms };
  return ofType(resolved, cached(asFilter(node, () => termsText(resolved, terms))));
}

/** Terms in their order. */
function termsText({ name, field }: ResolvedField, terms: readonly Uint8Array[]): string {
  const numeric = field !== undefined && isNumeric(field.type) ? field.type : undefined;
  const texts = terms.map((term) => (numeric === undefined ? utf8.decode(term) : prefixCoded(numeric, term)));
  return [...new Set(texts)]
    .sort()
    .map((text) => `${name}:${text}`)
    .join(' ');
}

const utf8 = new TextDecoder();
