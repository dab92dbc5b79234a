/** Queries on fields that are about documents: `_id`, `_uid`, `_type`, `_parent`. Other such fields are found like any other. */

import { UNKNOWN_FIELD } from '../mapping/field.js';
import { textTerm } from '../mapping/terms.js';
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
    case '_parent':
      return parentNode(values, dsl);
    default:
      return undefined;
  }
}

/** Documents with these parents: `type#id`, or an id of any type that has no parents itself. */
function parentNode(values: readonly string[], { model }: Dsl): PlanNode {
  const field = model.find('_parent')?.field;
  const types = model.typeNames().filter((type) => model.type(type)!.parent === undefined);
  const uids = values.flatMap((value) =>
    value.includes('#') ? value : types.map((type) => `${type}#${value}`),
  );
  return { kind: 'terms', field: field?.number ?? UNKNOWN_FIELD, terms: uids.map(textTerm) };
}

/** A term query on such a field: a constant score. */
export function metaTerm(field: string, value: string, dsl: Dsl): PlanNode | undefined {
  const set = metaSet(field, [value], dsl);
  if (set === undefined) return undefined;
  return constant(field === '_type' ? cached(set) : set, 1);
}
