/** What a node reads of the log of metadata. */
import { expect, it } from 'vitest';
import type { Log, LogMessage } from '../../host/cluster/log.js';
import type { ClusterServices } from '../../host/cluster/services.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';

/** Services whose log of metadata keeps one message back the first time that it comes. */
function withoutOnce(services: ClusterServices, isMissed: (message: LogMessage) => boolean): ClusterServices {
  const { members, peers, clock, logs } = services;
  let missed = false;
  const lossy = (log: Log): Log => ({
    ...{ name: log.name, trouble: log.trouble },
    append: (...args) => log.append(...args),
    async *read(...args) {
      for await (const message of log.read(...args)) {
        if (missed || !isMissed(message)) yield message;
        else missed = true;
      }
    },
    lastPosition: (subject) => log.lastPosition(subject),
    firstPosition: () => log.firstPosition(),
    extent: () => log.extent(),
    trim: (before) => log.trim(before),
    delete: () => log.delete(),
  });
  return {
    ...{ members, peers, clock },
    logs: {
      open: async (name, options) =>
        name === 'metadata' ? lossy(await logs.open(name, options)) : logs.open(name, options),
      list: () => logs.list(),
    },
    close: () => services.close(),
  };
}

it('a change made of one that has not come is read again, with that one, and not left out', async () => {
  const simulated = new SimulatedCluster();
  const warnings: string[] = [];
  const a = await simulated.start('a');
  const isMissed = ({ bytes }: LogMessage) => Buffer.from(bytes).includes('first');
  const b = await simulated.start('b', {
    seen: (services) => withoutOnce(services, isMissed),
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
