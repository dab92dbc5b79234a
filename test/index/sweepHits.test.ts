import { expect, it } from 'vitest';
import type { ShardHits } from '../../host/search/ranking.js';
import { SweepHits } from '../../host/search/scanHits.js';
import { atOnce, WorkLimit } from '../../host/workLimit.js';

/** Hits of a shard that knows no documents. */
const hitsOf = (...keys: number[]): ShardHits =>
  ({
    index: {},
    shard: { documents: { byKey: () => undefined } },
    result: { keys: Float64Array.from(keys) },
  }) as unknown as ShardHits;

it('keys with gaps of any size are read to the end', () => {
  const swept = new SweepHits([hitsOf(0, 1, 127, 128, 2 ** 40, 2 ** 53 - 1)]);
  const next = (count: number) => atOnce(swept.next(count, () => {}, WorkLimit.none));
  expect([4, 4, 4].map((count) => next(count).shards)).toEqual([1, 1, 0]);
});

it('keys that do not ascend are refused, since they would be read without an end', () => {
  expect(() => new SweepHits([hitsOf(5, 4)])).toThrow('keys must ascend: 4 comes after 5');
  expect(() => new SweepHits([hitsOf(Number.NaN)])).toThrow('keys must ascend');
});
