/**
 * One merged segment of made-up documents, and searches on it: a page view with one of 1,000 pages and of 20 hosts, a time within
 * three years, one that ascends, a whole number and a fraction, and a point within 500 km of Prague. A seeded generator makes them.
 */
import { type CompiledAggregations, reduceAggregations } from '../../host/aggregation/compile.js';
import { ChainRunner } from '../../host/analysis/chainRunner.js';
import { AnalyzerRegistry } from '../../host/analysis/registry.js';
import { BatchWriter } from '../../host/core/batch.js';
import { type Core, Work } from '../../host/core/instance.js';
import { decodeResult } from '../../host/core/result.js';
import type { ShardHandle } from '../../host/core/status.js';
import { compileSearch } from '../../host/dsl/search.js';
import { flatSettings } from '../../host/index/settings.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import { MappingModel } from '../../host/mapping/model.js';
import { generator } from '../generator.js';

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
const BATCH_BYTES = 1 << 21;
const WORK_BUDGET = 1_000_000;
const DAY = 86_400_000;
const START = Date.UTC(2012, 0, 1);
/** Degrees of latitude of a kilometre. */
const DEGREES = 1 / 111.2;
export const CENTRE = { lat: 50.08, lon: 14.44 };

function documents(count: number): (i: number) => Record<string, unknown> {
  const random = generator(1);
  const pick = (n: number) => Math.floor(random() * n);
  return (i) => {
    const radius = 490 * Math.sqrt(random());
    const angle = random() * 2 * Math.PI;
    const lat = CENTRE.lat + radius * Math.cos(angle) * DEGREES;
    return {
      page: `page-${pick(1000)}`,
      host: `host-${pick(20)}`,
      tags: Array.from({ length: pick(4) }, () => `tag-${pick(50)}`),
      at: START + Math.floor(random() * 1096 * DAY),
      logged: START + Math.floor((i / count) * 1096 * DAY),
      bytes: pick(1e9),
      price: Math.round(random() * 1e5) / 100,
      place: {
        lat,
        lon: CENTRE.lon + (radius * Math.sin(angle) * DEGREES) / Math.cos((lat * Math.PI) / 180),
      },
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
  readonly #core: Core;
  readonly #shard: ShardHandle;
  readonly #registry: AnalyzerRegistry;
  readonly #model: MappingModel;

  constructor(core: Core, count: number) {
    this.#core = core;
    this.#shard = core.createShard();
    this.#registry = new AnalyzerRegistry(new ChainRunner(() => core).run, flatSettings({}));
    this.#model = new MappingModel(this.#registry);
    this.#model.putMapping('view', MAPPING);
    const parser = new DocumentParser(this.#model);
    for (const field of this.#model.coreFields()) core.defineField(this.#shard, field);
    const batch = new BatchWriter(BATCH_BYTES);
    const make = documents(count);
    for (let i = 0; i < count; i++) {
      parser.parse(batch, i + 1, { type: 'view', id: String(i), source: make(i) });
      if (batch.length < BATCH_BYTES && i < count - 1) continue;
      core.apply(this.#shard, batch.bytes());
      batch.reset();
      while (core.work(this.#shard, WORK_BUDGET) === Work.flushing);
    }
    core.refresh(this.#shard);
    core.forceMerge(this.#shard, 1);
    while (core.work(this.#shard, WORK_BUDGET) !== Work.idle);
  }

  prepare(body: Record<string, unknown>): Prepared {
    const compiled = compileSearch(body, {
      index: 'bench',
      model: this.#model,
      registry: this.#registry,
      now: Date.now,
    });
    if (compiled.aggregations?.failure !== undefined) throw compiled.aggregations.failure;
    const plan = compiled.plan().slice();
    const bytes = this.#core.search(this.#shard, plan).slice();
    const { total } = decodeResult(bytes);
    const { aggregations } = compiled;
    return {
      total,
      run: () => void this.#core.search(this.#shard, plan),
      reduce: aggregations === undefined ? undefined : () => reduce(bytes, aggregations),
    };
  }
}

function reduce(bytes: Uint8Array, aggregations: CompiledAggregations): unknown {
  return reduceAggregations([{ aggregations, rest: decodeResult(bytes).sortValues, behind: 0 }]);
}
