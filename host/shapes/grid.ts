/**
 * Grids that cut the globe into ever smaller cells, each named by the name of the cell around it and one letter more: quarters, or
 * the cells of geohashes (Lucene's QuadPrefixTree and GeohashPrefixTree).
 */

import type { Box, Position } from './shape.js';

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

const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz';

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

/** Lengths of the equator and of half a meridian in metres. */
const EQUATOR = 40_075_016.685_578_49;
const MERIDIAN = 19_970_326.371_122;

/** How many levels a grid needs so that its smallest cells are at most so many metres across. */
export function levelsFor(kind: GridKind, metres: number): number {
  if (!(metres > 0)) return MAX_LEVELS[kind];
  const part = Math.ceil((EQUATOR * (1 + MERIDIAN / EQUATOR)) / metres);
  const halvings = part === 1 ? 0 : Math.ceil(Math.log2(part));
  if (kind === 'quadtree') return Math.min(halvings, MAX_LEVELS.quadtree);
  if (part === 1) return 1;
  const left = halvings % 5;
  const levels = 2 * Math.floor(halvings / 5) + (left > 3 ? 2 : left > 0 ? 1 : 0);
  return Math.min(levels, MAX_LEVELS.geohash);
}
