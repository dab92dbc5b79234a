import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demandEqual } from '../support/demandEqual.js';
import { BUILDS, SegmentCore, TestShard } from './core.js';
import { type NaiveDoc, NaiveShard, type NaiveField } from './naiveShard.js';

const FIELDS: readonly NaiveField[] = [
  { field: 7, flags: 7, analyzer: 1, boost: 1, gap: 0 },
  { field: 2, flags: 7, analyzer: 1, boost: 2, gap: 10 },
  { field: 3, flags: 0, analyzer: 0, boost: 1, gap: 0 },
  { field: 900, flags: 5, analyzer: 1, boost: 1.5, gap: 0 },
  { field: 4, flags: 3, analyzer: 0, boost: 1, gap: 0 },
  { field: 5, flags: 4, analyzer: 1, boost: 0.3, gap: 0 },
  { field: 6, flags: 1, analyzer: 0, boost: 1, gap: 0 },
  // Columns: whole numbers, fractions, ordinals, points.
  { field: 20, flags: 8, analyzer: 0, boost: 1, gap: 0 },
  { field: 21, flags: 16, analyzer: 0, boost: 1, gap: 0 },
  { field: 22, flags: 24 | 4, analyzer: 0, boost: 1, gap: 0 },
  { field: 23, flags: 32, analyzer: 0, boost: 1, gap: 0 },
];

/** A random generator that gives the same numbers for the same seed. */
function randomOf(seed: number): (n: number) => number {
  let state = seed | 1;
  return (n) => {
    state = (Math.imul(state, 0x9e3779b1) + 0x7f4a7c15) | 0;
    let x = state ^ (state >>> 15);
    x = Math.imul(x, 0x2c1b3c6d);
    x ^= x >>> 12;
    return (x >>> 0) % n;
  };
}

/** Words with a skewed distribution, so that some lists are long. */
function word(random: (n: number) => number): string {
  const n = random(8);
  if (n < 4) return `w${random(3)}`;
  return n < 7 ? `word${random(40)}` : `rare${random(5000)}`;
}

function text(random: (n: number) => number, longest: number): string {
  return Array.from({ length: random(longest + 1) }, () => word(random)).join(' ');
}

/** A term that can be a value of the field's column, if the field has one of numbers. */
function columnTerm(random: (n: number) => number, flags: number): string | undefined {
  const number = (n: number) => `@${random(n)}`.padEnd(8, 'x');
  if (flags === 32) return number(50) + number(3);
  // Multiples of 256 have a common divisor.
  if (flags === 8) return `@@${random(10)}@@@@\0`;
  return flags === 16 ? number(1_000_000) : undefined;
}

function someDoc(random: (n: number) => number, key: bigint): NaiveDoc {
  const values = Array.from({ length: random(10) }, () => {
    const { field, analyzer, flags } = FIELDS[random(FIELDS.length)]!;
    const number = columnTerm(random, flags);
    if (number !== undefined) return { field, text: number };
    const terms = ['', 'a', 'a\0', 'tag', 'ünï', 'a term that is longer than sixteen bytes', word(random)];
    return { field, text: analyzer ? text(random, 12) : terms[random(terms.length)]! };
  });
  return { key, values };
}

/** Operations on a shard, in the order they happen. */
type Step =
  | { kind: 'apply'; docs: number; deletions: number; seed: number; gaps: number }
  | { kind: 'refresh' }
  | { kind: 'startRefresh' }
  | { kind: 'work'; budget: number }
  | { kind: 'force'; segments: number }
  | { kind: 'check' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('apply' as const),
        docs: fc.constantFrom(0, 1, 3, 100, 500),
        deletions: fc.constantFrom(0, 1, 40),
        seed: fc.nat(),
        gaps: fc.constantFrom(0, 0, 3, 100000),
      }),
    },
    { weight: 4, arbitrary: fc.constant<Step>({ kind: 'refresh' }) },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: 'startRefresh' }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('work' as const),
        budget: fc.constantFrom(1, 10, 100, 1000, 100000),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('force' as const), segments: fc.integer({ min: 1, max: 3 }) }),
    },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'check' }) },
  ),
  { minLength: 5, maxLength: 60, size: 'max' },
);

/** Applies the steps to both; what a refresh shows is what was applied before it began. */
function runSteps(shard: TestShard, naive: NaiveShard, all: readonly Step[]): void {
  let key = 1n;
  let refreshing = false;
  const settle = (left: number): void => {
    if (left < 0) throw new Error(`work failed: ${left}`);
    if (refreshing && left !== 1) {
      naive.endRefresh();
      refreshing = false;
    }
  };
  for (const step of all) {
    if (step.kind === 'apply') {
      const random = randomOf(step.seed);
      const deletions = Array.from({ length: step.deletions }, () => BigInt(random(Number(key) + 5)));
      const docs: NaiveDoc[] = [];
      for (let i = 0; i < step.docs; i++) {
        key += BigInt(1 + (step.gaps && random(4) === 0 ? random(step.gaps) : 0));
        docs.push(someDoc(random, key));
      }
      expect(shard.apply(naive.apply(docs, deletions))).toBe(0);
    } else if (step.kind === 'refresh' || step.kind === 'startRefresh') {
      if (refreshing) {
        shard.workAll(1e9, 'flushed');
        settle(0);
      }
      naive.startRefresh();
      if (shard.core.exports.shardRefresh(shard.handle) === 1) refreshing = true;
      else naive.endRefresh();
      if (step.kind === 'refresh' && refreshing) {
        shard.workAll(1e9, 'flushed');
        settle(0);
      }
    } else if (step.kind === 'work') {
      settle(shard.work(step.budget));
    } else if (step.kind === 'force') {
      shard.core.exports.shardForceMerge(shard.handle, step.segments);
    } else {
      naive.check(shard, demandEqual);
    }
  }
  if (refreshing) {
    shard.workAll(1e9, 'flushed');
    settle(0);
  }
  naive.startRefresh();
  shard.refresh();
  naive.endRefresh();
  naive.check(shard, demandEqual);
  shard.forceMerge(1, 500);
  expect(naive.check(shard, demandEqual)).toBe(0);
  expect(shard.segmentCount).toBe(naive.visibleLive.length ? 1 : 0);
}

describe.each(BUILDS)('%s build', (build) => {
  test('segments hold what was indexed, through refreshes, deletions and merges in slices', () => {
    const core = new SegmentCore(build);
    fc.assert(
      fc.property(steps, (all) => {
        const shard = new TestShard(core);
        const naive = new NaiveShard(FIELDS);
        naive.define(shard);
        try {
          runSteps(shard, naive, all);
        } finally {
          shard.drop();
        }
      }),
      { numRuns: build === 'release' ? 30 : 10 },
    );
  });
});
