/** The sort values of hits, and the values of fields as they are indexed, as 1.7 prints them. */

import type { SortValue } from '../../core/sortValues.js';
import type { FielddataValue } from '../../mapping/fielddata.js';
import { putOwn } from '../../ownNames.js';
import type { SortKey } from '../../plan/sortKeys.js';
import { Double, Float, type Json } from '../json.js';

const decoder = new TextDecoder();

function valueJson(value: SortValue, key: SortKey | undefined): Json {
  if (value === null) return null;
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return decoder.decode(value);
  const single = key?.kind === 'score' || (key?.kind === 'column' && key.single);
  return single ? new Float(value) : new Double(value);
}

/** The values of one hit. */
export function sortJson(values: readonly SortValue[], keys: readonly SortKey[]): Json {
  return values.map((value, i) => valueJson(value, keys[i]));
}

/** The values of fields as they are indexed. */
export function fielddataJson(
  fields: ReadonlyMap<string, readonly FielddataValue[]>,
): Record<string, Json[]> {
  const out: Record<string, Json[]> = {};
  for (const [name, values] of fields) putOwn(out, name, values.map(fielddataValue));
  return out;
}

function fielddataValue(value: FielddataValue): Json {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return new Double(value);
  return typeof value === 'string' ? value : { lat: new Double(value.lat), lon: new Double(value.lon) };
}
