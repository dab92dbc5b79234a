/** What a field's values look like, counted over the first documents. */
import { isObject, type Json, LosslessNumber } from '../../../api/json';
import { DATE_FORMATS } from './dateFormats';

/** Of a field. */
export interface Values {
  /** From the outermost object to the field itself: names may have dots. */
  path: readonly string[];
  /** Documents that have it. */
  documents: number;
  /** Values, lists opened. */
  count: number;
  integers: number;
  fractions: number;
  /** Whole numbers that a long can't hold. */
  beyondLong: number;
  booleans: number;
  strings: number;
  objects: number;
  /** It was a list of objects somewhere. */
  hasObjectLists: boolean;
  min: number;
  max: number;
  /** Strings that each date format reads. */
  dates: number[];
  addresses: number;
  pointTexts: number;
  pointPairs: number;
  pointObjects: number;
  shapes: number;
  /** Characters of strings: the longest, and all together. */
  longest: number;
  characters: number;
  /** Strings that have blanks between words. */
  withBlanks: number;
  /** Different strings, up to {@link MOST_DISTINCT}. */
  distinct: Set<string>;
  example: string;
}

const MOST_DISTINCT = 1000;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const POINT = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;
const SHAPES: ReadonlySet<string> = new Set([
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'envelope',
  'circle',
  'geometrycollection',
]);
const EXAMPLE = 80;

/** Counts values of fields. */
export class FieldValues {
  readonly fields = new Map<string, Values>();
  documents = 0;

  add(document: Json): void {
    if (!isObject(document)) return;
    this.documents++;
    this.#object(document, [], new Set());
  }

  #object(object: Json, path: readonly string[], seen: Set<Values>): void {
    if (!isObject(object)) return;
    for (const [name, value] of Object.entries(object)) this.#value(value ?? null, [...path, name], seen);
  }

  #value(value: Json, path: readonly string[], seen: Set<Values>): void {
    const values = this.#of(path);
    if (value === null) return;
    if (!seen.has(values)) {
      seen.add(values);
      values.documents++;
    }
    if (Array.isArray(value)) {
      if (isPair(value)) {
        values.pointPairs++;
        values.count++;
      } else
        for (const each of value) {
          if (isObject(each)) values.hasObjectLists = true;
          this.#single(each, path, values, seen);
        }
    } else this.#single(value, path, values, seen);
  }

  #single(value: Json, path: readonly string[], values: Values, seen: Set<Values>): void {
    if (value === null) return;
    values.count++;
    if (values.example === '') values.example = exampleOf(value);
    if (Array.isArray(value)) this.#value(value, path, seen);
    else if (isObject(value)) {
      values.objects++;
      if (isPoint(value)) values.pointObjects++;
      else if (isShape(value)) values.shapes++;
      else this.#object(value, path, seen);
    } else if (typeof value === 'boolean') values.booleans++;
    else if (typeof value === 'string') addString(values, value);
    else addNumber(values, value);
  }

  #of(path: readonly string[]): Values {
    const key = JSON.stringify(path);
    let found = this.fields.get(key);
    if (found === undefined) {
      found = {
        path,
        documents: 0,
        count: 0,
        integers: 0,
        fractions: 0,
        beyondLong: 0,
        booleans: 0,
        strings: 0,
        objects: 0,
        hasObjectLists: false,
        min: Number.POSITIVE_INFINITY,
        max: Number.NEGATIVE_INFINITY,
        dates: DATE_FORMATS.map(() => 0),
        addresses: 0,
        pointTexts: 0,
        pointPairs: 0,
        pointObjects: 0,
        shapes: 0,
        longest: 0,
        characters: 0,
        withBlanks: 0,
        distinct: new Set(),
        example: '',
      };
      this.fields.set(key, found);
    }
    return found;
  }
}

function addString(values: Values, text: string): void {
  values.strings++;
  values.longest = Math.max(values.longest, text.length);
  values.characters += text.length;
  if (/\S\s+\S/.test(text)) values.withBlanks++;
  if (values.distinct.size < MOST_DISTINCT) values.distinct.add(text);
  if (ADDRESS.test(text)) values.addresses++;
  const point = POINT.exec(text);
  if (point !== null && isPlace(Number(point[1]), Number(point[2]))) values.pointTexts++;
  DATE_FORMATS.forEach(({ reads }, i) => {
    if (reads(text)) values.dates[i]!++;
  });
}

function addNumber(values: Values, value: number | LosslessNumber): void {
  const digits = value instanceof LosslessNumber ? value.value : String(value);
  const number = Number(digits);
  values.min = Math.min(values.min, number);
  values.max = Math.max(values.max, number);
  if (!/^-?\d+$/.test(digits)) values.fractions++;
  else if (BigInt(digits) < LONG_MIN || BigInt(digits) > LONG_MAX) values.beyondLong++;
  else values.integers++;
}

/** `[lon, lat]`: two numbers of which one has a fraction, in their ranges. */
function isPair(list: readonly Json[]): boolean {
  if (list.length !== 2 || list.some((each) => typeof each !== 'number')) return false;
  const [lon, lat] = list as [number, number];
  return isPlace(lat, lon) && !(Number.isInteger(lon) && Number.isInteger(lat));
}

function isPoint(object: Record<string, Json | undefined>): boolean {
  const { lat, lon, ...rest } = object;
  const [y, x] = [Number(String(lat)), Number(String(lon))];
  return lat !== undefined && lon !== undefined && Object.keys(rest).length === 0 && isPlace(y, x);
}

function isShape({ type, coordinates, geometries }: Record<string, Json | undefined>): boolean {
  return (
    typeof type === 'string' && SHAPES.has(type.toLowerCase()) && Array.isArray(coordinates ?? geometries)
  );
}

function isPlace(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function exampleOf(value: Json): string {
  const text =
    typeof value === 'string' ? value : value instanceof LosslessNumber ? value.value : JSON.stringify(value);
  return text.length > EXAMPLE ? `${text.slice(0, EXAMPLE)}…` : text;
}
