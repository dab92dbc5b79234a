/** The fields that dynamic mapping makes of values it meets for the first time. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { detectDateFormat } from './dates.js';
import type { LeafField } from './field.js';
import { NumberField } from './numbers.js';
import type { TypeMapping } from './root.js';
import { BooleanField, DateField } from './scalars.js';
import { StringField } from './strings.js';
import { RawNumber } from './values.js';

/** A field for a scalar that is not null. */
export function newField(
  fullName: string,
  value: string | number | boolean | RawNumber,
  type: Pick<TypeMapping, 'dateDetection' | 'numericDetection'>,
  registry: AnalyzerRegistry,
): LeafField {
  if (typeof value === 'boolean') return new BooleanField(fullName, {});
  if (typeof value === 'number')
    return new NumberField(fullName, Number.isInteger(value) ? 'long' : 'double', {});
  if (value instanceof RawNumber) return new NumberField(fullName, value.isWhole ? 'long' : 'double', {});
  if (type.dateDetection) {
    const format = detectDateFormat(value);
    if (format !== undefined) return new DateField(fullName, { format });
  }
  if (type.numericDetection) {
    if (/^[+-]?\d{1,18}$/.test(value)) return new NumberField(fullName, 'long', {});
    if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value))
      return new NumberField(fullName, 'double', {});
  }
  return new StringField(fullName, {}, registry);
}
