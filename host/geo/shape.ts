/**
 * Shapes on the plane of longitudes and latitudes, in degrees, and how they lie to boxes. Longitudes may go beyond 180: what lies
 * across the date line stays in one piece, and is compared with boxes a whole turn away as well.
 */
import { around, type Box, boundsOf, moved, type Position, touch } from './box.js';
import { Edges } from './edges.js';

/** How a box lies to a shape: apart from it, on its border (or around it), or wholly within it. */
export const Relation = { apart: 0, crosses: 1, within: 2 } as const;
export type Relation = (typeof Relation)[keyof typeof Relation];

/** Turns of the globe, in degrees, by which a box may be moved to meet a shape. */
const TURNS = [0, 360, -360];

/** A piece of a shape. */
interface Part {
  readonly bounds: Box;
  /** How many points or edges it is given by: what a comparison with a box costs. */
  readonly size: number;
  relate(box: Box): Relation;
  /** What boxes in that one have to be compared with. */
  near(box: Box): Part;
}

/** A part, and the turn by which boxes are moved to meet it. */
interface Placed {
  part: Part;
  turn: number;
}

/** A shape of any number of parts. */
export class Shape {
  readonly bounds: Box;
  /** The point, if the shape is nothing else. */
  readonly point: Position | undefined;
  readonly size: number;
  readonly #placed: readonly Placed[];

  private constructor(placed: readonly Placed[], bounds: Box, point: Position | undefined) {
    this.#placed = placed;
    this.size = placed.reduce((sum, { part }) => sum + part.size, 0);
    this.bounds = bounds;
    this.point = point;
  }

  static of(parts: readonly Part[]): Shape {
    const [only] = parts;
    const point = parts.length === 1 && only instanceof PointPart ? only.position : undefined;
    const placed = parts.flatMap((part) => TURNS.map((turn) => ({ part, turn })));
    return new Shape(placed, around(parts.map(({ bounds }) => bounds)), point);
  }

  /** How a box between -180 and 180 lies to the shape. */
  relate(box: Box): Relation {
    let found: Relation = Relation.apart;
    for (const { part, turn } of this.#placed) {
      const there = moved(box, turn);
      if (!touch(part.bounds, there)) continue;
      const relation = part.relate(there);
      if (relation === Relation.within) return relation;
      if (relation === Relation.crosses) found = relation;
    }
    return found;
  }

  /** What boxes in that one have to be compared with: they lie to it as to the whole shape. */
  near(box: Box): Shape {
    const placed: Placed[] = [];
    for (const { part, turn } of this.#placed) {
      const there = moved(box, turn);
      if (touch(part.bounds, there)) placed.push({ part: part.near(there), turn });
    }
    return new Shape(placed, this.bounds, this.point);
  }
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
  near(): Part {
    return this;
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
  near(): Part {
    return this;
  }
}

export class LinePart implements Part {
  readonly bounds: Box;
  readonly #edges: Edges;

  private constructor(bounds: Box, edges: Edges) {
    this.bounds = bounds;
    this.#edges = edges;
  }
  static of(points: readonly Position[]): LinePart {
    return new LinePart(boundsOf(points), Edges.along([points]));
  }
  get size(): number {
    return this.#edges.count;
  }
  relate(box: Box): Relation {
    return this.#edges.cross(box) ? Relation.crosses : Relation.apart;
  }
  near(box: Box): Part {
    return new LinePart(this.bounds, this.#edges.crossing(box));
  }
}

/** An area inside its first ring and outside the others. Rings are closed. */
export class PolygonPart implements Part {
  readonly bounds: Box;
  readonly #edges: Edges;

  private constructor(bounds: Box, edges: Edges) {
    this.bounds = bounds;
    this.#edges = edges;
  }
  static of(rings: readonly (readonly Position[])[]): PolygonPart {
    return new PolygonPart(boundsOf(rings[0]!), Edges.along(rings));
  }
  get size(): number {
    return this.#edges.count;
  }
  relate(box: Box): Relation {
    if (this.#edges.cross(box)) return Relation.crosses;
    return this.#edges.enclose(box.west, box.south) ? Relation.within : Relation.apart;
  }
  near(box: Box): Part {
    return new PolygonPart(this.bounds, this.#edges.mattering(box));
  }
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

  near(): Part {
    return this;
  }
}
