/** Nodes whose clocks on the wall are set while they run: what lasts for a while lasts as long as before. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retried } from '../../host/server/cluster/natsErrors.js';
import { SimulatedCluster, type Skew } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let simulated: SimulatedCluster;
let clock: SimulatedCluster['clock'];
let nodes: Map<string, SimulatedNode>;
let skew: Skew;

/** A node whose clock `skew` sets. */
async function start(id: string): Promise<SimulatedNode> {
  const node = await simulated.start(id, { graceMs: 5 * MINUTE, skew });
  nodes.set(id, node);
  return node;
}

beforeEach(() => {
  simulated = new SimulatedCluster();
  ({ clock } = simulated);
  nodes = new Map();
  skew = { ms: 0 };
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

async function fill(node: SimulatedNode): Promise<void> {
  const settings = { number_of_shards: 1, number_of_replicas: 1 };
  expect((await node.call('PUT', '/books', { settings })).status).toBe(200);
  for (let i = 0; i < 20; i++) await node.call('PUT', `/books/book/${i}`, { text: `word${i} `.repeat(200) });
}

describe('a node whose clock is set', () => {
  it('keeps the places of a node that went for as long as before', async () => {
    const a = await start('a');
    await start('b');
    await fill(a);
    await start('c');
    const placed = () => a.engine.replication!.placementOf(a.engine.index('books'), 0).map(({ id }) => id);
    await clock.sleep(MINUTE);
    const [gone] = placed().filter((id) => id !== 'a');
    // The third node isn't asked for a copy before the time is over.
    simulated.cluster.kill(gone!);
    nodes.delete(gone!);
    await clock.sleep(MINUTE);
    const before = (await a.call('GET', '/_cluster/health')).body;
    skew.ms += HOUR;
    await clock.sleep(MINUTE);
    const after = (await a.call('GET', '/_cluster/health')).body;
    expect(before.delayed_unassigned_shards).toBe(1);
    expect(after.delayed_unassigned_shards).toBe(1);
    await clock.sleep(5 * MINUTE);
    expect((await a.call('GET', '/_cluster/health')).body.status).toBe('green');
  });

  it('trims no log of what was written in the last minutes, when the clock was set ahead', async () => {
    const a = await start('a');
    await start('b');
    await fill(a);
    await a.call('PUT', '/_cluster/settings', { transient: { 'indices.log.retention.size': '1kb' } });
    const log = simulated.cluster.storedLog(`index-${a.engine.index('books').metadata.uuid}`)!;
    await clock.sleep(3 * MINUTE);
    skew.ms += HOUR;
    await clock.sleep(3 * MINUTE);
    expect(log.first).toBe(1);
    await clock.sleep(20 * MINUTE);
    expect(log.first).toBeGreaterThan(1);
  });
});

it('questions to NATS are asked for as long as before, when the clock is set ahead', async () => {
  const began = Date.now();
  const now = vi.spyOn(Date, 'now');
  try {
    let attempts = 0;
    const passing = Object.assign(new Error('none'), { name: 'TimeoutError' });
    const answer = await retried({ watched: (_, ask) => ask }, 'read', 'books', async () => {
      now.mockReturnValue(began + ++attempts * HOUR);
      if (attempts < 3) throw passing;
      return 'there';
    });
    expect(answer).toBe('there');
  } finally {
    now.mockRestore();
  }
});
