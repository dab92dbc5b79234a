/** Users of a cluster: who is made, changed or removed on one node is so on all of them, and no password leaves the node that was asked. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { ClusterUsers, sharedUsers } from '../../host/server/access/clusterUsers.js';
import { hashPassword } from '../../host/server/access/passwords.js';
import { ServerAccess } from '../../host/server/access/serverAccess.js';
import { formatUsers } from '../../host/server/access/usersFile.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { SECURITY_KEY } from '../../host/storage/records.js';
import { SimulatedNode } from '../cluster/simulation/simulatedNode.js';
import { VirtualClock } from '../cluster/simulation/virtualClock.js';
import { coreBytes } from '../support/core.js';

interface Guarded {
  node: SimulatedNode;
  access: ServerAccess;
  users: ClusterUsers;
  storage: MemoryStorage;
}

const module = await WebAssembly.compile(coreBytes());
const folder = mkdtempSync(join(tmpdir(), 'resilin-cluster-users-'));
const file = join(folder, 'users.json');
const root = await hashPassword('a root password', { N: 1024, r: 1, p: 1 });
writeFileSync(
  file,
  formatUsers({
    users: new Map([['root', { password: root, grants: [], cluster: 'manage' }]]),
    keys: new Map(),
  }),
  { mode: 0o600 },
);

let clock: VirtualClock;
let running: Promise<void>;
let cluster: InProcessCluster;
let nodes: Guarded[];

async function start(id: string): Promise<Guarded> {
  const storage = new MemoryStorage();
  const services = cluster.start(id);
  const node = await SimulatedNode.start({
    id,
    incarnation: `${id}-1`,
    services,
    module,
    storage,
    blobs: new MemoryBlobs(),
  });
  const access = new ServerAccess({ users: file });
  const { stored } = node.engine.cluster;
  const take = () => access.useShared(sharedUsers(stored));
  stored.usersChanged = take;
  take();
  return { node, access, users: new ClusterUsers(stored, () => access.own), storage };
}

beforeEach(async () => {
  clock = new VirtualClock();
  cluster = new InProcessCluster({ clock });
  running = clock.run();
  nodes = [await start('a'), await start('b')];
});
afterEach(async () => {
  for (const { node } of nodes) await node.engine.close();
  clock.stop();
  await running;
});
afterAll(() => rmSync(folder, { recursive: true }));

const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
const whoIs = async ({ access }: Guarded, header: string) => {
  try {
    return (await access.authenticate(header, '/', '127.0.0.1')).name;
  } catch {
    return undefined;
  }
};

it('knows a user on every node as soon as one of them has answered', async () => {
  const [a, b] = nodes as [Guarded, Guarded];
  const grants = [{ indices: ['logs-*'], access: 'read' }];
  expect(await a.users.putUser('ann', { password: 'first password', grants }, true)).toBe(true);
  expect(await whoIs(b, basic('ann', 'first password'))).toBe('ann');
  expect(await b.users.putUser('ann', { password: 'second password' }, false)).toBe(false);
  for (const node of nodes) {
    expect(await whoIs(node, basic('ann', 'first password'))).toBeUndefined();
    expect(await whoIs(node, basic('ann', 'second password'))).toBe('ann');
    expect((await node.users.users()).get('ann')).toEqual({ grants, cluster: 'none' });
    expect(await whoIs(node, basic('root', 'a root password'))).toBe('root');
    expect(node.access.principal('user', 'ann')?.grants.grants).toEqual(grants);
  }
  nodes.push(await start('c'));
  expect(await whoIs(nodes[2]!, basic('ann', 'second password'))).toBe('ann');
  expect(await b.users.removeUser('ann')).toBe(true);
  for (const node of nodes) expect(await whoIs(node, basic('ann', 'second password'))).toBeUndefined();
});

it('knows keys everywhere, and keeps hashes alone', async () => {
  const [a, b] = nodes as [Guarded, Guarded];
  const { id, secret } = await a.users.addKey({ name: 'shipper', cluster: 'monitor' });
  const header = `ApiKey ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  expect(await whoIs(b, header)).toBe(id);
  await a.users.putUser('ann', { password: 'a password of hers' }, true);
  const kept = new TextDecoder().decode(b.storage.get(SECURITY_KEY));
  expect(kept).toContain('shipper');
  for (const word of [secret, 'a password of hers']) expect(kept).not.toContain(word);
  expect(await b.users.removeKey(id)).toBe(true);
  expect(await whoIs(a, header)).toBeUndefined();
});

it('loses no change of two nodes that make theirs at the same time', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `user${i}`);
  const made = names.map((name, i) => nodes[i % 2]!.users.addKey({ name, cluster: 'none' }));
  await Promise.all(made);
  for (const { users } of nodes)
    expect([...(await users.keys()).values()].map(({ name }) => name).sort()).toEqual(names);
});

it('leaves users of a file to the file', async () => {
  const { users } = nodes[0]!;
  const inFile = /the user \[root\] is in the users file of this node/;
  await expect(users.putUser('root', { cluster: 'none' }, false)).rejects.toThrow(inFile);
  await expect(users.removeUser('root')).rejects.toThrow(inFile);
});
