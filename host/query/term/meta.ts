/**
 * Queries on fields that are about documents: `_id`, `_uid`, `_type`, `_parent`, `_index`, `_field_names`. Other such fields are found
 * like any other.
 */

import { booleanOf, isObject } from '../../json/values.js';
import { TYPE, UNKNOWN_FIELD } from '../../mapping/field.js';
import { textTerm } from '../../mapping/terms.js';
import type { UidsNode } from '../../plan/nodes/uids.js';
import type { PlanNode } from '../../plan/nodes.js';
import { cached, constant, type Dsl, NONE, typeNode } from '../context.js';
import { combine } from '../sets.js';
import { existsSet } from './existence.js';

/** The documents of these values, undefined if the field is an ordinary one. */
export function metaSet(field: string, values: readonly string[], dsl: Dsl): PlanNode | undefined {
  if (field.charCodeAt(0) !== 0x5f) return undefined;
  switch (field) {
    case '_id':
      return uidsNode(dsl, { uids: values.flatMap((id) => dsl.types.map((type) => `${type}#${id}`)) });
    case '_uid':
      return uidsNode(dsl, { uids: [...values] });
    case '_type':
      return typeNode(values);
    case '_parent':
      return parentNode(values, dsl);
    case '_field_names':
      return namesNode(values, dsl);
    case '_index':
      // 1.7 indexes that only where a mapping says so.
      return values.includes(dsl.index) ? typeNode(typesThat(dsl, field)) : NONE;
    default:
      return undefined;
  }
}

/** Documents whose value begins so; undefined if the field is an ordinary one. */
export function metaPrefix(field: string, prefix: string, dsl: Dsl): PlanNode | undefined {
  switch (field) {
    case '_id':
      return uidsNode(dsl, { prefixes: dsl.types.map((type) => `${type}#${prefix}`) });
    case '_uid':
      return uidsNode(dsl, { prefixes: [prefix] });
    case '_type':
      return { kind: 'prefix', field: TYPE, prefix: textTerm(prefix) };
    default:
      return undefined;
  }
}

/** Documents by `type#id`; in a nested field, their objects: these have the ids of their documents. */
export function uidsNode(
  dsl: Dsl,
  given: Partial<Pick<UidsNode, 'uids' | 'prefixes' | 'patterns'>>,
): UidsNode {
  const node: UidsNode = { kind: 'uids', uids: [], ...given };
  return dsl.nestedPath === undefined ? node : { ...node, parts: true };
}

/** Documents that have these fields, if their types keep the names. */
export function namesNode(names: readonly string[], dsl: Dsl): PlanNode {
  const sets = names.map((name) => existsSet(name, dsl)).filter((set) => set.kind !== 'none');
  const any = combine([], sets, []);
  if (any === undefined) return NONE;
  const silent = dsl.model.typeNames().filter((name) => {
    const given = dsl.model.type(name)!.root.echoed._field_names;
    return isObject(given) && given.enabled !== undefined && !booleanOf(given.enabled);
  });
  return silent.length === 0 ? any : combine([any], [], [typeNode(silent)])!;
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

/** The types whose mapping switches a field on. */
export function typesThat({ model }: Dsl, field: string): string[] {
  return model.typeNames().filter((name) => {
    const section = model.type(name)!.root.echoed[field];
    return isObject(section) && section.enabled !== undefined && booleanOf(section.enabled);
  });
}

/** A term query on such a field: a constant score. */
export function metaTerm(field: string, value: string, dsl: Dsl): PlanNode | undefined {
  const set = metaSet(field, [value], dsl);
  if (set === undefined) return undefined;
  return constant(field === '_type' ? cached(set) : set, 1);
}
