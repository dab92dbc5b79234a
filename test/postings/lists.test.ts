import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSegment } from '../model/segmentReader.js';
import { BUILDS, SegmentCore, TestBatch, TestShard } from '../segment/core.js';

/** Lists of postings around all borders of the format, written from a buffer and written again by a merge. */

const TEXT = 1;
const TAGS = 2;
const GAP = 100_000_000;
const utf8 = new TextEncoder();

interface Doc {
  /** Documents without the term before this one. */
  skip: number;
  /** Occurrences in each value of the text: positions go on across values, GAP apart. */
  values: number[];
}

const skip = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.nat(300) },
);
const occurrences: fc.Arbitrary<number[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<number[]>([1]) },
  { weight: 2, arbitrary: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 400 }).map((n) => [n]) },
);
const doc: fc.Arbitrary<Doc> = fc.record({ skip, values: occurrences });

/** Lengths next to the multiples of a block. */
const docs = fc.constantFrom(1, 2, 126, 127, 128, 129, 200, 255, 256, 257, 384, 400).chain((n) =>
  fc.oneof(
    fc.array(doc, { minLength: n, maxLength: n }),
    fc.constant(Array.from({ length: n }, () => ({ skip: 0, values: [1] }))),
    skip.map((s) => Array.from({ length: n }, () => ({ skip: s, values: [1] }))),
  ),
);

function batchOf(list: readonly Doc[], firstKey: bigint): { bytes: Uint8Array; nextKey: bigint } {
  const batch = new TestBatch();
  let key = firstKey;
  for (const { skip: without, values } of list) {
    for (let i = 0; i < without; i++) batch.index(key++, []);
    const texts = values.map((n) => [TEXT, utf8.encode('x '.repeat(n))] as const);
    batch.index(key++, [...texts, [TAGS, utf8.encode('x')]]);
  }
  return { bytes: batch.bytes(), nextKey: key };
}

function expected(list: readonly Doc[]): { doc: number; freq: number; positions: number[] }[] {
  let at = -1;
  return list.map(({ skip: without, values }) => {
    at += without + 1;
    const positions: number[] = [];
    let position = -1;
    for (const n of values) {
      for (let i = 0; i < n; i++) positions.push(++position);
      position += GAP;
    }
    return { doc: at, freq: positions.length, positions };
  });
}

function check(shard: TestShard, list: readonly Doc[]): void {
  const { fields } = readSegment(shard.image(0));
  const [text, tags] = fields;
  const want = expected(list);
  expect(text!.terms[0]!.postings).toEqual(want);
  expect(tags!.terms[0]!.postings).toEqual(want.map((p) => ({ doc: p.doc, freq: 1, positions: [] })));
}

describe.each(BUILDS)('%s build', (build) => {
  const core = new SegmentCore(build);

  test('lists hold their documents, frequencies and positions, flushed and merged', () => {
    fc.assert(
      fc.property(docs, fc.array(docs, { maxLength: 2 }), fc.constantFrom(3, 7), (first, more, flags) => {
        const shard = new TestShard(core);
        shard.define(TEXT, flags, 1, 1, GAP);
        shard.define(TAGS, 0, 0);
        const all: Doc[] = [];
        let key = 1n;
        for (const list of [first, ...more]) {
          const { bytes, nextKey } = batchOf(list, key);
          key = nextKey;
          expect(shard.apply(bytes)).toBe(0);
          shard.refresh();
          if (list === first) check(shard, list);
          all.push(...list);
        }
        shard.forceMerge(1, 100);
        check(shard, all);
        shard.drop();
      }),
      { numRuns: build === 'release' ? 60 : 10 },
    );
  });

  test('positions stop at a bound instead of overflowing', () => {
    const shard = new TestShard(core);
    shard.define(TEXT, 7, 1, 1, 0xffffffff);
    const batch = new TestBatch();
    for (let i = 1; i <= 3; i++) {
      batch.index(
        BigInt(i),
        Array.from({ length: i }, () => [TEXT, utf8.encode('x y')] as const),
      );
    }
    expect(shard.apply(batch.bytes())).toBe(0);
    shard.refresh();
    const bound = 2 ** 29 - 1;
    const [x, y] = readSegment(shard.image(0)).fields[0]!.terms;
    expect(x!.postings.map((p) => p.positions)).toEqual([[0], [0, bound], [0, bound, bound]]);
    expect(y!.postings.map((p) => p.positions)).toEqual([[1], [1, bound], [1, bound, bound]]);
    shard.drop();
  });
});
