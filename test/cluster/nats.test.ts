import { describe } from 'vitest';
import { type NatsServices, openNatsServices } from '../../host/server/cluster/natsServices.js';
import { contract } from './contract.js';
import { NatsServers, natsVersion } from './harness/natsServers.js';

const version = natsVersion();

describe.skipIf(version === undefined).each([1, 3])('services over NATS with %i servers', (count) => {
  contract(async () => {
    const servers = await NatsServers.start(count);
    const open = new Set<NatsServices>();
    const processes = new Map<string, NatsServices>();
    return {
      start: async (node) => {
        const services = await openNatsServices({
          servers: servers.urls,
          cluster: 'contract',
          node,
          memberTtlMs: 1500,
          confirmMs: 300,
        });
        open.add(services);
        processes.set(node, services);
        return services;
      },
      kill: async (node) => processes.get(node)!.close(),
      partBytes: 512 * 1024,
      close: async () => {
        await Promise.all([...open].map((services) => services.close()));
        await servers.close();
      },
    };
  });
});
