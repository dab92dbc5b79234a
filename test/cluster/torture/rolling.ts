/** A cluster whose nodes are ended in order and started again, one after the other, under load of clients that retry connections. */
import { CHANGES } from '../../torture/load.js';
import { Random } from '../../torture/random.js';
import { TestCluster } from '../harness/testCluster.js';
import { type Clients, runClients } from './clients.js';
import { compareNodes, createIndices, untilGreen } from './compare.js';
import { History, Values } from './history.js';
import { RetryingPeer } from './retryingPeer.js';
import { SearchTally } from './searches.js';

const CHANGED = ['aliases', 'mapping', 'settings', 'template'];

export interface RollingOptions {
  /** The compiled command line. */
  main: string;
  /** That of the version that nodes are started again with; the same one without. */
  upgradeTo?: string;
  natsServers: number;
  nodes: number;
  /** How often all nodes are started again. */
  turns: number;
  seed: number;
  writers: number;
  log?: (line: string) => void;
}

export interface RollingResult {
  acknowledged: number;
  refused: number;
  searches: number;
  /** Requests that a client had to send to another node. */
  retried: number;
  /** Milliseconds that a node took to end, and to start, at most. */
  slowestEnd: number;
  slowestStart: number;
  /** Requests and searches that failed, and all else that is wrong. */
  problems: string[];
}

/** Resolves with what was found. */
export async function rollingRestart(options: RollingOptions): Promise<RollingResult> {
  const { main, upgradeTo = main, turns, seed, writers, log = () => {} } = options;
  const random = new Random(seed);
  const cluster = await TestCluster.start({ ...options, args: ['--threads', '1,1'] });
  const { nodes } = cluster;
  const history = new History();
  const values = new Map(
    CHANGES.filter(({ register }) => CHANGED.includes(register)).map(({ register, initial }) => [
      register,
      new Values(register, initial),
    ]),
  );
  const searches = new SearchTally();
  const peers = nodes.map((_, first) => new RetryingPeer(nodes, first));
  let [slowestEnd, slowestStart] = [0, 0];
  try {
    await untilGreen(cluster, 0);
    const copies = await createIndices(cluster);
    const stop = new AbortController();
    const clients: Clients = { nodes, peers, history, values, stop: stop.signal, searches, faultAt: 0 };
    const running = runClients(clients, writers, random, 0);
    for (let turn = 0; turn < turns; turn++)
      for (const node of nodes) {
        clients.faultAt = performance.now();
        await node.terminate();
        const ended = performance.now();
        node.main = upgradeTo;
        await node.start();
        const started = performance.now();
        const green = await untilGreen(cluster, copies);
        if (typeof green === 'string') throw new Error(green);
        slowestEnd = Math.max(slowestEnd, Math.round(ended - clients.faultAt));
        slowestStart = Math.max(slowestStart, Math.round(started - ended));
        log(
          `turn ${turn}, node ${node.number}: ended in ${Math.round(ended - clients.faultAt)} ms, started in ${Math.round(started - ended)} ms, green ${green} ms later`,
        );
      }
    stop.abort();
    await running;
    await compareNodes(cluster, history, values);
  } catch (error) {
    history.problems.push(String(error instanceof Error ? error.stack : error));
  }
  const { acknowledged, refused, unanswered } = history;
  const problems = [...history.problems, ...peers.flatMap(({ failures }) => failures), ...searches.failures];
  if (unanswered > 0) problems.push(`${unanswered} writes have no outcome`);
  if (searches.unreachable > 0) problems.push(`${searches.unreachable} searches found no node`);
  if (problems.length > 0) for (const node of nodes) log(`node ${node.number}:\n${node.log.slice(-3000)}`);
  await cluster.close();
  const retried = peers.reduce((sum, peer) => sum + peer.retried, 0);
  return {
    ...{ acknowledged, refused, searches: searches.asked, retried, slowestEnd, slowestStart, problems },
  };
}
