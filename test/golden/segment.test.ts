import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demandEqual } from '../support/demandEqual.js';
import { readSegment } from '../model/segmentReader.js';
import { BUILDS, SegmentCore, TestShard } from '../segment/core.js';
import { type NaiveField, NaiveShard, type NaiveValue } from '../segment/naiveShard.js';

/** What scripts/make-golden-segment.mjs wrote beside the image. */
interface Source {
  fields: NaiveField[];
  docs: { key: number; values: NaiveValue[] }[];
}

describe.each([1, 2])('the image of format %i', (format) => {
  const image = new Uint8Array(readFileSync(resolve(`test/golden/segment-v${format}.bin`)));
  const source = JSON.parse(readFileSync(resolve(`test/golden/segment-v${format}.json`), 'utf8')) as Source;
  const naive = new NaiveShard(source.fields);
  naive.apply(
    source.docs.map((doc) => ({ key: BigInt(doc.key), values: doc.values })),
    [],
  );
  naive.startRefresh();
  naive.endRefresh();

  test('holds what it was made from', () => {
    const segment = readSegment(image);
    expect(segment.keys).toEqual(source.docs.map((doc) => BigInt(doc.key)));
    expect(segment.fields).toEqual(naive.expected(segment.keys));
    expect(segment.columns.map(({ field, kind, several }) => [field, kind, several])).toEqual(
      format === 1
        ? []
        : [
            [400, 'long', false],
            [401, 'double', true],
            [402, 'ordinal', false],
            [403, 'geo', false],
            [404, 'ordinal', true],
          ],
    );
  });

  describe.each(BUILDS)('%s build', (build) => {
    const core = new SegmentCore(build);

    test('loads', () => {
      const shard = new TestShard(core);
      expect(shard.load(image)).toBe(0);
      naive.check(shard, demandEqual);
      shard.drop();
    });

    test('can be merged with a new segment', () => {
      const shard = new TestShard(core);
      const grown = new NaiveShard(source.fields);
      grown.apply(
        source.docs.map((doc) => ({ key: BigInt(doc.key), values: doc.values })),
        [],
      );
      grown.define(shard);
      expect(shard.load(image)).toBe(0);
      const first = source.docs[0]!;
      const last = source.docs.at(-1)!;
      const added = { key: BigInt(last.key + 5), values: first.values };
      expect(shard.apply(grown.apply([added], [BigInt(first.key)]))).toBe(0);
      grown.startRefresh();
      shard.refresh();
      grown.endRefresh();
      shard.forceMerge(1);
      expect(grown.check(shard, demandEqual)).toBe(0);
      shard.drop();
    });
  });
});
