/** `geo_shape` fields. */

import type { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { shapeTerms } from '../geo/cells.js';
import { type Orientation, readOrientation, readShape } from '../geo/geoJson.js';
import { type Grid, type GridKind, gridOf, levelsFor, MAX_LEVELS } from '../geo/grid.js';
import { type CoreOptions, LeafField } from './field.js';
import { parseDistance } from '../geo/geoPoints.js';
import type { Shape } from '../geo/shape.js';
import { ONE_TERM } from './numbers.js';
import { textTerm } from './terms.js';
import { intOf, type JsonObject, parseFraction, textOf } from '../json/values.js';

/** How much of a shape's size may be lost. */
export const DISTANCE_ERROR = 0.025;
/** What the smallest cells measure, in metres. */
const PRECISION = 50;
/** Bytes of a shape that is read in turns: some 500 vertices. */
const LONG_SHAPE = 16 * 1024;
const STRATEGIES = new Set(['recursive', 'term']);

/** A shape: the names of the cells that it touches are its terms. */
export class GeoShapeField extends LeafField {
  override readonly type = 'geo_shape';
  override readonly core: CoreOptions = ONE_TERM;
  override longFrom = LONG_SHAPE;
  readonly grid: Grid;
  readonly error: number;
  readonly #strategy: string;
  readonly #orientation: Orientation;

  constructor(fullName: string, definition: JsonObject) {
    super(fullName);
    const kind = textOf(definition.tree) ?? 'geohash';
    if (kind !== 'geohash' && kind !== 'quadtree') {
      throw illegalArgument(`Unknown prefix tree type [${kind}]`);
    }
    this.grid = gridOf(kind, readLevels(kind, definition));
    const error = textOf(definition.distance_error_pct);
    this.error = error === undefined ? DISTANCE_ERROR : parseFraction(error);
    this.#orientation =
      definition.orientation === undefined ? 'right' : readOrientation(definition.orientation);
    this.#strategy = readStrategy(textOf(definition.strategy) ?? 'recursive');
  }

  override allText(): undefined {
    return undefined;
  }

  override write(batch: BatchWriter, value: unknown): void {
    if (this.number < 0) this.#shape(value);
    else for (const term of this.#terms(value)) batch.term(this.number, textTerm(term));
  }

  override prepare(value: unknown): void {
    this.#terms(value);
  }

  #shape(value: unknown): Shape | undefined {
    return readShape(value, this.#orientation);
  }

  #terms(value: unknown): readonly string[] {
    const shape = this.#shape(value);
    return shape === undefined ? [] : shapeTerms(shape, this.grid, this.error, value);
  }

  override term(value: unknown): Uint8Array {
    return textTerm(textOf(value) ?? '');
  }

  protected override echo(): JsonObject {
    const { kind, levels } = this.grid;
    return {
      type: 'geo_shape',
      ...(kind === 'geohash' ? {} : { tree: kind }),
      ...(levels === levelsFor(kind, PRECISION) ? {} : { tree_levels: levels }),
      ...(this.error === DISTANCE_ERROR ? {} : { distance_error_pct: this.error }),
      ...(this.#orientation === 'right' ? {} : { orientation: 'LEFT' }),
    };
  }

  protected override mergeOwn(other: GeoShapeField, conflicts: string[]): void {
    const check = (differs: boolean, what: string) => {
      if (differs) conflicts.push(`mapper [${this.fullName}] has different ${what}`);
    };
    check(this.#strategy !== other.#strategy, 'strategy');
    check(this.grid.kind !== other.grid.kind, 'tree');
    check(this.grid.levels !== other.grid.levels, 'tree_levels or precision');
  }
}

/** The name of a way to search shapes. */
export function readStrategy(name: string): string {
  if (!STRATEGIES.has(name)) throw illegalArgument(`Unknown prefix tree strategy [${name}]`);
  return name;
}

function readLevels(kind: GridKind, definition: JsonObject): number {
  const given = definition.tree_levels === undefined ? 0 : intOf(definition.tree_levels);
  const precision = textOf(definition.precision);
  const metres = precision === undefined ? undefined : parseDistance(precision);
  const levels =
    given <= 0 && metres === undefined
      ? levelsFor(kind, PRECISION)
      : Math.max(given, metres === undefined ? 0 : levelsFor(kind, metres));
  const most = MAX_LEVELS[kind];
  if (levels > most) {
    const detail = `maxLen must be [1-${most}] but got ${levels}`;
    throw new ElasticsearchError('IllegalArgumentException', detail, { status: 400 });
  }
  return levels;
}
