/** Distances as requests have them: `12km`, `5 mi`, metres without a unit. */
import type { Json } from '../../api/json';

const UNITS: Readonly<Record<string, number>> = {
  mm: 0.001,
  cm: 0.01,
  m: 1,
  meters: 1,
  km: 1000,
  kilometers: 1000,
  mi: 1609.344,
  miles: 1609.344,
  yd: 0.9144,
  yards: 0.9144,
  ft: 0.3048,
  feet: 0.3048,
  in: 0.0254,
  inch: 0.0254,
  nm: 1852,
  nmi: 1852,
  nauticalmiles: 1852,
};
const EARTH_METRES = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Undefined for what is none. */
export function metresOf(text: Json | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const factor = unit === '' ? 1 : UNITS[unit.toLowerCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** `850m`, `12.3km`. */
export function distanceText(metres: number): string {
  return metres < 1000 ? `${Math.round(metres)}m` : `${Number((metres / 1000).toPrecision(4))}km`;
}

/** Metres between two places, over the sphere. */
export function distanceBetween(
  [lon1, lat1]: readonly [number, number],
  [lon2, lat2]: readonly [number, number],
): number {
  const [y1, y2] = [lat1 * RADIANS, lat2 * RADIANS];
  const half =
    Math.sin((y2 - y1) / 2) ** 2 + Math.cos(y1) * Math.cos(y2) * Math.sin(((lon2 - lon1) * RADIANS) / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(half)));
}
