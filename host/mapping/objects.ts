/** Objects of a mapping: named fields, how unknown ones are met, and the root object of a type. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { mapperParsing, parseFailure } from '../errors.js';
import { putOwn } from '../ownNames.js';
import { longPart } from '../passes.js';
import { BinaryField } from './binary.js';
import { CompletionField } from './completion.js';
import { LeafField } from './field.js';
import { checkNullValue, checkParameters, isJustName } from './fieldParameters.js';
import { GeoPointField } from './geo.js';
import { GeoShapeField } from './geoShape.js';
import { IpField } from './ip.js';
import { CORE_TYPES, oldMultiField } from './multiField.js';
import { Murmur3Field } from './murmur3.js';
import { NumberField, type NumberType } from './numbers.js';
import { BooleanField, DateField } from './scalars.js';
import { StringField, type TypeAnalysis } from './strings.js';
import { TokenCountField } from './tokenCount.js';
import {
  booleanOf,
  isObject,
  type JsonObject,
  javaClass,
  javaText,
  textOf,
  underscore,
  underscored,
} from '../json/values.js';

/** Fields of an object that are shown in turns, and the steps of a work limit that each of them takes. */
const MANY = 256;
const FIELD_STEPS = 10;
/** The same of sorting them by their names. */
const SORT_STEPS = 4;

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** How unknown fields are met; undefined: as the object around it says. */
export type Dynamic = 'true' | 'false' | 'strict' | undefined;

/** Deeper mappings are refused. */
export const MAX_OBJECT_DEPTH = 64;

/** The types that mappings may name. */
const TYPES = new Set([
  ...CORE_TYPES,
  'token_count',
  'geo_point',
  'geo_shape',
  'completion',
  'murmur3',
  'nested',
  'object',
  'multi_field',
]);

/** Those whose values are single ones, with what all of them can have. */
const CHECKED_TYPES = new Set([...CORE_TYPES, 'token_count', 'geo_point', 'murmur3']);
/** Those that can have a value in place of null. */
const NULL_VALUE_TYPES = new Set([...CORE_TYPES].filter((type) => type !== 'binary'));
/** Those that can have multi-fields. */
const MULTI_FIELD_TYPES = new Set([...CHECKED_TYPES, 'completion']);

/** How the objects of a nested one are kept: as documents of their own, and perhaps in those around them besides. */
export interface Nested {
  /** Their values belong to the object around them, too. */
  includeInParent: boolean;
  /** Their values belong to the whole document, too. */
  includeInRoot: boolean;
}

/** The name of the nested documents of a nested object, where others have their type. */
export function nestedType(path: string): string {
  return `__${path}`;
}

/** An object, or the root of a type. */
export class ObjectField {
  readonly fullName: string;
  readonly shortName: string;
  readonly children = new Map<string, LeafField | ObjectField>();
  dynamic: Dynamic = undefined;
  enabled = true;
  /** Undefined: its values belong to the document around it. */
  nested: Nested | undefined = undefined;
  /** Whether the values in it join `_all`, where they don't say so themselves. */
  includeInAll: boolean | undefined = undefined;
  /** Parameters that are shown as they are. */
  echoed: JsonObject = {};

  constructor(fullName: string, shortName: string) {
    this.fullName = fullName;
    this.shortName = shortName;
  }

  /** Adds what stands in it. */
  put(name: string, child: LeafField | ObjectField): void {
    if (this.includeInAll !== undefined) child.inheritAll(this.includeInAll);
    this.children.set(name, child);
  }

  /** Says whether its values join `_all`, where neither it nor what stands in it says so. */
  inheritAll(joins: boolean): void {
    this.includeInAll ??= joins;
    for (const child of this.children.values()) child.inheritAll(joins);
  }

  /** The full name of a field in it. */
  pathOf(name: string): string {
    return this.fullName === '' ? name : `${this.fullName}.${name}`;
  }

  toJSON(): JsonObject {
    const json: JsonObject = {};
    if (this.nested !== undefined) {
      json.type = 'nested';
      if (this.nested.includeInParent) json.include_in_parent = true;
      if (this.nested.includeInRoot) json.include_in_root = true;
    }
    if (this.dynamic !== undefined) json.dynamic = this.dynamic;
    if (!this.enabled) json.enabled = false;
    Object.assign(json, this.echoed);
    if (this.includeInAll !== undefined) json.include_in_all = this.includeInAll;
    if (this.children.size > 0) json.properties = this.propertiesJSON();
    else if (this.nested === undefined) json.type = 'object';
    return json;
  }

  propertiesJSON(): JsonObject {
    const { children } = this;
    if (children.size < MANY)
      return Object.fromEntries([...children].sort(byName).map(([name, field]) => [name, field.toJSON()]));
    // Objects may have long parts of their own.
    const objects = new Map<string, JsonObject>();
    for (const [name, field] of children) if (field instanceof ObjectField) objects.set(name, field.toJSON());
    return longPart(this, 'properties', function* (isDue) {
      const sorted = [...children].sort(byName);
      if (isDue(SORT_STEPS * sorted.length)) yield;
      const json: JsonObject = {};
      for (const [name, field] of sorted) {
        putOwn<unknown>(json, name, objects.get(name) ?? field.toJSON());
        if (isDue(FIELD_STEPS)) yield;
      }
      return json;
    });
  }

  /** All objects in it that are nested. */
  *nestedObjects(): Generator<ObjectField> {
    for (const child of this.children.values()) {
      if (!(child instanceof ObjectField)) continue;
      if (child.nested !== undefined) yield child;
      yield* child.nestedObjects();
    }
  }

  /** All leaves in it, multi-fields included. */
  *leaves(): Generator<LeafField> {
    for (const child of this.children.values()) {
      yield* child.leaves();
    }
  }
}

/** What `dynamic` says; everything that is not false or strict is true, as in 1.7. */
export function readDynamic(value: unknown): Dynamic {
  if (value === undefined) return undefined;
  if (textOf(value)?.toLowerCase() === 'strict') return 'strict';
  return booleanOf(value) ? 'true' : 'false';
}

/** Reads `properties` into an object. */
export function readProperties(
  parent: ObjectField,
  properties: unknown,
  registry: AnalyzerRegistry,
  depth = 1,
  analysis: TypeAnalysis = {},
): void {
  if (properties === undefined || (Array.isArray(properties) && properties.length === 0)) return;
  if (!isObject(properties)) throw parseFailure('properties must be a map type');
  for (const [name, definition] of Object.entries(properties)) {
    if (!isObject(definition)) {
      // Languages without empty objects send an empty list.
      if (Array.isArray(definition) && definition.length === 0) continue;
      // The class is that of the name.
      const java = 'class java.lang.String';
      throw mapperParsing(`Expected map for property [fields] on field [${name}] but got a ${java}`);
    }
    const child = readField(parent.pathOf(name), name, definition, registry, depth, analysis);
    if (child instanceof LeafField) child.isJustName = parent.echoed.path !== undefined;
    parent.put(name, child);
  }
}

/** Whether mappings may name that type. */
export function isType(name: string): boolean {
  return TYPES.has(underscore(name));
}

/** Reads the mapping of one field. */
export function readField(
  fullName: string,
  name: string,
  given: JsonObject,
  registry: AnalyzerRegistry,
  depth = 1,
  analysis: TypeAnalysis = {},
): LeafField | ObjectField {
  const definition = underscored(given);
  if (depth > MAX_OBJECT_DEPTH)
    throw mapperParsing(`Field [${name}] is more than ${MAX_OBJECT_DEPTH} levels deep`);
  const { type } = definition;
  if (type === undefined || type === null) {
    if (
      definition.properties !== undefined ||
      definition.enabled !== undefined ||
      definition.dynamic !== undefined
    ) {
      return readObject(fullName, name, definition, registry, depth, analysis);
    }
    if (Object.keys(definition).length === 0 || type === null || definition.properties === undefined) {
      throw mapperParsing(`No type specified for property [${name}]`);
    }
  }
  const typeName = underscore(textOf(type) ?? '');
  if (typeName === 'multi_field')
    return readField(fullName, name, oldMultiField(name, definition), registry, depth, analysis);
  if (typeName === 'object' || typeName === 'nested')
    return readObject(fullName, name, definition, registry, depth, analysis);
  const field = readLeaf(fullName, name, typeName, definition, registry, analysis);
  field.readCommon(definition);
  if (MULTI_FIELD_TYPES.has(typeName)) {
    for (const [sub, subGiven] of Object.entries(multiFieldsOf(definition.fields))) {
      if (!isObject(subGiven))
        throw mapperParsing(`Illegal field [${sub}], only fields can be specified inside fields`);
      const subDefinition = underscored(subGiven);
      const subType = textOf(subDefinition.type ?? undefined);
      if (subType === undefined) throw mapperParsing(`No type specified for property [${sub}]`);
      field.subFields.set(
        sub,
        readLeaf(`${fullName}.${sub}`, sub, underscore(subType), subDefinition, registry, analysis),
      );
    }
    field.subList = [...field.subFields.values()];
  }
  field.shareValues();
  return field;
}

/** What stands under `fields`. */
function multiFieldsOf(given: unknown): JsonObject {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return {};
  if (isObject(given)) return given;
  throw mapperParsing(
    `Expected map for property [fields] on field [${javaText(given)}] or [fields] but got a class ${javaClass(given)}`,
  );
}

function readObject(
  fullName: string,
  name: string,
  definition: JsonObject,
  registry: AnalyzerRegistry,
  depth: number,
  analysis: TypeAnalysis,
): ObjectField {
  const object = new ObjectField(fullName, name);
  if (textOf(definition.type) === 'nested') {
    object.nested = {
      includeInParent: booleanOf(definition.include_in_parent ?? false),
      includeInRoot: booleanOf(definition.include_in_root ?? false),
    };
  }
  if (isJustName(name, definition.path)) object.echoed.path = 'just_name';
  object.dynamic = readDynamic(definition.dynamic);
  if (definition.enabled !== undefined) object.enabled = booleanOf(definition.enabled);
  if (definition.include_in_all !== undefined) {
    object.includeInAll = booleanOf(definition.include_in_all);
  }
  readProperties(object, definition.properties, registry, depth + 1, analysis);
  return object;
}

function readLeaf(
  fullName: string,
  name: string,
  type: string,
  definition: JsonObject,
  registry: AnalyzerRegistry,
  analysis: TypeAnalysis,
): LeafField {
  const field = leafOf(fullName, name, type, definition, registry, analysis);
  const { traits } = field;
  // One that nobody knows is the default.
  if (traits.similarity !== undefined && !registry.similarities.has(traits.similarity))
    traits.similarity = undefined;
  return field;
}

function leafOf(
  fullName: string,
  name: string,
  type: string,
  definition: JsonObject,
  registry: AnalyzerRegistry,
  analysis: TypeAnalysis,
): LeafField {
  if (CHECKED_TYPES.has(type)) checkParameters(name, definition, registry);
  if (NULL_VALUE_TYPES.has(type)) checkNullValue(definition);
  switch (type) {
    case 'string':
      return new StringField(fullName, definition, registry, analysis);
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
    case 'double':
    case 'float':
      return new NumberField(fullName, type as NumberType, definition, registry.fieldDefaults);
    case 'date':
      return new DateField(fullName, definition, registry.fieldDefaults);
    case 'boolean':
      return new BooleanField(fullName, definition);
    case 'ip':
      return new IpField(fullName, definition);
    case 'murmur3':
      return new Murmur3Field(fullName, definition, registry);
    case 'binary':
      return new BinaryField(fullName, definition);
    case 'completion':
      return new CompletionField(fullName, definition, registry);
    case 'token_count':
      return new TokenCountField(fullName, definition, registry);
    case 'geo_shape':
      return new GeoShapeField(fullName, definition);
    case 'geo_point':
      return new GeoPointField(fullName, definition, registry);
    default:
      throw mapperParsing(`No handler for type [${type}] declared on field [${name}]`);
  }
}
