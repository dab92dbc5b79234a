/** What counts the ids that tie documents to parents and children: those of their parents, and of parents their own. */

import type { Turns } from '../workLimit.js';
import type { Aggregation, OrderTarget } from './aggregation.js';
import type { AggregationContext } from './body.js';
import type { Rendered } from './rendered.js';
import { addFilter, Filter } from './singles.js';
import { BY_KEY, UNKNOWN_METRIC } from './order.js';
import { familyIdsOf } from './source.js';
import { ALL, type Terms, TermsAggregation } from './terms.js';

const EVERY = { size: ALL, shardSize: ALL, minDocCount: 1, shardMinDocCount: 0 };

/** How many ids documents have: each of every document, or each once. */
class FamilyIds extends TermsAggregation {
  override readonly shape = 'metric';
  readonly #once: boolean;

  constructor(name: string, { dsl }: AggregationContext, once: boolean) {
    super(name, familyIdsOf(dsl.model), EVERY, [BY_KEY], {}, false);
    this.#once = once;
  }

  override targets(): ReadonlyMap<string, OrderTarget> {
    return new Map([['value', { metric: UNKNOWN_METRIC, argument: 0 }]]);
  }

  override number({ buckets }: Terms): number {
    return this.#once ? buckets.length : buckets.reduce((sum, { docs }) => sum + docs, 0);
  }

  // biome-ignore lint/correctness/useYield: it takes no time
  override *render(terms: Terms): Turns<Rendered> {
    return { value: this.number(terms) };
  }
}

/** `value_count` of `_parent`. */
export function familyCount(name: string, context: AggregationContext): Aggregation {
  return new FamilyIds(name, context, false);
}

/** `cardinality` of `_parent`. */
export function familyCardinality(name: string, context: AggregationContext): Aggregation {
  return new FamilyIds(name, context, true);
}

/** `missing` of `_parent`: documents that are neither children nor of a type that has some. */
export function withoutFamily(name: string, context: AggregationContext): Aggregation {
  const { model } = context.dsl;
  const parents = model.typeNames().filter((type) => model.ownUid(type) !== undefined);
  const ties = [{ exists: { field: '_parent' } }, ...parents.map((value) => ({ type: { value } }))];
  return new Filter(name, addFilter({ not: { or: ties } }, context));
}
