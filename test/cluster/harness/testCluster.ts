import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type Peer, Unanswered } from '../../torture/peer.js';
import { ServerProcess } from '../../torture/serverProcess.js';
import { NatsServers } from './natsServers.js';
import { NodeClock } from './nodeClock.js';
import { SecuredCluster } from './securedCluster.js';
import { TcpProxy } from './tcpProxy.js';

export interface TestClusterOptions {
  /** The compiled command line. */
  main: string;
  natsServers: number;
  nodes: number;
  /** Further options of each node. */
  args?: readonly string[];
  /** With users and passwords for nodes and for NATS, and TLS between them. */
  secured?: boolean;
  /** Without proxies, whose way each message would take: for measures of time. Then NATS servers aren't started again. */
  direct?: boolean;
  /** The number of the NATS server that a node names first, the others being named after it in turn; unless given, each node another one. */
  firstServer?: (node: number) => number;
  /** Whether the clocks of nodes can be set. */
  clocks?: boolean;
}

/** Nodes as processes, and the NATS servers that hold them together; a link with a proxy from each of these to each of those unless `direct`. */
export class TestCluster {
  readonly folder: string;
  readonly nats: NatsServers;
  readonly nodes: readonly TestNode[];
  readonly isSecured: boolean;

  private constructor(folder: string, nats: NatsServers, nodes: readonly TestNode[], isSecured: boolean) {
    this.isSecured = isSecured;
    this.folder = folder;
    this.nats = nats;
    this.nodes = nodes;
  }

  /** Resolves when all nodes listen. */
  static async start(options: TestClusterOptions): Promise<TestCluster> {
    const { main, natsServers, nodes, args = [], direct = false } = options;
    const folder = mkdtempSync(join(tmpdir(), 'resilin-cluster-'));
    const secured = options.secured ? new SecuredCluster(folder, main) : undefined;
    const nats = await NatsServers.start(natsServers, { ...secured?.nats, direct });
    const started: TestNode[] = [];
    for (let number = 0; number < nodes; number++) {
      const links = direct ? [] : await Promise.all(nats.servers.map(() => TcpProxy.listen()));
      const scheme = secured?.scheme ?? 'nats://';
      const first = (options.firstServer?.(number) ?? number) % natsServers;
      const addresses = (direct ? nats.servers : links).map(({ port }) => `${scheme}127.0.0.1:${port}`);
      const urls = [...addresses.slice(first), ...addresses.slice(0, first)].join(',');
      const data = join(folder, `node-${number}`);
      const more = [
        '--data',
        data,
        '--node-name',
        `n${number}`,
        '--cluster',
        urls,
        '--cluster-name',
        'torture',
      ];
      const all = [...more, ...args, ...(secured?.args ?? [])];
      const clock = options.clocks ? new NodeClock(folder, `clock-${number}`) : undefined;
      started.push(new TestNode(number, main, { data, args: all }, links, clock, secured?.credentials));
    }
    for (const [i, server] of nats.servers.entries()) {
      const lead = (port: number) => {
        for (const { links } of started) if (links.length > 0) links[i]!.target = port;
      };
      lead(server.port);
      server.onStart = lead;
    }
    const cluster = new TestCluster(folder, nats, started, secured !== undefined);
    try {
      await Promise.all(started.map((node) => node.start()));
      // How full the disk of this machine is decides nothing.
      const persistent = { 'cluster.routing.allocation.disk.threshold_enabled': false };
      await started[0]?.send('PUT', '/_cluster/settings', { persistent });
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Ends all processes, and removes all that they kept unless `keep`: what nodes wrote is in `node-N.log` then. */
  async close(keep = false): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    await this.nats.close(keep ? join(this.folder, 'nats') : undefined);
    if (keep)
      for (const { number, log } of this.nodes) writeFileSync(join(this.folder, `node-${number}.log`), log);
    else rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Characters of what earlier processes of a node wrote that are kept. */
const MOST_LOG = 4_000_000;

/** A node as a process. */
export class TestNode implements Peer {
  readonly number: number;
  /** Links to each server of NATS. */
  readonly links: readonly TcpProxy[];
  /** Of all of its processes, where it can be set. */
  readonly clock: NodeClock | undefined;
  /** The compiled command line that it is started with next. */
  main: string;
  readonly #args: readonly string[];
  readonly #data: string;
  readonly #credentials: string | undefined;
  #process: ServerProcess | undefined;
  /** What processes that have ended wrote. */
  #logged = '';
  #starting: Promise<unknown> = Promise.resolve();
  /** Whether it accepts connections: it runs, and has started. */
  listening = false;
  /** Whether it is stopped by a signal. */
  paused = false;

  constructor(
    number: number,
    main: string,
    { data, args }: { data: string; args: readonly string[] },
    links: readonly TcpProxy[],
    clock: NodeClock | undefined,
    credentials?: string,
  ) {
    this.#credentials = credentials;
    this.number = number;
    this.main = main;
    this.#args = args;
    this.#data = data;
    this.links = links;
    this.clock = clock;
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /** What its processes wrote to their standard error. */
  get log(): string {
    return `${this.#logged}${this.#process?.log ?? ''}`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Loses all that it has stored, as when its disk is replaced. Not while it runs. */
  loseData(): void {
    rmSync(this.#data, { recursive: true, force: true });
  }

  /** What its process ended by that nobody told to end; undefined where it runs. */
  get endedBy(): string | undefined {
    return this.#process?.endedBy;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const process = new ServerProcess(this.main, this.#args, this.clock?.flags ?? [], this.#credentials);
    this.#process = process;
    this.#starting = process.ready();
    try {
      await this.#starting;
      this.listening = this.#process === process;
    } catch (error) {
      if (this.#process === process) this.#process = undefined;
      this.#ended(process);
      throw error;
    }
  }

  #ended({ log, pid }: ServerProcess): void {
    this.#logged = `${this.#logged}${log}\n${new Date().toISOString()} process ${pid} has ended\n`.slice(
      -MOST_LOG,
    );
  }

  /** Starts it again unless that was done. */
  async startAgain(): Promise<void> {
    if (!this.running) await this.start();
  }

  /**
   * Starts it again where the library of its store ended it, as whoever watches over it would: that may do so (SIGABRT) some time after a page
   * could not be written.
   */
  async startAgainAfterFailedWrite(): Promise<void> {
    if (this.endedBy !== 'SIGABRT' || !this.log.includes('Attempting to write page')) return;
    await this.end('SIGKILL');
    await this.start();
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.#process) return;
    process.kill(this.#process.pid, signal);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') this.paused = signal === 'SIGSTOP';
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    this.listening = false;
    this.paused = false;
    this.#starting.catch(() => {});
    if (!ending) return;
    await ending.end(signal);
    this.#ended(ending);
  }

  /** Tells it to end, and takes requests to it as long as it listens; resolves when it has ended. */
  async terminate(): Promise<void> {
    const ending = this.#process;
    if (!ending) return;
    this.signal('SIGTERM');
    await ending.ended;
    if (this.#process === ending) {
      this.#process = undefined;
      this.listening = false;
      this.#ended(ending);
    }
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    // Nobody listens before it has started.
    if (!this.#process || !this.listening) throw new Unanswered('the node is gone');
    return this.#process.send(method, path, body);
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    await Promise.all(this.links.map((link) => link.close()));
  }
}
