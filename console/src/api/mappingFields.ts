/** The fields of mappings, as a flat list. */
import { isObject, type Json, type JsonObject } from './json';

/** A field of an index. */
export interface MappedField {
  /** With dots: `author.name`, `title.raw`. */
  path: string;
  /** As the mapping names it: `string`, `long`, `geo_point`. */
  type: string;
  /** Split into words; false for what is kept whole, and for what isn't a text. */
  isAnalyzed: boolean;
  /** Not indexed: `"index": "no"`. */
  isIndexed: boolean;
  /** The path of the nested object that it stands in. */
  nested: string | undefined;
  /** A second form of another field, of `fields`. */
  isMultiField: boolean;
  /** What the mapping says of it. */
  mapping: JsonObject;
}

const NUMBERS: ReadonlySet<string> = new Set(['byte', 'short', 'integer', 'long', 'float', 'double']);

/** Whether values of the type are numbers. */
export function isNumberType(type: string): boolean {
  return NUMBERS.has(type);
}

/**
 * All fields of an answer of `GET /{index}/_mapping`, by path, sorted. Where types or indices differ about one, the first of the indices
 * wins, as they come.
 */
export function fieldsOf(answer: Json): readonly MappedField[] {
  const found = new Map<string, MappedField>();
  for (const index of values(answer))
    for (const type of values(isObject(index) ? index.mappings : undefined))
      collect(isObject(type) ? type.properties : undefined, '', undefined, found);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function collect(
  properties: Json | undefined,
  prefix: string,
  nested: string | undefined,
  found: Map<string, MappedField>,
): void {
  if (!isObject(properties)) return;
  for (const [name, mapping] of Object.entries(properties)) {
    if (!isObject(mapping)) continue;
    const path = `${prefix}${name}`;
    if (mapping.properties !== undefined || mapping.type === 'object' || mapping.type === 'nested') {
      collect(mapping.properties, `${path}.`, mapping.type === 'nested' ? path : nested, found);
      continue;
    }
    add(path, mapping, nested, false, found);
    for (const [inner, form] of Object.entries(isObject(mapping.fields) ? mapping.fields : {}))
      if (isObject(form)) add(`${path}.${inner}`, form, nested, true, found);
  }
}

function add(
  path: string,
  mapping: JsonObject,
  nested: string | undefined,
  isMultiField: boolean,
  found: Map<string, MappedField>,
): void {
  if (found.has(path)) return;
  const type = typeof mapping.type === 'string' ? mapping.type : 'string';
  found.set(path, {
    path,
    type,
    isAnalyzed: type === 'string' && (mapping.index === undefined || mapping.index === 'analyzed'),
    isIndexed: mapping.index !== 'no',
    nested,
    isMultiField,
    mapping,
  });
}

function values(object: Json | undefined): (Json | undefined)[] {
  return isObject(object) ? Object.values(object) : [];
}
