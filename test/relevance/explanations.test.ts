import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api } from '../support/api.js';
import { indexAll, lines, type NamedQuery, openCore } from './fixtures.js';

/**
 * Every explanation gives the hit's score at its root, and is what its parts make of each other all the way down; but for the last
 * bits of a float, since scores are not summed in the order in which they are explained (in Lucene neither).
 */

const SIZE = 3;
const TOLERANCE = 2e-6;

interface Explanation {
  value: number;
  description: string;
  details?: Explanation[];
}

const queries = [...lines<NamedQuery>('queries.jsonl'), ...lines<NamedQuery>('expressions.jsonl')];

/** What an explanation with parts should come to; undefined where its words don't say. */
function madeOf({ description, details = [] }: Explanation): number | undefined {
  const values = details.map(({ value }) => value);
  const sum = values.reduce((a, b) => a + b, 0);
  const others = /max plus ([\d.E-]+) times others of:$/.exec(description);
  if (others !== null) {
    const max = Math.max(...values);
    return max + Number(others[1]) * (sum - max);
  }
  if (description.endsWith('sum of:')) return sum;
  if (description.endsWith('product of:')) return values.reduce((a, b) => a * b, 1);
  if (description.endsWith('max of:')) return Math.max(...values);
  if (description.endsWith('result of:')) return values[0];
  return undefined;
}

/** Checks an explanation and all below it; returns how many told how they are made. */
function check(explanation: Explanation): number {
  const { value, details = [] } = explanation;
  expect(Number.isFinite(value)).toBe(true);
  let told = 0;
  if (details.length > 0) {
    const made = madeOf(explanation);
    if (made !== undefined) {
      told++;
      const off = Math.abs(made - value) / Math.max(Math.abs(value), 1e-9);
      expect(off, JSON.stringify(explanation, null, 1)).toBeLessThanOrEqual(TOLERANCE);
    }
  }
  return details.reduce((sum, each) => sum + check(each), told);
}

let api: Api;

beforeAll(async () => {
  api = await openCore();
  await indexAll(api, 'e', 2);
});
afterAll(() => api?.close());

it.each(queries)('$name', async ({ query }) => {
  const request = { query, size: SIZE, explain: true, _source: false };
  const { status, body } = await api.call('POST', '/e/_search', request);
  expect(status, JSON.stringify(body)).toBe(200);
  const { hits } = body as { hits: { hits: { _score: number; _explanation: Explanation }[] } };
  for (const { _score, _explanation } of hits.hits) {
    expect(Math.abs(_explanation.value - _score)).toBeLessThanOrEqual(TOLERANCE * _score);
    if (_explanation.details !== undefined) expect(check(_explanation)).toBeGreaterThan(0);
  }
});
