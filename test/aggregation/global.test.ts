import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const key = { properties: { k: { type: 'string', index: 'not_analyzed' } } };
  await resilin.request('PUT', '/a', {
    settings: { number_of_shards: 2 },
    mappings: { t: key, u: key },
    aliases: { fx: { filter: { term: { k: 'x' } } } },
  });
  for (const [i, k] of ['x', 'y', 'x', 'z'].entries()) {
    await resilin.request('PUT', `/a/${i < 2 ? 't' : 'u'}/${i}?refresh=true`, { k });
  }
});
afterAll(() => resilin.close());

test.each([
  ['/a', { x: 2, y: 1, z: 1 }],
  ['/a/t', { x: 1, y: 1 }],
  ['/fx', { x: 2 }],
  ['/fx/u', { x: 1 }],
])('a global aggregation of %s is of what its types and aliases let through', async (path, wanted) => {
  const { body } = await resilin.request('POST', `${path}/_search`, {
    query: { term: { k: 'nowhere' } },
    aggs: { all: { global: {}, aggs: { keys: { terms: { field: 'k' } } } } },
  });
  const { all } = (
    body as {
      aggregations: {
        all: { doc_count: number; keys: { buckets: { key: string; doc_count: number }[] } };
      };
    }
  ).aggregations;
  expect(Object.fromEntries(all.keys.buckets.map(({ key, doc_count }) => [key, doc_count]))).toEqual(wanted);
  expect(all.doc_count).toBe(Object.values(wanted).reduce((a, b) => a + b, 0));
});
