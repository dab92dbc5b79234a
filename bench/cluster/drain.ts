/**
 * Do searches fail while a node is drained and ended? Four clients search without a pause, each at the next node where one refuses connections;
 * a node is excluded, its copies move, and it gets SIGTERM while they search.
 *
 *     npm run bench:cluster -- drain [--documents 60000] [--rounds 3] [--clients 4]
 */
import { performance } from 'node:perf_hooks';
import type { TestNode } from '../../test/cluster/harness/testCluster.js';
import { Unanswered } from '../../test/torture/peer.js';
import { option } from '../server/options.js';
import { pause } from './observer.js';
import { createIndex, expectOk, fill, startCluster, untilGreen } from './setUp.js';

const MOST_MOVING_MS = 300_000;
/** Searches go on for so long after the node has ended. */
const AFTER_MS = 3000;
const SHOWN = 5;

/** What searches came to. */
interface Found {
  searches: number;
  failed: { at: number; node: number; problem: string }[];
}

export async function drain(args: readonly string[]): Promise<void> {
  const cluster = await startCluster(['--grace', '0s']);
  const { nodes } = cluster;
  try {
    await untilGreen(nodes, 3);
    // One whose copies others have too, and one whose only copies move.
    await createIndex(nodes[0]!, 'books', 4, 1);
    await createIndex(nodes[0]!, 'notes', 3, 0);
    const documents = option(args, 'documents', 60_000);
    for (const index of ['books', 'notes']) await fill([nodes[0]!], index, documents);
    await expectOk(nodes[0]!, 'POST', '/_refresh');
    const rows: Record<string, unknown>[] = [];
    for (let round = 0; round < option(args, 'rounds', 3); round++) {
      await untilGreen(nodes, 3);
      const drained = nodes[(round + 2) % 3]!;
      const other = nodes.find((node) => node !== drained)!;
      const found: Found = { searches: 0, failed: [] };
      let isOver = false;
      const began = performance.now();
      const clients = Array.from({ length: option(args, 'clients', 4) }, (_, i) =>
        searchOn(nodes, i, began, found, () => isOver),
      );
      await pause(1000);
      const excluding = performance.now() - began;
      await exclude(other, `n${drained.number}`);
      await untilEmpty(other, `n${drained.number}`);
      const moved = performance.now() - began;
      await drained.terminate();
      const ended = performance.now() - began;
      await pause(AFTER_MS);
      isOver = true;
      await Promise.all(clients);
      rows.push({
        ...{
          searches: found.searches,
          failed: found.failed.length,
          'excluded after ms': Math.round(excluding),
        },
        ...{ 'moved after ms': Math.round(moved), 'ended after ms': Math.round(ended) },
      });
      for (const { at, node, problem } of found.failed.slice(0, SHOWN))
        console.log(`${Math.round(at)} ms, node ${node}: ${problem}`);
      await exclude(other, '');
      await drained.start();
    }
    console.log('searches while a node is drained and ended; none that fails is the aim');
    console.table(rows);
  } finally {
    await cluster.close();
  }
}

async function searchOn(
  nodes: readonly TestNode[],
  first: number,
  began: number,
  found: Found,
  isOver: () => boolean,
): Promise<void> {
  const body = { query: { match_all: {} }, size: 10, aggs: { most: { max: { field: 'n' } } } };
  for (let at = first; !isOver(); at++) {
    const node = nodes[at % nodes.length]!;
    try {
      const { status, body: answer } = await node.send('POST', '/books,notes/_search', body);
      found.searches++;
      const { _shards: shards } = answer as { _shards?: { failed: number; successful: number } };
      if (status !== 200 || shards?.failed !== 0 || shards.successful !== 7)
        found.failed.push({
          ...{ at: performance.now() - began, node: node.number },
          problem: `${status} ${JSON.stringify(shards ?? answer).slice(0, 1500)}`,
        });
    } catch (error) {
      // The connection is refused, or was closed: the next node is asked.
      if (!(error instanceof Unanswered)) throw error;
      await pause(1);
    }
  }
}

async function exclude(node: TestNode, name: string): Promise<void> {
  const transient = { 'cluster.routing.allocation.exclude._name': name };
  await expectOk(node, 'PUT', '/_cluster/settings', { transient });
}

/** Resolves when no copy is on a node any more, nor on its way from it. */
async function untilEmpty(node: TestNode, name: string): Promise<void> {
  const began = performance.now();
  for (;;) {
    const { body } = await node.send('GET', '/_cat/shards');
    if (!String(body).includes(name)) return;
    if (performance.now() - began > MOST_MOVING_MS) throw new Error(`not empty: ${String(body)}`);
    await pause(50);
  }
}
