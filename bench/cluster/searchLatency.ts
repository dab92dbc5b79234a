/**
 * What does it add to a search that a node is asked which has no copy of the shard? One client, one search at a time, on an idle cluster; the
 * same searches at the node that has the shard, in turn with the others.
 *
 *     npm run bench:cluster -- searchLatency [--documents 20000] [--searches 500] [--rounds 5]
 */
import { performance } from 'node:perf_hooks';
import type { TestNode } from '../../test/cluster/harness/testCluster.js';
import { median, option } from '../server/options.js';
import { createIndex, expectOk, fill, startCluster, untilGreen } from './setUp.js';

const TARGET_MS = 0.6;

export async function searchLatency(args: readonly string[]): Promise<void> {
  const cluster = await startCluster();
  const { nodes } = cluster;
  try {
    await untilGreen(nodes, 3);
    await createIndex(nodes[0]!, 'books', 1, 0);
    await fill([nodes[0]!], 'books', option(args, 'documents', 20_000));
    await expectOk(nodes[0]!, 'POST', '/books/_optimize?max_num_segments=1');
    const { routing_table: table } = (await expectOk(nodes[0]!, 'GET', '/_cluster/state')) as {
      routing_table: { indices: { books: { shards: { 0: { node: string }[] } } } };
    };
    const holder = table.indices.books.shards[0][0]!.node;
    const places = await Promise.all(
      nodes.map(async (node): Promise<[string, TestNode]> => {
        const { nodes: own } = (await expectOk(node, 'GET', '/_nodes/_local')) as {
          nodes: Record<string, unknown>;
        };
        const has = Object.keys(own)[0] === holder;
        return [`node ${node.number}, ${has ? 'with the shard' : 'without'}`, node];
      }),
    );
    const words = await wordsOf(nodes[0]!);
    const searches: Record<string, (i: number) => unknown> = {
      '10 hits of a word': (i) => ({ query: { match: { text: words[i % words.length] } } }),
      'count alone': (i) => ({ size: 0, query: { match: { text: words[i % words.length] } } }),
      'one id': (i) => ({ query: { ids: { values: [`${i}`] } } }),
    };
    const rows: Record<string, Record<string, number>> = {};
    const count = option(args, 'searches', 500);
    for (const [, node] of places)
      for (const body of Object.values(searches)) await timed(node, body, Math.min(count, 300));
    for (let round = 0; round < option(args, 'rounds', 5); round++)
      for (const [what, body] of Object.entries(searches))
        for (const [name, node] of places) {
          const ms = median(await timed(node, body, count));
          rows[what] ??= {};
          rows[what][name] = Math.min(
            rows[what][name] ?? Number.POSITIVE_INFINITY,
            Math.round(ms * 100) / 100,
          );
        }
    for (const row of Object.values(rows)) {
      const of = (end: string) =>
        Object.keys(row)
          .filter((name) => name.endsWith(end))
          .map((name) => row[name]!);
      row.added = Math.round((median(of('without')) - median(of('with the shard'))) * 100) / 100;
    }
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
