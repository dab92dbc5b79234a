import { describe } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { VirtualClock } from './simulation/virtualClock.js';
import { contract } from './contract.js';

describe('services in one process', () => {
  contract(async () => {
    const clock = new VirtualClock();
    const cluster = new InProcessCluster({ clock });
    const running = clock.run();
    return {
      start: async (node) => cluster.start(node),
      kill: async (node) => cluster.kill(node),
      partBytes: 1024,
      close: async () => {
        clock.stop();
        await running;
      },
    };
  });
});
