/** The connection of a node to servers of NATS that know nothing of each other, each behind a link. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectToNats } from '../../host/server/cluster/natsConnection.js';
import type { NatsOptions as Connecting } from '../../host/server/cluster/natsOptions.js';
import { certificate } from './harness/certificates.js';
import { type NatsOptions, NatsServers, natsVersion } from './harness/natsServers.js';
import { TcpProxy } from './harness/tcpProxy.js';

describe.skipIf(natsVersion() === undefined)('the connection of a node to NATS', () => {
  const closers: (() => Promise<void>)[] = [];
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-nats-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A server alone, and a link to it. */
  async function serverBehindLink(options?: NatsOptions): Promise<TcpProxy> {
    const servers = await NatsServers.start(1, options);
    closers.push(() => servers.close());
    const link = await TcpProxy.listen();
    closers.push(() => link.close());
    link.target = servers.servers[0]!.port;
    return link;
  }

  async function connected(links: readonly TcpProxy[], more: Partial<Connecting> = {}) {
    const servers = links.map(({ port }) => `nats://127.0.0.1:${port}`);
    const { connection } = await connectToNats({ servers, cluster: 'connection', node: 'a', ...more });
    closers.push(() => connection.close());
    /** Resolves when the connection has told of as many changes of a kind as are wanted, or was closed. */
    const told = async (type: string, count = 1) => {
      for await (const status of connection.status()) if (status.type === type && --count === 0) return;
    };
    return { connection, told };
  }

  /** Cuts a link and opens it again; resolves when the connection has come back. */
  async function reconnects(link: TcpProxy, told: (type: string) => Promise<void>): Promise<void> {
    const reconnected = told('reconnect');
    link.set('cut');
    link.set('open');
    await reconnected;
  }

  const addressOf = ({ port }: TcpProxy) => `127.0.0.1:${port}`;

  it('goes to the next server when one takes no bytes any more, while many wait to be sent', async () => {
    const links = [await serverBehindLink(), await serverBehindLink()] as const;
    const { connection, told } = await connected(links);
    expect(connection.getServer()).toBe(addressOf(links[0]));
    links[0].set('black hole');
    const reconnected = told('reconnect');
    // More than the buffers of the sockets hold.
    for (let i = 0; i < 64; i++) connection.publish('any', new Uint8Array(512 * 1024));
    await reconnected;
    expect(connection.getServer()).toBe(addressOf(links[1]));
  }, 20_000);

  it('goes on when its credentials are taken again, after they were refused several times', async () => {
    const as = (password: string) => ({ config: `authorization { user: u, password: ${password} }` });
    const link = await serverBehindLink(as('mine'));
    const { target } = link;
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const { connection, told } = await connected([link], { user: 'u', password: 'mine', warn });
    const refused = told('error', 3);
    link.target = (await serverBehindLink(as('another'))).target;
    link.set('cut');
    link.set('open');
    await refused;
    expect(connection.isClosed()).toBe(false);
    const reconnected = told('reconnect');
    link.target = target;
    await reconnected;
    expect(connection.isClosed()).toBe(false);
    expect(warnings).toEqual([expect.stringContaining(`NATS at ${addressOf(link)} refuses this node`)]);
  }, 20_000);

  it('has the NKey that its file has by then when it connects again, and the one before while the file is empty', async () => {
    const keys = [nkeys.createUser(), nkeys.createUser()] as const;
    const links = await Promise.all(
      keys.map((key) =>
        serverBehindLink({ config: `authorization { users: [{ nkey: ${key.getPublicKey()} }] }` }),
      ),
    );
    const [link, { target: other }] = links as [TcpProxy, TcpProxy];
    const nkeyFile = join(folder, 'seed');
    writeFileSync(nkeyFile, keys[0].getSeed());
    const { connection, told } = await connected([link], { nkeyFile });
    for (const bytes of [new Uint8Array(0), keys[1].getSeed().subarray(0, 20)]) {
      writeFileSync(nkeyFile, bytes);
      await reconnects(link, told);
    }
    writeFileSync(nkeyFile, keys[1].getSeed());
    link.target = other;
    await reconnects(link, told);
    expect(connection.isClosed()).toBe(false);
  }, 20_000);

  it('trusts the certificates that its file has by then when it connects again', async () => {
    const [one, other] = ['one', 'other'].map((name) => certificate(folder, name));
    const secured = ({ cert, key }: { cert: string; key: string }) =>
      serverBehindLink({ config: `tls { cert_file: "${cert}", key_file: "${key}", timeout: 5 }` });
    const [link, { target }] = [await secured(one!), await secured(other!)];
    const caFile = join(folder, 'ca.pem');
    cpSync(one!.cert, caFile);
    const servers = [`tls://localhost:${link.port}`];
    const { connection, told } = await connected([], { servers, tls: { caFile } });
    cpSync(other!.cert, caFile);
    link.target = target;
    await reconnects(link, told);
    expect(connection.isClosed()).toBe(false);
  }, 20_000);

  it('refuses credentials of NATS that are none', async () => {
    const credsFile = join(folder, 'none.creds');
    writeFileSync(credsFile, 'no credentials');
    await expect(connected([await serverBehindLink()], { credsFile })).rejects.toThrow(
      /the file with credentials of NATS can't be read: unable to parse/,
    );
  });

  it('goes to a server that was away when it began, when the one that it came to instead is lost', async () => {
    const links = [await serverBehindLink(), await serverBehindLink()] as const;
    links[0].set('cut');
    const { connection, told } = await connected(links);
    expect(connection.getServer()).toBe(addressOf(links[1]));
    links[0].set('open');
    const reconnected = told('reconnect');
    links[1].set('cut');
    await reconnected;
    expect(connection.getServer()).toBe(addressOf(links[0]));
  }, 20_000);
});
