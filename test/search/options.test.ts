import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { decodeResult, endedEarly, matchedNames } from '../../host/core/result.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import { explanation } from '../../host/explain/explain.js';
import { readExplanationNodes } from '../../host/explain/explanationNodes.js';
import { type Plan, RescoreMode } from '../../host/plan/plan.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import { matching, NaiveEngine } from '../model/naiveEngine.js';
import { documentOf, NaiveIndex } from '../model/naiveIndex.js';
import { coreBytes } from '../support/core.js';
import { FIELDS, planNode, randomDocuments } from './corpus.js';

// What a plan may ask for beside its hits: named nodes, a minimum score, an early end, rescoring, explanations, statistics.

const COUNT = 300;
const NAMES = ['', 'a', 'b', 'c'];

describe('the options of a plan', () => {
  const core = new Core(new WebAssembly.Module(coreBytes()));
  const shard = core.createShard();
  for (const field of FIELDS) core.defineField(shard, field);
  const documents = randomDocuments(41, COUNT);
  const batch = new BatchWriter();
  documents.forEach((document, i) => {
    batch.index(i + 1, (b) => {
      if (document[1].length > 0) b.text(1, document[1].join(' '));
      if (document[2].length > 0) b.text(2, document[2].join(' '));
      for (const term of document[3]) b.text(3, term);
    });
  });
  core.apply(shard, batch.bytes());
  core.refresh(shard);
  while (core.work(shard, 1000) !== 0);
  const index = new NaiveIndex(
    documents.map((d, i) => documentOf(i + 1, { 1: d[1], 2: d[2], 3: d[3] })),
    new Map(FIELDS.map((f) => [f.field, f.flags])),
  );
  const naive = new NaiveEngine(index);
  const search = (plan: Plan) => decodeResult(core.search(shard, encodePlan(plan)));
  const whole = (root: PlanNode): Plan => ({ k: COUNT, inOrder: true, root });

  it('names: every hit tells which nodes match it', () => {
    fc.assert(
      fc.property(planNode, fc.array(planNode, { minLength: 1, maxLength: 40 }), (root, named) => {
        const names = named.map((_, i) => `n${i}`);
        const sets = named.map((node) => matching(node, index));
        const result = search({ ...whole(root), named });
        for (const key of result.keys) {
          const want = names.filter((_, i) => sets[i]!.has(key - 1));
          expect(matchedNames(result, key, names, false)).toEqual(want);
        }
      }),
      { seed: 51, numRuns: 40 },
    );
  });

  it('a minimum score leaves out what scores less, in the total too', () => {
    fc.assert(
      fc.property(planNode, fc.constantFrom(0, 0.1, 0.5, 1), (root, minScore) => {
        const want = naive.search(whole(root)).hits.filter(({ score }) => score >= Math.fround(minScore));
        const got = search({ ...whole(root), minScore });
        expect(got.total).toBe(want.length);
        expect(Array.from(got.keys)).toEqual(want.map(({ key }) => key));
      }),
      { seed: 52, numRuns: 100 },
    );
  });

  it('ends after a number of documents', () => {
    fc.assert(
      fc.property(planNode, fc.constantFrom(1, 5, 200), (root, terminateAfter) => {
        const all = naive
          .search(whole(root))
          .hits.map(({ key }) => key)
          .sort((a, b) => a - b);
        const got = search({ ...whole(root), terminateAfter });
        expect(got.total).toBe(Math.min(all.length, terminateAfter));
        expect(Array.from(got.keys).sort((a, b) => a - b)).toEqual(all.slice(0, terminateAfter));
        expect(endedEarly(got)).toBe(all.length >= terminateAfter);
      }),
      { seed: 53, numRuns: 60 },
    );
  });

  it('rescores the first hits and keeps the others behind', () => {
    fc.assert(
      fc.property(planNode, planNode, fc.nat({ max: 20 }), (root, node, window) => {
        const first = naive.search(whole(root)).hits;
        const second = new Map(naive.search(whole(node)).hits.map(({ key, score }) => [key, score]));
        const f = Math.fround;
        const want = first.map(({ key, score }, i) => {
          const other = i < window ? second.get(key) : undefined;
          const own = f(score * 2);
          return { key, score: other === undefined ? own : f(own + f(other * 0.5)) };
        });
        want.sort((a, b) => b.score - a.score || a.key - b.key);
        const rescore = [{ window, node, queryWeight: 2, rescoreWeight: 0.5, mode: RescoreMode.total }];
        const got = search({ ...whole(root), rescore });
        expect(Array.from(got.keys)).toEqual(want.map(({ key }) => key));
        expect(Array.from(got.scores)).toEqual(want.map(({ score }) => score));
      }),
      { seed: 54, numRuns: 80 },
    );
  });

  it('explains a hit by values that add up to its score', () => {
    fc.assert(
      fc.property(planNode, (root) => {
        // Where no function passes, or they are averaged, 1.7 itself explains another value than it scores.
        fc.pre(!JSON.stringify(root).includes('functionScore'));
        const { keys, scores } = search({ ...whole(root), k: 5 });
        const places = new Map<number, PlanNode>();
        // Without keys it is the rewritten query that is shown.
        if (keys.length === 0) return;
        const plan = { ...whole(root), explain: Array.from(keys) };
        const { sortValues } = decodeResult(core.search(shard, encodePlan(plan, undefined, places)));
        readExplanationNodes(sortValues, places).forEach((facts, i) => {
          const { value, matched } = explanation(facts!, NAMES);
          expect(matched).toBe(true);
          expect(value / scores[i]!).toBeCloseTo(1, 4);
        });
      }),
      { seed: 55, numRuns: 150 },
    );
  });
});
