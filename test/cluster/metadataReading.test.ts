/** What a node reads of the log of metadata. */
import { expect, it } from 'vitest';
import type { LogMessage } from '../../host/cluster/log.js';
import { readingOthers } from './simulation/otherMessages.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';

it('a change made of one that has not come is read again, with that one, and not left out', async () => {
  const simulated = new SimulatedCluster();
  const warnings: string[] = [];
  const a = await simulated.start('a');
  let missed = 0;
  const withoutFirst = (message: LogMessage) =>
    Buffer.from(message.bytes).includes('first') && missed++ === 0 ? undefined : message;
  const b = await simulated.start('b', {
    seen: (services) => readingOthers(services, withoutFirst),
    warn: (message) => warnings.push(message),
  });
  try {
    await Promise.all([
      a.call('PUT', '/_template/first', { template: 'x*' }),
      a.call('PUT', '/_template/second', { template: 'y*' }),
    ]);
    const { body } = await b.call('GET', '/_template');
    expect(Object.keys(body).sort()).toEqual(['first', 'second']);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^following the log of metadata: its message \d+ was made of the metadata of \d+, and the last are those of \d+$/,
      ),
    ]);
  } finally {
    await simulated.close([a, b]);
  }
});

it('nodes that were cut off from their log while it was trimmed take the metadata of one that is further', async () => {
  const simulated = new SimulatedCluster();
  const { clock, cluster } = simulated;
  const nodes = [await simulated.start('a'), await simulated.start('b'), await simulated.start('c')];
  try {
    await nodes[2]!.call('PUT', '/_template/before', { template: 'x*' });
    simulated.loses = (from, to) => [from, to].includes('log/metadata') && ![from, to].includes('c');
    for (const name of ['first', 'second'])
      expect((await nodes[2]!.call('PUT', `/_template/${name}`, { template: 'x*' })).status).toBe(200);
    const log = cluster.storedLog('metadata')!;
    log.trim(log.last);
    simulated.loses = () => false;
    await clock.sleep(30_000);
    for (const node of nodes) {
      const { body } = await node.call('GET', '/_template');
      expect(Object.keys(body).sort()).toEqual(['before', 'first', 'second']);
    }
  } finally {
    await simulated.close(nodes);
  }
});
