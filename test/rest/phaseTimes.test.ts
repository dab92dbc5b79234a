import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** `phase_took`: how long each phase of a search took. */

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/i', { settings: { number_of_shards: 2 } });
  for (let i = 0; i < 5; i++) await resilin.request('PUT', `/i/t/${i}?refresh=true`, { a: 'fox' });
});
afterAll(() => resilin.close());

const search = async (parameters: string, more: object = {}) =>
  (await resilin.request('POST', `/i/_search${parameters}`, { query: { match: { a: 'fox' } }, ...more }))
    .body as {
    took: number;
    hits: { total: number };
    phase_took?: Record<string, number>;
  };

it('is told where it is asked for', async () => {
  const { took, hits, phase_took } = await search('?phase_took=true', { explain: true });
  expect(hits.total).toBe(5);
  expect(Object.keys(phase_took!)).toEqual(['plan', 'dfs_pre_query', 'query', 'fetch', 'expand']);
  const sum = Object.values(phase_took!).reduce((all, ms) => all + ms, 0);
  expect(sum).toBeGreaterThan(0);
  // Rounded each, and `took` to a whole millisecond.
  expect(sum).toBeLessThanOrEqual(took + 1.1);
});

it('is in no other answer', async () => {
  expect(await search('')).not.toHaveProperty('phase_took');
  expect(await search('?phase_took=false')).not.toHaveProperty('phase_took');
});
