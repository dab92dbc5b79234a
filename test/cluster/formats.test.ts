/** Nodes, messages and metadata of other formats than this version's, on nodes in one process. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeCommand } from '../../host/replication/documentCommand.js';
import { encodeMetadata } from '../../host/replication/metadataCommand.js';
import { encodeJson, NODE_KEY } from '../../host/storage/records.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: SimulatedNode[];

beforeEach(() => {
  simulated = new SimulatedCluster();
  nodes = [];
});

afterEach(async () => {
  await simulated.close(nodes);
});

const NEWER = /messages of a newer version of Resilin than this node has: start the node with that version/;
const color = async (node: SimulatedNode) => (await node.call('GET', '/_cluster/health')).body.status;

describe('a message of a newer format', () => {
  let a: SimulatedNode;
  beforeEach(async () => {
    nodes = [await simulated.start('a'), await simulated.start('b')];
    [a] = nodes as [SimulatedNode];
    for (const index of ['books', 'notes'])
      await a.call('PUT', `/${index}`, { settings: { number_of_shards: 1, number_of_replicas: 1 } });
    await a.call('PUT', '/books/book/1', { n: 1 });
  });

  const append = (log: string, subject: string, bytes: Uint8Array) => {
    const stored = simulated.cluster.storedLog(log)!;
    const expectLast = subject === 'meta' ? stored.lastOf('meta') : undefined;
    stored.append({ subject, id: 'newer', bytes, link: undefined, expectLast }, 0);
  };
  const logOf = (index: string) => `index-${a.engine.index(index).metadata.uuid}`;

  it('of documents ends the writes of its index by name, and nothing else', async () => {
    const command = encodeCommand({ writer: 'x', number: 1, time: 1, horizon: 0, ops: [] });
    const text = new TextDecoder('latin1').decode(command).replace(/"format":\d/, '"format":9');
    append(
      logOf('books'),
      'shard.0',
      Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
    );
    await simulated.clock.sleep(2000);
    for (const node of nodes) {
      const refused = await node.call('PUT', '/books/book/2', { n: 2 });
      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatch(NEWER);
      expect(await color(node)).toBe('red');
      expect((await node.call('GET', '/books/book/1')).status).toBe(200);
      expect((await node.call('PUT', '/notes/note/1', { n: 1 })).status).toBeLessThan(300);
    }
  });

  it('of a mapping does so too', async () => {
    append(logOf('books'), 'meta', encodeJson({ format: 9, mapping: {} }));
    await simulated.clock.sleep(2000);
    for (const node of nodes)
      expect((await node.call('PUT', '/books/book/2', { n: 2 })).body.error).toMatch(NEWER);
  });

  it('of metadata ends their changes by name: documents are written and read', async () => {
    const bytes = encodeMetadata({ puts: [], deletes: [] });
    new DataView(bytes.buffer).setUint32(0, 9);
    append('metadata', 'meta', bytes);
    await simulated.clock.sleep(2000);
    for (const node of nodes) {
      const refused = await node.call('PUT', '/more');
      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatch(NEWER);
      expect(await color(node)).toBe('red');
      const { reasons } = (await node.call('GET', '/_cluster/health')).body;
      expect(reasons).toEqual([expect.stringMatching(NEWER)]);
      expect((await node.call('PUT', '/books/book/2', { n: 2 })).status).toBeLessThan(300);
      expect((await node.call('GET', '/_cluster/repair')).body).toEqual({ indices: [] });
    }
    // It doesn't start again with this version.
    await nodes[1]!.engine.close();
    nodes.pop();
    await expect(simulated.start('b')).rejects.toThrow(NEWER);
  });
});

it("a node of a newer version doesn't say of the others' stores that they are of its format", async () => {
  nodes = [await simulated.start('a'), await simulated.start('b')];
  const [a] = nodes as [SimulatedNode];
  await a.call('PUT', '/books');
  const stored = simulated.cluster.storedLog('metadata')!;
  const row = encodeJson({ nextShard: 100, format: 99 });
  const bytes = encodeMetadata({ puts: [[NODE_KEY, row]], deletes: [] });
  stored.append(
    { subject: 'meta', id: 'newer', bytes, link: undefined, expectLast: stored.lastOf('meta') },
    0,
  );
  await simulated.clock.sleep(2000);
  await nodes[1]!.engine.close();
  nodes[1] = await simulated.start('b');
  expect((await nodes[1]!.call('PUT', '/more')).status).toBe(200);
  expect(nodes[0]!.engine.index('more').metadata.shardUids[0]).toBe(100);
});

describe('a node of another format', () => {
  beforeEach(async () => {
    nodes = [await simulated.start('a', { formats: { oldest: 4, newest: 5 } })];
  });

  it('is served where it knows one that the others know', async () => {
    nodes.push(await simulated.start('b', { formats: { oldest: 5, newest: 6 } }));
    expect((await nodes[1]!.call('GET', '/_cluster/health')).body.number_of_nodes).toBe(2);
  });

  it('is refused where it knows none, and told which version it takes', async () => {
    await expect(simulated.start('b')).rejects.toThrow(
      'the node [a] has the newer version 0.0.0, which needs format 4 of what nodes tell each other; this one knows format 1 to 3: start it with that version',
    );
    await expect(simulated.start('c', { formats: { oldest: 6, newest: 7 } })).rejects.toThrow(
      /\[a\] has the older version 0.0.0, which knows format 5 .*this one knows format 6 to 7: update that node first/,
    );
    expect((await nodes[0]!.call('GET', '/_cluster/health')).body.number_of_nodes).toBe(1);
  });
});
