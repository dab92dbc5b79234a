/**
 * Grids that cut the globe into ever smaller cells, each named by the name of the cell around it and one letter more: quarters, or
 * the cells of geohashes (Lucene's QuadPrefixTree and GeohashPrefixTree).
 */

import { BASE32, geohashLevelsUpTo, halvingsFor } from './geoPoints.js';
import type { Box, Position } from './box.js';

/** A cell of a grid. */
export interface Cell {
  name: string;
  box: Box;
}

/** How the globe is cut. */
export interface Grid {
  /** `quadtree` or `geohash`. */
  readonly kind: GridKind;
  /** The level of its smallest cells; the largest have level 1. */
  readonly levels: number;
  children(cell: Cell): Cell[];
  /** The child that a point lies in. */
  childAt(cell: Cell, point: Position): Cell;
  /** The first level whose cells are smaller than an angle in degrees. */
  levelFor(angle: number): number;
}

export type GridKind = 'quadtree' | 'geohash';

/** The whole globe. */
export const WORLD: Cell = { name: '', box: { west: -180, south: -90, east: 180, north: 90 } };

/** Levels that a grid can have at most. */
export const MAX_LEVELS: Readonly<Record<GridKind, number>> = { quadtree: 50, geohash: 24 };

/** A grid of a kind. */
export function gridOf(kind: GridKind, levels: number): Grid {
  return kind === 'quadtree' ? new Cut(kind, levels, 'ABCD', 2) : new Cut(kind, levels, BASE32, 5);
}

class Cut implements Grid {
  readonly kind: GridKind;
  readonly levels: number;
  readonly #letters: string;
  /** Halvings a level. */
  readonly #bits: number;

  constructor(kind: GridKind, levels: number, letters: string, bits: number) {
    this.kind = kind;
    this.levels = levels;
    this.#letters = letters;
    this.#bits = bits;
  }

  children(cell: Cell): Cell[] {
    return Array.from(this.#letters, (_, i) => this.#child(cell, i));
  }

  childAt(cell: Cell, [x, y]: Position): Cell {
    let { west, east, south, north } = cell.box;
    let bits = 0;
    for (let i = 0; i < this.#bits; i++) {
      const vertical = this.#isVertical(cell, i);
      const middle = vertical ? (west + east) / 2 : (south + north) / 2;
      const upper = vertical ? x >= middle : y >= middle;
      bits = bits * 2 + (upper ? 1 : 0);
      if (vertical) [west, east] = upper ? [middle, east] : [west, middle];
      else [south, north] = upper ? [middle, north] : [south, middle];
    }
    return { name: cell.name + this.#letters[this.#index(bits)]!, box: { west, east, south, north } };
  }

  #child(cell: Cell, index: number): Cell {
    let { west, east, south, north } = cell.box;
    const bits = this.#index(index);
    for (let i = 0; i < this.#bits; i++) {
      const vertical = this.#isVertical(cell, i);
      const upper = ((bits >> (this.#bits - 1 - i)) & 1) === 1;
      const middle = vertical ? (west + east) / 2 : (south + north) / 2;
      if (vertical) [west, east] = upper ? [middle, east] : [west, middle];
      else [south, north] = upper ? [middle, north] : [south, middle];
    }
    return { name: cell.name + this.#letters[index]!, box: { west, east, south, north } };
  }

  /** Whether the i-th halving of a cell is one into west and east. */
  #isVertical({ name }: Cell, i: number): boolean {
    // Quarters are halved from top to bottom first; geohashes go on where the level before has stopped.
    return this.kind === 'quadtree' ? i === 1 : (name.length * this.#bits + i) % 2 === 0;
  }

  /** Quarters are named from the top left to the bottom right: the northern half has the smaller letters. */
  #index(bits: number): number {
    return this.kind === 'quadtree' ? bits ^ 2 : bits;
  }

  levelFor(angle: number): number {
    if (angle === 0) return this.levels;
    let cell = WORLD;
    for (let level = 1; level < this.levels; level++) {
      cell = this.#child(cell, 0);
      const { west, east, south, north } = cell.box;
      if (angle > east - west && angle > north - south) return level;
    }
    return this.levels;
  }
}

/** How many levels a grid needs so that its smallest cells are at most so many metres across. */
export function levelsFor(kind: GridKind, metres: number): number {
  const most = MAX_LEVELS[kind];
  if (kind === 'geohash') return geohashLevelsUpTo(most, metres);
  return metres > 0 ? Math.min(halvingsFor(metres), most) : most;
}
