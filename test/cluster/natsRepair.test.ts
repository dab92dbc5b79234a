/** The metadata of nodes whose stream was deleted from a real server of NATS. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterServices } from '../../host/cluster/services.js';
import { openClusterServices } from '../../host/server/cluster/clusterServices.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { NatsServers, natsVersion } from './harness/natsServers.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

const module = await WebAssembly.compile(coreBytes());

describe.skipIf(natsVersion() === undefined)('metadata whose stream was deleted from NATS', () => {
  let nats: NatsServers;
  let services: ClusterServices[];
  let nodes: SimulatedNode[];

  const start = async (id: string) => {
    const servers = [`nats://127.0.0.1:${nats.servers[0]!.port}`];
    const own = await openClusterServices({ servers, cluster: 'repaired', node: id, confirmMs: 200 });
    services.push(own);
    const kept = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    nodes.push(await SimulatedNode.start({ id, incarnation: id, services: own, module, ...kept }));
  };

  beforeEach(async () => {
    [services, nodes] = [[], []];
    nats = await NatsServers.start(1);
    for (const id of ['a', 'b']) await start(id);
  });
  afterEach(async () => {
    for (const { engine } of nodes) await engine.close();
    for (const each of services) await each.close();
    await nats.close();
  });

  it('go on with a stream of another name', async () => {
    const [a, b] = nodes as [SimulatedNode, SimulatedNode];
    await a.call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
    const { logs } = services[0]!;
    await (await logs.open('metadata')).delete();
    for (const node of nodes) {
      // It waits for what doesn't come.
      const look = () => node.call('GET', '/_cluster/health?wait_for_nodes=9&timeout=200ms');
      while ((await look()).body.status !== 'red')
        expect((await node.call('GET', '/books')).status).toBe(200);
      expect((await node.call('PUT', '/more')).body.error).toMatch(/there is no log \[metadata\]/);
      expect((await node.call('PUT', '/books/book/1', { n: 1 })).status).toBeLessThan(300);
    }
    const { metadata } = (await b.call('GET', '/_cluster/repair')).body;
    expect(metadata).toMatchObject({ reason: 'there is no log [metadata]', split: false });
    expect((await b.call('POST', '/_cluster/repair', metadata)).body.taken).toEqual(['a', 'b']);
    expect((await logs.list()).filter((name) => name.startsWith('metadata'))).toEqual(['metadata-1']);
    for (const node of nodes) expect((await node.call('PUT', `/by-${node.id}`)).status).toBe(200);
    await start('c');
    const names = Object.keys((await nodes[2]!.call('GET', '/_aliases')).body).sort();
    expect(names).toEqual(['books', 'by-a', 'by-b']);
  });
});
