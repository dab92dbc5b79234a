/** Where the rings of a polygon cross themselves or each other, which makes it none. */

import type { IsDue } from '../passes.js';
import { atOnce, type Turns } from '../workLimit.js';
import type { Position } from './box.js';

/** Pairs of edges that are looked at; a polygon with more that could cross is taken as it is. */
const MAX_PAIRS = 4_000_000;

interface Edge {
  from: Position;
  to: Position;
  west: number;
  east: number;
  south: number;
  north: number;
}

/** Steps of a work limit for an edge, and the pairs that are one. */
const EDGE_STEPS = 2;
const PAIRS_PER_STEP = 8;

/** A point where two edges cross within both of them; undefined if there is none. */
export function selfCrossing(rings: readonly (readonly Position[])[]): Position | undefined {
  return atOnce(selfCrossingInTurns(rings, () => false));
}

/** The same in turns. */
export function* selfCrossingInTurns(
  rings: readonly (readonly Position[])[],
  isDue: IsDue,
): Turns<Position | undefined> {
  const edges: Edge[] = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      if (isDue(EDGE_STEPS)) yield;
      const [from, to] = [ring[i - 1]!, ring[i]!];
      const west = Math.min(from[0], to[0]);
      const south = Math.min(from[1], to[1]);
      const north = Math.max(from[1], to[1]);
      edges.push({ from, to, west, east: Math.max(from[0], to[0]), south, north });
    }
  }
  edges.sort((a, b) => a.west - b.west);
  let pairs = 0;
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i]!;
    let k = i + 1;
    for (; k < edges.length && edges[k]!.west <= edge.east; k++) {
      if (++pairs > MAX_PAIRS) return undefined;
      const other = edges[k]!;
      const isNear = other.south <= edge.north && other.north >= edge.south;
      if (isNear && cross(edge, other)) return crossing(edge, other);
    }
    if (isDue(EDGE_STEPS + (k - i) / PAIRS_PER_STEP)) yield;
  }
  return undefined;
}

/** Whether each edge has its ends on both sides of the other. */
function cross(a: Edge, b: Edge): boolean {
  return (
    side(a, b.from) * side(a, b.to) < 0 && // an end on the other edge is a touch
    side(b, a.from) * side(b, a.to) < 0
  );
}

/** On which side of an edge a point lies: -1, 0 or 1. */
function side({ from: [ax, ay], to: [bx, by] }: Edge, [x, y]: Position): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}

/** The crossing of two edges in homogeneous coordinates around the middle of what their boxes share, as JTS computes it. */
function crossing(a: Edge, b: Edge): Position {
  const middle = (axis: 0 | 1) => {
    const ends = (edge: Edge): [number, number] => [edge.from[axis], edge.to[axis]];
    const low = Math.max(Math.min(...ends(a)), Math.min(...ends(b)));
    const high = Math.min(Math.max(...ends(a)), Math.max(...ends(b)));
    return (low + high) / 2;
  };
  const [mx, my] = [middle(0), middle(1)];
  const line = ({ from, to }: Edge) => {
    const [ax, ay, bx, by] = [from[0] - mx, from[1] - my, to[0] - mx, to[1] - my];
    return { x: ay - by, y: bx - ax, w: ax * by - bx * ay };
  };
  const [p, q] = [line(a), line(b)];
  const w = p.x * q.y - q.x * p.y;
  return [(p.y * q.w - q.y * p.w) / w + mx, (q.x * p.w - p.x * q.w) / w + my];
}
