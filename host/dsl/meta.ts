/** Queries on the fields that every document has: `_id`, `_uid`, `_type`. Other such fields are found like any other. */

import { cached, constant, type Dsl, typeNode } from './context.js';
import type { PlanNode } from './plan.js';

/** The documents of these values, undefined if the field is an ordinary one. */
export function metaSet(field: string, values: readonly string[], dsl: Dsl): PlanNode | undefined {
  if (field.charCodeAt(0) !== 0x5f) return undefined;
  switch (field) {
    case '_id':
      return { kind: 'uids', uids: values.flatMap((id) => dsl.types.map((type) => `${type}#${id}`)) };
    case '_uid':
      return { kind: 'uids', uids: [...values] };
    case '_type':
      return typeNode(values);
    default:
      return undefined;
  }
}

/** A term query on such a field: a constant score. */
export function metaTerm(field: string, value: string, dsl: Dsl): PlanNode | undefined {
  const set = metaSet(field, [value], dsl);
  if (set === undefined) return undefined;
  return constant(field === '_type' ? cached(set) : set, 1);
}
