/** What a person reads off a map: how much it shows, what lies under a pixel. */
import { formatCount } from '../../components/formats';
import type { LonLat } from './geoValues';
import { type Cell, type Found, MOST_POINTS, MOST_SHAPES } from './mapData';
import { project, type Viewport } from './viewport';

/** So near is a click on a point. */
const PICK_PIXELS = 12;

/** What the map shows, in words. */
export function statusOf(found: Found | undefined, isLoading: boolean): string {
  if (found === undefined) return isLoading ? 'Asking…' : '';
  const { total, cells, shapes, unreadable, timedOut } = found;
  const all = `${formatCount(total)} ${total === 1 ? 'document' : 'documents'} here`;
  const told = [
    cells.length > 0
      ? `${all}, in ${formatCount(cells.length)} cells; one by one from ${formatCount(MOST_POINTS)} down`
      : shapes.length > 0 && total > MOST_SHAPES
        ? `${all}, the first ${formatCount(MOST_SHAPES)} drawn`
        : all,
  ];
  if (unreadable > 0) told.push(`${formatCount(unreadable)} shapes can’t be drawn`);
  if (timedOut) told.push('the time was over before all were counted');
  return `${told.join('; ')}.`;
}

/** The document whose point is nearest to a pixel; undefined where none is near. */
export function nearestHit(
  found: Found | undefined,
  view: Viewport,
  x: number,
  y: number,
): string | undefined {
  let best: string | undefined;
  let least = PICK_PIXELS;
  for (const { key, points } of found?.hits ?? [])
    for (const [lon, lat] of points) {
      const [px, py] = project(view, lon, lat);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [best, least] = [key, distance];
    }
  return best;
}

/** The cell that a place is in. */
export function cellAt(found: Found | undefined, [lon, lat]: LonLat): Cell | undefined {
  return found?.cells.find(
    ({ box: [west, south, east, north] }) => lon >= west && lon < east && lat >= south && lat < north,
  );
}
