/** Logs that are made for indices which then do not come about. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logEndpoint } from '../../host/cluster/inProcess/network.js';
import { logName } from '../../host/replication/indexLog.js';
import { METADATA_LOG } from '../../host/replication/metadataLogs.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = new Map();
  for (const id of ['a', 'b', 'c']) nodes.set(id, await simulated.start(id));
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string) => nodes.get(id)!;
const create = (id: string, name: string) => node(id).call('PUT', `/${name}`);

/** The logs of indices that there are. */
async function logs(): Promise<string[]> {
  const stranger = simulated.cluster.start('stranger');
  const all = await stranger.logs.list();
  await stranger.close();
  return all.filter((name) => name.startsWith(logName('')));
}

/** The logs of the indices that a node knows. */
const named = (id: string) =>
  node(id)
    .engine.cluster.all()
    .map(({ uuid }) => logName(uuid))
    .sort();

/** A node can't reach the log of the metadata any more from when it makes the log of an index. */
function cutOffWhenAnnounced(id: string): void {
  let isAnnounced = false;
  simulated.loses = (from, to) => {
    if (from === id && to.startsWith(logEndpoint(logName('')))) isAnnounced = true;
    return isAnnounced && from === id && to === logEndpoint(METADATA_LOG);
  };
}

describe('the log of an index that did not come about', () => {
  it('is removed at once where another node was first', async () => {
    const made = await Promise.all(['a', 'b', 'c'].map((id) => create(id, 'books')));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    await simulated.clock.sleep(1000);
    expect(await logs()).toEqual(named('a'));
    const written = await Promise.all(
      ['a', 'b', 'c'].map((id) => node(id).call('PUT', `/notes/note/${id}`, { text: id })),
    );
    expect(written.map(({ status }) => status)).toEqual([201, 201, 201]);
    await simulated.clock.sleep(1000);
    expect(named('a')).toHaveLength(2);
    expect(await logs()).toEqual(named('a'));
  });

  it('is removed with the next change where it was not known what became of the first', async () => {
    cutOffWhenAnnounced('a');
    expect((await create('a', 'books')).status).toBe(503);
    simulated.loses = () => false;
    expect(await logs()).toHaveLength(1);
    expect((await create('b', 'books')).status).toBe(200);
    expect((await create('a', 'notes')).status).toBe(200);
    await simulated.clock.sleep(1000);
    expect(named('a')).toHaveLength(2);
    expect(await logs()).toEqual(named('a'));
  });
});
