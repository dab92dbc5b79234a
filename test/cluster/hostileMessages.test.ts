/** What nodes make of messages in their logs that no node writes: whoever may publish to NATS could put them there. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterServices } from '../../host/cluster/services.js';
import { encodeCommand } from '../../host/replication/documentCommand.js';
import { encodeMetadata } from '../../host/replication/metadataCommand.js';
import { encodeJson, indexKey } from '../../host/storage/records.js';
import { Random } from '../torture/random.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

/** More seeds find more: `SEEDS=1000 npm test -- test/cluster/hostileMessages.test.ts`. */
const SEEDS = Number(process.env.SEEDS ?? 12);

const encoder = new TextEncoder();
const ONE = '1'.charCodeAt(0);
let simulated: SimulatedCluster;
let nodes: SimulatedNode[];
let warnings: string[];
let stranger: ClusterServices;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = [];
  warnings = [];
  stranger = simulated.cluster.start('stranger');
  for (const id of ['a', 'b'])
    nodes.push(await simulated.start(id, { warn: (message) => void warnings.push(message) }));
  const [a] = nodes as [SimulatedNode, SimulatedNode];
  const settings = { number_of_shards: 2, number_of_replicas: 1, refresh_interval: -1 };
  const mappings = { doc: { properties: { title: { type: 'string' }, n: { type: 'long' } } } };
  await a.call('PUT', '/books', { settings, mappings });
  for (let i = 0; i < 10; i++) await a.call('PUT', `/books/doc/${i}`, { title: 'word', n: i });
});

afterEach(() => simulated.close(nodes));

const log = (name: string) => stranger.logs.open(name);
const indexLog = () => log(`index-${nodes[0]!.engine.index('books').metadata.uuid}`);

/** All nodes take writes, and have the same. */
async function isSound(): Promise<void> {
  for (const [i, node] of nodes.entries()) {
    const written = await node.call('PUT', `/books/doc/${i}`, { title: 'word', n: i, [`more${i}`]: 1 });
    expect([written.status, written.body.error]).toEqual([200, undefined]);
    expect((await node.call('PUT', `/other${i}`)).status).toBe(200);
    expect((await node.call('DELETE', `/other${i}`)).status).toBe(200);
  }
  await nodes[0]!.call('POST', '/books/_refresh');
  const answers = [];
  for (const node of nodes) {
    expect((await node.call('GET', '/_cluster/health')).body.status).toBe('green');
    const { body } = await node.call('GET', '/books/_search?q=title:word&sort=n&size=100');
    expect(body.hits.total).toBe(10);
    const mapping = await node.call('GET', '/books/_mapping');
    answers.push([
      body.hits.hits.map(({ _id, _source }: Record<string, unknown>) => [_id, _source]),
      mapping,
    ]);
  }
  expect(answers[1]).toEqual(answers[0]);
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  // Not to a later version, which ends what follows the log.
  for (let i = random.below(4); i >= 0; i--) {
    const at = random.below(copy.length);
    if (at > 3 && copy[at] !== ONE) copy[at] = random.below(256);
  }
  return random.chance(0.2) ? copy.slice(0, random.below(copy.length)) : copy;
}

const command = encodeCommand({
  writer: 'stranger',
  number: 1,
  time: 1_420_070_400_000,
  horizon: 0,
  ops: [{ kind: 'delete', type: 'none', id: 'none' }],
});

const mapping = encoder.encode(
  JSON.stringify({ format: 1, mapping: { doc: { properties: { title: { type: 'string' } } } } }),
);

const metadata = encodeMetadata({ puts: [], deletes: [encoder.encode('mtnone')] });

/** JSON that is a message but for what is in it. */
const SHAPES: readonly unknown[] = [
  null,
  7,
  [],
  {},
  { format: 1 },
  { format: 'x', mapping: {} },
  { format: 1, mapping: 7 },
  { format: 1, mapping: [] },
  { format: 1, mapping: { types: 7 } },
  { format: 1, mapping: { doc: null } },
  { format: 1, mapping: { doc: { properties: { title: { type: 'long' } } } } },
  { format: 1, mapping: { fields: [{}], types: { doc: { properties: 7 } } } },
];

describe('a message of a log that no node writes', () => {
  it('is left out by all nodes, whatever it holds', async () => {
    const messages = await indexLog();
    const changes = await log('metadata');
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = new Random(seed);
      for (const subject of ['shard.0', 'shard.1', 'shard.99', 'shard.x', 'other']) {
        await messages.append(subject, randomBytes(random, random.below(100)));
        await messages.append(subject, mutated(random, command));
      }
      await messages.append('meta', randomBytes(random, random.below(100)));
      await messages.append('meta', mutated(random, mapping));
      await changes.append('meta', randomBytes(random, random.below(100)));
      await changes.append('meta', mutated(random, metadata));
    }
    for (const shape of SHAPES) {
      const bytes = encoder.encode(JSON.stringify(shape));
      await messages.append('meta', bytes);
      await messages.append('shard.0', bytes);
      await changes.append('meta', bytes);
    }
    await isSound();
  });

  it('is left out where it says that an index is what none is', async () => {
    const changes = await log('metadata');
    for (const shape of [...SHAPES, { name: 'x', uuid: 7 }, { name: 'evil', uuid: 'u', shardUids: 'x' }]) {
      const row = [indexKey('evil'), encodeJson(shape)] as const;
      await changes.append('meta', encodeMetadata({ puts: [row], deletes: [] }));
    }
    await isSound();
    for (const node of nodes) expect((await node.call('HEAD', '/evil')).status).toBe(404);
  });

  it('ends what follows it where it is of a newer version, with the reason', async () => {
    const newer = new TextEncoder().encode(JSON.stringify({ format: 99, mapping: {} }));
    await (await indexLog()).append('meta', newer);
    await simulated.clock.sleep(5000);
    for (const node of nodes) {
      const refused = await node.call('PUT', '/books/doc/1', { title: 'word' });
      expect(refused.status).toBe(503);
      expect(refused.body.error).toContain('newer version');
      expect((await node.call('GET', '/_cluster/health')).body.status).toBe('red');
      expect((await node.call('PUT', '/other')).status).toBe(node === nodes[0] ? 200 : 400);
    }
    expect(warnings.join()).toContain('takes no writes');
  });
});
