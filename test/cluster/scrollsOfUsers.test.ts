/** Scrolls of users who may not see everything: they go on at any node, for those whose they are. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const reader = (name: string, cluster: 'none' | 'manage' = 'none') =>
  new Principal('user', name, { grants: [{ indices: ['books'], access: 'read' }], cluster });
const [ada, bob] = [reader('ada'), reader('bob')];

let simulated: SimulatedCluster;
let nodes: SimulatedNode[];
let a: SimulatedNode;
let b: SimulatedNode;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = [await simulated.start('a'), await simulated.start('b')];
  [a, b] = nodes as [SimulatedNode, SimulatedNode];
  const settings = { number_of_shards: 2, number_of_replicas: 0, refresh_interval: -1 };
  for (const name of ['books', 'secrets']) {
    await a.call('PUT', `/${name}`, { settings });
    for (let i = 0; i < 5; i++) await a.call('PUT', `/${name}/doc/${i}`, { n: i });
  }
  await a.call('POST', '/_refresh');
});

afterEach(() => simulated.close(nodes));

async function begun(principal: Principal): Promise<string> {
  const { body } = await a.call('POST', '/_search?scroll=1m&size=2&sort=n', {}, principal);
  expect(body.hits.total).toBe(5);
  return body._scroll_id;
}

const page = (node: SimulatedNode, id: string, principal?: Principal) =>
  node.call('POST', '/_search/scroll?scroll=1m', id, principal);

it('goes on at another node than the one where it began', async () => {
  const id = await begun(ada);
  const { status, body } = await page(b, id, ada);
  expect([status, body.hits.hits.map((hit: { _id: string }) => hit._id)]).toEqual([200, ['2', '3']]);
  expect((await page(a, body._scroll_id, ada)).body.hits.hits).toHaveLength(1);
});

it('is nobody else’s there either', async () => {
  const id = await begun(ada);
  for (const principal of [bob, reader('ada', 'manage'), undefined]) {
    expect((await page(b, id, principal)).status).toBe(404);
    expect((await b.call('DELETE', '/_search/scroll', id, principal)).status).toBe(404);
  }
  expect((await page(b, id, ada)).body.hits.hits).toHaveLength(2);
});

it('is let go of at another node by those whose it is', async () => {
  const [first, second] = [await begun(ada), await begun(bob)];
  expect((await b.call('DELETE', '/_search/scroll', first, ada)).status).toBe(200);
  expect((await page(a, first, ada)).status).toBe(404);
  expect((await b.call('DELETE', '/_search/scroll/_all', '', ada)).status).toBe(200);
  expect((await page(a, second, bob)).status).toBe(200);
  expect((await b.call('DELETE', '/_search/scroll/_all', '', bob)).status).toBe(200);
  expect((await page(a, second, bob)).status).toBe(404);
});
