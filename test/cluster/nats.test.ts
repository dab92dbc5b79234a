import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { describe, expect, it, vi } from 'vitest';
import type { NatsMembers } from '../../host/server/cluster/natsMembers.js';
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

describe.skipIf(version === undefined)('members over NATS', () => {
  const member = { node: 'a', incarnation: 'a1', details: {} };
  const open = (servers: NatsServers) =>
    openNatsServices({ servers: servers.urls, cluster: 'members', node: 'a', memberTtlMs: 1500 });

  it.each([1, 3])('take an entry in the place of the expected one alone, with %i servers', async (count) => {
    const servers = await NatsServers.start(count);
    const services = await open(servers);
    const members = services.members as NatsMembers;
    const entry = { member, joined: undefined, left: false };
    expect(await members.last('a')).toEqual({ revision: 0 });
    const first = await members.put(entry, 0);
    expect(await members.put(entry, 0)).toBeUndefined();
    const second = await members.put({ ...entry, joined: first }, first!);
    expect(await members.put(entry, first!)).toBeUndefined();
    expect(await members.last('a')).toEqual({
      revision: second,
      entry: { ...entry, joined: first, revision: second },
    });
    await services.close();
    await servers.close();
  });

  it('are heard of by another watch where one delivers nothing any more', async () => {
    const servers = await NatsServers.start(1);
    // As a server does that has stopped to follow the one that stores.
    const original = Kvm.prototype.create;
    const create = vi.spyOn(Kvm.prototype, 'create');
    let watches = 0;
    create.mockImplementation(async function (this: Kvm, ...of) {
      const bucket = await original.apply(this, of);
      const watch = bucket.watch.bind(bucket);
      bucket.watch = async (options) => {
        const entries = await watch(options);
        if (watches++ > 0) return entries;
        const iterate = entries[Symbol.asyncIterator].bind(entries);
        entries[Symbol.asyncIterator] = async function* () {
          for await (const entry of { [Symbol.asyncIterator]: iterate }) if (entry.revision <= 1) yield entry;
        };
        return entries;
      };
      return bucket;
    });
    const services = await open(servers);
    const { members } = services;
    await members.join(member);
    const other = await openNatsServices({ servers: servers.urls, cluster: 'members', node: 'b' });
    const isHeard = new Promise<void>((resolve) => {
      members.onChange(() => members.list().length === 2 && resolve());
    });
    await other.members.join({ ...member, node: 'b' });
    await isHeard;
    expect(watches).toBeGreaterThan(1);
    create.mockRestore();
    await other.close();
    await services.close();
    await servers.close();
  });

  it('are known again after their bucket was lost', async () => {
    const servers = await NatsServers.start(1);
    const services = await open(servers);
    const { members } = services;
    for (let i = 0; i < 5; i++)
      await (members as NatsMembers).put({ member, joined: undefined, left: true }, i);
    await members.join(member);
    const connection = await connect({ servers: servers.urls });
    const { streams } = await jetstreamManager(connection);
    for await (const { config } of streams.list()) await streams.delete(config.name);
    await connection.close();
    // What was known of it is too old after the time to live; what it says until then is of a list that began anew.
    const isListed = (is: boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if ((members.list().length === 1) !== is) return;
          end();
          resolve();
        };
        const end = members.onChange(look);
        look();
      });
    await isListed(false);
    await isListed(true);
    await services.close();
    await servers.close();
  });
});
