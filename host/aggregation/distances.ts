/** What `geo_distance` facets show: how far the points of documents are away, of those within a range. */

import type { PlanBytes } from '../core/planBytes.js';
import { readFormula } from '../query/sort/distanceSort.js';
import { distanceUnit, readPoint } from '../geo/geoPoints.js';
import { type JsonObject, textOf } from '../json/values.js';
import type { Aggregation } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, sourceFrom } from './body.js';
import { RAW } from './format.js';
import { AllNumbers } from './stats.js';
import { writeRings, type Rings } from './ranges.js';
import { type ValueSource, ValueType } from './source.js';

/** The type under which facets ask for it; requests can't, as theirs have no such names. */
export const DISTANCES = 'facet:distances';

class Distances extends AllNumbers {
  readonly #rings: Rings;
  readonly #range: readonly [number, number];

  constructor(name: string, source: ValueSource, rings: Rings, range: readonly [number, number]) {
    super(name, source);
    this.#rings = rings;
    this.#range = range;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.distances);
    writeRings(bytes, this.#rings);
    for (const bound of this.#range) bytes.f64(bound);
  }
}

/** `field`, `origin`, `unit`, `distance_type`, and the numbers `from` and `to`: distances from the one up to, but not including, the other. */
export function distancesAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const source = sourceFrom({ field: textOf(body.field) ?? '' }, name, 'point', context);
  const { unit, distance_type: type } = body;
  const rings: Rings = {
    field: source.field,
    origin: readPoint(body.origin),
    unit: unit === undefined ? 1 : distanceUnit(textOf(unit) ?? ''),
    formula: type === undefined ? 0 : readFormula(type),
  };
  const range = [Number(body.from), Number(body.to)] as const;
  return new Distances(name, { ...source, type: ValueType.double, format: RAW }, rings, range);
}
