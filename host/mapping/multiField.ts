/** The type `multi_field` of older versions: fields side by side, of which the one of its own name is the main one. */

import { mapperParsing } from '../errors.js';
import { isObject, type JsonObject, textOf } from '../json/values.js';

/** The types of single values. */
export const CORE_TYPES: ReadonlySet<string> = new Set([
  'string',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'date',
  'boolean',
  'ip',
  'binary',
]);

/** The same as a field with `fields`. Without a main field there is one that is not indexed. */
export function oldMultiField(name: string, definition: JsonObject): JsonObject {
  if (!isObject(definition.fields)) return { type: 'string', index: 'no' };
  const { [name]: main, ...fields } = definition.fields;
  for (const [sub, each] of Object.entries(definition.fields)) {
    if (!isObject(each) || textOf(each.type) === undefined)
      throw mapperParsing(`No type specified for property [${sub}]`);
  }
  if (isObject(main))
    return { ...main, fields: { ...(isObject(main.fields) ? main.fields : {}), ...fields } };
  const [first] = Object.values(fields);
  const type = isObject(first) ? (textOf(first.type) ?? '') : '';
  return { type: CORE_TYPES.has(type) ? type : 'string', index: 'no', fields };
}
