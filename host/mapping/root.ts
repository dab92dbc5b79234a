/** The mapping of one type: its root object and the settings around it. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { ElasticsearchError, mapperParsing, notOffered } from '../errors.js';
import { ObjectField, readDynamic, readProperties } from './objects.js';
import { booleanOf, isObject, type JsonObject } from './values.js';

/** Keys of a root object that are kept and shown, and otherwise have their default effect. */
const KEPT = ['_meta', '_id', '_type', '_index', '_field_names', '_size', '_analyzer', '_boost'];

/** One type. */
export class TypeMapping {
  readonly name: string;
  readonly root: ObjectField;
  dateDetection = true;
  numericDetection = false;
  /** Whether documents need a routing value. */
  routingRequired = false;

  constructor(name: string) {
    this.name = name;
    this.root = new ObjectField('', name);
  }

  static read(name: string, definition: JsonObject, registry: AnalyzerRegistry): TypeMapping {
    const type = new TypeMapping(name);
    const rest = new Map(Object.entries(definition));
    const take = (key: string): unknown => {
      const value = rest.get(key);
      rest.delete(key);
      return value;
    };
    const { root } = type;
    root.dynamic = readDynamic(take('dynamic'));
    const enabled = take('enabled');
    if (enabled !== undefined) root.enabled = booleanOf(enabled);
    const dateDetection = take('date_detection');
    if (dateDetection !== undefined && !booleanOf(dateDetection)) {
      type.dateDetection = false;
      root.echoed.date_detection = false;
    }
    const numericDetection = take('numeric_detection');
    if (numericDetection !== undefined && booleanOf(numericDetection)) {
      type.numericDetection = true;
      root.echoed.numeric_detection = true;
    }
    const templates = take('dynamic_templates');
    if (templates !== undefined && !(Array.isArray(templates) && templates.length === 0)) {
      throw notOffered('[dynamic_templates]');
    }
    if (take('dynamic_date_formats') !== undefined) throw notOffered('[dynamic_date_formats]');
    readMeta(type, take);
    for (const key of ['analyzer', 'index_analyzer', 'search_analyzer']) {
      if (take(key) !== undefined) throw notOffered(`[${key}] of a whole type`);
    }
    take('type');
    take('transform');
    readProperties(root, take('properties'), registry);
    if (rest.size > 0) {
      const list = [...rest].map(([key, value]) => ` [${key} : ${javaText(value)}]`).join('');
      throw mapperParsing(`Root type mapping not empty after parsing! Remaining fields:  ${list}`);
    }
    return type;
  }

  /** As GET _mapping shows it. */
  toJSON(): JsonObject {
    const { root } = this;
    const json: JsonObject = {};
    if (root.dynamic !== undefined) json.dynamic = root.dynamic;
    if (!root.enabled) json.enabled = false;
    return { ...json, ...root.echoed, properties: root.propertiesJSON() };
  }
}

function readMeta(type: TypeMapping, take: (key: string) => unknown): void {
  const { echoed } = type.root;
  for (const key of KEPT) {
    const value = take(key);
    if (value !== undefined) echoed[key] = value;
  }
  const includeInAll = take('include_in_all');
  if (includeInAll !== undefined) echoed.include_in_all = booleanOf(includeInAll);
  const all = take('_all');
  if (isObject(all) && all.enabled !== undefined) echoed._all = { enabled: booleanOf(all.enabled) };
  const source = take('_source');
  if (isObject(source)) {
    if (source.enabled !== undefined && !booleanOf(source.enabled)) throw notOffered('a disabled [_source]');
    if (source.includes !== undefined || source.excludes !== undefined) {
      throw notOffered('[includes] and [excludes] of [_source]');
    }
  }
  const routing = take('_routing');
  if (isObject(routing)) {
    if (routing.path !== undefined) throw notOffered('[path] of [_routing]');
    if (routing.required !== undefined && booleanOf(routing.required)) {
      type.routingRequired = true;
      echoed._routing = { required: true };
    }
  }
  if (take('_parent') !== undefined) throw notOffered('[_parent]');
  for (const key of ['_timestamp', '_ttl']) {
    const value = take(key);
    if (isObject(value) && value.enabled !== undefined && booleanOf(value.enabled))
      throw notOffered(`[${key}]`);
  }
}

/** The definition of a new type: that of `_default_` with its own over it. */
export function overDefault(base: JsonObject, own: JsonObject): JsonObject {
  const properties = {
    ...(isObject(base.properties) ? base.properties : {}),
    ...(isObject(own.properties) ? own.properties : {}),
  };
  return { ...base, ...own, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
}

/** 400 if a type can't have that name. */
export function checkTypeName(name: string): void {
  const fail = (why: string) =>
    new ElasticsearchError('InvalidTypeNameException', `mapping type name [${name}] ${why}`);
  if (name.length === 0) throw fail('is empty');
  if (name.startsWith('_') && name !== '_default_') throw fail("can't start with '_'");
  if (name.includes('#')) throw fail("should not include '#' in it");
  if (name.includes(',')) throw fail("should not include ',' in it");
}

/** A value of a mapping as Java prints maps and lists. */
function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}=${javaText(each)}`)
    .join(', ')}}`;
}
