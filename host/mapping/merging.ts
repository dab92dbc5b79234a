/** A mapping merged into one that is there: what may change, and the conflicts. */
import type { LeafField } from './field.js';
import { ObjectField } from './objects.js';

/** Fields and objects of a mapping, itself among them. */
export function sizeOf(field: LeafField | ObjectField): number {
  if (!(field instanceof ObjectField)) return 1 + field.subFields.size;
  let size = 1;
  for (const child of field.children.values()) size += sizeOf(child);
  return size;
}

/** How many fields and objects a merge adds. */
export function addedBy(mine: ObjectField, its: ObjectField): number {
  let added = 0;
  for (const [name, theirs] of its.children) {
    const own = mine.children.get(name);
    if (own === undefined) added += sizeOf(theirs);
    else if (own instanceof ObjectField) added += theirs instanceof ObjectField ? addedBy(own, theirs) : 0;
    else if (!(theirs instanceof ObjectField))
      for (const sub of theirs.subFields.keys()) added += own.subFields.has(sub) ? 0 : 1;
  }
  return added;
}

/**
 * Merges what an object has into another one of its name. Conflicts are told in 1.7's words; a simulation changes nothing.
 */
export function mergeObject(
  mine: ObjectField,
  its: ObjectField,
  conflicts: string[],
  simulate: boolean,
): void {
  if ((mine.nested === undefined) !== (its.nested === undefined)) {
    const [from, to] = mine.nested === undefined ? ['non-nested', 'nested'] : ['nested', 'non-nested'];
    conflicts.push(`object mapping [${mine.shortName}] can't be changed from ${from} to ${to}`);
    return;
  }
  if (!simulate) {
    if (its.dynamic !== undefined) mine.dynamic = its.dynamic;
    // Sections of a root that begin so are merged one by one.
    for (const [key, value] of Object.entries(its.echoed)) if (!key.startsWith('_')) mine.echoed[key] = value;
  }
  for (const [name, theirs] of its.children) {
    const own = mine.children.get(name);
    if (own === undefined) {
      if (!simulate) mine.put(name, theirs);
    } else if (own instanceof ObjectField) {
      if (theirs instanceof ObjectField) mergeObject(own, theirs, conflicts, simulate);
      else conflicts.push(`Can't merge a non object mapping [${name}] with an object mapping [${name}]`);
    } else if (theirs instanceof ObjectField) {
      conflicts.push(own.conflictOfType('ObjectMapper'));
    } else if (own.type !== theirs.type) conflicts.push(own.conflictOfType(theirs.type));
    else own.merge(theirs, conflicts, simulate);
  }
}
