import { setImmediate } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { describe, expect, it, vi } from 'vitest';
import type { Member } from '../../host/cluster/members.js';
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

  /** Has buckets that are opened from now on changed; the returned function ends that. */
  function changedBuckets(change: (bucket: KV) => void): () => void {
    const original = Kvm.prototype.create;
    const create = vi.spyOn(Kvm.prototype, 'create');
    create.mockImplementation(async function (this: Kvm, ...of) {
      const bucket = await original.apply(this, of);
      change(bucket);
      return bucket;
    });
    return () => create.mockRestore();
  }

  /** Deletes what NATS keeps. */
  async function deleteStreams(servers: NatsServers): Promise<void> {
    const connection = await connect({ servers: servers.urls });
    const { streams } = await jetstreamManager(connection);
    for await (const { config } of streams.list()) await streams.delete(config.name);
    await connection.close();
  }

  /** Resolves when a node lists members as they should be. */
  function lists({ members }: NatsServices, isRight: (list: readonly Member[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isRight(members.list())) return;
        end();
        resolve();
      };
      const end = members.onChange(look);
      look();
    });
  }

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

  it('are not replaced by the process before where a server that counts otherwise has it for a later one', async () => {
    const servers = await NatsServers.start(1);
    const before = { incarnation: 'a0', joined: 800, left: false, details: {} };
    const value = new TextEncoder().encode(JSON.stringify(before));
    const restore = changedBuckets((bucket) => {
      const watch = bucket.watch.bind(bucket);
      bucket.watch = async (options) => {
        const entries = await watch(options);
        const iterate = entries[Symbol.asyncIterator].bind(entries);
        entries[Symbol.asyncIterator] = async function* () {
          for await (const entry of { [Symbol.asyncIterator]: iterate }) {
            yield entry;
            yield Object.create(entry, { revision: { value: 900 }, value: { value } });
          }
        };
        return entries;
      };
    });
    const services = await open(servers);
    await services.members.join(member);
    await services.members.update({ ...member, details: { later: true } });
    await lists(services, (list) => list.some(({ details }) => details.later === true));
    expect(services.members.replaced.aborted).toBe(false);
    restore();
    await services.close();
    await servers.close();
  });

  it('are heard of by another watch where one delivers nothing any more', async () => {
    const servers = await NatsServers.start(1);
    let watches = 0;
    // As a server does that has stopped to follow the one that stores.
    const restore = changedBuckets((bucket) => {
      const watch = bucket.watch.bind(bucket);
      bucket.watch = async (options) => {
        const entries = await watch(options);
        if (watches++ > 0) return entries;
        const iterate = entries[Symbol.asyncIterator].bind(entries);
        entries[Symbol.asyncIterator] = async function* () {
          for await (const entry of { [Symbol.asyncIterator]: iterate }) if (entry.revision <= 2) yield entry;
        };
        return entries;
      };
    });
    const options = { servers: servers.urls, cluster: 'members', memberTtlMs: 6000 };
    const services = await openNatsServices({ ...options, node: 'a' });
    const other = await openNatsServices({ ...options, node: 'b' });
    await services.members.join(member);
    await other.members.join({ ...member, node: 'b' });
    await lists(services, (list) => list.length === 2);
    let fewest = 2;
    services.members.onChange(() => {
      fewest = Math.min(fewest, services.members.list().length);
    });
    await other.members.update({ ...member, node: 'b', details: { later: true } });
    await lists(services, (list) => list.some(({ details }) => details.later === true));
    expect(watches).toBeGreaterThan(2);
    expect(fewest).toBe(2);
    restore();
    await other.close();
    await services.close();
    await servers.close();
  });

  it('are heard of by one watch at a time', async () => {
    const servers = await NatsServers.start(1);
    const stopped: boolean[] = [];
    const restore = changedBuckets((bucket) => {
      const watch = bucket.watch.bind(bucket);
      bucket.watch = async (options) => {
        const entries = await watch(options);
        const number = stopped.push(false) - 1;
        const stop = entries.stop.bind(entries);
        entries.stop = (error) => {
          stopped[number] = true;
          stop(error);
        };
        return entries;
      };
      const status = bucket.status.bind(bucket);
      // As a server does that is asked while there is no leader.
      bucket.status = async () => {
        if (stopped.length <= 2) throw new Error('no leader');
        return status();
      };
    });
    const services = await open(servers);
    await services.members.join(member);
    expect(stopped).toEqual([true, true, false]);
    restore();
    await services.close();
    await servers.close();
  });

  it('are kept while none of them can store anything', async () => {
    const servers = await NatsServers.start(1);
    let isLed = true;
    let refused = 0;
    // As servers do that have no leader.
    const restore = changedBuckets((bucket) => {
      const put = bucket.put.bind(bucket);
      bucket.put = async (...of) => {
        if (isLed) return put(...of);
        refused++;
        throw new Error('timeout');
      };
    });
    const services = await open(servers);
    const other = await openNatsServices({
      servers: servers.urls,
      cluster: 'members',
      node: 'b',
      memberTtlMs: 1500,
    });
    await services.members.join(member);
    await other.members.join({ ...member, node: 'b' });
    await lists(services, (list) => list.length === 2);
    let fewest = 2;
    const unlisten = services.members.onChange(() => {
      fewest = Math.min(fewest, services.members.list().length);
    });
    isLed = false;
    // Each tries four times a second.
    while (refused < 24) await setImmediate();
    isLed = true;
    await other.members.update({ ...member, node: 'b', details: { later: true } });
    await lists(services, (list) => list.some(({ details }) => details.later === true));
    expect(fewest).toBe(2);
    unlisten();
    await other.close();
    await lists(services, (list) => list.length === 1);
    restore();
    await services.close();
    await servers.close();
  });

  it('are watched where their bucket is lost before', async () => {
    const servers = await NatsServers.start(1);
    let watches = 0;
    const restore = changedBuckets((bucket) => {
      const watch = bucket.watch.bind(bucket);
      bucket.watch = async (options) => {
        if (watches++ === 0) await deleteStreams(servers);
        return watch(options);
      };
    });
    const services = await open(servers);
    await services.members.watch();
    expect(watches).toBe(2);
    restore();
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
    await deleteStreams(servers);
    // What was known of it is too old after the time to live; what it says until then is of a list that began anew.
    await lists(services, (list) => list.length === 0);
    await lists(services, (list) => list.length === 1);
    await services.close();
    await servers.close();
  });

  it('know each other again after a bucket was lost that had changed more often than the new one', async () => {
    const servers = await NatsServers.start(1);
    const services = await open(servers);
    await services.members.join(member);
    for (let i = 0; i < 1000; i++) await services.members.update({ ...member, details: { i } });
    const other = await openNatsServices({
      servers: servers.urls,
      cluster: 'members',
      node: 'b',
      memberTtlMs: 1500,
    });
    await other.members.join({ ...member, node: 'b' });
    await deleteStreams(servers);
    const details = { after: true };
    await services.members.update({ ...member, details });
    await other.members.update({ ...member, node: 'b', details });
    const isRight = (list: readonly Member[]) =>
      list.length === 2 && list.every((each) => each.details.after === true);
    await Promise.all([services, other].map((each) => lists(each, isRight)));
    await other.close();
    await services.close();
    await servers.close();
  });
});
