/** Draws the map: the world, cells, shapes, rings, points, the area that filters. */
import { type GeoPath, geoGraticule10, geoMercator, geoPath } from 'd3-geo';
import type { Geometry } from 'geojson';
import { type Area, areaGeometry } from './area';
import type { LonLat } from './geoValues';
import type { Cell, FoundShape, GeoHit } from './mapData';
import { circleGeometry } from './shapes';
import { boundsOf, project, type Viewport, worldSize } from './viewport';
import type { World } from './world';

/** Distance rings with their counts. */
export interface Ring {
  metres: number;
  label: string;
}

export interface Scene {
  view: Viewport;
  world: World | undefined;
  hits: readonly GeoHit[];
  cells: readonly Cell[];
  shapes: readonly FoundShape[];
  origin: LonLat | undefined;
  rings: readonly Ring[];
  area: Area | undefined;
  /** Corners of a polygon that is being drawn. */
  corners: readonly LonLat[];
  /** Of the hit that is looked at. */
  selected: string | undefined;
}

/** Colours of the page, by the names of its custom properties. */
type Color = (name: string) => string;

const POINT = 3.6;
/** A cell's count is written where the cell is as wide as that. */
const COUNT_WIDTH = 30;
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export function paint(canvas: HTMLCanvasElement, scene: Scene): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { view, world } = scene;
  const ratio = globalThis.devicePixelRatio || 1;
  const style = getComputedStyle(canvas);
  const color: Color = (name) => style.getPropertyValue(name).trim();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = color('--map-sea');
  context.fillRect(0, 0, view.width, view.height);
  context.font = `11px ${style.fontFamily}`;
  const path = geoPath(projectionOf(view), context);
  if (world !== undefined) paintWorld(context, path, world, color);
  const places = cellPlaces(scene);
  paintCells(context, places, color);
  if (world !== undefined) paintCoasts(context, path, world, color);
  paintCounts(context, places, color);
  paintShapes(context, path, scene, color);
  paintRings(context, path, scene, color);
  paintPoints(context, scene, color);
  paintRingLabels(context, scene, color);
  paintArea(context, path, scene, color);
}

function projectionOf({ lon, lat, zoom, width, height }: Viewport) {
  return geoMercator()
    .scale(worldSize(zoom) / (2 * Math.PI))
    .rotate([-lon, 0])
    .center([0, lat])
    .translate([width / 2, height / 2])
    .clipExtent([
      [-20, -20],
      [width + 20, height + 20],
    ])
    .precision(0.4);
}

function paintWorld(context: CanvasRenderingContext2D, path: GeoPath, { land }: World, color: Color): void {
  context.beginPath();
  path(geoGraticule10());
  stroke(context, color('--map-grid'), 0.5);
  context.beginPath();
  path(land);
  context.fillStyle = color('--map-land');
  context.fill();
}

/** Above cells, which lie on the land. */
function paintCoasts(
  context: CanvasRenderingContext2D,
  path: GeoPath,
  { land, borders }: World,
  color: Color,
): void {
  context.beginPath();
  path(land);
  stroke(context, color('--map-coast'), 0.7);
  context.beginPath();
  path(borders);
  stroke(context, color('--map-border'), 0.6);
}

/** A cell on the screen; undefined where it is beyond the edge. */
interface CellPlace {
  x: number;
  top: number;
  width: number;
  height: number;
  /** From 0 to 1, by the logarithm of its count. */
  share: number;
  count: number;
}

function cellPlaces({ view, cells }: Scene): readonly CellPlace[] {
  const most = Math.log1p(cells.reduce((most, { count }) => Math.max(most, count), 0));
  return cells.flatMap(({ count, box: [west, south, east, north] }) => {
    const [x, top] = project(view, (west + east) / 2, north);
    const [, bottom] = project(view, west, south);
    const width = ((east - west) / 360) * worldSize(view.zoom);
    if (x + width < 0 || x - width > view.width || bottom < 0 || top > view.height) return [];
    return [{ x, top, width, height: bottom - top, share: most === 0 ? 1 : Math.log1p(count) / most, count }];
  });
}

function paintCells(context: CanvasRenderingContext2D, places: readonly CellPlace[], color: Color): void {
  context.fillStyle = color('--map-cell');
  for (const { x, top, width, height, share } of places) {
    context.globalAlpha = 0.18 + 0.67 * share;
    context.fillRect(x - width / 2 + 0.5, top + 0.5, width - 1, height - 1);
  }
  context.globalAlpha = 1;
}

function paintCounts(context: CanvasRenderingContext2D, places: readonly CellPlace[], color: Color): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { x, top, width, height, share, count } of places) {
    if (width < COUNT_WIDTH || height < 14) continue;
    context.fillStyle = share > 0.82 ? color('--map-on-cell') : color('--text');
    context.fillText(compact.format(count), x, top + height / 2);
  }
}

function paintShapes(
  context: CanvasRenderingContext2D,
  path: GeoPath,
  { shapes, selected }: Scene,
  color: Color,
): void {
  for (const { geometry, key } of shapes) {
    context.beginPath();
    path.pointRadius(POINT)(geometry);
    if (geometry.type !== 'LineString' && geometry.type !== 'MultiLineString') {
      context.globalAlpha = key === selected ? 0.45 : 0.22;
      context.fillStyle = color('--map-shape');
      context.fill();
      context.globalAlpha = 1;
    }
    stroke(context, color('--map-shape'), key === selected ? 3 : 1.4);
  }
}

function paintRings(
  context: CanvasRenderingContext2D,
  path: GeoPath,
  { origin, rings }: Scene,
  color: Color,
): void {
  if (origin === undefined) return;
  const [lon, lat] = origin;
  context.setLineDash([5, 4]);
  for (const { metres } of rings)
    line(context, path, circleGeometry(lon, lat, metres), color('--map-ring'), 1.5);
  context.setLineDash([]);
}

/** Above points, so that they can be read. */
function paintRingLabels(
  context: CanvasRenderingContext2D,
  { view, origin, rings }: Scene,
  color: Color,
): void {
  if (origin === undefined) return;
  const [lon, lat] = origin;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { metres, label } of rings) {
    const [x, y] = project(view, lon, Math.min(85, lat + metres / 111_195));
    tag(context, label, x, y, color);
  }
  const [x, y] = project(view, lon, lat);
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fillStyle = color('--map-ring');
  context.fill();
  stroke(context, color('--surface'), 1.5);
}

function paintPoints(context: CanvasRenderingContext2D, { view, hits, selected }: Scene, color: Color): void {
  const { west, south, east, north } = boundsOf(view);
  const radius = hits.length > 1500 ? POINT - 1.2 : POINT;
  context.lineWidth = 0.8;
  context.strokeStyle = color('--surface');
  context.fillStyle = color('--map-point');
  const chosen: [number, number][] = [];
  for (const { key, points } of hits) {
    for (const [lon, lat] of points) {
      const isIn =
        lat >= south &&
        lat <= north &&
        (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east);
      if (!isIn) continue;
      const [x, y] = project(view, lon, lat);
      if (key === selected) chosen.push([x, y]);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
  for (const [x, y] of chosen) {
    context.beginPath();
    context.arc(x, y, POINT + 4, 0, 2 * Math.PI);
    stroke(context, color('--text'), 2.5);
  }
}

function paintArea(
  context: CanvasRenderingContext2D,
  path: GeoPath,
  { view, area, corners }: Scene,
  color: Color,
): void {
  const geometry = area === undefined ? undefined : areaGeometry(area);
  if (geometry !== undefined) {
    context.beginPath();
    path(geometry);
    context.globalAlpha = 0.12;
    context.fillStyle = color('--accent');
    context.fill();
    context.globalAlpha = 1;
    stroke(context, color('--accent'), 2);
  }
  if (corners.length === 0) return;
  context.beginPath();
  corners.forEach(([lon, lat], i) => {
    const [x, y] = project(view, lon, lat);
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  stroke(context, color('--accent'), 2);
  context.fillStyle = color('--accent');
  for (const [lon, lat] of corners) {
    const [x, y] = project(view, lon, lat);
    context.fillRect(x - 3, y - 3, 6, 6);
  }
}

function line(
  context: CanvasRenderingContext2D,
  path: GeoPath,
  geometry: Geometry,
  color: string,
  width: number,
): void {
  context.beginPath();
  path(geometry);
  stroke(context, color, width);
}

function stroke(context: CanvasRenderingContext2D, color: string, width: number): void {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

function tag(context: CanvasRenderingContext2D, text: string, x: number, y: number, color: Color): void {
  const width = context.measureText(text).width + 10;
  context.fillStyle = color('--surface');
  context.fillRect(x - width / 2, y - 9, width, 18);
  context.fillStyle = color('--text');
  context.fillText(text, x, y);
}
