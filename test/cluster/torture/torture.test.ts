import { describe, expect, it } from 'vitest';
import { serverFile } from '../../support/server.js';
import { natsVersion } from '../harness/natsServers.js';
import { tortureCluster } from './tortureCluster.js';

const main = await serverFile();

describe.skipIf(natsVersion() === undefined)(
  'a cluster that loses nodes, NATS servers and links under load',
  () => {
    it('loses nothing and carries out nothing twice, and its nodes are equal', async () => {
      const { problems, acknowledged, rounds } = await tortureCluster({
        ...{ main, natsServers: 1, nodes: 3, rounds: 2, seed: 5, ms: 500, writers: 6 },
      });
      expect(problems).toEqual([]);
      expect(rounds).toBe(2);
      expect(acknowledged).toBeGreaterThan(20);
    });
  },
);
