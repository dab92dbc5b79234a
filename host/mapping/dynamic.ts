/** The fields that dynamic mapping makes of values it meets for the first time. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { mapperParsing } from '../errors.js';
import { detectDateFormat } from '../time/dateFormats.js';
import type { DynamicType } from './dynamicTemplates.js';
import type { LeafField } from './field.js';
import { NumberField } from './numbers.js';
import { isType, type ObjectField, readField } from './objects.js';
import type { TypeMapping } from './root.js';
import { BooleanField, DateField } from './scalars.js';
import { StringField } from './strings.js';
import { type JsonObject, RawNumber, textOf } from '../json/values.js';

/** A field for a scalar that is not null, or, where a template says so, an object. */
export function newField(
  parent: ObjectField,
  name: string,
  value: string | number | boolean | RawNumber,
  type: TypeMapping,
  registry: AnalyzerRegistry,
): LeafField | ObjectField {
  const fullName = parent.pathOf(name);
  if (typeof value === 'string') {
    const template = type.templateForText(name, fullName);
    if (template !== undefined) return templateField(fullName, name, template, registry, type);
  }
  const format =
    typeof value === 'string' && type.dateDetection ? detectDateFormat(value, type.dateFormats) : undefined;
  const kind = format === undefined ? kindOf(value, type) : 'date';
  const template = type.templateFor(name, fullName, kind);
  if (template !== undefined) return templateField(fullName, name, template, registry, type);
  switch (kind) {
    case 'boolean':
      return new BooleanField(fullName, {});
    case 'long':
    case 'double':
      return new NumberField(fullName, kind, {}, registry.fieldDefaults);
    case 'date':
      return new DateField(fullName, { format }, registry.fieldDefaults);
    default:
      return new StringField(fullName, {}, registry, type.analysis);
  }
}

/** The field that a dynamic template makes. */
export function templateField(
  fullName: string,
  name: string,
  template: JsonObject,
  registry: AnalyzerRegistry,
  { analysis }: TypeMapping,
  depth = 1,
): LeafField | ObjectField {
  const type = textOf(template.type);
  if (type !== undefined && !isType(type))
    throw mapperParsing(`failed to find type parsed [${type}] for [${name}]`);
  return readField(fullName, name, template, registry, depth, analysis);
}

function kindOf(value: string | number | boolean | RawNumber, type: TypeMapping): DynamicType {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'long' : 'double';
  if (value instanceof RawNumber) return value.isWhole ? 'long' : 'double';
  if (type.numericDetection) {
    if (/^[+-]?\d{1,18}$/.test(value)) return 'long';
    if (/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value)) return 'double';
  }
  return 'string';
}
