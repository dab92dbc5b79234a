import { describe, expect, test } from 'vitest';
import { demandEqual } from '../support/demandEqual.js';
import { BUILDS, ERR_MEMORY, SegmentCore, TestBatch, TestShard } from './core.js';
import { NaiveShard, type NaiveDoc, type NaiveField } from './naiveShard.js';

const FIELDS: readonly NaiveField[] = [
  { field: 1, flags: 7, analyzer: 1, boost: 1, gap: 0 },
  { field: 2, flags: 0, analyzer: 0, boost: 1, gap: 0 },
];

function someDocs(first: number, n: number): NaiveDoc[] {
  return Array.from({ length: n }, (_, i) => ({
    key: BigInt(first + i),
    values: [
      { field: 1, text: `the word${(first + i) % 97} the rare${first + i} end` },
      { field: 2, text: `tag${i % 3}` },
    ],
  }));
}

/** A batch of documents with many words, most of them seldom; fast to make. */
function bigBatch(firstKey: number, docs: number, words: number): Uint8Array {
  const parts: Buffer[] = [];
  for (let i = 0; i < docs; i++) {
    const text = Buffer.from(
      Array.from({ length: words }, (_, w) => `w${((firstKey + i) * 31 + w * w * 7) % 50021}`).join(' '),
    );
    const head = Buffer.alloc(13 + 6);
    head.writeUInt8(1, 0);
    head.writeBigUInt64LE(BigInt(firstKey + i), 1);
    head.writeUInt32LE(text.length + 6, 9);
    head.writeUInt16LE(1, 13);
    head.writeUInt32LE(text.length, 15);
    parts.push(head, text);
  }
  return Buffer.concat(parts);
}

describe.each(BUILDS)('%s build', (build) => {
  test('a dropped shard leaves nothing behind, whatever it was doing', () => {
    const core = new SegmentCore(build);
    new TestShard(core).drop();
    const run = (slices: number) => {
      const shard = new TestShard(core);
      const naive = new NaiveShard(FIELDS);
      naive.define(shard);
      for (let i = 0; i < 12; i++) {
        shard.apply(naive.apply(someDocs(1 + i * 200, 200), [BigInt(i * 3 + 1)]));
        if (i < 11) shard.refresh();
      }
      core.exports.shardForceMerge(shard.handle, 1);
      for (let i = 0; i < slices; i++) shard.work(50);
      core.exports.shardRefresh(shard.handle);
      for (let i = 0; i < slices; i++) shard.work(50);
      shard.apply(naive.apply(someDocs(10_000, 10), [5n]));
      shard.drop();
    };
    run(3);
    const before = core.heapUsed();
    for (let slices = 0; slices < 200; slices += 7) {
      run(slices);
      expect(core.heapUsed()).toBe(before);
    }
  });

  test('an idle shard takes little memory', () => {
    const core = new SegmentCore(build);
    const makeShard = () => {
      const shard = new TestShard(core);
      for (let field = 0; field < 20; field++) shard.define(field, 7, 1);
      shard.apply(new TestBatch().index(1n, [[0, new TextEncoder().encode('some text')]]).bytes());
      shard.refresh();
      return shard;
    };
    makeShard().drop();
    const before = core.heapUsed();
    const shards = Array.from({ length: 500 }, makeShard);
    expect((core.heapUsed() - before) / shards.length).toBeLessThan(1500);
    for (const shard of shards) shard.drop();
    // Only the table of shards has grown.
    expect(core.heapUsed() - before).toBeLessThan(5000);
  });

  test('a full buffer is flushed, and its documents wait for the refresh', () => {
    const core = new SegmentCore(build);
    const shard = new TestShard(core);
    shard.define(1, 3, 1);
    let most = 0n;
    const docs = 12_000;
    for (let key = 1; key <= docs; key += 500) {
      expect(shard.apply(bigBatch(key, 500, 200))).toBe(0);
      const { bufferBytes } = shard.info();
      if (bufferBytes > most) most = bufferBytes;
    }
    expect(most).toBeLessThan(30n << 20n);
    const info = shard.info();
    expect(info.hiddenSegments).toBeGreaterThan(0);
    expect(info).toMatchObject({ segments: 0, docs: 0 });
    shard.refresh();
    expect(shard.info()).toMatchObject({ hiddenSegments: 0, docs, liveDocs: docs });
    shard.forceMerge(1);
    expect(shard.info()).toMatchObject({ segments: 1, docs });
  });

  test('without memory a call fails and changes nothing, and with memory it succeeds', () => {
    const core = new SegmentCore(build);
    const e = core.exports;
    const shard = new TestShard(core);
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    let key = 1;
    for (let i = 0; i < 4; i++, key += 150) {
      shard.apply(naive.apply(someDocs(key, 150), []));
      shard.refresh();
    }
    naive.startRefresh();
    naive.endRefresh();
    const batch = naive.apply(someDocs(key, 400), [3n, 160n, 170n]);
    const ptr = core.put(batch);

    /** Runs a call with ever more free memory until it doesn't fail for lack of it; how often it failed. */
    const withScarceMemory = (call: () => number, check: () => void): number => {
      let failures = 0;
      for (let free = 0; ; free = free * 1.15 + 64) {
        const spare = free ? e.heapAlloc(free) >>> 0 : 0;
        const taken: number[] = [];
        for (let bytes = 0xe0000000; bytes >= 16; bytes = Math.floor(bytes / 2)) {
          for (let p = e.heapAlloc(bytes) >>> 0; p; p = e.heapAlloc(bytes) >>> 0) taken.push(p);
        }
        e.heapFree(spare);
        const status = call();
        for (const p of taken) e.heapFree(p);
        if (status !== ERR_MEMORY) {
          expect(status).toBeGreaterThanOrEqual(0);
          return failures;
        }
        failures++;
        check();
      }
    };
    const unchanged = () => naive.check(shard, demandEqual);

    expect(
      withScarceMemory(
        () => e.applyBatch(shard.handle, ptr, batch.length),
        () => expect(shard.info()).toMatchObject({ bufferedDocs: 0, deletions: 0 }),
      ),
    ).toBeGreaterThan(5);
    expect(withScarceMemory(() => e.shardRefresh(shard.handle), unchanged)).toBeGreaterThan(0);
    const flush = () => {
      for (;;) {
        const left = shard.work(1000);
        if (left !== 1) return left;
      }
    };
    expect(withScarceMemory(flush, unchanged)).toBeGreaterThan(5);
    naive.startRefresh();
    naive.endRefresh();
    naive.check(shard, demandEqual);
    const merge = () => {
      e.shardForceMerge(shard.handle, 1);
      for (;;) {
        const left = shard.work(1000);
        if (left <= 0) return left;
      }
    };
    expect(withScarceMemory(merge, () => naive.check(shard, demandEqual))).toBeGreaterThan(5);
    expect(naive.check(shard, demandEqual)).toBe(0);
    expect(shard.segmentCount).toBe(1);
    e.heapFree(ptr);
  });

  test('a batch that fails in its middle leaves the buffer as it was', () => {
    const core = new SegmentCore(build);
    const e = core.exports;
    const shard = new TestShard(core);
    const naive = new NaiveShard(FIELDS);
    naive.define(shard);
    shard.apply(naive.apply(someDocs(1, 100), []));
    const docs = someDocs(101, 3000);
    const batch = new NaiveShard(FIELDS).apply(docs, [4n]);
    const ptr = core.put(batch);
    let failures = 0;
    for (let free = 64; ; free = free * 1.3) {
      const spare = e.heapAlloc(free) >>> 0;
      const taken: number[] = [];
      for (let bytes = 0xe0000000; bytes >= 16; bytes = Math.floor(bytes / 2)) {
        for (let p = e.heapAlloc(bytes) >>> 0; p; p = e.heapAlloc(bytes) >>> 0) taken.push(p);
      }
      e.heapFree(spare);
      const status = e.applyBatch(shard.handle, ptr, batch.length);
      for (const p of taken) e.heapFree(p);
      if (status === 0) break;
      expect(status).toBe(ERR_MEMORY);
      expect(shard.info()).toMatchObject({ bufferedDocs: 100, deletions: 0, nextKey: 101n });
      failures++;
    }
    expect(failures).toBeGreaterThan(3);
    naive.apply(docs, [4n]);
    shard.refresh();
    naive.startRefresh();
    naive.endRefresh();
    naive.check(shard, demandEqual);
  });
});
