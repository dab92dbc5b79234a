/** A mapping as a tree, and what each field is indexed as, in words. */
import { isObject, type Json, type JsonObject, LosslessNumber, writeJson } from '../../api/json';

export interface FieldNode {
  /** Within what it stands in. */
  name: string;
  /** With dots. */
  path: string;
  type: string;
  /** How it is indexed, each thing by itself. */
  facts: readonly string[];
  mapping: JsonObject;
  /** Fields of an object. */
  inner: readonly FieldNode[];
  /** Other forms of the same value. */
  forms: readonly FieldNode[];
  /** The nested object around it. */
  nested: string | undefined;
}

/** What is said of a type beside its fields. */
export interface TypeFact {
  name: string;
  value: string;
}

/** The fields of a type or an object. */
export function fieldNodes(properties: Json | undefined, above = '', nested?: string): FieldNode[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .map(([name, mapping]) => {
      const path = `${above}${name}`;
      const isInner = mapping.properties !== undefined;
      const type = typeof mapping.type === 'string' ? mapping.type : isInner ? 'object' : 'string';
      const around = type === 'nested' ? path : nested;
      return {
        name,
        path,
        type,
        facts: factsOf(type, mapping),
        mapping,
        inner: fieldNodes(mapping.properties, `${path}.`, around),
        forms: fieldNodes(mapping.fields, `${path}.`, nested),
        nested,
      };
    });
}

/** Fields that have values of their own, objects aside. */
export function leaves(nodes: readonly FieldNode[]): FieldNode[] {
  return nodes.flatMap((node) =>
    node.inner.length > 0 || node.type === 'object' || node.type === 'nested'
      ? leaves(node.inner)
      : [node, ...node.forms],
  );
}

/** Parameters that are told in words of their own. */
const WORDS: Readonly<Record<string, (value: Json) => string | undefined>> = {
  index: (value) =>
    value === 'not_analyzed'
      ? 'one term, not analyzed'
      : value === 'no'
        ? 'not indexed, can’t be searched'
        : undefined,
  analyzer: (value) => `analyzer ${text(value)}`,
  index_analyzer: (value) => `analyzer ${text(value)} for documents`,
  search_analyzer: (value) => `analyzer ${text(value)} for queries`,
  store: (value) => (isOn(value) ? 'stored by itself' : undefined),
  doc_values: (value) => (isOn(value) ? 'doc values' : undefined),
  norms: (value) =>
    isObject(value) && value.enabled === false ? 'no norms: length doesn’t count' : undefined,
  omit_norms: (value) => (isOn(value) ? 'no norms: length doesn’t count' : undefined),
  include_in_all: (value) => (isOn(value) ? undefined : 'not in _all'),
  enabled: (value) => (isOn(value) ? undefined : 'kept, not read'),
  dynamic: (value) =>
    text(value) === 'strict'
      ? 'unknown fields are refused'
      : isOn(value)
        ? undefined
        : 'unknown fields are not indexed',
  format: (value) => `format ${text(value)}`,
  copy_to: (value) => `copied to ${text(value)}`,
  ignore_above: (value) => `longer than ${text(value)} characters: not indexed`,
  null_value: (value) => `null counts as ${text(value)}`,
  boost: (value) => (text(value) === '1' ? undefined : `boost ${text(value)}`),
  term_vector: (value) => (value === 'no' ? undefined : `term vectors ${text(value)}`),
  index_options: (value) => `index options ${text(value)}`,
  similarity: (value) => `similarity ${text(value)}`,
  precision_step: () => undefined,
  position_offset_gap: (value) => `gap of ${text(value)} positions between values`,
  lat_lon: (value) => (isOn(value) ? 'latitude and longitude as fields' : undefined),
  geohash: (value) => (isOn(value) ? 'geohash as a field' : undefined),
  geohash_prefix: (value) => (isOn(value) ? 'all prefixes of its geohash' : undefined),
};

const LEFT_OUT = new Set(['type', 'properties', 'fields', 'path']);

function factsOf(type: string, mapping: JsonObject): string[] {
  const told = Object.entries(mapping).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name) || value === undefined || value === null) return [];
    const word = Object.hasOwn(WORDS, name) ? WORDS[name]!(value) : `${name} ${text(value)}`;
    return word === undefined ? [] : [word];
  });
  const isPlain =
    type === 'string' && !['index', 'analyzer', 'index_analyzer'].some((name) => mapping[name] !== undefined);
  if (isPlain) told.unshift('analyzer of the index');
  if (type === 'nested') told.unshift('each object is searched by itself');
  return told;
}

/** `_parent`, `_all` and their kin, where a mapping says something of them. */
export function typeFacts(mapping: JsonObject): TypeFact[] {
  return Object.entries(mapping).flatMap(([name, value]) => {
    if (name === 'properties' || value === undefined) return [];
    if (name === '_parent' && isObject(value))
      return [{ name, value: `documents of type ${text(value.type)}` }];
    if (name === '_routing' && isObject(value))
      return [{ name, value: isOn(value.required) ? 'required' : text(value) }];
    return [{ name, value: text(value) }];
  });
}

function isOn(value: Json | undefined): boolean {
  return value === true || value === 'true' || value === 'yes' || value === 1;
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (value instanceof LosslessNumber) return value.value;
  return typeof value === 'object' ? writeJson(value) : String(value);
}
