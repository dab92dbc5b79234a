/** What the core refuses for its size is refused in the same words whatever the request: none shows the core's own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.js';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.call('PUT', '/a', { settings: { number_of_shards: 2 } });
  await node.call('PUT', '/a/t/1?refresh=true', { s: 'red fox', n: 1 });
});
afterAll(() => node.engine.close());

const script = `${'1 ? 2 : '.repeat(150)}1`;
const query = { function_score: { functions: [{ script_score: { script, lang: 'expression' } }] } };

it.each([
  ['POST', '/a/_search', { query }],
  ['POST', '/a/_search?search_type=dfs_query_then_fetch', { query }],
  ['POST', '/a/_search?search_type=count', { query }],
  ['POST', '/a/_search?search_type=scan&scroll=1m', { query }],
  ['POST', '/a/_search', { query: { match_all: {} }, rescore: { query: { rescore_query: query } } }],
  ['POST', '/a/_search', { aggs: { x: { filter: { query } } } }],
  ['POST', '/a/_count', { query }],
  ['POST', '/a/t/1/_explain', { query }],
  ['POST', '/a/_validate/query?explain=true&rewrite=true', { query }],
  ['POST', '/a/_msearch', `{}\n${JSON.stringify({ query })}\n`],
  ['DELETE', '/a/_query', { query }],
])('%s %s', async (method, path, body) => {
  const { text } = await node.call(method, path, body, { patient: true });
  expect(text).not.toContain('CoreError');
  expect(text).toContain('parts within parts of a script than can be handled');
});
