/** The sort values of hits, and the values of fields as they are indexed, as 1.7 prints them. */

import type { SortValue } from '../../core/sortValues.js';
import type { FielddataValue } from '../../mapping/fielddata.js';
import { doubleText } from '../../numbers/javaNumbers.js';
import type { SortKey } from '../../plan/sortKeys.js';
import { Float, type Json, Raw } from '../json.js';
import { putOwn } from '../../ownNames.js';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A double; infinities are texts. */
export function doubleJson(value: number): Json {
  return Number.isFinite(value) ? new Raw(encoder.encode(doubleText(value))) : String(value);
}

function valueJson(value: SortValue, key: SortKey | undefined): Json {
  if (value === null) return null;
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return decoder.decode(value);
  const single = key?.kind === 'score' || (key?.kind === 'column' && key.single);
  return single ? new Float(value) : doubleJson(value);
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
  if (typeof value === 'number') return doubleJson(value);
  return typeof value === 'string' ? value : { lat: doubleJson(value.lat), lon: doubleJson(value.lon) };
}
