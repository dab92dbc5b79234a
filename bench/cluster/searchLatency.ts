/**
 * What does it add to a search that a node is asked which has no copy of the shard, by whether both nodes are connected to the same NATS server?
 * One client, one search at a time, on an idle cluster; the same searches at the node that has the shard, in turn with the others.
 *
 *     npm run bench:cluster -- searchLatency [--documents 20000] [--searches 500] [--rounds 5]
 */
import { performance } from 'node:perf_hooks';
import type { TestNode } from '../../test/cluster/harness/testCluster.js';
import { median, option } from '../server/options.js';
import { hundredths } from './hundredths.js';
import { createIndex, expectOk, fill, startCluster, untilGreen } from './setUp.js';

const TARGET_MS = 0.6;
/** The NATS server that each node is connected to; the first node has the shard. */
const SERVERS = [0, 0, 1];
const WHERE = ['with the shard', 'at its server', 'at another server'] as const;

export async function searchLatency(args: readonly string[]): Promise<void> {
  const cluster = await startCluster([], true, (node) => SERVERS[node]!);
  const { nodes } = cluster;
  try {
    await untilGreen(nodes, 3);
    await createIndex(nodes[0]!, 'books', 1, 0, { 'index.routing.allocation.require._name': 'n0' });
    await fill([nodes[0]!], 'books', option(args, 'documents', 20_000));
    await expectOk(nodes[0]!, 'POST', '/books/_optimize?max_num_segments=1');
    const words = await wordsOf(nodes[0]!);
    const searches: Record<string, (i: number) => unknown> = {
      '10 hits of a word': (i) => ({ query: { match: { text: words[i % words.length] } } }),
      'count alone': (i) => ({ size: 0, query: { match: { text: words[i % words.length] } } }),
      'one id': (i) => ({ query: { ids: { values: [`${i}`] } } }),
    };
    const rows: Record<string, Record<string, number>> = {};
    const count = option(args, 'searches', 500);
    for (const node of nodes)
      for (const body of Object.values(searches)) await timed(node, body, Math.min(count, 300));
    for (let round = 0; round < option(args, 'rounds', 5); round++)
      for (const [what, body] of Object.entries(searches))
        for (const [i, node] of nodes.entries()) {
          const ms = median(await timed(node, body, count));
          rows[what] ??= {};
          rows[what][WHERE[i]!] = Math.min(rows[what][WHERE[i]!] ?? Number.POSITIVE_INFINITY, hundredths(ms));
        }
    for (const row of Object.values(rows))
      for (const where of WHERE.slice(1)) row[`added ${where}`] = hundredths(row[where]! - row[WHERE[0]]!);
    console.log(
      `a search, milliseconds, the best median of the rounds; at most ${TARGET_MS} added is the aim`,
    );
    console.table(rows);
  } finally {
    await cluster.close();
  }
}

/** Words of documents. */
async function wordsOf(node: TestNode): Promise<string[]> {
  const { hits } = (await expectOk(node, 'POST', '/books/_search', { size: 20 })) as {
    hits: { hits: { _source: { text: string } }[] };
  };
  return hits.hits.flatMap(({ _source }) => _source.text.split(' ').slice(0, 5));
}

async function timed(node: TestNode, body: (i: number) => unknown, searches: number): Promise<number[]> {
  const ms: number[] = [];
  for (let i = 0; i < searches; i++) {
    const began = performance.now();
    await expectOk(node, 'POST', '/books/_search', body(i));
    ms.push(performance.now() - began);
  }
  return ms;
}
