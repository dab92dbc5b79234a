/** What happens to a cluster under load: one fault or two at a time, all of them over after a while. */
import { execFileSync } from 'node:child_process';
import type { NatsServer } from '../harness/natsServers.js';
import type { LinkState, TcpProxy } from '../harness/tcpProxy.js';
import type { TestCluster, TestNode } from '../harness/testCluster.js';
import type { Random } from '../../torture/random.js';

/** A fault that has begun. */
export interface Fault {
  readonly name: string;
  /** Ends it; resolves when what was dead runs again. */
  heal(): Promise<void>;
}

const STATES: readonly LinkState[] = ['cut', 'black hole', 'half open'];

/** Begins a fault that the random number chooses. */
export async function beginFault(cluster: TestCluster, random: Random): Promise<Fault> {
  const { nodes, nats } = cluster;
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)]!;
  const node = pick(nodes);
  const server = pick(nats.servers);
  const state = pick(STATES);
  const kinds: (() => Promise<Fault>)[] = [
    () => killed([node]),
    () => killed([node]),
    () => killed(nodes),
    () => machinesKilled(cluster),
    () => paused(node),
    () => fullDisk(node),
    () => serversKilled([server]),
    () => serversKilled([server]),
    () => serversKilled(nats.servers),
    () => serverPaused(server),
    async () => linked(`node ${node.number} and NATS: ${state}`, node.links, state),
    async () => linked(`slow link of node ${node.number}`, node.links, 'open', 20 + random.below(200)),
  ];
  if (nats.servers.length > 1) {
    const number = nats.servers.indexOf(server);
    const others = nats.servers.map((_, i) => i).filter((i) => i !== number);
    const between = others.flatMap((other) => nats.between(number, other));
    kinds.push(
      async () =>
        linked(`node ${node.number} and NATS server ${number}: ${state}`, [node.links[number]!], state),
      async () => linked(`NATS server ${number} and the others: ${state}`, between, state),
      async () =>
        linked(`NATS server ${number} and one other: ${state}`, nats.between(number, pick(others)), state),
    );
  }
  return pick(kinds)();
}

async function killed(nodes: readonly TestNode[]): Promise<Fault> {
  const running = nodes.filter((node) => node.running);
  await Promise.all(running.map((node) => node.end('SIGKILL')));
  return {
    name: `killed: ${running.map(({ number }) => `node ${number}`).join(', ')}`,
    heal: async () => {
      await Promise.all(running.map((node) => node.start()));
    },
  };
}

/** All nodes and all NATS servers at once, as when everything loses its power, but what they had written stays. */
async function machinesKilled({ nodes, nats }: TestCluster): Promise<Fault> {
  const all = [...nodes, ...nats.servers].filter(({ running }) => running);
  await Promise.all(all.map((each) => each.end('SIGKILL')));
  return {
    name: 'killed: all nodes and NATS servers',
    heal: async () => {
      const servers = nats.servers.filter((server) => all.includes(server));
      await Promise.all(servers.map((server) => server.start()));
      await Promise.all(nodes.filter((node) => all.includes(node)).map((node) => node.start()));
    },
  };
}

/** Has the files of a node not grow any more: what it writes behind some bytes fails (EFBIG), as on a disk that is full. */
async function fullDisk(node: TestNode): Promise<Fault> {
  const { pid } = node;
  const limit = (bytes: string) => {
    if (pid === undefined || node.pid !== pid) return;
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  };
  limit('8192');
  return { name: `full disk: node ${node.number}`, heal: async () => limit('unlimited') };
}

async function paused(node: TestNode): Promise<Fault> {
  node.signal('SIGSTOP');
  return { name: `paused: node ${node.number}`, heal: async () => node.signal('SIGCONT') };
}

async function serversKilled(servers: readonly NatsServer[]): Promise<Fault> {
  const running = servers.filter((server) => server.running);
  await Promise.all(running.map((server) => server.end('SIGKILL')));
  return {
    name: `killed: ${running.length} NATS servers`,
    heal: async () => {
      await Promise.all(running.map((server) => server.start()));
    },
  };
}

async function serverPaused(server: NatsServer): Promise<Fault> {
  server.signal('SIGSTOP');
  return { name: 'paused: a NATS server', heal: async () => server.signal('SIGCONT') };
}

function linked(name: string, links: readonly TcpProxy[], state: LinkState, delayMs = 0): Fault {
  for (const link of links) link.set(state, delayMs);
  return {
    name,
    heal: async () => {
      for (const link of links) link.set('open');
    },
  };
}
