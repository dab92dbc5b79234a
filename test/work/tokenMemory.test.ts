/** The tokens of long texts are counted as memory of the request wherever texts are analyzed for it, before they are there. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answered, startNode, type TestNode } from './node.js';

const WORDS = Array.from({ length: 30_000 }, (_, i) => `w${i}`).join(' ');
/** Less than the tokens of such a text take; more than anything else that is counted. */
const LIMIT = 1_000_000;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  const string = { type: 'string' };
  const properties = {
    plain: string,
    postings: { ...string, index_options: 'offsets' },
    fvh: { ...string, term_vector: 'with_positions_offsets' },
  };
  await node.call('PUT', '/a', { settings: { number_of_shards: 1 }, mappings: { t: { properties } } });
  await node.call('PUT', '/a/t/1?refresh', { plain: WORDS, postings: WORDS, fvh: WORDS });
  await node.call('PUT', '/a/.percolator/1', { query: { match: { plain: 'w7' } } });
});
afterAll(() => node.engine.close());

/** A query of few terms with a long text. */
const like = { more_like_this: { fields: ['plain'], like_text: 'red fox '.repeat(15_000), min_doc_freq: 1 } };

const REQUESTS: readonly (readonly [string, string, string, unknown])[] = [
  ['_count', 'POST', '/a/_count', { query: like }],
  ['_validate', 'POST', '/a/_validate/query', { query: like }],
  ['_explain', 'POST', '/a/t/1/_explain', { query: like }],
  [
    'delete by query',
    'DELETE',
    '/a/_query',
    { query: { bool: { must: [like, { term: { plain: 'none' } }] } } },
  ],
  ['a percolation with a query', 'POST', '/a/t/_percolate', { doc: {}, query: like }],
  ['term vectors', 'POST', '/a/t/_termvector', { doc: { plain: WORDS } }],
];

it.each(REQUESTS)('%s', async (_name, method, uri, body) => {
  const done = await node.call(method, uri, body);
  expect(done.status).toBe(200);
  expect(done.memory.most).toBeGreaterThan(LIMIT);
  const refused = await node.call(method, uri, body, { memory: LIMIT });
  expect(refused.text).toContain('CircuitBreakingException');
  expect(refused.memory.most).toBeLessThan(LIMIT);
});

const highlighted = (field: string, options?: { memory: number }): Promise<Answered> =>
  node.call(
    'POST',
    '/a/_search',
    {
      query: { match: { [field]: 'w7' } },
      _source: false,
      highlight: { fields: { [field]: { type: field } } },
    },
    options,
  );

it.each(['plain', 'postings', 'fvh'])('highlighting, %s', async (field) => {
  const done = await highlighted(field);
  expect(done.body.hits.hits[0].highlight[field]).toHaveLength(1);
  expect(done.memory.most).toBeGreaterThan(LIMIT);
  // The next hit has the memory of this one.
  expect(done.memory.left).toBeLessThan(LIMIT / 10);
  const refused = await highlighted(field, { memory: LIMIT });
  expect(refused.text).toContain('CircuitBreakingException');
  expect(refused.memory).toMatchObject({ left: expect.any(Number) });
  expect(refused.memory.left).toBeLessThan(LIMIT / 10);
});

it('highlighting what is percolated', async () => {
  const body = { doc: { plain: WORDS }, size: 10, highlight: { fields: { plain: {} } } };
  const done = await node.call('POST', '/a/t/_percolate', body);
  expect(done.body.matches[0].highlight.plain).toHaveLength(1);
  expect(done.memory.most).toBeGreaterThan(LIMIT);
  expect(done.memory.left).toBeLessThan(done.memory.most);
});
