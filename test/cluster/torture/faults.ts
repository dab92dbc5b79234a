/** What happens to a cluster under load: one fault or two at a time, all of them over after a while. */
import { execFileSync } from 'node:child_process';
import type { NatsServer, NatsServers } from '../harness/natsServers.js';
import type { LinkState, TcpProxy } from '../harness/tcpProxy.js';
import type { TestCluster, TestNode } from '../harness/testCluster.js';
import type { Random } from '../../torture/random.js';
import type { Fault } from './fault.js';
import { diskLost, logsTrimmed } from './losses.js';
import { copiesFiltered, drained, replicasChanged } from './moves.js';

/** How far clocks are set: less than deletions are remembered for. */
const CLOCK_STEPS_MS = [2000, 30_000, 600_000, 7_200_000];
const STATES: readonly LinkState[] = ['cut', 'black hole', 'half open'];

/** What a kind of fault chooses from. */
interface Choice {
  readonly cluster: TestCluster;
  readonly random: Random;
  /** One of the nodes, and one of the servers of NATS. */
  readonly node: TestNode;
  readonly server: NatsServer;
  readonly state: LinkState;
}

interface Kind {
  /** How often it comes, compared with others. */
  readonly weight: number;
  /** Whether there have to be several servers of NATS. */
  readonly several?: true;
  /** Whether no other fault may come with it: what it takes from a node the others must have. */
  readonly alone?: true;
  /** Whether it asks NATS something, for which there have to be no passwords. */
  readonly open?: true;
  /** When it ends, of several: links and servers first, for nodes start where these are, and change settings where all are. */
  readonly ends?: number;
  begin(choice: Choice): Fault | Promise<Fault>;
}

const [SERVERS_AGAIN, NODES, SETTINGS] = [1, 2, 3] as const;

/** By the names that they are asked for and counted under. */
const KINDS: Readonly<Record<string, Kind>> = {
  'node killed': { weight: 2, ends: NODES, begin: ({ node }) => killed([node]) },
  'node ended': { weight: 1, ends: NODES, begin: ({ node }) => ended(node) },
  'all nodes killed': { weight: 1, ends: NODES, begin: ({ cluster }) => killed(cluster.nodes) },
  'machines killed': { weight: 1, ends: NODES, begin: ({ cluster }) => machinesKilled(cluster) },
  'disk lost': { weight: 1, alone: true, ends: NODES, begin: ({ node }) => diskLost(node) },
  'logs trimmed': {
    weight: 1,
    alone: true,
    open: true,
    ends: NODES,
    begin: ({ cluster, node }) => logsTrimmed(cluster, node),
  },
  'node paused': { weight: 1, begin: ({ node }) => paused(node) },
  'disk full': { weight: 1, begin: ({ node }) => fullDisk(node) },
  'clock set': { weight: 1, begin: ({ node, random }) => clockSet(node, random) },
  'replicas changed': {
    weight: 1,
    ends: SETTINGS,
    begin: ({ cluster, random }) => replicasChanged(cluster, random),
  },
  'copies filtered': {
    weight: 1,
    ends: SETTINGS,
    begin: ({ cluster, node }) => copiesFiltered(cluster, node),
  },
  'node drained': { weight: 1, ends: SETTINGS, begin: ({ cluster, node }) => drained(cluster, node) },
  'NATS server killed': { weight: 2, begin: ({ server }) => serversKilled([server]) },
  'NATS servers killed': { weight: 1, begin: ({ cluster }) => serversKilled(cluster.nats.servers) },
  'NATS servers killed again': {
    weight: 1,
    ends: SERVERS_AGAIN,
    begin: ({ cluster, random }) => killedAgain(cluster.nats.servers, random),
  },
  'NATS server paused': { weight: 1, begin: ({ server }) => serverPaused(server) },
  'node and NATS': {
    weight: 1,
    begin: ({ node, state }) => linked(`node ${node.number} and NATS: ${state}`, node.links, state),
  },
  'slow link': {
    weight: 1,
    begin: ({ node, random }) =>
      linked(`slow link of node ${node.number}`, node.links, 'open', 20 + random.below(200)),
  },
  'node and NATS server': {
    weight: 1,
    several: true,
    begin: ({ cluster, node, server, state }) => {
      const number = cluster.nats.servers.indexOf(server);
      return linked(`node ${node.number} and NATS server ${number}: ${state}`, [node.links[number]!], state);
    },
  },
  'NATS server and others': {
    weight: 1,
    several: true,
    begin: ({ cluster: { nats }, server, state }) => {
      const number = nats.servers.indexOf(server);
      const between = othersOf(nats, server).flatMap((other) => nats.between(number, other));
      return linked(`NATS server ${number} and the others: ${state}`, between, state);
    },
  },
  'NATS server and one other': {
    weight: 1,
    several: true,
    begin: ({ cluster: { nats }, server, state, random }) => {
      const number = nats.servers.indexOf(server);
      const others = othersOf(nats, server);
      const other = others[random.below(others.length)]!;
      return linked(`NATS servers ${number} and ${other}: ${state}`, nats.between(number, other), state);
    },
  },
};

/** A fault that was chosen. */
export interface BegunFault extends Fault {
  readonly kind: string;
}

/** The names of all kinds of faults. */
export const FAULT_KINDS = Object.keys(KINDS);

/**
 * Begins a fault that the random number chooses; undefined where none may come.
 * @param begun the faults that last
 * @param among the names of kinds that may come; all without
 */
export async function beginFault(
  cluster: TestCluster,
  random: Random,
  begun: readonly BegunFault[],
  among: readonly string[] = FAULT_KINDS,
): Promise<BegunFault | undefined> {
  const { nodes, nats, isSecured } = cluster;
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)]!;
  if (begun.some(({ kind }) => KINDS[kind]!.alone)) return undefined;
  const able = among.filter((name) => {
    const kind = KINDS[name]!;
    if (nats.servers.length === 1 && kind.several) return false;
    return !(begun.length > 0 && kind.alone) && !(isSecured && kind.open);
  });
  if (able.length === 0) return undefined;
  const kind = pick(able.flatMap((each) => Array<string>(KINDS[each]!.weight).fill(each)));
  const choice = { cluster, random, node: pick(nodes), server: pick(nats.servers), state: pick(STATES) };
  return Object.assign(await KINDS[kind]!.begin(choice), { kind });
}

/** Ends faults; resolves when what was dead runs again. */
export async function healFaults(faults: readonly BegunFault[]): Promise<void> {
  const endOf = ({ kind }: BegunFault) => KINDS[kind]!.ends ?? 0;
  for (const end of [0, SERVERS_AGAIN, NODES, SETTINGS])
    await Promise.all(faults.filter((fault) => endOf(fault) === end).map((fault) => fault.heal()));
}

function othersOf({ servers }: NatsServers, server: NatsServer): number[] {
  return servers.map((_, i) => i).filter((i) => servers[i] !== server);
}

async function killed(nodes: readonly TestNode[]): Promise<Fault> {
  const running = nodes.filter((node) => node.running);
  await Promise.all(running.map((node) => node.end('SIGKILL')));
  return {
    name: `killed: ${running.map(({ number }) => `node ${number}`).join(', ')}`,
    heal: async () => {
      await Promise.all(running.map((node) => node.startAgain()));
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
      await Promise.all(servers.map((server) => server.startAgain()));
      await Promise.all(nodes.filter((node) => all.includes(node)).map((node) => node.startAgain()));
    },
  };
}

/**
 * Has the files of a node not grow any more: what it writes behind some bytes fails (EFBIG), as on a disk that is full. A process that the
 * library of its store ends by that (SIGABRT) is started again.
 */
async function fullDisk(node: TestNode): Promise<Fault> {
  const { pid } = node;
  const isSame = () => pid !== undefined && node.pid === pid;
  const limit = (bytes: string) => {
    if (isSame() && node.endedBy === undefined)
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  };
  limit('8192');
  const fault = {
    name: `full disk: node ${node.number}`,
    heal: async () => {
      limit('unlimited');
      if (!isSame() || node.endedBy === undefined) return;
      fault.name += `, which ended by ${node.endedBy}`;
      await node.startAgainAfterFailedWrite();
    },
  };
  return fault;
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
      await Promise.all(running.map((server) => server.startAgain()));
    },
  };
}

/** All servers once more while they elect who leads, and once more: what they had acknowledged has to be there each time. */
async function killedAgain(servers: readonly NatsServer[], random: Random): Promise<Fault> {
  const { heal } = await serversKilled(servers);
  const pauses = Array.from({ length: 1 + random.below(3) }, () => random.below(4000));
  return {
    name: `killed ${pauses.length + 1} times: ${servers.length} NATS servers`,
    heal: async () => {
      await heal();
      for (const ms of pauses) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        await (await serversKilled(servers)).heal();
      }
    },
  };
}

/** Told to end, as when it is updated. */
async function ended(node: TestNode): Promise<Fault> {
  const ending = node.terminate();
  return {
    name: `ended: node ${node.number}`,
    heal: async () => {
      await ending;
      await node.startAgain();
    },
  };
}

/** Has the clock on the wall of a node go ahead or behind, and back in the end. */
function clockSet({ clock, number }: TestNode, random: Random): Fault {
  const ms = (random.chance(0.5) ? 1 : -1) * CLOCK_STEPS_MS[random.below(CLOCK_STEPS_MS.length)]!;
  clock?.set(ms);
  return { name: `clock of node ${number}: ${ms / 1000} s`, heal: async () => clock?.set(0) };
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
