/**
 * One merged segment of made-up documents, and searches on it: a page view with one of 1,000 pages and of 20 hosts, a time within
 * three years, one that ascends, a whole number and a fraction, and a point within 500 km of Prague. A seeded generator makes them.
 */

import {
  type CompiledAggregations,
  readAggregations,
  reduceAggregations,
} from '../../host/aggregation/compile.js';
import { Reduction } from '../../host/aggregation/reduction.js';
import type { Core } from '../../host/core/instance.js';
import { decodeResult, takeStopped } from '../../host/core/result.js';
import { atOnce, WorkLimit } from '../../host/workLimit.js';
import { generator } from '../generator.js';
import { MadeSegment } from '../madeSegment.js';
import { placeAt } from '../place.js';

const MAPPING = {
  properties: {
    page: { type: 'string', index: 'not_analyzed' },
    host: { type: 'string', index: 'not_analyzed' },
    tags: { type: 'string', index: 'not_analyzed' },
    at: { type: 'date' },
    logged: { type: 'date' },
    bytes: { type: 'long' },
    price: { type: 'double' },
    place: { type: 'geo_point' },
  },
};
const DAY = 86_400_000;
const START = Date.UTC(2012, 0, 1);

function documents(count: number): (i: number) => Record<string, unknown> {
  const random = generator(1);
  const pick = (n: number) => Math.floor(random() * n);
  return (i) => {
    const share = random();
    const angle = random() * 2 * Math.PI;
    return {
      page: `page-${pick(1000)}`,
      host: `host-${pick(20)}`,
      tags: Array.from({ length: pick(4) }, () => `tag-${pick(50)}`),
      at: START + Math.floor(random() * 1096 * DAY),
      logged: START + Math.floor((i / count) * 1096 * DAY),
      bytes: pick(1e9),
      price: Math.round(random() * 1e5) / 100,
      place: placeAt(share, angle),
    };
  };
}

/** A search that is ready to be measured. */
export interface Prepared {
  readonly total: number;
  /** Plan in, result out. */
  run(): void;
  /** What the host makes of the result; undefined without aggregations. */
  readonly reduce: (() => unknown) | undefined;
}

export class BenchShard {
  readonly #segment: MadeSegment;

  constructor(core: Core, count: number) {
    this.#segment = new MadeSegment(core, 'view', MAPPING, count, documents(count));
  }

  prepare(body: Record<string, unknown>): Prepared {
    const compiled = this.#segment.compile(body);
    if (compiled.aggregations?.failure !== undefined) throw compiled.aggregations.failure;
    const plan = compiled.plan().slice();
    const bytes = this.#segment.search(plan).slice();
    const { total } = decodeResult(bytes);
    const { aggregations } = compiled;
    return {
      total,
      run: () => void this.#segment.search(plan),
      reduce: aggregations === undefined ? undefined : () => reduce(bytes, aggregations),
    };
  }
}

function reduce(bytes: Uint8Array, aggregations: CompiledAggregations): unknown {
  const result = decodeResult(bytes);
  if (takeStopped(result)) throw new Error('the search was stopped');
  const part = { aggregations, rest: result.sortValues, behind: 0 };
  const work = new Reduction(WorkLimit.none);
  const partials = [atOnce(readAggregations(part, work))];
  return atOnce(reduceAggregations(aggregations, partials, work));
}
