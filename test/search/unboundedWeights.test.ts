import { expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { Core } from '../../host/core/instance.js';
import { decodeResult } from '../../host/core/result.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import { type Plan, RescoreMode } from '../../host/plan/plan.js';
import { coreBytes } from '../support/core.js';
import { FIELDS } from './corpus.js';

// Weights below zero: the best documents are those that others would be skipped with, so nothing is skipped.

const COUNT = 2000;

it('skips nothing where a weight is negative, whatever rescores the hits', () => {
  const core = new Core(new WebAssembly.Module(coreBytes()));
  const shard = core.createShard();
  for (const field of FIELDS) core.defineField(shard, field);
  const batch = new BatchWriter();
  for (let i = 1; i <= COUNT; i++) {
    // Later documents say it less often, but each block has one that says it often.
    const times = i % 100 === 0 ? 60 : i <= 200 ? 9 : 2;
    batch.index(i, (b) => b.text(1, 'wolf '.repeat(times) + 'howl '.repeat(60 - times)));
  }
  core.apply(shard, batch.bytes());
  core.refresh(shard);
  while (core.work(shard, 1000) !== 0);
  const word = (text: string, boost: number) =>
    ({ kind: 'term', field: 1, boost, term: new TextEncoder().encode(text) }) as const;
  const plan: Plan = { k: 5, inOrder: false, root: word('wolf', -1) };
  const keys = (asked: Plan) => Array.from(decodeResult(core.search(shard, encodePlan(asked))).keys);
  const best = [201, 202, 203, 204, 205];
  expect(keys(plan)).toEqual(best);
  const rescore = [
    { window: 5, node: word('howl', 1), queryWeight: 1, rescoreWeight: 0, mode: RescoreMode.total },
  ];
  expect(keys({ ...plan, rescore })).toEqual(best);
});
