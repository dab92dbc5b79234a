/** Boxes and points on the plane of longitudes and latitudes, in degrees. */

/** A box. Its east is never west of its west. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** A point as longitude and latitude. */
export type Position = readonly [number, number];

/** Whether two boxes have a point in common. */
export function touch(a: Box, b: Box): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}

/** The box around some boxes. */
export function around(boxes: readonly Box[]): Box {
  const all = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const { west, south, east, north } of boxes) {
    all.west = Math.min(all.west, west);
    all.south = Math.min(all.south, south);
    all.east = Math.max(all.east, east);
    all.north = Math.max(all.north, north);
  }
  return all;
}

/** The box around some points. */
export function boundsOf(points: readonly Position[]): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x, y] of points) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return box;
}

/** A box, turned round the globe by so many degrees. */
export function moved(box: Box, turn: number): Box {
  return turn === 0 ? box : { ...box, west: box.west + turn, east: box.east + turn };
}
