/** What a map asks for: how many documents a view has and in which cells, and where there are few enough, the documents themselves. */
import type { Geometry } from 'geojson';
import type { Client } from '../../api/client';
import { isObject, type Json, type JsonObject } from '../../api/json';
import { filteredQuery } from '../../components/queryText';
import { geohashBox } from '../aggregations/bucketFilter';
import { numberOf } from '../aggregations/buckets';
import { type Area, filterOf, type GeoField } from './area';
import { type LonLat, pointsOf, valuesAt } from './geoValues';
import { geometryOf } from './shapes';
import { type Bounds, isWholeWorld, precisionFor } from './viewport';

/** A document with its points. */
export interface GeoHit {
  key: string;
  index: string;
  type: string;
  id: string;
  points: readonly LonLat[];
}

/** A document with one of its shapes. */
export interface FoundShape {
  key: string;
  index: string;
  type: string;
  id: string;
  geometry: Geometry;
}

/** A cell of a grid of geohashes. */
export interface Cell {
  hash: string;
  count: number;
  box: readonly [west: number, south: number, east: number, north: number];
}

export interface Found {
  /** Documents of the view. */
  total: number;
  hits: readonly GeoHit[];
  shapes: readonly FoundShape[];
  cells: readonly Cell[];
  /** What shapes couldn't be drawn. */
  unreadable: number;
  timedOut: boolean;
}

export interface Asked {
  index: string;
  query: Json | undefined;
  field: GeoField;
  bounds: Bounds;
  zoom: number;
  /** Narrows the documents. */
  area: Area | undefined;
}

/** Documents that are drawn one by one. */
export const MOST_POINTS = 3000;
export const MOST_SHAPES = 500;
const MOST_CELLS = 4000;

/** The body's query: those of the view. */
export function queryOfView({ query, field, bounds, area }: Omit<Asked, 'index' | 'zoom'>): Json {
  const filters: Json[] = [];
  if (!isWholeWorld(bounds)) {
    const { west, south, east, north } = bounds;
    filters.push(filterOf({ kind: 'box', left: west, top: north, right: east, bottom: south }, field));
  } else filters.push({ exists: { field: field.path } });
  if (area !== undefined) filters.push(filterOf(area, field));
  return filteredQuery(query, filters);
}

export async function find(client: Client, asked: Asked, signal: AbortSignal): Promise<Found> {
  return asked.field.type === 'geo_shape'
    ? findShapes(client, asked, signal)
    : findPoints(client, asked, signal);
}

async function findPoints(client: Client, asked: Asked, signal: AbortSignal): Promise<Found> {
  const { index, field, zoom } = asked;
  const query = queryOfView(asked);
  const grid = { geohash_grid: { field: field.path, precision: precisionFor(zoom), size: MOST_CELLS } };
  const counted = await client.search<JsonObject>(
    index,
    { size: 0, query, aggs: { cells: grid } },
    { signal },
  );
  const total = totalOf(counted);
  const found = { total, shapes: [], unreadable: 0, timedOut: counted.timed_out === true };
  if (total > MOST_POINTS) return { ...found, hits: [], cells: cellsOf(counted) };
  const body = { size: MOST_POINTS, query, _source: { include: [field.path, `${field.path}.*`] } };
  const answer = total === 0 ? {} : await client.search<JsonObject>(index, body, { signal, quiet: true });
  const hits = hitsOf(answer).map(({ source, ...hit }) => ({
    ...hit,
    points: valuesAt(source, field.path).flatMap((value) => pointsOf(value)),
  }));
  return { ...found, hits, cells: [] };
}

async function findShapes(client: Client, asked: Asked, signal: AbortSignal): Promise<Found> {
  const { index, field } = asked;
  const body = {
    size: MOST_SHAPES,
    query: queryOfView(asked),
    _source: { include: [field.path, `${field.path}.*`] },
  };
  const answer = await client.search<JsonObject>(index, body, { signal });
  const shapes: FoundShape[] = [];
  let unreadable = 0;
  for (const { source, ...hit } of hitsOf(answer))
    for (const value of valuesAt(source, field.path)) {
      const geometry = geometryOf(value);
      if (geometry === undefined) unreadable++;
      else shapes.push({ ...hit, geometry });
    }
  return {
    total: totalOf(answer),
    hits: [],
    shapes,
    cells: [],
    unreadable,
    timedOut: answer.timed_out === true,
  };
}

/** How many documents are between two distances from a place. */
export interface RingCount {
  from: number;
  to: number;
  count: number;
}

/** @param metres ascending */
export async function countRings(
  client: Client,
  { index, query, field, area }: Omit<Asked, 'bounds' | 'zoom'>,
  [lon, lat]: LonLat,
  metres: readonly number[],
  signal: AbortSignal,
): Promise<readonly RingCount[]> {
  const ranges = metres.map((to, i) => (i === 0 ? { to } : { from: metres[i - 1]!, to }));
  const body = {
    size: 0,
    query: filteredQuery(query, area === undefined ? [] : [filterOf(area, field)]),
    aggs: { rings: { geo_distance: { field: field.path, origin: { lat, lon }, unit: 'm', ranges } } },
  };
  const answer = await client.search<JsonObject>(index, body, { signal });
  const buckets = bucketsOf(answer, 'rings');
  return metres.map((to, i) => ({
    from: metres[i - 1] ?? 0,
    to,
    count: numberOf(buckets[i]?.doc_count) ?? 0,
  }));
}

function cellsOf(answer: JsonObject): readonly Cell[] {
  return bucketsOf(answer, 'cells').flatMap(({ key, doc_count: count }) =>
    typeof key === 'string' ? [{ hash: key, count: numberOf(count) ?? 0, box: geohashBox(key) }] : [],
  );
}

function bucketsOf(answer: JsonObject, name: string): readonly JsonObject[] {
  const all = isObject(answer.aggregations) ? answer.aggregations[name] : undefined;
  return isObject(all) && Array.isArray(all.buckets) ? all.buckets.filter(isObject) : [];
}

function hitsOf(answer: JsonObject) {
  const list = isObject(answer.hits) && Array.isArray(answer.hits.hits) ? answer.hits.hits : [];
  return list.filter(isObject).map((hit) => {
    const [index, type, id] = [String(hit._index), String(hit._type), String(hit._id)];
    return { key: JSON.stringify([index, type, id]), index, type, id, source: hit._source };
  });
}

function totalOf(answer: JsonObject): number {
  return isObject(answer.hits) ? (numberOf(answer.hits.total) ?? 0) : 0;
}
