/** Points in sources of documents, in every notation that a `geo_point` takes. */
import { isObject, type Json, LosslessNumber } from '../../api/json';
import { geohashBox } from '../aggregations/bucketFilter';

export type LonLat = readonly [lon: number, lat: number];

const TEXT = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/;
const GEOHASH = /^[0-9b-hjkmnp-z]{1,12}$/;

/** Points of a field: an object with `lat` and `lon`, `"lat,lon"`, a geohash, `[lon, lat]`, or a list of these. What is none is left out. */
export function pointsOf(value: Json | undefined): readonly LonLat[] {
  if (Array.isArray(value)) {
    const pair =
      value.length >= 2 && value.every((each) => numberOf(each) !== undefined && typeof each !== 'string');
    return pair ? place(numberOf(value[1]), numberOf(value[0])) : value.flatMap((each) => pointsOf(each));
  }
  if (typeof value === 'string') {
    const text = TEXT.exec(value);
    if (text !== null) return place(Number(text[1]), Number(text[2]));
    return GEOHASH.test(value) ? [middle(value)] : [];
  }
  if (!isObject(value)) return [];
  if (typeof value.geohash === 'string') return pointsOf(value.geohash);
  return place(numberOf(value.lat), numberOf(value.lon));
}

/** The values of a path in a source: lists on the way are gone through, and names may have dots. */
export function valuesAt(source: Json | undefined, path: string): readonly Json[] {
  return within(source, path.split('.'));
}

function within(value: Json | undefined, names: readonly string[]): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (names.length === 0) return [value];
  if (Array.isArray(value)) return value.flatMap((each) => within(each, names));
  if (!isObject(value)) return [];
  for (let length = names.length; length > 0; length--) {
    const inner = value[names.slice(0, length).join('.')];
    if (inner !== undefined) return within(inner, names.slice(length));
  }
  return [];
}

function place(lat: number | undefined, lon: number | undefined): readonly LonLat[] {
  return lat === undefined || lon === undefined ? [] : [[lon, lat]];
}

function middle(hash: string): LonLat {
  const [west, south, east, north] = geohashBox(hash);
  return [(west + east) / 2, (south + north) / 2];
}

/** Numbers may be written as texts. */
function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const text = value instanceof LosslessNumber ? value.value : value;
  const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
