import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { decodeResult } from '../../host/core/result.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import { NaiveEngine } from '../model/naiveEngine.js';
import { documentOf, NaiveIndex } from '../model/naiveIndex.js';
import { BUILDS, coreModules } from '../support/cores.js';
import { FIELDS, plan, random, randomDocuments } from './corpus.js';

// The core against the naive engine: random corpora, random plans, with deletions, several segments and merges.

const RUNS = Number(process.env.RESILIN_FUZZ_RUNS ?? 1);
const EXHAUSTIVE = 4;

interface Setup {
  core: Core;
  shard: number;
  naive: NaiveEngine;
  /** Bytes in use before there was a shard. */
  unused: number;
}

function oneDocument(): Uint8Array {
  const batch = new BatchWriter();
  batch.index(1, (b) => b.text(1, 'one'));
  return batch.bytes();
}

/** Indexes the same documents in both; deletes about `deleted` of them. */
function build(
  module: WebAssembly.Module,
  seed: number,
  count: number,
  deleted: number,
  batches: number,
): Setup {
  const core = new Core(module);
  // What lives as long as the instance is made with the first document.
  const first = core.createShard();
  core.defineField(first, FIELDS[0]!);
  core.apply(first, oneDocument());
  core.refresh(first);
  settle(core, first);
  core.dropShard(first);
  const unused = core.memoryUsed();
  const shard = core.createShard();
  for (const field of FIELDS) core.defineField(shard, field);
  const documents = randomDocuments(seed, count);
  const next = random(seed + 1);
  const dead = new Set(documents.map((_, i) => i).filter(() => next() < deleted));
  const size = Math.ceil(count / batches);
  const batch = new BatchWriter();
  for (let from = 0; from < count; from += size) {
    batch.reset();
    for (let i = from; i < Math.min(count, from + size); i++) {
      const document = documents[i]!;
      batch.index(i + 1, (b) => {
        if (document[1].length > 0) b.text(1, document[1].join(' '));
        if (document[2].length > 0) b.text(2, document[2].join(' '));
        for (const term of document[3]) b.text(3, term);
      });
    }
    core.apply(shard, batch.bytes());
    core.refresh(shard);
    while (core.work(shard, 1000) === 1);
  }
  batch.reset();
  for (const i of dead) batch.delete(i + 1);
  if (dead.size > 0) core.apply(shard, batch.bytes());
  core.refresh(shard);
  while (core.work(shard, 1000) === 1);
  const flags = new Map(FIELDS.map((f) => [f.field, f.flags]));
  const naive = new NaiveEngine(
    new NaiveIndex(
      documents.map((d, i) => documentOf(i + 1, { 1: d[1], 2: d[2], 3: d[3] }, dead.has(i))),
      flags,
    ),
  );
  return { core, shard, naive, unused };
}

function settle(core: Core, shard: number): void {
  while (core.work(shard, 500) !== 0);
}

const modules = await coreModules('resilin');

for (const target of BUILDS) {
  describe(`the ${target} core agrees with the naive engine`, () => {
    const module = modules[target];
    const shapes = [
      { name: 'in one segment', count: 300, deleted: 0, batches: 1, exact: true },
      { name: 'in one segment with deletions', count: 300, deleted: 0.2, batches: 1, exact: true },
      { name: 'in a segment of many blocks', count: 6000, deleted: 0, batches: 1, exact: true },
      {
        name: 'in a segment of many blocks with deletions',
        count: 5000,
        deleted: 0.1,
        batches: 1,
        exact: true,
      },
      { name: 'in several segments', count: 1200, deleted: 0, batches: 5, exact: false },
    ];
    for (const [n, shape] of shapes.entries()) {
      it(shape.name, () => {
        const { core, shard, naive, unused } = build(
          module,
          77 + n,
          shape.count,
          shape.deleted,
          shape.batches,
        );
        fc.assert(
          fc.property(plan, (p) => {
            const bytes = encodePlan(p);
            const got = decodeResult(core.search(shard, bytes));
            const want = naive.search(p);
            expect(got.total).toBe(want.total);
            expect(Array.from(got.keys)).toEqual(want.hits.map((h) => h.key));
            want.hits.forEach((hit, i) => {
              if (shape.exact) expect(got.scores[i]).toBe(hit.score);
              else expect(got.scores[i]! / hit.score).toBeCloseTo(1, 6);
            });
            if (want.hits.length > 0) expect(got.maxScore).toBe(got.scores[0]);
            else expect(got.maxScore).toBeNaN();
            // Without skipping the answer is the same, to the last bit.
            bytes[5]! |= EXHAUSTIVE;
            expect(decodeResult(core.search(shard, bytes))).toEqual(got);
            // Nor does it change with what is kept of filters that come again.
            bytes[5]! &= ~EXHAUSTIVE;
            expect(decodeResult(core.search(shard, bytes))).toEqual(got);
          }),
          { seed: 1000 + n, numRuns: (shape.count > 2000 ? 60 : 250) * RUNS },
        );
        core.dropShard(shard);
        expect(core.memoryUsed()).toBe(unused);
      });
    }

    it('and a search leaves linear memory as it found it', () => {
      const { core, shard } = build(module, 9, 3000, 0.1, 3);
      const root = { kind: 'term' as const, field: 1, boost: 1, term: new TextEncoder().encode('wa') };
      const phrase = {
        ...root,
        kind: 'phrase' as const,
        slop: 2,
        positions: [
          { position: 0, terms: [root.term] },
          { position: 1, terms: [root.term] },
        ],
      };
      const clauses = [root, phrase].map((node) => ({ occur: 1 as const, node }));
      const union = { kind: 'boolean' as const, noCoord: false, boost: 1, minimum: 0, clauses };
      const before = core.memoryUsed();
      for (const each of [root, phrase, union])
        core.search(shard, encodePlan({ k: 10, inOrder: false, root: each }));
      expect(core.memoryUsed()).toBe(before);
      core.dropShard(shard);
    });

    it('after merging several segments into one', () => {
      const { core, shard } = build(module, 5, 1500, 0.15, 7);
      core.forceMerge(shard, 1);
      settle(core, shard);
      expect(core.segmentCount(shard)).toBe(1);
      // Deleted documents are gone from the statistics too.
      const documents = randomDocuments(5, 1500);
      const next = random(6);
      const left = documents.map((d, i) => ({ d, i })).filter(() => next() >= 0.15);
      const naive = new NaiveEngine(
        new NaiveIndex(
          left.map(({ d, i }) => documentOf(i + 1, { 1: d[1], 2: d[2], 3: d[3] })),
          new Map(FIELDS.map((f) => [f.field, f.flags])),
        ),
      );
      fc.assert(
        fc.property(plan, (p) => {
          const got = decodeResult(core.search(shard, encodePlan(p)));
          const want = naive.search(p);
          expect(got.total).toBe(want.total);
          expect(Array.from(got.keys)).toEqual(want.hits.map((h) => h.key));
          expect(Array.from(got.scores)).toEqual(want.hits.map((h) => h.score));
        }),
        { seed: 2000, numRuns: 200 * RUNS },
      );
      core.dropShard(shard);
    });
  });
}
