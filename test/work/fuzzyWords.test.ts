/** Queries of many fuzzy words, whose automata take long, are compiled in turns wherever a query may stand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.js';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.call('PUT', '/a', { settings: { number_of_shards: 1 } });
  await node.call('PUT', '/a/t/1?refresh=true', { x: 'red' });
  await node.call('PUT', '/a/.percolator/1?refresh=true', { query: { match_all: {} }, kind: 'word10' });
});
afterAll(() => node.engine.close());

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `word${from + i}`).join(' ');
const match = (field: string, query: string) => ({ match: { [field]: { query, fuzziness: 2 } } });

// Automata that were made lately are kept: each asks for words of its own.
it.each([
  ['_explain', 'POST', '/a/t/1/_explain', 1000, (query: object) => ({ query })],
  ['_count', 'POST', '/a/_count', 2000, (query: object) => ({ query })],
  ['delete by query', 'DELETE', '/a/_query', 3000, (query: object) => ({ query })],
  ['_validate', 'POST', '/a/_validate/query', 5000, (query: object) => ({ query })],
  ['_percolate', 'POST', '/a/t/_percolate', 4000, (query: object) => ({ doc: { x: 'red' }, query })],
] as const)('%s', async (_name, method, uri, from, body) => {
  const { status, turns } = await node.call(method, uri, body(match('x', words(from, 30))));
  expect(status).toBe(200);
  expect(turns).toBeGreaterThanOrEqual(30);
  const gone = await node.call(method, uri, body(match('x', words(from + 500, 30))), { goneAfter: 5 });
  expect(gone.turns).toBeLessThanOrEqual(6);
});

it('refuses too many of them before any is made', async () => {
  const { status, body, turns } = await node.call('POST', '/a/_search', {
    query: match('x', words(0, 1025)),
  });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('maxClauseCount is set to 1024') },
  });
  expect(turns).toBeLessThan(10);
});
