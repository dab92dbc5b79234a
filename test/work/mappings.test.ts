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
