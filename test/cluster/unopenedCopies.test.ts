/** A copy that can't be opened, as where the core has no memory for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasRows } from '../../host/shard/shardCopy.js';
import { ShardLost } from '../../host/shard/shardClient.js';
import { ShardHost } from '../../host/shard/shardHost.js';
import type { Turn } from '../../host/turn.js';
import { coreBytes } from '../support/core.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const module = await WebAssembly.compile(coreBytes());
let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;
/** Whether the core of the node b has memory for shards. */
let hasRoom: boolean;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  hasRoom = true;
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string) => nodes.get(id)!;

async function start(id: string): Promise<void> {
  nodes.set(id, await simulated.start(id, id === 'b' ? { hostOf: hostOfB } : {}));
}

function hostOfB(turn: Turn): ShardHost {
  const host = new ShardHost(module, turn);
  const open = host.open.bind(host);
  host.open = () => {
    if (!hasRoom) throw new Error('no memory');
    return open();
  };
  const refresh = host.refresh.bind(host);
  host.refresh = async (shard) => {
    if (!hasRoom) throw new ShardLost('no memory');
    await refresh(shard);
  };
  return host;
}

async function end(id: string): Promise<void> {
  await node(id).engine.close();
  nodes.delete(id);
}

function kill(id: string): Promise<void> {
  simulated.cluster.kill(id);
  nodes.delete(id);
  return simulated.clock.sleep(15_000);
}

/** The nodes a and b have a copy each; b ends, and a document is written that it has not. */
async function make(): Promise<void> {
  await start('a');
  await start('b');
  const settings = { number_of_shards: 1, number_of_replicas: 1 };
  expect((await node('a').call('PUT', '/books', { settings })).status).toBe(200);
  expect((await node('a').call('PUT', '/books/doc/1', { n: 1 })).status).toBe(201);
  await end('b');
  expect((await node('a').call('PUT', '/books/doc/2', { n: 2 })).status).toBe(201);
  hasRoom = false;
}

/** All is in the copy of a node, when the others are gone. */
async function demandWhole(id: string): Promise<void> {
  for (const other of [...nodes.keys()]) if (other !== id) await kill(other);
  expect(node(id).engine.index('books').shards[0]!.isHeld).toBe(true);
  for (const n of [1, 2])
    expect((await node(id).call('GET', `/books/doc/${n}`)).body._source, `${n}`).toEqual({ n });
  const { body } = await node(id).call('GET', '/books/_search');
  expect(body.hits.hits.map(({ _id }: { _id: string }) => _id).sort()).toEqual(['1', '2']);
}

describe('a copy that can not be opened', () => {
  it('has all of its documents when it can again', async () => {
    await make();
    await start('b').catch(() => {});
    await kill('b');
    hasRoom = true;
    await start('b');
    await demandWhole('b');
  });

  it('is opened when there is room, while others are written, refreshed and searched', async () => {
    await make();
    await start('b');
    const began = simulated.clock.now();
    for (const asked of [node('a'), node('b')]) {
      for (const action of ['_refresh', '_flush', '_optimize'])
        expect((await asked.call('POST', `/books/${action}`)).status, action).toBe(200);
      const { body } = await asked.call('GET', '/books/_search');
      expect(body).toMatchObject({ _shards: { failed: 0 }, hits: { total: 2 } });
      expect((await asked.call('PUT', '/books/doc/1', { n: 1 })).status).toBe(200);
    }
    expect(simulated.clock.now() - began).toBeLessThan(5000);
    expect((await node('b').call('GET', '/_cluster/health')).body.status).toBe('yellow');
    hasRoom = true;
    await simulated.clock.sleep(60_000);
    expect((await node('a').call('GET', '/_cluster/health')).body.status).toBe('green');
    await demandWhole('b');
  });

  it('is opened when there is room where no other node has one', async () => {
    await make();
    await end('a');
    hasRoom = true;
    await start('b');
    await end('b');
    hasRoom = false;
    await start('b');
    expect((await node('b').call('GET', '/_cluster/health')).body.status).toBe('red');
    hasRoom = true;
    await simulated.clock.sleep(60_000);
    await demandWhole('b');
  });

  it('is opened when there is room, where its core was lost while it was there', async () => {
    await start('a');
    await start('b');
    const settings = { number_of_shards: 1, number_of_replicas: 1 };
    expect((await node('a').call('PUT', '/books', { settings })).status).toBe(200);
    for (const n of [1, 2]) expect((await node('a').call('PUT', `/books/doc/${n}`, { n })).status).toBe(201);
    hasRoom = false;
    const began = simulated.clock.now();
    expect((await node('a').call('POST', '/books/_refresh')).status).toBe(200);
    expect(simulated.clock.now() - began).toBeLessThan(10_000);
    for (const asked of [node('a'), node('b')]) {
      expect((await asked.call('GET', '/books/_search')).body.hits.total).toBe(2);
      expect((await asked.call('PUT', '/books/doc/1', { n: 1 })).status).toBe(200);
    }
    hasRoom = true;
    await simulated.clock.sleep(60_000);
    expect((await node('a').call('GET', '/_cluster/health')).body.status).toBe('green');
    await demandWhole('b');
  });

  it('goes when it is to be elsewhere', async () => {
    await make();
    await start('b');
    const change = { 'index.routing.allocation.exclude._id': 'b' };
    expect((await node('a').call('PUT', '/books/_settings', change)).status).toBe(200);
    await simulated.clock.sleep(20_000);
    const { storage } = simulated.disks.get('b')!;
    expect(hasRows(storage, node('a').engine.index('books').metadata.shardUids[0]!)).toBe(false);
    await demandWhole('a');
  });
});
