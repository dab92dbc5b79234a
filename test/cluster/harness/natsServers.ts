import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { knownPeers } from './jetStreamPeers.js';
import { TcpProxy } from './tcpProxy.js';

/** Whether tests that need nats-server must run, as in CI. */
const REQUIRED = process.env.RESILIN_REQUIRE_NATS === '1';
/** Where Debian puts it is not on every user's path. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

/**
 * A line for the link of servers from 2.10 on: one connection to each other server, as before. Of several that servers make at once, when all of
 * them start, some are closed as duplicates on one side alone; then servers know each other, and part of what they send gets lost.
 */
function withoutPool(): string {
  const [major = 0, minor = 0] = (natsVersion() ?? '').split('.').map(Number);
  return major > 2 || (major === 2 && minor >= 10) ? 'pool_size: -1, ' : '';
}

/** The version of the nats-server on the path; nothing when there is none. @throws when there must be one */
export function natsVersion(): string | undefined {
  try {
    const text = execFileSync('nats-server', ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, PATH },
    });
    return /v(\d+\.\d+\.\d+)/.exec(text)?.[1];
  } catch (error) {
    if (REQUIRED)
      throw new Error('RESILIN_REQUIRE_NATS is set, and there is no nats-server', { cause: error });
    process.stderr.write(
      'nats-server is not on the PATH: tests that need it are skipped (Debian: apt install nats-server)\n',
    );
    return undefined;
  }
}

/** How often servers are asked whether they know each other, and how long one may be missed before it is started again, in milliseconds. */
const LOOK_MS = 50;
const MISSED_MS = 2000;

export interface NatsOptions {
  /** Lines added to the configuration of each server, such as `authorization`. */
  config?: string;
  /** Without JetStream when false. */
  jetStream?: boolean;
  /** Without proxies between the servers: each message would take its way through them. Then a server isn't started again. */
  direct?: boolean;
}

/** Servers of NATS as processes: one alone, or several as a cluster whose links go through proxies. */
export class NatsServers {
  readonly folder = mkdtempSync(join(tmpdir(), 'resilin-nats-'));
  readonly servers: readonly NatsServer[];
  /** Links between servers, by `from > to` of their numbers. */
  readonly routes: ReadonlyMap<string, TcpProxy>;

  /** @param clusterPorts of servers without proxies between them, where servers listen for each other */
  private constructor(
    count: number,
    routes: ReadonlyMap<string, TcpProxy>,
    options: NatsOptions,
    clusterPorts: readonly number[],
  ) {
    this.routes = routes;
    this.servers = Array.from({ length: count }, (_, number) => {
      const links = [...routes].filter(([name]) => name.startsWith(`${number} > `));
      const ports =
        links.length > 0
          ? links.map(([, proxy]) => proxy.port)
          : clusterPorts.filter((_port, other) => other !== number);
      const own = clusterPorts[number] ?? -1;
      const place = { folder: join(this.folder, `server-${number}`), number, clusterPort: own };
      return new NatsServer(place, ports, options, (clusterPort) => {
        for (const [name, proxy] of routes) if (name.endsWith(` > ${number}`)) proxy.target = clusterPort;
      });
    });
  }

  static async start(count: number, options: NatsOptions = {}): Promise<NatsServers> {
    const routes = new Map<string, TcpProxy>();
    const direct = options.direct === true && count > 1;
    for (let from = 0; from < count && !direct; from++)
      for (let to = 0; to < count; to++)
        if (from !== to) routes.set(`${from} > ${to}`, await TcpProxy.listen());
    const servers = new NatsServers(count, routes, options, direct ? await freePorts(count) : []);
    await Promise.all(servers.servers.map((server) => server.start()));
    if (count > 1 && options.jetStream !== false) await servers.#meet();
    return servers;
  }

  /** Resolves when JetStream knows all servers. One that is missed is started again. */
  async #meet(): Promise<void> {
    let since: number | undefined;
    for (;;) {
      const known = await knownPeers(this.servers.map(({ monitor }) => monitor));
      const missed = known && this.servers.find(({ name }) => !known.has(name));
      if (known !== undefined && missed === undefined) return;
      since = missed === undefined ? undefined : (since ?? performance.now());
      if (missed !== undefined && performance.now() - since! > MISSED_MS) {
        await missed.end('SIGTERM');
        await missed.start();
        since = undefined;
      }
      await sleep(LOOK_MS);
    }
  }

  /** Addresses of clients, without proxies; those of servers that run. */
  get urls(): string[] {
    return this.servers.filter(({ running }) => running).map(({ port }) => `nats://127.0.0.1:${port}`);
  }

  /** Both directions between two servers. */
  between(one: number, other: number): TcpProxy[] {
    return [`${one} > ${other}`, `${other} > ${one}`].map((name) => this.routes.get(name)!);
  }

  /** Ends all servers, and removes all that they kept. @param copyTo where a copy of it stays */
  async close(copyTo?: string): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end('SIGKILL')));
    await Promise.all([...this.routes.values()].map((proxy) => proxy.close()));
    if (copyTo !== undefined) cpSync(this.folder, copyTo, { recursive: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Where a server is. */
interface ServerPlace {
  folder: string;
  number: number;
  /** Where it listens for other servers; -1 for any port. */
  clusterPort: number;
}

/** Ports that nobody listens on. */
async function freePorts(count: number): Promise<number[]> {
  const proxies = await Promise.all(Array.from({ length: count }, () => TcpProxy.listen()));
  const ports = proxies.map(({ port }) => port);
  await Promise.all(proxies.map((proxy) => proxy.close()));
  return ports;
}

/** One server of NATS; after each start it listens on other ports. */
export class NatsServer {
  readonly name: string;
  readonly folder: string;
  readonly #configFile: string;
  readonly #started: (clusterPort: number) => void;
  readonly #clustered: boolean;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Where clients connect, while it runs. */
  port = 0;
  /** Where it tells of itself, while it runs. */
  monitor = '';
  /** Told of the port after each start. */
  onStart = (_port: number) => {};

  constructor(
    { folder, number, clusterPort }: ServerPlace,
    routes: readonly number[],
    options: NatsOptions,
    started: (clusterPort: number) => void,
  ) {
    this.name = `s${number}`;
    this.folder = folder;
    this.#started = started;
    this.#clustered = routes.length > 0;
    this.#configFile = join(folder, 'nats.conf');
    mkdirSync(folder, { recursive: true });
    const lines = [
      `server_name: "${this.name}"`,
      'listen: "127.0.0.1:-1"',
      'http: "127.0.0.1:-1"',
      options.jetStream === false
        ? ''
        : `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, max_file_store: 4GB, max_memory_store: 64MB }`,
      `ports_file_dir: ${JSON.stringify(folder)}`,
      options.config ?? '',
    ];
    if (this.#clustered) {
      const urls = routes.map((port) => `"nats-route://127.0.0.1:${port}"`).join(', ');
      // What servers tell each other of each other leads nowhere, or they would connect without the proxies.
      lines.push(
        `cluster { name: "test", listen: "127.0.0.1:${clusterPort}", advertise: "127.0.0.1:1", no_advertise: true, connect_retries: 0, ${withoutPool()}routes: [${urls}] }`,
      );
    }
    writeFileSync(this.#configFile, `${lines.join('\n')}\n`);
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when it accepts clients. */
  async start(): Promise<void> {
    const child = spawn('nats-server', ['-c', this.#configFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH },
    });
    child.stderr.pipe(createWriteStream(join(this.folder, 'log'), { flags: 'a' }));
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    const { nats, cluster, monitoring } = await this.#ports(child);
    const portOf = (urls: readonly string[] | undefined) => Number(new URL(urls![0]!).port);
    this.port = portOf(nats);
    this.monitor = monitoring![0]!;
    if (this.#clustered) this.#started(portOf(cluster));
    this.onStart(this.port);
  }

  /** Starts it again unless that was done. */
  async startAgain(): Promise<void> {
    if (!this.running) await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child?.kill('SIGCONT');
    this.#child?.kill(signal);
    await this.#ended;
  }

  /** Loses all that it has stored, as when its disk is replaced. Not while it runs. */
  loseData(): void {
    rmSync(join(this.folder, 'store'), { recursive: true, force: true });
  }

  /** Keeps what it has stored by now. Not while it runs. */
  saveData(): void {
    rmSync(join(this.folder, 'saved'), { recursive: true, force: true });
    cpSync(join(this.folder, 'store'), join(this.folder, 'saved'), { recursive: true });
  }

  /** Has what it had when that was kept, as a disk that is restored from a backup. Not while it runs. */
  restoreData(): void {
    this.loseData();
    cpSync(join(this.folder, 'saved'), join(this.folder, 'store'), { recursive: true });
  }

  /** What it writes when it listens. */
  #ports(child: ChildProcess): Promise<{ nats?: string[]; cluster?: string[]; monitoring?: string[] }> {
    const file = join(this.folder, `nats-server_${child.pid}.ports`);
    return new Promise((resolve, reject) => {
      const look = () => {
        try {
          resolve(JSON.parse(readFileSync(file, 'utf8')));
          watcher.close();
        } catch {
          // Not yet, or not all of it.
        }
      };
      const watcher = watch(this.folder, look);
      child.once('exit', () => {
        watcher.close();
        reject(
          new Error(`nats-server ended: ${readFileSync(join(this.folder, 'log'), 'utf8').slice(-2000)}`),
        );
      });
      look();
    });
  }
}
