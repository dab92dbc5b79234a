/** The part of the world that a map shows, in the Mercator projection: north is up, and east of the date line comes after west of it. */

export interface Viewport {
  /** The middle, in degrees. */
  lon: number;
  lat: number;
  /** The world is 256 · 2^zoom pixels wide. */
  zoom: number;
  /** Pixels. */
  width: number;
  height: number;
}

/** Degrees. East is less than west where the date line is between them. */
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

export const MOST_ZOOM = 18;
const TILE = 256;
/** Where the world of Mercator is a square. */
export const LAT_LIMIT = 85.05;
const RADIANS = Math.PI / 180;

/** Pixels of the world from west to east. */
export function worldSize(zoom: number): number {
  return TILE * 2 ** zoom;
}

/** The whole world, as large as it fills the map. */
export function wholeWorld(width: number, height: number): Viewport {
  return { lon: 10, lat: 25, zoom: leastZoom(width, height), width, height };
}

/** The smallest zoom: the world fills the map. */
export function leastZoom(width: number, height: number): number {
  return Math.log2(Math.max(width, height, 1) / TILE);
}

/** Kept within the world. */
export function clamped({ lon, lat, zoom, width, height }: Viewport): Viewport {
  const inRange = Math.min(MOST_ZOOM, Math.max(leastZoom(width, height), zoom));
  const edge = worldSize(inRange) / 2 - height / 2;
  const y = Math.max(-edge, Math.min(edge, mercatorY(lat) * worldSize(inRange)));
  return { lon: normalLon(lon), lat: latOfY(y / worldSize(inRange)), zoom: inRange, width, height };
}

/** Pixels of a place. The copy of it that is nearest to the middle. */
export function project(view: Viewport, lon: number, lat: number): [x: number, y: number] {
  const size = worldSize(view.zoom);
  return [
    view.width / 2 + (normalLon(lon - view.lon) / 360) * size,
    view.height / 2 - (mercatorY(lat) - mercatorY(view.lat)) * size,
  ];
}

/** The place at a pixel; its longitude may be beyond 180, so that what is dragged over the date line stays in one piece. */
export function unproject(view: Viewport, x: number, y: number): [lon: number, lat: number] {
  const size = worldSize(view.zoom);
  return [
    view.lon + ((x - view.width / 2) / size) * 360,
    latOfY(mercatorY(view.lat) - (y - view.height / 2) / size),
  ];
}

export function panned(view: Viewport, dx: number, dy: number): Viewport {
  const [lon, lat] = unproject(view, view.width / 2 - dx, view.height / 2 - dy);
  return clamped({ ...view, lon, lat });
}

/** Zoomed, with the place at a pixel where it was. */
export function zoomedAt(view: Viewport, x: number, y: number, change: number): Viewport {
  const [lon, lat] = unproject(view, x, y);
  const zoom = clamped({ ...view, zoom: view.zoom + change }).zoom;
  const there = { ...view, lon, lat, zoom };
  return panned(there, x - view.width / 2, y - view.height / 2);
}

export function boundsOf(view: Viewport): Bounds {
  const [west, north] = unproject(view, 0, 0);
  const [east, south] = unproject(view, view.width, view.height);
  if (east - west >= 359.9) return { west: -180, east: 180, north, south };
  return { west: normalLon(west), east: normalLon(east), north, south };
}

/** A view of bounds, with a margin. */
export function viewOf({ west, south, east, north }: Bounds, width: number, height: number): Viewport {
  const span = Math.max(0.002, east >= west ? east - west : east - west + 360);
  const tall = Math.max(1e-6, mercatorY(north) - mercatorY(south));
  const zoom = Math.min(
    14,
    Math.log2((width * 0.8 * 360) / span / TILE),
    Math.log2((height * 0.8) / tall / TILE),
  );
  const lat = latOfY((mercatorY(north) + mercatorY(south)) / 2);
  return clamped({ lon: west + span / 2, lat, zoom, width, height });
}

export function isWholeWorld({ west, east, south, north }: Bounds): boolean {
  return west === -180 && east === 180 && south < -80 && north > 80;
}

/** From -180 to 180. */
export function normalLon(lon: number): number {
  if (lon >= -180 && lon <= 180) return lon;
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** Letters of geohashes whose cells are some 20 pixels wide or more. */
export function precisionFor(zoom: number): number {
  for (let precision = 1; precision < 12; precision++) {
    const bits = Math.ceil((5 * (precision + 1)) / 2);
    if (worldSize(zoom) / 2 ** bits < 20) return precision;
  }
  return 12;
}

/** From -0.5, at the limit in the south, to 0.5. */
function mercatorY(lat: number): number {
  const inRange = Math.max(-LAT_LIMIT, Math.min(LAT_LIMIT, lat)) * RADIANS;
  return Math.log(Math.tan(Math.PI / 4 + inRange / 2)) / (2 * Math.PI);
}

function latOfY(y: number): number {
  return (2 * Math.atan(Math.exp(y * 2 * Math.PI)) - Math.PI / 2) / RADIANS;
}
