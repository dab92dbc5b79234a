import { describe, expect, test } from 'vitest';
import { demandEqual } from '../support/demandEqual.js';
import { BUILDS, SegmentCore, TestShard } from './core.js';
import { type NaiveDoc, type NaiveField, NaiveShard } from './naiveShard.js';

const FIELDS: readonly NaiveField[] = [
  { field: 1, flags: 7, analyzer: 1, boost: 1, gap: 0 },
  { field: 2, flags: 0, analyzer: 0, boost: 1, gap: 0 },
];
/** What a slice may cost above its budget: a block of postings with its positions, or a step that isn't divided. */
const OVERRUN = 1500;

function docsFrom(first: number, n: number): NaiveDoc[] {
  return Array.from({ length: n }, (_, i) => ({
    key: BigInt((first + i) * 2),
    values: [
      { field: 1, text: `the quick the ${'fox '.repeat((first + i) % 5)} word${(first + i) % 300} of` },
      { field: 2, text: `tag${i % 3}` },
    ],
  }));
}

describe.each(BUILDS)('%s build', (build) => {
  test.each([100, 1000, 10_000])('no slice of a merge costs much more than %i postings', (budget) => {
    const shard = new TestShard(new SegmentCore(build));
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    for (let i = 0; i < 8; i++) {
      shard.apply(naive.apply(docsFrom(1 + i * 600, 600), [BigInt(i * 500)]));
      naive.startRefresh();
      shard.refresh();
      naive.endRefresh();
    }
    expect(shard.segmentCount).toBe(8);
    shard.core.exports.shardForceMerge(shard.handle, 1);
    let slices = 0;
    let total = 0n;
    for (let left = 2; left; slices++) {
      left = shard.work(budget);
      expect(left === 0 || left === 2).toBe(true);
      const { lastCost } = shard.info();
      expect(Number(lastCost)).toBeLessThan(budget + OVERRUN);
      total += lastCost;
      // The old segments stay until the new one takes their place.
      expect(shard.segmentCount).toBe(left ? 8 : 1);
    }
    expect(slices).toBeGreaterThan(Number(total) / (budget + OVERRUN));
    naive.check(shard, demandEqual);
  });

  test('a flush is divided too, and shows nothing before its end', () => {
    const shard = new TestShard(new SegmentCore(build));
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    shard.apply(naive.apply(docsFrom(1, 5000), []));
    expect(shard.core.exports.shardRefresh(shard.handle)).toBe(1);
    let slices = 0;
    for (let left = 1; left === 1; slices++) {
      expect(shard.segmentCount).toBe(0);
      left = shard.work(1000);
      expect(Number(shard.info().lastCost)).toBeLessThan(1000 + 40_000);
    }
    expect(slices).toBeGreaterThan(20);
    naive.startRefresh();
    naive.endRefresh();
    naive.check(shard, demandEqual);
  });

  test('many small refreshes leave few segments', () => {
    const shard = new TestShard(new SegmentCore(build));
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    let most = 0;
    for (let i = 1; i <= 400; i++) {
      shard.apply(naive.apply(docsFrom(i, 1), []));
      shard.refresh();
      shard.workAll(1000);
      most = Math.max(most, shard.segmentCount);
    }
    expect(most).toBeLessThan(30);
    naive.startRefresh();
    naive.endRefresh();
    naive.check(shard, demandEqual);
  });

  test('the dead of a small segment stay until it is merged, or nothing lives in it', () => {
    const shard = new TestShard(new SegmentCore(build));
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    const remove = (keys: bigint[]) => {
      shard.apply(naive.apply([], keys));
      shard.refresh();
      shard.workAll(1000);
    };
    shard.apply(naive.apply(docsFrom(1, 6), []));
    remove([]);
    remove([2n, 4n, 6n]);
    expect(shard.info()).toMatchObject({ docs: 6, liveDocs: 3 });
    remove([8n, 10n, 12n]);
    expect(shard.info()).toMatchObject({ segments: 0, docs: 0 });
  });

  test('segments with many deletions are rewritten, and empty ones go', () => {
    const shard = new TestShard(new SegmentCore(build));
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    const show = () => {
      naive.startRefresh();
      shard.refresh();
      naive.endRefresh();
      shard.workAll(1000);
    };
    shard.apply(naive.apply(docsFrom(1, 6000), []));
    show();
    expect(shard.info().segmentBytes).toBeGreaterThan(32_768n);
    shard.apply(
      naive.apply(
        [],
        Array.from({ length: 1800 }, (_, i) => BigInt(i * 2 + 2)),
      ),
    );
    show();
    expect(shard.info()).toMatchObject({ docs: 6000, liveDocs: 4200 });
    shard.apply(
      naive.apply(
        [],
        Array.from({ length: 400 }, (_, i) => BigInt(i * 2 + 6002)),
      ),
    );
    show();
    expect(shard.info()).toMatchObject({ docs: 3800, liveDocs: 3800 });
    shard.apply(
      naive.apply(
        [],
        Array.from({ length: 6001 }, (_, i) => BigInt(i * 2)),
      ),
    );
    show();
    expect(shard.info()).toMatchObject({ segments: 0, docs: 0 });
    naive.check(shard, demandEqual);
  });
});
