/** How deep a document may be nested: what nothing looks into may be as deep as it likes. */
import { MAX_JSON_DEPTH, TooDeep } from '../json/jsonDepth.js';
import { isObject } from '../json/values.js';
import { ObjectField } from './objects.js';

/** Throws {@link TooDeep} where a value of the object is nested more deeply than JSON may be, and not in an object that is disabled. */
export function checkNesting(source: unknown, root: ObjectField): void {
  const open: { value: unknown; object: ObjectField | undefined; depth: number }[] = [
    { value: source, object: root, depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, object, depth } = next;
    if (object?.enabled === false || typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_JSON_DEPTH) throw new TooDeep();
    if (Array.isArray(value)) {
      for (const each of value) open.push({ value: each, object, depth: depth + 1 });
    } else if (isObject(value)) {
      for (const [name, each] of Object.entries(value)) {
        const child = object?.children.get(name);
        open.push({
          value: each,
          object: child instanceof ObjectField ? child : undefined,
          depth: depth + 1,
        });
      }
    }
  }
}
