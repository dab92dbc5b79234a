/** Mappings of many fields are shown in turns, and to nobody who has gone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.js';

const FIELDS = 600;
let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  const fields = (type: string) =>
    Object.fromEntries(Array.from({ length: FIELDS }, (_, i) => [`f${i}`, { type }]));
  const properties = { ...fields('string'), __proto: { type: 'long' }, o: { properties: fields('long') } };
  await node.call('PUT', '/a', { mappings: { t: { properties } } });
});
afterAll(() => node.engine.close());

it.each([
  '/a/_mapping',
  '/a',
  '/_cluster/state',
  '/a/_mapping/field/*',
  '/a/_mapping/field/*?include_defaults',
])('%s', async (path) => {
  const atOnce = await node.call('GET', path, undefined, { patient: true });
  const inTurns = await node.call('GET', path);
  expect(inTurns.status).toBe(200);
  expect(inTurns.text).toBe(atOnce.text);
  expect(inTurns.text).toContain('"f599"');
  // A turn is some hundred fields.
  expect(inTurns.turns).toBeGreaterThan(10);
  const gone = await node.call('GET', path, undefined, { goneAfter: 5 });
  expect(gone).toMatchObject({ status: 503, turns: 5 });
});

it('queries of all fields', async () => {
  const body = { query: { multi_match: { query: 'red', fields: ['*'] } } };
  const { turns } = await node.call('POST', '/a/_search', { query: { match: { f1: 'red' } } });
  const found = await node.call('POST', '/a/_search', body);
  expect(found.status).toBe(400);
  expect(found.turns).toBeGreaterThan(turns + 1);
});

it('settings of many indices', async () => {
  const words = Array.from({ length: 50 }, (_, i) => `w${i}`);
  const analysis = { filter: { f: { type: 'stop', stopwords: words } } };
  for (const name of ['s1', 's2', 's3']) await node.call('PUT', `/${name}`, { settings: { analysis } });
  const { body, turns } = await node.call('GET', '/s*/_settings');
  expect(Object.keys(body)).toEqual(['s1', 's2', 's3']);
  expect(body.s2.settings.index.analysis.filter.f).toEqual({ type: 'stop', stopwords: words });
  expect(turns).toBeGreaterThanOrEqual(3);
});
