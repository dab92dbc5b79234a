/** A mapping for the documents of a file, proposed from the first of them. */
import type { Json, JsonObject } from '../../../api/json';
import { DATE_FORMATS } from './dateFormats';
import { FieldValues, type Values } from './values';

/** How a field can be indexed, as one chooses it. */
export const FIELD_KINDS = {
  text: 'Text, in words',
  whole: 'String, whole',
  both: 'Text, and whole as .raw',
  integer: 'Integer',
  long: 'Long',
  double: 'Double',
  boolean: 'Boolean',
  date: 'Date',
  ip: 'IP address',
  geo_point: 'Geo point',
  geo_shape: 'Geo shape',
  object: 'Object',
  nested: 'Nested objects',
  none: 'Stored only, not indexed',
  dynamic: 'As the server finds it',
} as const;
export type FieldKind = keyof typeof FIELD_KINDS;

/** A field with what is proposed for it. */
export interface ProposedField {
  path: readonly string[];
  kind: FieldKind;
  /** Of dates. */
  format: string;
  /** Why, or what to look out for. */
  reason: string;
  isDoubtful: boolean;
  /** Documents that have it. */
  documents: number;
  example: string;
}

/** Two columns that make a point. */
export interface PointColumns {
  lat: string;
  lon: string;
  /** The field that is added. */
  field: string;
}

export interface Proposal {
  fields: readonly ProposedField[];
  /** Documents that were looked at. */
  documents: number;
  point: PointColumns | undefined;
}

/** A string repeats itself where there are this many values for each different one. */
const REPEATS = 2;
/** Longer strings are texts. */
const LONGEST_WHOLE = 64;
const EPOCH_MS_FROM = Date.UTC(1990, 0);
const EPOCH_MS_TO = Date.UTC(2100, 0);
const LATITUDES = ['lat', 'latitude', 'geo_lat', 'y_lat'];
const LONGITUDES = ['lon', 'lng', 'long', 'longitude', 'geo_lon', 'geo_lng', 'x_lon'];

export function proposeMapping(documents: readonly Json[]): Proposal {
  const counted = new FieldValues();
  for (const document of documents) counted.add(document);
  const values = [...counted.fields.values()];
  return {
    fields: values.map(proposeField),
    documents: counted.documents,
    point: pointColumns(values),
  };
}

function proposeField(values: Values): ProposedField {
  const { path, documents, example } = values;
  const [kind, reason, isDoubtful = false, format = ''] = kindFor(values);
  return { path, kind, format, reason, isDoubtful, documents, example };
}

type Decision = [kind: FieldKind, reason: string, isDoubtful?: boolean, format?: string];

function kindFor(values: Values): Decision {
  const { count, booleans, strings, objects, pointPairs, pointObjects, shapes } = values;
  const numbers = values.integers + values.fractions + values.beyondLong;
  if (count === 0) return ['dynamic', 'no values among these'];
  if (pointObjects === count) return ['geo_point', 'lat and lon'];
  if (shapes === count) return ['geo_shape', 'GeoJSON'];
  if (pointPairs === count && isPlaceName(values)) return ['geo_point', '[lon, lat]'];
  if (pointPairs > 0) return ['double', 'pairs of numbers'];
  if (objects === count)
    return values.hasObjectLists
      ? ['object', 'lists of objects: nested keeps the fields of each together']
      : ['object', 'has fields of its own'];
  if (objects > 0) return ['none', 'objects and other values: one mapping can’t take both', true];
  if (booleans === count) return ['boolean', 'true or false'];
  if (numbers === count) return numberKind(values);
  if (strings === count) return stringKind(values);
  return ['whole', `of several types: ${typesOf(values).join(', ')}`, true];
}

function numberKind(values: Values): Decision {
  if (values.beyondLong > 0)
    return ['whole', 'whole numbers beyond 2^63, which no number of a mapping can hold', true];
  if (values.fractions > 0) return ['double', 'numbers with fractions'];
  const isTime = /(^|[_.])(date|time|timestamp|at|on)$|(At|On|Time|Date)$/.test(values.path.at(-1)!);
  if (isTime && values.min >= EPOCH_MS_FROM && values.max <= EPOCH_MS_TO)
    return ['date', 'milliseconds since 1970', false, 'dateOptionalTime'];
  if (values.min >= -(2 ** 31) && values.max < 2 ** 31) return ['integer', 'whole numbers'];
  return ['long', values.max >= 2 ** 53 ? 'whole numbers beyond 2^53: all digits are kept' : 'whole numbers'];
}

function stringKind(values: Values): Decision {
  const { strings, distinct } = values;
  if (values.pointTexts === strings) return ['geo_point', '"lat,lon"'];
  const dates = values.dates.flatMap((read, i) => (read === strings ? [DATE_FORMATS[i]!.format] : []));
  if (dates.length > 0) {
    const [format = '', other] = dates;
    return other === undefined
      ? ['date', format, false, format]
      : ['date', `it may be ${format} or ${other}: no day is above 12`, true, format];
  }
  if (values.addresses === strings) return ['ip', 'IPv4 addresses'];
  const isShort = values.longest <= LONGEST_WHOLE;
  if (values.withBlanks === 0 && isShort) return ['whole', 'one word each'];
  if (isShort && strings >= REPEATS * distinct.size && strings > 3)
    return ['whole', `${distinct.size} different of ${strings}`];
  if (isShort && values.characters / strings < LONGEST_WHOLE / 2)
    return ['both', 'short texts: words to search, whole to sort and count'];
  return ['text', 'texts'];
}

function typesOf(values: Values): readonly string[] {
  const types: string[] = [];
  if (values.integers + values.fractions + values.beyondLong > 0) types.push('numbers');
  if (values.booleans > 0) types.push('booleans');
  if (values.strings > 0) types.push('strings');
  return types;
}

function isPlaceName({ path }: Values): boolean {
  return /loc|geo|point|coord|position|place/i.test(path.at(-1)!);
}

function pointColumns(values: readonly Values[]): PointColumns | undefined {
  const column = (names: readonly string[], most: number) =>
    values.find(({ path, count, integers, fractions, min, max }) => {
      const isNumber = count > 0 && integers + fractions === count && min >= -most && max <= most;
      return path.length === 1 && isNumber && names.includes(path[0]!.toLowerCase());
    })?.path[0];
  const [lat, lon] = [column(LATITUDES, 90), column(LONGITUDES, 180)];
  if (lat === undefined || lon === undefined) return undefined;
  const taken = new Set(values.map(({ path }) => path[0]));
  const field = ['location', 'geo_location', 'point'].find((name) => !taken.has(name));
  return field === undefined ? undefined : { lat, lon, field };
}

/** The `properties` of a mapping for fields as they were chosen. */
export function propertiesOf(
  fields: readonly Pick<ProposedField, 'path' | 'kind' | 'format'>[],
  point: PointColumns | undefined,
): JsonObject {
  const properties: JsonObject = {};
  const closed = new Set<string>();
  for (const { path, kind, format } of fields) {
    const mapping = mappingFor(kind, format);
    // What isn't indexed as an object has no fields within.
    if (kind !== 'object' && kind !== 'nested' && kind !== 'dynamic') closed.add(JSON.stringify(path));
    if (
      mapping === undefined ||
      path.slice(0, -1).some((_, i) => closed.has(JSON.stringify(path.slice(0, i + 1))))
    )
      continue;
    let at = properties;
    for (const name of path.slice(0, -1)) at = fieldsWithin(at, name);
    const name = path.at(-1)!;
    at[name] = { ...(at[name] as JsonObject | undefined), ...mapping };
  }
  if (point !== undefined) properties[point.field] = { type: 'geo_point' };
  return properties;
}

/** The fields of an object, which is there from now on. */
function fieldsWithin(properties: JsonObject, name: string): JsonObject {
  const object = (properties[name] ?? {}) as JsonObject;
  properties[name] = object;
  object.properties ??= {};
  return object.properties as JsonObject;
}

function mappingFor(kind: FieldKind, format: string): JsonObject | undefined {
  const whole = { type: 'string', index: 'not_analyzed' };
  switch (kind) {
    case 'text':
      return { type: 'string' };
    case 'whole':
      return whole;
    case 'both':
      return { type: 'string', fields: { raw: whole } };
    case 'date':
      return format === '' || format === 'dateOptionalTime' ? { type: 'date' } : { type: 'date', format };
    case 'object':
      return { properties: {} };
    case 'nested':
      return { type: 'nested', properties: {} };
    case 'none':
      return { type: 'object', enabled: false };
    case 'dynamic':
      return undefined;
    default:
      return { type: kind };
  }
}
