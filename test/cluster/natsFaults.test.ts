import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeys } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log, LogMessage } from '../../host/cluster/log.js';
import type { NatsOptions as Connecting } from '../../host/server/cluster/natsOptions.js';
import { type NatsServices, openNatsServices } from '../../host/server/cluster/natsServices.js';
import { certificate } from './harness/certificates.js';
import { type NatsOptions, NatsServers, natsVersion } from './harness/natsServers.js';
import { TcpProxy } from './harness/tcpProxy.js';

const bytes = (word: string) => new TextEncoder().encode(word);

describe.skipIf(natsVersion() === undefined)('a node and its NATS server', () => {
  let folder: string;
  const closers: (() => Promise<void>)[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'resilin-nats-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function started(options?: NatsOptions): Promise<NatsServers> {
    const servers = await NatsServers.start(1, options);
    closers.push(() => servers.close());
    return servers;
  }

  async function opened(servers: readonly string[], more: Partial<Connecting> = {}): Promise<NatsServices> {
    const services = await openNatsServices({
      servers,
      cluster: 'faults',
      node: 'a',
      confirmMs: 500,
      ...more,
    });
    closers.push(() => services.close());
    return services;
  }

  /** A link to a server, which follows it to the port of its next start. */
  async function linkTo(servers: NatsServers): Promise<TcpProxy> {
    const proxy = await TcpProxy.listen();
    closers.push(() => proxy.close());
    proxy.target = servers.servers[0]!.port;
    servers.servers[0]!.onStart = (port) => {
      proxy.target = port;
    };
    return proxy;
  }

  const urlOf = (proxy: TcpProxy) => `nats://127.0.0.1:${proxy.port}`;

  /** What a reader gets, as it comes; rejects with what ends it. */
  function following(log: Log, after?: LogMessage) {
    const messages: LogMessage[] = [];
    let wake = () => {};
    const stop = new AbortController();
    const ended = (async () => {
      const options = after ? { checksum: after.checksum } : {};
      for await (const message of log.read(after?.position ?? 0, stop.signal, options)) {
        messages.push(message);
        wake();
      }
    })();
    ended.catch(() => {});
    const reaches = async (count: number) => {
      while (messages.length < count)
        await Promise.race([new Promise<void>((resolve) => (wake = resolve)), ended]);
      return messages.map((message) => new TextDecoder().decode(message.bytes));
    };
    return { messages, reaches, ended, stop };
  }

  it('goes on after the server was killed and started again, with nothing lost or doubled', async () => {
    const servers = await started();
    const link = await linkTo(servers);
    const services = await opened([urlOf(link)]);
    const log = await services.logs.open('books', { create: true });
    const reader = following(log);
    const words = Array.from({ length: 30 }, (_, i) => `word ${i}`);
    for (const word of words.slice(0, 10)) await log.append('shard.0', bytes(word));
    await servers.servers[0]!.end('SIGKILL');
    // Appended while nobody is there: each waits for the server.
    const appending = words.slice(10, 20).map((word) => log.append('shard.0', bytes(word), { id: word }));
    await servers.servers[0]!.start();
    await Promise.all(appending);
    for (const word of words.slice(20)) await log.append('shard.0', bytes(word));
    expect((await reader.reaches(30)).sort()).toEqual([...words].sort());
    expect(await log.lastPosition()).toBe(30);
    reader.stop.abort();
  });

  it('goes on after links that were cut, black holes, and half open, and appends nothing twice', async () => {
    const servers = await started();
    const link = await linkTo(servers);
    const services = await opened([urlOf(link)]);
    const log = await services.logs.open('books', { create: true });
    const reader = following(log);
    const direct = following(await (await opened(servers.urls, { node: 'direct' })).logs.open('books'));
    let count = 0;
    for (const state of ['cut', 'half open', 'black hole'] as const) {
      const word = `during ${state}`;
      await log.append('shard.0', bytes(`before ${state}`));
      link.set(state);
      const appending = log.append('shard.0', bytes(word));
      // A half open link brings the message to the server, whose acknowledgement gets lost.
      if (state === 'half open') await direct.reaches(count + 2);
      link.set('open');
      await appending;
      count += 2;
      expect((await reader.reaches(count)).at(-1)).toBe(word);
    }
    expect(await log.lastPosition()).toBe(6);
    reader.stop.abort();
    direct.stop.abort();
  });

  it('notices a log that has lost its end, and one that has another message there', async () => {
    const servers = await started();
    const [server] = servers.servers;
    const link = await linkTo(servers);
    const services = await opened([urlOf(link)]);
    const log = await services.logs.open('books', { create: true });
    const reader = following(log);
    await log.append('shard.0', bytes('kept'));
    await reader.reaches(1);
    await server!.end('SIGTERM');
    cpSync(join(server!.folder, 'store'), join(folder, 'old'), { recursive: true });
    await server!.start();
    await log.append('shard.0', bytes('lost'));
    await reader.reaches(2);
    await server!.end('SIGKILL');
    server!.loseData();
    cpSync(join(folder, 'old'), join(server!.folder, 'store'), { recursive: true });
    await server!.start();
    await expect(reader.ended).rejects.toThrow('it ends at 1, and 2 was read from it before');
    const [kept, lost] = reader.messages;
    // Another process, which doesn't know what was lost, writes there.
    const other = await opened([urlOf(link)], { node: 'b' });
    await (await other.logs.open('books')).append('shard.0', bytes('new'));
    await expect(following(log, lost).ended).rejects.toThrow('at 2 there is another one');
    expect(await following(log, kept).reaches(1)).toEqual(['new']);
  });

  it('takes nothing for lost, and nothing for the end of a log, that a server says which is cut off from the others', async () => {
    const servers = await NatsServers.start(3);
    closers.push(() => servers.close());
    const link = await TcpProxy.listen();
    closers.push(() => link.close());
    const connectTo = (number: number) => {
      link.set('cut');
      link.target = servers.servers[number]!.port;
      link.set('open');
    };
    connectTo(0);
    const services = await opened([urlOf(link)]);
    const log = await services.logs.open('books', { create: true });
    const leaderAt = async (number: number) => {
      const connection = await connect({ servers: servers.urls[number]! });
      closers.push(() => connection.close());
      const { streams } = await jetstreamManager(connection, { checkAPI: false });
      const leader = async () => (await streams.info('resilin_faults_books')).cluster?.leader;
      return () => leader().catch(() => undefined);
    };
    const name = (await (await leaderAt(0))())!;
    const cutOff = servers.servers.findIndex((_, number) => name === `s${number}`);
    const others = [0, 1, 2].filter((number) => number !== cutOff);
    const [other] = others as [number];
    connectTo(cutOff);
    const reader = following(log);
    await log.append('shard.0', bytes('before'));
    await reader.reaches(1);
    for (const each of others) for (const route of servers.between(cutOff, each)) route.set('black hole');
    const leader = await leaderAt(other);
    while ([undefined, name].includes(await leader())) await setImmediate();
    const elsewhere = await opened([servers.urls[other]!], { node: 'b' });
    await (await elsewhere.logs.open('books')).append('shard.0', bytes('meanwhile'));
    connectTo(other);
    await reader.reaches(2);
    // For some time it takes itself for the leader, and answers.
    connectTo(cutOff);
    let isTold = false;
    const asked = Promise.all([log.lastPosition(), log.lastPosition('shard.0'), log.extent()]).finally(() => {
      isTold = true;
    });
    while (!isTold && log.trouble === undefined) await setImmediate();
    connectTo(other);
    const [last, lastOfShard, extent] = await asked;
    expect([last, lastOfShard, extent.last]).toEqual([2, 2, 2]);
    await log.append('shard.0', bytes('after'));
    expect(await reader.reaches(3)).toEqual(['before', 'meanwhile', 'after']);
    reader.stop.abort();
  });

  it('says what to do when no server is there', async () => {
    const servers = await started();
    const [url] = servers.urls;
    await servers.servers[0]!.end('SIGKILL');
    await expect(opened([url!])).rejects.toThrow(
      /no NATS server answers at 127\.0\.0\.1:\d+: .*nats-server --jetstream/s,
    );
    for (const [wrong, reason] of [
      ['http://localhost:4222', /begins with neither nats:\/\/ nor tls:\/\//],
      ['nats://localhost:4222/x', /nothing may follow the port/],
      ['nats://:4222', /is no address of a NATS server/],
      ['', /there is none/],
      ['nats://a:1,tls://b:2', /either all addresses are tls/],
      ['nats://u:p@a:1,nats://v:p@b:2', /the same user and password/],
    ] as const)
      await expect(opened([wrong])).rejects.toThrow(reason);
    await expect(opened([url!], { cluster: 'a.b' })).rejects.toThrow(/can't be the name of a cluster/);
    await expect(opened([url!], { credsFile: join(folder, 'none') })).rejects.toThrow(
      /can't be read: ENOENT/,
    );
  });

  it('says what to do when JetStream is off', async () => {
    const servers = await started({ jetStream: false });
    await expect(opened(servers.urls)).rejects.toThrow(/runs without JetStream: .*--jetstream/);
  });

  it('says why nothing is heard of the members while fewer servers run than keep what they say', async () => {
    const { urls } = await started();
    const told = new Promise<string>((resolve) => {
      opened(urls, { logCopies: 3, memberTtlMs: 1000, warn: resolve }).then(({ members }) =>
        members.watch().catch(() => {}),
      );
    });
    expect(await told).toMatch(
      /members of the cluster.*on 3 of its servers: .+\. So many servers have to run/,
    );
  });

  it('tells what a server of this version can not promise', async () => {
    const { notices } = await opened((await started()).urls);
    expect(notices.join('\n')).toMatch(/sync_interval: always/);
    expect(notices.join('\n')).toMatch(/one server alone/);
  });

  it('gives a user and a password, a token or an NKey, and says so when they are wrong', async () => {
    const key = nkeys.createUser();
    const cases: [string, Partial<Connecting>, (url: string) => string][] = [
      ['authorization { user: u, password: "p/:@" }', { user: 'u', password: 'p/:@' }, (url) => url],
      ['authorization { user: u, password: "p/:@" }', {}, (url) => url.replace('//', '//u:p%2F%3A%40@')],
      ['authorization { token: "secret" }', { token: 'secret' }, (url) => url],
      [
        `authorization { users: [{ nkey: ${key.getPublicKey()} }] }`,
        { nkeyFile: join(folder, 'seed') },
        (url) => url,
      ],
    ];
    writeFileSync(join(folder, 'seed'), `${new TextDecoder().decode(key.getSeed())}\n`);
    for (const [config, given, url] of cases) {
      const servers = await started({ config });
      const services = await opened(servers.urls.map(url), given);
      await (await services.logs.open('books', { create: true })).append('meta', bytes('1'));
      await expect(opened(servers.urls)).rejects.toThrow(/refuses this node/);
      await expect(opened(servers.urls, { user: 'u', token: 't' })).rejects.toThrow(/takes one of/);
    }
  });

  it('speaks TLS with the certificate that it is told to trust', async () => {
    mkdirSync(folder, { recursive: true });
    const [server, other] = [certificate(folder, 'server'), certificate(folder, 'other')];
    const config = `tls { cert_file: ${JSON.stringify(server.cert)}, key_file: ${JSON.stringify(server.key)}, timeout: 5 }`;
    const servers = await started({ config });
    const urls = servers.urls.map((url) => url.replace('nats://127.0.0.1', 'tls://localhost'));
    const services = await opened(urls, { tls: { caFile: server.cert } });
    await (await services.logs.open('books', { create: true })).append('meta', bytes('1'));
    await expect(opened(urls, { tls: { caFile: other.cert } })).rejects.toThrow(
      /can't be spoken to with the certificates/,
    );
    await expect(opened(urls)).rejects.toThrow(/can't be spoken to with the certificates/);
  });

  it('answers nothing and writes nowhere for messages that no node sends', async () => {
    const servers = await started();
    const services = await opened(servers.urls);
    let asked = 0;
    await services.peers.serve(async (_kind, question) => {
      asked++;
      return question;
    });
    await services.members.join({ node: 'a', incarnation: 'a1', details: {} });
    const stranger = await connect({ servers: servers.urls });
    closers.push(() => stranger.close());
    const heard: string[] = [];
    stranger.subscribe('elsewhere', { callback: (_error, message) => void heard.push(message.subject) });
    const { frameBytes } = await import('../../host/server/cluster/peerFrames.js');
    const ask = frameBytes({ type: 'ask', kind: 'echo', total: 1, bytes: bytes('x') });
    stranger.publish('resilin.faults.ask.a', ask, { reply: 'elsewhere' });
    stranger.publish('resilin.faults.ask.a', ask);
    const reply = 'resilin.faults.answer.stranger.1';
    for (const wrong of [
      new Uint8Array(0),
      bytes('GET / HTTP/1.1'),
      Uint8Array.from({ length: 64 }, (_, i) => i),
      frameBytes({ type: 'piece', offset: 7, bytes: bytes('x') }),
      frameBytes({ type: 'taken', bytes: 0xffff_ffff }),
      frameBytes({ type: 'cancel' }),
      frameBytes({ type: 'ask', kind: 'a.b', total: 1, bytes: bytes('x') }),
      frameBytes({ type: 'ask', kind: 'echo', total: 0xffff_ffff, bytes: bytes('x') }),
      frameBytes({ type: 'ask', kind: 'echo', total: 1, bytes: bytes('too much') }),
    ])
      stranger.publish('resilin.faults.ask.a', wrong, { reply });
    // An entry of the bucket that no member has written.
    const { Kvm } = await import('@nats-io/kv');
    const bucket = await new Kvm(stranger).open('resilin_faults_members');
    for (const value of [
      '',
      'null',
      '{}',
      '[1]',
      '{"incarnation":"x","details":7}',
      '{"incarnation":"x","joined":99,"details":{}}',
    ])
      await bucket.put('stranger', value);
    const answer = await services.peers.ask('a', 'echo', bytes('mine'), new AbortController().signal);
    expect(new TextDecoder().decode(answer)).toBe('mine');
    expect([asked, heard]).toEqual([1, []]);
    expect(services.members.list().map(({ node }) => node)).toEqual(['a']);
    // A message that no log has written ends reading, since what it says can't be known.
    const log = await services.logs.open('books', { create: true });
    stranger.publish('resilin.faults.log.books.message.meta.any', bytes('x'));
    await stranger.flush();
    await expect(following(log).ended).rejects.toThrow('at 1 there is another one');
  });
});
