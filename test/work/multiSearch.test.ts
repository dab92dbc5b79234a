/** Searches of one request let others have the event loop between, and end with their client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

const SEARCHES = 40;
let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.call('PUT', '/a', { settings: { number_of_shards: 1 } });
  await node.call('PUT', '/a/t/1?refresh=true', { n: 1 });
});
afterAll(() => node.engine.close());

describe('_msearch', () => {
  const body = '{}\n{"size":0}\n'.repeat(SEARCHES);

  it('stops between its searches', async () => {
    const all = await node.call('POST', '/a/_msearch', body);
    expect(all.body.responses).toHaveLength(SEARCHES);
    expect(all.turns).toBeGreaterThanOrEqual(SEARCHES);
  });

  it('ends with its client', async () => {
    const gone = await node.call('POST', '/a/_msearch', body, { goneAfter: 3 });
    expect(gone.status).toBe(503);
    // The others that were under way had asked already.
    expect(gone.turns).toBeLessThan(SEARCHES);
  });
});

describe('_mget', () => {
  const body = { ids: Array.from({ length: 200 }, () => '1') };

  it('stops between its documents', async () => {
    const all = await node.call('POST', '/a/t/_mget', body);
    expect(all.body.docs).toHaveLength(200);
    expect(all.turns).toBeGreaterThanOrEqual(200 / 8);
  });

  it('ends with its client', async () => {
    expect(await node.call('POST', '/a/t/_mget', body, { goneAfter: 3 })).toMatchObject({
      status: 503,
      turns: 3,
    });
  });
});

it('gives each its own turn of the event loop', async () => {
  const order: string[] = [];
  let turn = 0;
  const turns = new Promise<void>((resolve) => {
    const next = () => {
      order.push(`turn ${++turn}`);
      if (turn < 100) setImmediate(next);
      else resolve();
    };
    setImmediate(next);
  });
  const one = async (name: string) => {
    await WorkLimit.none.yield();
    order.push(name);
  };
  await Promise.all([one('a'), one('b'), one('c'), turns]);
  const places = ['a', 'b', 'c'].map((name) => order.indexOf(name));
  expect(places[1]! - places[0]!).toBeGreaterThan(1);
  expect(places[2]! - places[1]!).toBeGreaterThan(1);
});
