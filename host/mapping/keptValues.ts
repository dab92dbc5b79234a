/** The values that a stored field keeps by itself of a document: those of its own place in the source, and those copied to it. */

import { readBoosted } from './boosted.js';
import type { LeafField } from './field.js';
import { ObjectField } from './objects.js';
import { isObject, type JsonObject } from '../json/values.js';

/** In the order of the source, as a search shows them; those that it can't read were never kept. */
export function keptValues(root: ObjectField, field: LeafField, source: JsonObject): unknown[] {
  const kept: unknown[] = [];
  collect(root, field, source, kept);
  return kept;
}

function collect(object: ObjectField, field: LeafField, source: JsonObject, kept: unknown[]): void {
  for (const [name, value] of Object.entries(source)) {
    const child = object.children.get(name);
    if (child instanceof ObjectField) {
      if (child.enabled)
        for (const each of [value].flat(DEEP)) if (isObject(each)) collect(child, field, each, kept);
    } else if (child !== undefined) {
      const times = Number(owns(child, field)) + child.copyTo.filter((to) => to === field.fullName).length;
      for (let i = 0; i < times; i++) collectValue(child, field, value, kept);
    }
  }
}

const DEEP = Number.POSITIVE_INFINITY;

/** Whether the values of a field are those of another one, which it is or which it fills. */
function owns(child: LeafField, field: LeafField): boolean {
  for (const leaf of child.leaves()) if (leaf === field) return true;
  return false;
}

function collectValue(from: LeafField, field: LeafField, value: unknown, kept: unknown[]): void {
  if (Array.isArray(value) && !from.ownsArrays) {
    for (const each of value) collectValue(from, field, each, kept);
    return;
  }
  try {
    const given = from.takesBoosts && isObject(value) ? readBoosted(value).value : value;
    const own = given ?? field.nullValue;
    if (own === undefined || own === null || !field.keeps(own)) return;
    if (field.ownsArrays) kept.push(...field.valuesForSearch(own));
    else kept.push(field.valueForSearch(own));
  } catch {
    // It was passed over when the document was indexed.
  }
}
