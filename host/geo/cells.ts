/**
 * Shapes as cells of a grid, which are indexed as terms: every cell that has a part of the shape, down to a level that its size
 * asks for or to where the cell lies wholly within it. The last ones, the leaves, are indexed with a plus sign as well. So the
 * shapes that have something in a cell have its name for a term, or are leaves around it. After Lucene 4.10's
 * RecursivePrefixTreeStrategy, IntersectsPrefixTreeFilter and WithinPrefixTreeFilter.
 */

import { illegalArgument, ofLimit } from '../errors.js';
import { type IsDue, longPart } from '../passes.js';
import type { Turns } from '../workLimit.js';
import { type Cell, type Grid, WORLD } from './grid.js';
import type { Box } from './box.js';
import { Relation, type Shape } from './shape.js';

/** Cells that one shape may have. */
const MAX_CELLS = 200_000;
/** Comparisons of a cell with an edge, 40 million a second: a jagged ring of 40,000 points in 7,658 cells takes 9.4 million. */
const MAX_WORK = 20_000_000;

/** Steps of a work limit for a cell, and the edges that are compared with it in one. */
const CELL_STEPS = 2;
const EDGES_PER_STEP = 4;

const LEAF = '+';

/**
 * The terms that a shape is indexed by.
 * @param error how much of its size may be lost, 0 to 0.5
 * @param owner what the shape was made of: finding the terms is a long part of it
 */
export function shapeTerms(shape: Shape, grid: Grid, error: number, owner: unknown = shape): string[] {
  return walked('indexed', shape, grid, error, owner, ({ name }, last, terms) => {
    terms.push(name);
    if (last) terms.push(name + LEAF);
  });
}

/** The terms of which a shape has at least one if it has something in common with `shape`. */
export function touchingTerms(shape: Shape, grid: Grid, error: number, owner: unknown = shape): string[] {
  return walked('touching', shape, grid, error, owner, ({ name }, last, terms) => {
    terms.push(last ? name : name + LEAF);
  });
}

/**
 * The terms of which a shape has none if it lies within `shape`. Leaves that are larger than the last cells count by their
 * cells there.
 */
export function outsideTerms(shape: Shape, grid: Grid, error: number, owner: unknown = shape): string[] {
  const level = levelOf(shape, grid, error);
  return longPart(owner, partName('outside', grid, level), (isDue) => outside(shape, grid, level, isDue));
}

function* outside(shape: Shape, grid: Grid, level: number, isDue: IsDue): Turns<string[]> {
  const terms: string[] = [];
  let work = 0;
  /** Says whether every last cell of a cell has something of the shape. */
  function* visit(cell: Cell, here: Shape): Turns<boolean> {
    let whole = true;
    for (const child of grid.children(cell)) {
      work += here.size;
      if (isDue(stepsOf(here))) yield;
      if (terms.length > MAX_CELLS || work > MAX_WORK) throw tooMany();
      const relation = here.relate(child.box);
      if (relation === Relation.apart) {
        terms.push(child.name);
        whole = false;
      } else if (
        relation === Relation.crosses &&
        child.name.length < level &&
        !(yield* visit(child, here.near(child.box)))
      ) {
        terms.push(child.name + LEAF);
        whole = false;
      }
    }
    return whole;
  }
  yield* visit(WORLD, shape);
  return terms;
}

/** Steps of a work limit that a cell takes. */
function stepsOf({ size }: Shape): number {
  return CELL_STEPS + size / EDGES_PER_STEP;
}

/** Two fields may have the same grid and the same level. */
function partName(terms: string, { kind, levels }: Grid, level: number): string {
  return `${terms} ${kind} ${levels} ${level}`;
}

function tooMany(): Error {
  return ofLimit(
    illegalArgument('a shape has too many points and cells; a larger distance_error_pct makes fewer cells'),
  );
}

/** Told of a cell of a shape, and whether it is the last one of its branch. */
type Found = (cell: Cell, last: boolean, terms: string[]) => void;

/** The terms that are found with the cells of a shape. */
function walked(
  what: string,
  shape: Shape,
  grid: Grid,
  error: number,
  owner: unknown,
  found: Found,
): string[] {
  const level = levelOf(shape, grid, error);
  return longPart(owner, partName(what, grid, level), (isDue) => walk(shape, grid, level, found, isDue));
}

function* walk(shape: Shape, grid: Grid, level: number, found: Found, isDue: IsDue): Turns<string[]> {
  const terms: string[] = [];
  let count = 0;
  let work = 0;
  const { point } = shape;
  function* visit(cell: Cell, here: Shape): Turns<void> {
    const children = point === undefined ? grid.children(cell) : [grid.childAt(cell, point)];
    for (const child of children) {
      work += here.size;
      if (isDue(stepsOf(here))) yield;
      const relation = point === undefined ? here.relate(child.box) : Relation.crosses;
      if (relation === Relation.apart) continue;
      if (++count > MAX_CELLS || work > MAX_WORK) throw tooMany();
      const last = relation === Relation.within || child.name.length >= level;
      found(child, last, terms);
      if (!last) yield* visit(child, point === undefined ? here.near(child.box) : here);
    }
  }
  yield* visit(WORLD, shape);
  return terms;
}

/** The level of the last cells of a shape: they are smaller than a part of its size. */
function levelOf(shape: Shape, grid: Grid, error: number): number {
  if (shape.point !== undefined || error === 0) return grid.levels;
  if (!(error > 0 && error <= 0.5)) {
    throw illegalArgument(`distErrPct ${error} must be between [0 to 0.5]`);
  }
  return grid.levelFor(halfDiagonal(shape.bounds) * error);
}

/** From the middle of a box to the nearer ones of its corners, an angle in degrees. */
function halfDiagonal({ west, east, south, north }: Box): number {
  const radians = Math.PI / 180;
  const middle = ((south + north) / 2) * radians;
  const corner = (middle >= 0 ? north : south) * radians;
  const lon = Math.min((east - west) / 2, 180) * radians;
  const h =
    Math.sin((corner - middle) / 2) ** 2 + Math.cos(middle) * Math.cos(corner) * Math.sin(lon / 2) ** 2;
  return (2 * Math.asin(Math.min(1, Math.sqrt(h)))) / radians;
}
