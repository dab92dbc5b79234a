import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { decodeResult, type SearchResult } from '../../host/core/result.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import type { Plan } from '../../host/plan/plan.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import { pointTerm } from '../../host/mapping/geo.js';
import { encodeDouble, encodeLong, halves } from '../../host/mapping/terms.js';
import { random } from '../search/corpus.js';
import { type Build, coreModules } from '../support/cores.js';

const modules = await coreModules('resilin');

/** Shards with columns of every kind, and the documents in them. */

export const FIELD = { text: 1, long: 2, double: 3, key: 4, point: 5 } as const;

/** With columns in the image; without flags they are made in memory, as those of old images. */
const FIELDS = [
  { field: FIELD.text, flags: 7, analyzer: 1 },
  { field: FIELD.long, flags: 8, analyzer: 0 },
  { field: FIELD.double, flags: 16, analyzer: 0 },
  { field: FIELD.key, flags: 24, analyzer: 0 },
  { field: FIELD.point, flags: 32, analyzer: 0 },
].map((field) => ({ ...field, boost: 1, positionGap: 0 }));

export interface NaiveDocument {
  key: number;
  words: string[];
  long: bigint[];
  double: number[];
  strings: string[];
  points: [number, number][];
}

export function coreOf(build: Build): Core {
  return new Core(modules[build]);
}

/** Random documents: values are missing here and there, and with `several` there may be more than one. */
export function randomDocuments(seed: number, count: number, several: boolean): NaiveDocument[] {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  const values = <T>(make: () => T): T[] =>
    Array.from({ length: several ? pick(4) : next() < 0.9 ? 1 : 0 }, make);
  const unit = 10n ** BigInt(pick(4) * 3);
  return Array.from({ length: count }, (_, i) => ({
    key: i + 1,
    words: Array.from({ length: 1 + pick(6) }, () => `w${pick(8)}`),
    long: values(() => (BigInt(pick(400)) - 100n) * unit + (several ? BigInt(pick(2)) << 60n : 0n)),
    double: values(() => [pick(100) / 4, next() * 1e6 - 5e5, -0, 0, 1e300][pick(5)]!),
    strings: values(() => `k${pick(40)}`),
    points: values(() => [next() * 180 - 90, next() * 360 - 180] as [number, number]),
  }));
}

/** Indexes documents in so many segments; the keys in `dead` are deleted afterwards. */
export function index(
  core: Core,
  documents: readonly NaiveDocument[],
  segments: number,
  dead: ReadonlySet<number>,
): number {
  const shard = core.createShard();
  for (const field of FIELDS) core.defineField(shard, field);
  const settle = () => {
    core.refresh(shard);
    while (core.work(shard, 2000) === 1);
  };
  const size = Math.ceil(documents.length / segments);
  for (let from = 0; from < documents.length; from += size) {
    const batch = new BatchWriter();
    for (const { key, words, long, double, strings, points } of documents.slice(from, from + size)) {
      batch.index(key, (b) => {
        b.text(FIELD.text, words.join(' '));
        for (const value of long) {
          encodeLong(value);
          b.term64(FIELD.long, halves.high, halves.low);
        }
        for (const value of double) {
          encodeDouble(value);
          b.term64(FIELD.double, halves.high, halves.low);
        }
        for (const value of strings) b.text(FIELD.key, value);
        for (const [lat, lon] of points) b.term(FIELD.point, pointTerm({ lat, lon }));
      });
    }
    core.apply(shard, batch.bytes());
    settle();
  }
  const batch = new BatchWriter();
  for (const key of dead) batch.delete(key);
  if (dead.size > 0) core.apply(shard, batch.bytes());
  settle();
  return shard;
}

export function search(core: Core, shard: number, plan: Partial<Plan>): SearchResult {
  const root: PlanNode = { kind: 'all', boost: 1 };
  return decodeResult(core.search(shard, encodePlan({ k: 10, inOrder: false, root, ...plan })));
}

/** The keys of the documents that a filter matches, ascending. */
export function matches(core: Core, shard: number, filter: PlanNode, k: number): number[] {
  const root: PlanNode = { kind: 'constant', boost: 1, node: filter };
  return [...search(core, shard, { root, k }).keys].sort((a, b) => a - b);
}
