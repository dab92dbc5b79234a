/** A cluster of three NATS servers and three nodes, and an index in it. */
import { performance } from 'node:perf_hooks';
import { resolve } from 'node:path';
import { TestCluster, type TestNode } from '../../test/cluster/harness/testCluster.js';
import type { Peer } from '../../test/torture/peer.js';
import { pause } from './observer.js';

const BULK = 2000;
const MOST_GREEN_MS = 300_000;

/** A node that requests are sent to. */
export type Sender = Pick<Peer, 'send'>;

/**
 * Starts it. @param args further options of each node @param direct without the proxies by which servers can be started again
 * @param firstServer the number of the NATS server that a node is connected to; each node to another one unless given
 */
export function startCluster(
  args: readonly string[] = [],
  direct = true,
  firstServer = (node: number) => node,
): Promise<TestCluster> {
  const main = resolve('build/js/host/cli/main.js');
  return TestCluster.start({
    ...{ main, natsServers: 3, nodes: 3, direct, firstServer },
    args: ['--threads', '1,1', ...args],
  });
}

/** Makes an index. @param more further settings */
export async function createIndex(
  node: Sender,
  index: string,
  shards: number,
  replicas: number,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const settings = { number_of_shards: shards, number_of_replicas: replicas, ...more };
  const mappings = { t: { properties: { n: { type: 'long' }, text: { type: 'string' } } } };
  await expectOk(node, 'PUT', `/${index}`, { settings, mappings });
}

/** Fills an index with made-up documents of some 300 bytes, in bulk requests to some nodes in turn. */
export async function fill(nodes: readonly Sender[], index: string, documents: number): Promise<void> {
  const words = Array.from({ length: 5000 }, (_, i) => `w${((i * 2_654_435_761) >>> 0).toString(36)}`);
  let seed = 1;
  const word = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor(words.length * (seed / 2 ** 32) ** 2)]!;
  };
  for (let at = 0; at < documents; at += BULK) {
    const lines: string[] = [];
    for (let n = at; n < Math.min(documents, at + BULK); n++) {
      const text = Array.from({ length: 38 }, word).join(' ');
      lines.push(`{"index":{"_id":"${n}"}}\n${JSON.stringify({ n, text })}\n`);
    }
    const node = nodes[(at / BULK) % nodes.length]!;
    const { errors } = (await expectOk(node, 'POST', `/${index}/t/_bulk`, lines.join(''))) as {
      errors: boolean;
    };
    if (errors) throw new Error('a bulk request failed');
  }
}

/** Milliseconds until all of these nodes say that the cluster is green with so many nodes. */
export async function untilGreen(nodes: readonly TestNode[], count: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const seen = await Promise.all(nodes.map(health));
    if (seen.every(({ status, number_of_nodes }) => status === 'green' && number_of_nodes === count))
      return performance.now() - began;
    if (performance.now() - began > MOST_GREEN_MS) throw new Error(`not green: ${JSON.stringify(seen)}`);
    await pause(50);
  }
}

interface Health {
  status?: string;
  number_of_nodes?: number;
}

async function health(node: TestNode): Promise<Health> {
  try {
    return (await node.send('GET', '/_cluster/health')).body as Health;
  } catch {
    return {};
  }
}

/** The body of an answer; throws for another status than 200 or 201. */
export async function expectOk(node: Sender, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await node.send(method, path, body);
  if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`);
  return answer.body;
}
