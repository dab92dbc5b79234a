/** An area that was drawn or typed, the filter that it stands for, and its text in the address. */
import type { Geometry } from 'geojson';
import { isObject, type Json, type JsonObject, parseJson } from '../../api/json';
import { distanceText } from './distances';
import type { LonLat } from './geoValues';
import { boxGeometry, circleGeometry, geometryOf } from './shapes';
import { normalLon } from './viewport';

export type Area =
  /** The date line is between its sides where the left one is greater. */
  | { kind: 'box'; left: number; top: number; right: number; bottom: number }
  | { kind: 'circle'; lon: number; lat: number; metres: number }
  | { kind: 'polygon'; points: readonly LonLat[] };

/** A field that areas filter. */
export interface GeoField {
  path: string;
  type: string;
}

/** The filter of 1.7. Throws where it knows none for the area. */
export function filterOf(area: Area, { path, type }: GeoField): JsonObject {
  return type === 'geo_shape' ? shapeFilter(area, path) : pointFilter(area, path);
}

/** Documents of a view: those of a box. */
export function boxFilter(box: Extract<Area, { kind: 'box' }>, field: GeoField): JsonObject {
  return filterOf(box, field);
}

function pointFilter(area: Area, path: string): JsonObject {
  switch (area.kind) {
    case 'box':
      return {
        geo_bounding_box: {
          [path]: {
            top_left: { lat: rounded(area.top), lon: rounded(area.left) },
            bottom_right: { lat: rounded(area.bottom), lon: rounded(area.right) },
          },
        },
      };
    case 'circle':
      return {
        geo_distance: {
          distance: distanceText(area.metres),
          [path]: { lat: rounded(area.lat), lon: rounded(area.lon) },
        },
      };
    case 'polygon':
      needsOneSide(area.points);
      return {
        geo_polygon: {
          [path]: { points: area.points.map(([lon, lat]) => ({ lat: rounded(lat), lon: rounded(lon) })) },
        },
      };
  }
}

function shapeFilter(area: Area, path: string): JsonObject {
  const filter = (shape: JsonObject): JsonObject => ({ geo_shape: { [path]: { shape } } });
  if (area.kind === 'circle')
    return filter({
      type: 'circle',
      coordinates: [rounded(area.lon), rounded(area.lat)],
      radius: distanceText(area.metres),
    });
  if (area.kind === 'polygon') {
    needsOneSide(area.points);
    const ring = [...area.points, area.points[0]!].map(([lon, lat]) => [rounded(lon), rounded(lat)]);
    return filter({ type: 'polygon', coordinates: [ring] });
  }
  const { left, top, right, bottom } = area;
  const envelope = (west: number, east: number) =>
    filter({
      type: 'envelope',
      coordinates: [
        [rounded(west), rounded(top)],
        [rounded(east), rounded(bottom)],
      ],
    });
  if (left <= right) return envelope(left, right);
  return { bool: { should: [envelope(left, 180), envelope(-180, right)] } };
}

/** Polygons of 1.7 are drawn on a flat map that ends at the date line. */
function needsOneSide(points: readonly LonLat[]): void {
  if (points.length < 3) throw new Error('A polygon needs three points.');
  const isCrossed = points.some(([lon], i) => Math.abs(lon - points[(i + 1) % points.length]![0]) > 180);
  if (isCrossed) throw new Error('A polygon can’t cross the date line: take a box, which can.');
}

/** To draw it. */
export function areaGeometry(area: Area): Geometry | undefined {
  switch (area.kind) {
    case 'box':
      return boxGeometry(area.left, area.top, area.right, area.bottom);
    case 'circle':
      return circleGeometry(area.lon, area.lat, area.metres);
    case 'polygon':
      return geometryOf({
        type: 'polygon',
        coordinates: [[...area.points, area.points[0]!].map(([lon, lat]) => [lon, lat])],
      });
  }
}

/** A box between two places that were dragged: longitudes may be beyond 180. */
export function boxBetween([x1, y1]: LonLat, [x2, y2]: LonLat): Area {
  const [west, east] = [Math.min(x1, x2), Math.max(x1, x2)];
  const isAll = east - west >= 360;
  return {
    kind: 'box',
    left: isAll ? -180 : normalLon(west),
    right: isAll ? 180 : normalLon(east),
    top: Math.max(y1, y2),
    bottom: Math.min(y1, y2),
  };
}

/** From the address; undefined where it is none. */
export function readArea(text: string | null): Area | undefined {
  try {
    const read = text === null ? undefined : parseJson(text);
    if (!isObject(read)) return undefined;
    const { kind } = read;
    const numbers = (...names: string[]) => names.every((name) => typeof read[name] === 'number');
    if (kind === 'box' && numbers('left', 'top', 'right', 'bottom')) return read as never;
    if (kind === 'circle' && numbers('lon', 'lat', 'metres')) return read as never;
    const isPolygon = kind === 'polygon' && Array.isArray(read.points) && read.points.every(isPair);
    return isPolygon ? (read as never) : undefined;
  } catch {
    return undefined;
  }
}

function isPair(value: Json): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number');
}

/** Some ten centimetres: more digits say nothing. */
export function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
