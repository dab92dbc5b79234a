/**
 * The edges of lines and rings, and how boxes lie to them. A grid asks about a box, then about the boxes in it, and so on: each time
 * only the edges that still matter there are looked at.
 */
import type { Box, Position } from './box.js';

/** Edges: the longitudes and latitudes of their ends, four numbers each. */
export class Edges {
  readonly #ends: Float64Array;
  /** Whether the edges left out are crossed an odd number of times by each ray that begins where these still matter. */
  readonly #odd: boolean;

  private constructor(ends: Float64Array, odd: boolean) {
    this.#ends = ends;
    this.#odd = odd;
  }

  /** The edges from point to point of some lines. */
  static along(lines: readonly (readonly Position[])[]): Edges {
    const count = lines.reduce((sum, { length }) => sum + Math.max(0, length - 1), 0);
    const ends = new Float64Array(4 * count);
    let at = 0;
    for (const line of lines) {
      for (let i = 1; i < line.length; i++) {
        const [from, to] = [line[i - 1]!, line[i]!];
        ends[at] = from[0];
        ends[at + 1] = from[1];
        ends[at + 2] = to[0];
        ends[at + 3] = to[1];
        at += 4;
      }
    }
    return new Edges(ends, false);
  }

  /** How many there are: what a question costs. */
  get count(): number {
    return this.#ends.length / 4;
  }

  /** Whether one of them has a point in the box. */
  cross(box: Box): boolean {
    const ends = this.#ends;
    for (let at = 0; at < ends.length; at += 4) if (crosses(ends, at, box)) return true;
    return false;
  }

  /** Whether a point lies in the rings, those in others being holes: it does if a ray from it to the east crosses an odd number. */
  enclose(x: number, y: number): boolean {
    const ends = this.#ends;
    let inside = this.#odd;
    for (let at = 0; at < ends.length; at += 4) {
      const [ay, by] = [ends[at + 1]!, ends[at + 3]!];
      if (ay > y !== by > y && x < longitudeAt(ends, at, y)) inside = !inside;
    }
    return inside;
  }

  /** Those that have a point in the box; they answer `cross` for boxes in it. */
  crossing(box: Box): Edges {
    return this.#kept((at) => crosses(this.#ends, at, box), this.#odd);
  }

  /** Those that lie differently to the points of a box; they answer both questions for boxes and points in it. */
  mattering(box: Box): Edges {
    let odd = this.#odd;
    const matters = (at: number) => {
      const side = raySide(this.#ends, at, box);
      if (side === Side.differs || crosses(this.#ends, at, box)) return true;
      if (side === Side.east) odd = !odd;
      return false;
    };
    const kept = this.#kept(matters, false);
    return new Edges(kept.#ends, odd);
  }

  #kept(keep: (at: number) => boolean, odd: boolean): Edges {
    const ends = this.#ends;
    const kept = new Float64Array(ends.length);
    let to = 0;
    for (let at = 0; at < ends.length; at += 4) {
      if (!keep(at)) continue;
      for (let i = 0; i < 4; i++) kept[to + i] = ends[at + i]!;
      to += 4;
    }
    return new Edges(kept.slice(0, to), odd);
  }
}

/** Where rays from the points of a box to the east meet an edge: all do, none does, or some. */
const Side = { none: 0, east: 1, differs: 2 } as const;
type Side = (typeof Side)[keyof typeof Side];

function raySide(ends: Float64Array, at: number, { west, south, east, north }: Box): Side {
  const [ax, ay, bx, by] = [ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!];
  const [low, high] = ay < by ? [ay, by] : [by, ay];
  if (low > north || high <= south) return Side.none;
  if (low <= south && high > north) {
    // Rounded or not, the longitude only grows or only falls along the edge.
    const [a, b] = [longitudeAt(ends, at, south), longitudeAt(ends, at, north)];
    if (a > east && b > east) return Side.east;
    if (a <= west && b <= west) return Side.none;
  }
  return ax < west && bx < west ? Side.none : Side.differs;
}

/** Where an edge that isn't level has a latitude. */
function longitudeAt(ends: Float64Array, at: number, y: number): number {
  const [ax, ay, bx, by] = [ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!];
  return ((bx - ax) * (y - ay)) / (by - ay) + ax;
}

/**
 * Whether an edge has a point in a box: the part of it between west and east, and the part between south and north, have
 * something in common (Liang and Barsky's clipping). Nothing is allocated: this runs for every edge and cell. What is computed
 * grows with the box, so that an edge that isn't in a box isn't in those within it.
 */
function crosses(ends: Float64Array, at: number, { west, south, east, north }: Box): boolean {
  const ax = ends[at]!;
  const ay = ends[at + 1]!;
  const dx = ends[at + 2]! - ax;
  const dy = ends[at + 3]! - ay;
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
