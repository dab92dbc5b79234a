/** What a node makes of answers, and of members, that no node sends: whoever may publish where nodes talk could send them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Peers } from '../../host/cluster/peers.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { Random } from '../torture/random.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

/** More seeds find more: `SEEDS=1000 npm test -- test/cluster/hostileAnswers.test.ts`. */
const SEEDS = Number(process.env.SEEDS ?? 6);

const module = await WebAssembly.compile(coreBytes());
const encoder = new TextEncoder();
let simulated: SimulatedCluster;
/** One with all data, and one without. */
let nodes: SimulatedNode[];
let b: SimulatedNode;
/** Changes an answer on its way to the node without data. */
let change: (answer: Uint8Array) => Uint8Array;
let changed: number;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  change = (answer) => answer;
  changed = 0;
  const a = await simulated.start('a');
  const { clock, logs, members, ...services } = simulated.cluster.start('b');
  const peers: Peers = {
    serve: (handler, limit) => services.peers.serve(handler, limit),
    ask: async (node, kind, bytes, signal) => change(await services.peers.ask(node, kind, bytes, signal)),
  };
  b = await SimulatedNode.start({
    id: 'b',
    incarnation: 'b-1',
    services: { clock, logs, members, peers, close: () => services.close() },
    module,
    data: false,
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
  });
  nodes = [a, b];
  const settings = { number_of_shards: 2, number_of_replicas: 0, refresh_interval: -1 };
  const mappings = { doc: { properties: { title: { type: 'string' }, n: { type: 'long' } } } };
  await a.call('PUT', '/books', { settings, mappings });
  for (let i = 0; i < 20; i++) await a.call('PUT', `/books/doc/${i}`, { title: `w${i % 3} word`, n: i });
  await a.call('PUT', '/books/.percolator/q', { query: { match: { title: 'word' } } });
  await a.call('POST', '/books/_refresh');
});

afterEach(() => simulated.close(nodes));

const REQUESTS: readonly (readonly [method: string, uri: string, body?: unknown])[] = [
  [
    'POST',
    '/books/_search',
    {
      query: { bool: { must: [{ match: { title: 'w1' } }], should: [{ ids: { values: ['1', '2'] } }] } },
      aggs: { n: { terms: { field: 'n' } }, t: { cardinality: { field: 'title' } } },
      suggest: { s: { text: 'wrod', term: { field: 'title' } } },
      sort: ['n'],
    },
  ],
  ['POST', '/books/_search?search_type=dfs_query_then_fetch', { query: { match: { title: 'w1 word' } } }],
  ['GET', '/books/doc/1'],
  ['GET', '/books/doc/_mget', { ids: ['1', '2', '3'] }],
  ['GET', '/books/doc/1/_explain?q=title:w1'],
  ['GET', '/books/doc/1/_termvector'],
  ['POST', '/books/doc/_percolate', { doc: { title: 'a word' } }],
  ['POST', '/books/doc/1/_update', { doc: { n: 1 } }],
  ['PUT', '/books/doc/2', { title: 'w2 word', n: 2 }],
  ['GET', '/_stats'],
  ['GET', '/_nodes/stats'],
  ['GET', '/_cat/shards'],
  ['GET', '/_cat/nodes'],
];

function mangled(random: Random, answer: Uint8Array): Uint8Array {
  changed++;
  const fate = random.below(5);
  if (fate === 0) return Uint8Array.from({ length: random.below(100) }, () => random.below(256));
  if (fate === 1) return encoder.encode(['null', '{}', '[]', '7', '{"items":[{}]}'][random.below(5)]);
  if (fate === 2) return answer.slice(0, random.below(answer.length + 1));
  const copy = answer.slice();
  for (let i = random.below(3); i >= 0 && copy.length > 0; i--)
    copy[random.below(copy.length)] = random.below(256);
  return copy;
}

/** A document's bytes are passed on as they came: with some of them changed an answer may not be JSON. */
async function statusOf(request: (typeof REQUESTS)[number]): Promise<number> {
  try {
    return (await b.call(...request)).status;
  } catch (e) {
    if (e instanceof SyntaxError) return 200;
    throw e;
  }
}

describe('an answer that no node gives', () => {
  it('ends the request that it is for, at most, and no other', async () => {
    const before: unknown[] = [];
    for (const request of REQUESTS) before.push((await b.call(...request)).status);
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = new Random(seed);
      change = (answer) => (random.chance(0.5) ? mangled(random, answer) : answer);
      for (const request of REQUESTS) {
        const status = await statusOf(request);
        expect([200, 201, 400, 404, 409, 429, 500, 503]).toContain(status);
      }
    }
    expect(changed).toBeGreaterThan(5 * SEEDS);
    change = (answer) => answer;
    const after: unknown[] = [];
    for (const request of REQUESTS) after.push((await b.call(...request)).status);
    expect(after).toEqual(before.map((status) => (status === 201 ? 200 : status)));
    const found = await b.call('GET', '/books/_search?q=title:word');
    expect([found.body.hits.total, found.body._shards.failed]).toEqual([20, 0]);
  });
});

describe('a member that is no node', () => {
  it('is one of which nothing is believed that makes no sense', async () => {
    const { uuid } = b.engine.index('books').metadata;
    const odd: readonly unknown[] = [7, 'x', null, [], [null], [-1], {}, { [uuid]: 7 }, { [uuid]: 'x' }];
    const more: readonly unknown[] = [{ [uuid]: [0.5] }, { constructor: [0] }, { a: { b: [1] } }];
    for (const [i, value] of [...odd, ...more].entries()) {
      const services = simulated.cluster.start(`odd${i}`);
      const shown = { name: value, http: value, version: value, started: value, formats: value };
      const details = { ...shown, data: value, attributes: value, copies: value, failures: value };
      await services.members.join({ node: `odd${i}`, incarnation: 'x', details });
      await simulated.clock.sleep(1000);
      for (const node of nodes) {
        for (const uri of ['/_cat/shards', '/_cluster/state', '/_nodes', '/_cat/nodes?h=id'])
          expect((await node.call('GET', uri)).status).toBe(200);
        const found = await node.call('GET', '/books/_search?q=title:word');
        expect([found.body.hits.total, found.body._shards.failed]).toEqual([20, 0]);
      }
      await services.members.leave();
      await services.close();
    }
    await simulated.clock.sleep(120_000);
    expect((await b.call('GET', '/_cluster/health')).body.status).toBe('green');
  });
});
