/**
 * Shapes on the plane of longitudes and latitudes, in degrees, and how they lie to boxes. Longitudes may go beyond 180: what lies
 * across the date line stays in one piece, and is compared with boxes a whole turn away as well.
 */

/** A box. Its east is never west of its west. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** A point as longitude and latitude. */
export type Position = readonly [number, number];

/** How a box lies to a shape: apart from it, on its border (or around it), or wholly within it. */
export const Relation = { apart: 0, crosses: 1, within: 2 } as const;
export type Relation = (typeof Relation)[keyof typeof Relation];

/** Turns of the globe, in degrees, by which a box may be moved to meet a shape. */
const TURNS = [0, 360, -360];

/** A piece of a shape. */
interface Part {
  readonly bounds: Box;
  /** How many points it is given by: what a comparison with a box costs. */
  readonly size: number;
  relate(box: Box): Relation;
}

/** A shape of any number of parts. */
export class Shape {
  readonly bounds: Box;
  /** The point, if the shape is nothing else. */
  readonly point: Position | undefined;
  readonly size: number;
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.size = parts.reduce((sum, { size }) => sum + size, 0);
    const [only] = parts;
    this.point = parts.length === 1 && only instanceof PointPart ? only.position : undefined;
    this.bounds = around(parts.map(({ bounds }) => bounds));
  }

  /** How a box between -180 and 180 lies to the shape. */
  relate(box: Box): Relation {
    let found: Relation = Relation.apart;
    for (const part of this.#parts) {
      for (const turn of TURNS) {
        const moved = turn === 0 ? box : { ...box, west: box.west + turn, east: box.east + turn };
        if (!touch(part.bounds, moved)) continue;
        const relation = part.relate(moved);
        if (relation === Relation.within) return relation;
        if (relation === Relation.crosses) found = relation;
      }
    }
    return found;
  }
}

function touch(a: Box, b: Box): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}

/** The box around some boxes. */
function around(boxes: readonly Box[]): Box {
  const all = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const { west, south, east, north } of boxes) {
    all.west = Math.min(all.west, west);
    all.south = Math.min(all.south, south);
    all.east = Math.max(all.east, east);
    all.north = Math.max(all.north, north);
  }
  return all;
}

function boundsOf(points: readonly Position[]): Box {
  return around(points.map(([x, y]) => ({ west: x, east: x, south: y, north: y })));
}

export class PointPart implements Part {
  readonly size = 1;
  readonly bounds: Box;
  readonly position: Position;
  constructor(position: Position) {
    this.position = position;
    this.bounds = boundsOf([position]);
  }
  relate(): Relation {
    return Relation.crosses;
  }
}

export class BoxPart implements Part {
  readonly size = 1;
  readonly bounds: Box;
  constructor(bounds: Box) {
    this.bounds = bounds;
  }
  relate({ west, south, east, north }: Box): Relation {
    const { bounds } = this;
    return west >= bounds.west && east <= bounds.east && south >= bounds.south && north <= bounds.north
      ? Relation.within
      : Relation.crosses;
  }
}

export class LinePart implements Part {
  readonly bounds: Box;
  readonly size: number;
  readonly #points: readonly Position[];
  constructor(points: readonly Position[]) {
    this.#points = points;
    this.size = points.length;
    this.bounds = boundsOf(points);
  }
  relate(box: Box): Relation {
    return crossesLine(this.#points, box) ? Relation.crosses : Relation.apart;
  }
}

/** An area inside its first ring and outside the others. Rings are closed. */
export class PolygonPart implements Part {
  readonly bounds: Box;
  readonly size: number;
  readonly #rings: readonly (readonly Position[])[];
  constructor(rings: readonly (readonly Position[])[]) {
    this.#rings = rings;
    this.size = rings.reduce((sum, { length }) => sum + length, 0);
    this.bounds = boundsOf(rings[0]!);
  }
  relate(box: Box): Relation {
    if (this.#rings.some((ring) => crossesLine(ring, box))) return Relation.crosses;
    const inside = this.#rings.reduce((odd, ring) => odd !== encloses(ring, box.west, box.south), false);
    return inside ? Relation.within : Relation.apart;
  }
}

function crossesLine(points: readonly Position[], box: Box): boolean {
  for (let i = 1; i < points.length; i++) if (crosses(points[i - 1]!, points[i]!, box)) return true;
  return false;
}

/**
 * Whether a line segment has a point in a box: the part of it between west and east, and the part between south and north, have
 * something in common (Liang and Barsky's clipping). Nothing is allocated: this runs for every edge and cell.
 */
function crosses([ax, ay]: Position, [bx, by]: Position, { west, south, east, north }: Box): boolean {
  const dx = bx - ax;
  const dy = by - ay;
  let from = 0;
  let to = 1;
  if (dx === 0) {
    if (ax < west || ax > east) return false;
  } else {
    const a = (west - ax) / dx;
    const b = (east - ax) / dx;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  if (dy === 0) {
    if (ay < south || ay > north) return false;
  } else {
    const a = (south - ay) / dy;
    const b = (north - ay) / dy;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}

/** Whether a point lies in a ring: it does if a ray from it crosses the ring an odd number of times. */
function encloses(ring: readonly Position[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1]!;
    const [bx, by] = ring[i]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The points within a distance, an angle in degrees, of a centre on the sphere. */
export class CirclePart implements Part {
  readonly size = 1;
  readonly bounds: Box;
  readonly #lon: number;
  readonly #lat: number;
  /** The cosine of the distance; smaller cosines are farther. */
  readonly #least: number;

  constructor([lon, lat]: Position, angle: number) {
    this.#lon = lon;
    this.#lat = radians(lat);
    this.#least = Math.cos(radians(Math.min(angle, 180)));
    const [south, north] = [lat - angle, lat + angle];
    const pole = south <= -90 || north >= 90;
    const width = pole ? 180 : (Math.asin(Math.sin(radians(angle)) / Math.cos(this.#lat)) * 180) / Math.PI;
    this.bounds = {
      west: lon - width,
      east: lon + width,
      south: Math.max(south, -90),
      north: Math.min(north, 90),
    };
  }

  relate(box: Box): Relation {
    const meridians = [box.west, box.east];
    if (this.#lon > box.west && this.#lon < box.east) meridians.push(this.#lon);
    const south = radians(box.south);
    const north = radians(box.north);
    let nearest = -1;
    let farthest = 1;
    for (const meridian of meridians) {
      // Along a meridian the cosine of the distance is a sine wave of the latitude.
      const a = Math.sin(this.#lat);
      const b = Math.cos(this.#lat) * Math.cos(radians(meridian - this.#lon));
      const cosine = (at: number) => a * Math.sin(at) + b * Math.cos(at);
      const crest = Math.atan2(a, b);
      for (const at of [south, north, crest, crest - Math.PI, crest + Math.PI]) {
        if (at < south || at > north) continue;
        nearest = Math.max(nearest, cosine(at));
        farthest = Math.min(farthest, cosine(at));
      }
    }
    if (nearest < this.#least) return Relation.apart;
    return farthest >= this.#least ? Relation.within : Relation.crosses;
  }
}
