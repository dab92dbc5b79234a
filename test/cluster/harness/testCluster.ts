import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type Peer, Unanswered } from '../../torture/peer.js';
import { ServerProcess } from '../../torture/serverProcess.js';
import { NatsServers } from './natsServers.js';
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
}

/** Nodes as processes, and the NATS servers that hold them together; a link with a proxy from each of these to each of those unless `direct`. */
export class TestCluster {
  readonly folder: string;
  readonly nats: NatsServers;
  readonly nodes: readonly TestNode[];

  private constructor(folder: string, nats: NatsServers, nodes: readonly TestNode[]) {
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
      const urls = (direct ? nats.servers : links).map(({ port }) => `${scheme}127.0.0.1:${port}`).join(',');
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
      started.push(new TestNode(number, main, all, links, secured?.credentials));
    }
    for (const [i, server] of nats.servers.entries()) {
      const lead = (port: number) => {
        for (const { links } of started) if (links.length > 0) links[i]!.target = port;
      };
      lead(server.port);
      server.onStart = lead;
    }
    const cluster = new TestCluster(folder, nats, started);
    try {
      await Promise.all(started.map((node) => node.start()));
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Ends all processes, and removes all that they kept unless `keep`. */
  async close(keep = false): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    await this.nats.close();
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A node as a process. */
export class TestNode implements Peer {
  readonly number: number;
  /** Links to each server of NATS. */
  readonly links: readonly TcpProxy[];
  /** The compiled command line that it is started with next. */
  main: string;
  readonly #args: readonly string[];
  readonly #credentials: string | undefined;
  #process: ServerProcess | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  /** Whether it accepts connections: it runs, and has started. */
  listening = false;
  /** Whether it is stopped by a signal. */
  paused = false;

  constructor(
    number: number,
    main: string,
    args: readonly string[],
    links: readonly TcpProxy[],
    credentials?: string,
  ) {
    this.#credentials = credentials;
    this.number = number;
    this.main = main;
    this.#args = args;
    this.links = links;
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  /** What it wrote to its standard error since it was started. */
  get log(): string {
    return this.#process?.log ?? '';
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const process = new ServerProcess(this.main, this.#args, [], this.#credentials);
    this.#process = process;
    this.#starting = process.ready();
    try {
      await this.#starting;
      this.listening = this.#process === process;
    } catch (error) {
      if (this.#process === process) this.#process = undefined;
      throw error;
    }
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
    await ending?.end(signal);
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
