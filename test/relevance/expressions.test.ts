import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api } from '../support/api.js';
import { expectClose, indexAll, lines, type NamedQuery, openCore, type Run, recorded } from './fixtures.js';

/**
 * Query strings, misspelt words, patterns and their like: totals, order and score bits as Lucene 4.10.4 has them
 * (test/fixtures/relevance/README.md), of one shard and of three.
 */

const SIZE = 10;

interface Expression extends NamedQuery {
  shards1: Run;
  shards3: Run;
}

const expressions = lines<Expression>('expressions.jsonl');
/**
 * Nested optional clauses whose sum Lucene takes in the order of a heap that depends on every document walked before.
 * Their scores may differ in the last bit.
 */
const LAST_BIT = new Set(['query-string-10']);

let api: Api;

beforeAll(async () => {
  api = await openCore();
  for (const shards of [1, 3]) await indexAll(api, `e${shards}`, shards);
});
afterAll(() => api?.close());

it.each(expressions)('$name', async ({ name, query, shards1, shards3 }) => {
  for (const [index, wanted] of [
    ['e1', shards1],
    ['e3', shards3],
  ] as const) {
    const { status, body } = await api.call('POST', `/${index}/_search`, {
      query,
      size: SIZE,
      _source: false,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { hits } = body as { hits: { total: number; hits: { _id: string; _score: number }[] } };
    const got = recorded(hits.hits);
    if (LAST_BIT.has(name)) expectClose(got, wanted.hits);
    else expect({ total: hits.total, hits: got }).toEqual(wanted);
  }
});
