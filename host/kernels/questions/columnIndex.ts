/**
 * One merged segment of a million documents with columns, made up with a seeded generator, built by the first question that asks
 * and shared by all: a random number below 10^9, a time that ascends, one of 5000 strings, and a point anywhere on the earth.
 */
import { BatchWriter } from '../../core/batch.js';
import { Core, Work } from '../../core/instance.js';
import { decodeResult } from '../../core/result.js';
import { Cache } from '../../core/stats.js';
import { encodePlan } from '../../searchBody/encode.js';
import type { Plan } from '../../plan/plan.js';
import { doubleTerm, encodeLong, halves } from '../../mapping/terms.js';
import type { Case } from './case.js';
import { generator } from './generator.js';

export const DOCS = 1_000_000;
export const FIELD = { random: 0, time: 1, key: 2, point: 3 } as const;
const FLAGS = { random: 8, time: 8, key: 24, point: 32 } as const;
const BATCH_BYTES = 1 << 21;
const WORK_BUDGET = 1_000_000;

/** The index; its cases check that a plan matches as many documents as it should. */
export class ColumnIndex {
  readonly #core: Core;
  readonly #shard: number;

  /** @param module the whole core */
  constructor(module: WebAssembly.Module) {
    const core = new Core(module);
    const shard = core.createShard();
    for (const name of ['random', 'time', 'key', 'point'] as const) {
      core.defineField(shard, {
        field: FIELD[name],
        flags: FLAGS[name],
        analyzer: 0,
        boost: 1,
        positionGap: 0,
      });
    }
    const random = generator(1);
    const batch = new BatchWriter(BATCH_BYTES);
    const point = new Uint8Array(16);
    for (let doc = 0; doc < DOCS; doc++) {
      batch.index(doc + 1, (b) => {
        encodeLong(Math.floor(random() * 1e9));
        b.term64(FIELD.random, halves.high, halves.low);
        encodeLong(1.4e12 + doc * 1000);
        b.term64(FIELD.time, halves.high, halves.low);
        b.text(FIELD.key, `key${Math.floor(random() * 5000)}`);
        const lat = (Math.asin(random() * 2 - 1) * 180) / Math.PI;
        point.set(doubleTerm(lat), 0);
        point.set(doubleTerm(random() * 360 - 180), 8);
        b.term(FIELD.point, point);
      });
      if (batch.length < BATCH_BYTES && doc < DOCS - 1) continue;
      core.apply(shard, batch.bytes());
      batch.reset();
    }
    core.refresh(shard);
    core.forceMerge(shard, 1);
    while (core.work(shard, WORK_BUDGET) !== Work.idle);
    this.#core = core;
    this.#shard = shard;
  }

  /** A plan over all documents, of which `most` at most and `least` at least match; work: all documents. */
  case(name: string, plan: Partial<Plan>, least = DOCS, most = DOCS): Case {
    const bytes = encodePlan({ k: 10, inOrder: false, root: { kind: 'all', boost: 1 }, ...plan });
    const { total } = decodeResult(this.#core.search(this.#shard, bytes));
    if (total < least || total > most) throw new Error(`${name}: ${total} documents match`);
    const run = (): void => {
      // What a filter matches would be there from the second time on.
      this.#core.clear(this.#shard, Cache.filters);
      this.#core.search(this.#shard, bytes);
    };
    return { name, items: DOCS, run };
  }
}
