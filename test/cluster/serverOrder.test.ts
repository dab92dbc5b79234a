import { describe, expect, it } from 'vitest';
import { openNatsServices } from '../../host/server/cluster/natsServices.js';
import { ServerOrder } from '../../host/server/cluster/serverOrder.js';
import { NatsServers, natsVersion } from './harness/natsServers.js';
import { TcpProxy } from './harness/tcpProxy.js';

const pool = (...names: string[]) => names.map((listen) => ({ listen }));

it('servers are connected to in the order in which they are named, and after the last one comes the first', () => {
  const order = new ServerOrder(['C:1', 'a:1', 'b:1']);
  const seen = [1, 2, 3, 4].map(() => order.next(pool('a:1', 'b:1', 'c:1'))?.listen);
  expect(seen).toEqual(['c:1', 'a:1', 'b:1', 'c:1']);
});

it('servers that were told of come behind those that were named, and are forgotten when they are gone', () => {
  const order = new ServerOrder(['a:1', 'b:1']);
  const next = (...names: string[]) => order.next(pool(...names))?.listen;
  expect(next('a:1', 'b:1')).toBe('a:1');
  expect(next('z:1', 'y:1', 'a:1', 'b:1')).toBe('b:1');
  expect(next('b:1', 'y:1', 'z:1', 'a:1')).toBe('z:1');
  // The one that was connected to is known no longer: on from where it was.
  expect(next('y:1', 'a:1', 'b:1')).toBe('y:1');
  expect(next('y:1', 'a:1', 'b:1')).toBe('a:1');
  expect(next('b:1')).toBe('b:1');
  expect(next()).toBeUndefined();
});

describe.skipIf(natsVersion() === undefined)('with servers of NATS', () => {
  it('a node is connected to the first server that it names and that answers, and to the next when that is lost', async () => {
    const servers = await NatsServers.start(3, { direct: true });
    const [zero, one, two] = servers.servers;
    const link = await TcpProxy.listen();
    link.target = one!.port;
    // Nobody listens at the first.
    const named = [{ port: 1 }, link, two!, zero!].map(({ port }) => `nats://127.0.0.1:${port}`);
    const services = await openNatsServices({ servers: named, cluster: 'order', node: 'a' });
    try {
      expect(services.server.name).toBe('s1');
      const log = await services.logs.open('books', { create: true });
      link.set('cut');
      // Waits for the next server.
      await log.append('shard.0', new Uint8Array([1]));
      expect(services.server.name).toBe('s2');
      expect(await log.lastPosition()).toBe(1);
    } finally {
      await services.close();
      await link.close();
      await servers.close();
    }
  }, 60_000);
});
