/** Hits of several shards stand in the order that Java has of their values. */
import { expect, it } from 'vitest';
import type { SortKey } from '../../host/plan/sortKeys.js';
import { compareRows, type SortedRow } from '../../host/query/sort/sortedOrder.js';

const row = (score: number): SortedRow => ({ key: 0, score, values: [score] });

it('tells the zeros of scores apart', () => {
  const keys = (descending: boolean): SortKey[] => [{ kind: 'score', descending }];
  const [below, above] = [row(-0), row(0)];
  expect(compareRows(keys(true), above, below)).toBeLessThan(0);
  expect(compareRows(keys(false), above, below)).toBeGreaterThan(0);
  expect(compareRows(keys(true), above, row(0))).toBe(0);
});
