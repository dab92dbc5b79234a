import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';

/**
 * Every explanation gives the hit's score at its root, and is what its parts make of each other all the way down; but for the last
 * bits of a float, since scores are not summed in the order in which they are explained (in Lucene neither).
 */

const root = resolve(import.meta.dirname, '../..');
const fixtures = join(root, 'test/fixtures/relevance');
const SIZE = 3;
const TOLERANCE = 2e-6;

interface Explanation {
  value: number;
  description: string;
  details?: Explanation[];
}

function lines<T>(name: string): T[] {
  return readFileSync(join(fixtures, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

const documents = lines<{ id: string }>('corpus.jsonl');
const queries = [
  ...lines<{ name: string; query: object }>('queries.jsonl'),
  ...lines<{ name: string; query: object }>('expressions.jsonl'),
];
const spec = JSON.parse(readFileSync(join(fixtures, 'spec.json'), 'utf8')) as { mappings: object };

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
  api = await openApi(readFileSync(join(root, 'build/resilin.wasm')));
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await api.call('PUT', '/e', { settings, mappings: spec.mappings });
  const bulk = documents.flatMap((source) => [{ index: { _id: source.id } }, source]);
  const body = bulk.map((line) => `${JSON.stringify(line)}\n`).join('');
  await api.call('POST', '/e/doc/_bulk?refresh=true', body);
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
