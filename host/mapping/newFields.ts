/** What a document would add to a mapping, looked at before it adds anything: a document that is refused by a limit leaves no field behind. */
import { mapperParsing } from '../errors.js';
import { isObject, type JsonObject } from '../json/values.js';
import { type Dynamic, MAX_OBJECT_DEPTH, ObjectField } from './objects.js';

/** The fields that the mapping hasn't got, by full name. Throws where an object is deeper than mappings may be. */
export function newFields(source: JsonObject, root: ObjectField): ReadonlySet<string> {
  const names = new Set<string>();
  fieldsOf(root, source, { path: '', dynamic: root.dynamic ?? 'true', depth: 1, names });
  return names;
}

interface Place {
  /** The full name of the object, and a point. */
  path: string;
  dynamic: Exclude<Dynamic, undefined>;
  depth: number;
  names: Set<string>;
}

/** @param object undefined where the mapping hasn't got it */
function fieldsOf(object: ObjectField | undefined, source: JsonObject, place: Place): void {
  const { path, dynamic, depth, names } = place;
  if (depth > MAX_OBJECT_DEPTH) {
    const name = path.slice(path.lastIndexOf('.', path.length - 2) + 1, -1);
    throw mapperParsing(`object mapping [${name}] is more than ${MAX_OBJECT_DEPTH} levels deep`);
  }
  for (const name of Object.keys(source)) {
    const child = object?.children.get(name);
    const full = path + name;
    const inside: Place = { path: `${full}.`, dynamic, depth: depth + 1, names };
    if (child instanceof ObjectField) {
      if (child.enabled)
        valuesOf(source[name], child, { ...inside, dynamic: child.dynamic ?? dynamic }, undefined);
    } else if (child === undefined && dynamic === 'true' && !(depth === 1 && name.startsWith('_')))
      valuesOf(source[name], undefined, inside, full);
  }
}

/** @param name of the field that a plain value makes, if it makes one */
function valuesOf(
  value: unknown,
  object: ObjectField | undefined,
  place: Place,
  name: string | undefined,
): void {
  if (Array.isArray(value)) for (const each of value) valuesOf(each, object, place, name);
  else if (isObject(value)) fieldsOf(object, value, place);
  else if (name !== undefined && value !== null && value !== undefined) place.names.add(name);
}
