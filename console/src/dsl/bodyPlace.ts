/** What may stand at a place of a request's body: found by walking down the names above it. */
import type { DslTables, Parameters, ValueKind } from './tables';

/** What an object at a place is. */
export type BodyPlace =
  /** Names of kinds: queries, filters. */
  | { is: 'query' | 'filter' }
  /** Parameters; with `fields`, names of fields too, and what stands below one. */
  | { is: 'parameters'; place: string; fields?: string | undefined }
  /** Names that a person chooses, and what is below each. */
  | { is: 'names'; below: BodyPlace }
  /** An aggregation: its type, and aggregations below it. */
  | { is: 'aggregation' }
  /** What hits are sorted by. */
  | { is: 'sort' }
  | { is: 'unknown' };

const UNKNOWN: BodyPlace = { is: 'unknown' };
const AGGREGATIONS: BodyPlace = { is: 'names', below: { is: 'aggregation' } };

/** Other names of kinds. */
const SECOND_NAMES: Readonly<Record<string, string>> = {
  mlt: 'more_like_this',
  mlt_field: 'more_like_this_field',
  flt: 'fuzzy_like_this',
  flt_field: 'fuzzy_like_this_field',
  geo_bbox: 'geo_bounding_box',
  in: 'terms',
  numeric_range: 'range',
  match_fuzzy: 'match',
  fuzzy_match: 'match',
};

/** Parameters whose objects are not told by the parsers' tables alone. */
const SPECIAL: Readonly<Record<string, BodyPlace>> = {
  aggs: AGGREGATIONS,
  aggregations: AGGREGATIONS,
  sort: { is: 'sort' },
  suggest: { is: 'names', below: { is: 'parameters', place: 'suggestion' } },
  highlight: { is: 'parameters', place: 'highlight' },
  rescore: { is: 'parameters', place: 'rescore' },
  inner_hits: { is: 'parameters', place: 'inner_hits' },
  _source: { is: 'parameters', place: 'source' },
};

/** Where a body begins, by the last part of the path that it is sent to. */
export function rootOf(path: string): BodyPlace {
  const end = /\/_(\w+)(?:\/[^/?]*)?(?:\?|$)/.exec(path)?.[1] ?? '';
  if (['search', 'count', 'explain', 'validate', 'percolate', 'query', 'warmer'].includes(end))
    return { is: 'parameters', place: 'search' };
  if (end === 'suggest') return SPECIAL.suggest!;
  return UNKNOWN;
}

/** The place of a path of names and numbers below another one. */
export function placeBelow(
  root: BodyPlace,
  path: readonly (string | number)[],
  tables: DslTables,
): BodyPlace {
  let place = root;
  for (const key of path) place = step(place, key, tables);
  return place;
}

function step(place: BodyPlace, key: string | number, tables: DslTables): BodyPlace {
  // Lists are of what could stand there alone.
  if (typeof key === 'number')
    return place.is === 'parameters' && /^filter\/(and|or)$/.test(place.place) ? { is: 'filter' } : place;
  switch (place.is) {
    case 'query':
      return kindPlace('query', SECOND_NAMES[key] ?? key, tables);
    case 'filter':
      return key === 'query' ? { is: 'query' } : kindPlace('filter', SECOND_NAMES[key] ?? key, tables);
    case 'names':
      return place.below;
    case 'aggregation':
      if (key === 'aggs' || key === 'aggregations') return AGGREGATIONS;
      return key === 'filter' ? { is: 'filter' } : parametersAt(`aggregation/${key}`, tables);
    case 'sort':
      return parametersAt(tables.places[`sort/${key}`] === undefined ? 'sort/*' : `sort/${key}`, tables);
    case 'parameters':
      return belowParameter(place, key, tables);
    default:
      return UNKNOWN;
  }
}

function kindPlace(what: 'query' | 'filter', kind: string, tables: DslTables): BodyPlace {
  const place = `${what}/${kind}`;
  const ofFields = tables.places[`${place}/*`] !== undefined ? `${place}/*` : undefined;
  if (ofFields !== undefined) return { is: 'parameters', place, fields: ofFields };
  const takesFields = /^(term|terms|prefix|geo_distance|geo_distance_range|geohash_cell)$/.test(kind);
  return { ...parametersAt(place, tables), ...(takesFields ? { fields: '' } : {}) } as BodyPlace;
}

function parametersAt(place: string, tables: DslTables): BodyPlace {
  return tables.places[place] === undefined ? UNKNOWN : { is: 'parameters', place };
}

function belowParameter(
  { place, fields }: { place: string; fields?: string | undefined },
  key: string,
  tables: DslTables,
): BodyPlace {
  const kind = tables.places[place]?.[key];
  if (kind === 'query' || kind === 'queries') return { is: 'query' };
  if (kind === 'filters' && place === 'aggregation/filters') return { is: 'names', below: { is: 'filter' } };
  if (kind === 'filter' || kind === 'filters') return { is: 'filter' };
  if (place === 'filter/not') return step({ is: 'filter' }, key, tables);
  const own = placeNamed(`${place}/${key}`, tables);
  if (own !== undefined) return own;
  if (place === 'query/function_score' || place === 'function') {
    const found =
      key === 'functions' ? parametersAt('function', tables) : placeNamed(`function/${key}`, tables);
    if (found !== undefined) return found;
  }
  if (place === 'suggestion') return parametersAt(`suggester/${key}`, tables);
  if (fields !== undefined && (kind === undefined || fields !== '')) return parametersAt(fields, tables);
  return Object.hasOwn(SPECIAL, key) ? SPECIAL[key]! : UNKNOWN;
}

/** A place of that name, with its parameters or with fields. */
function placeNamed(place: string, tables: DslTables): BodyPlace | undefined {
  if (tables.places[`${place}/*`] !== undefined) return { is: 'parameters', place, fields: `${place}/*` };
  return tables.places[place] === undefined ? undefined : { is: 'parameters', place };
}

/** The parameters of a place. */
export function parametersOf(place: BodyPlace, tables: DslTables): Parameters {
  return place.is === 'parameters' ? (tables.places[place.place] ?? {}) : {};
}

/** What a parameter's value is; undefined where nobody knows. */
export function kindOfValue(place: BodyPlace, name: string, tables: DslTables): ValueKind | undefined {
  return parametersOf(place, tables)[name];
}
