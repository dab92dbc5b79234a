/**
 * One merged segment of a million documents with columns, made up with a seeded generator, built by the first question that asks
 * and shared by all: a random number below 10^9, a time that ascends, one of 5000 strings, and a point anywhere on the earth.
 */
import { BatchWriter } from '../../host/core/batch.js';
import { Core, Work } from '../../host/core/instance.js';
import { decodeResult } from '../../host/core/result.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import type { Plan } from '../../host/plan/plan.js';
import { pointTerm } from '../../host/mapping/geo.js';
import { encodeLong, halves } from '../../host/mapping/terms.js';
import { compile } from './compile.js';
import type { Case } from './question.js';
import { generator } from '../generator.js';

export const DOCS = 1_000_000;
export const FIELD = { random: 0, time: 1, key: 2, point: 3 } as const;
const FLAGS = { random: 8, time: 8, key: 24, point: 32 } as const;
const BATCH_BYTES = 1 << 21;
const WORK_BUDGET = 1_000_000;

class ColumnIndex {
  readonly #core: Core;
  readonly #shard: number;

  constructor() {
    const core = new Core(compile('assembly/index.ts', 'build/bench.wasm'));
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
    for (let doc = 0; doc < DOCS; doc++) {
      batch.index(doc + 1, (b) => {
        encodeLong(Math.floor(random() * 1e9));
        b.term64(FIELD.random, halves.high, halves.low);
        encodeLong(1.4e12 + doc * 1000);
        b.term64(FIELD.time, halves.high, halves.low);
        b.text(FIELD.key, `key${Math.floor(random() * 5000)}`);
        const lat = (Math.asin(random() * 2 - 1) * 180) / Math.PI;
        b.term(FIELD.point, pointTerm({ lat, lon: random() * 360 - 180 }));
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
      this.#core.search(this.#shard, bytes);
    };
    return { name, work: DOCS, run };
  }
}

let index: ColumnIndex | undefined;

export function columnIndex(): ColumnIndex {
  index ??= new ColumnIndex();
  return index;
}
