/** What `range` facets show: of each document the first value within a range. */

import type { PlanBytes } from '../core/planBytes.js';
import { type JsonObject, textOf } from '../json/values.js';
import type { Aggregation } from './aggregation.js';
import { AggregationKind } from '../core/abi/aggregations.js';
import { type AggregationContext, sourceFrom } from './body.js';
import { RAW } from './format.js';
import { bound } from './ranges.js';
import { type ValueSource, writeSource } from './source.js';
import { AllNumbers } from './stats.js';

/** The type under which facets ask for it. */
export const FIRST_NUMBERS = 'facet:firstNumbers';

class FirstNumbers extends AllNumbers {
  readonly #range: readonly [number, number];

  constructor(name: string, source: ValueSource, range: readonly [number, number]) {
    super(name, source);
    this.#range = range;
  }

  protected override writeHead(bytes: PlanBytes): void {
    bytes.u8(AggregationKind.firstNumbers);
    writeSource(bytes, this.source);
    for (const limit of this.#range) bytes.f64(limit);
  }
}

/** `field`, and the bounds `from` and `to`, which are dates where they are texts. */
export function firstNumbersAggregation(
  name: string,
  body: JsonObject,
  context: AggregationContext,
): Aggregation {
  const source = sourceFrom({ field: textOf(body.field) ?? '' }, name, 'number', context);
  const limit = (value: unknown, open: number) => {
    const text = textOf(value);
    const given = typeof value === 'string' || text === undefined ? text : Number(text);
    return bound(given, open, source.format, context);
  };
  const range = [
    limit(body.from, Number.NEGATIVE_INFINITY),
    limit(body.to, Number.POSITIVE_INFINITY),
  ] as const;
  return new FirstNumbers(name, { ...source, format: RAW }, range);
}
