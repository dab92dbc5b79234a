/**
 * What do clients see of the loss of a node, and how soon is each shard on as many nodes as before? Two writers and two searchers,
 * which go on to the next node where one refuses them; one node gets SIGKILL.
 *
 *     npm run bench:cluster -- nodeLoss [--documents 300000] [--rounds 3]
 */
import { performance } from 'node:perf_hooks';
import { option } from '../server/options.js';
import { Observer, pause } from './observer.js';
import { createIndex, fill, startCluster, untilGreen } from './setUp.js';

const SEARCHES_MS = 1000;
const WRITES_MS = 5000;
const GREEN_MS = 60_000;

export async function nodeLoss(args: readonly string[]): Promise<void> {
  const documents = option(args, 'documents', 300_000);
  const cluster = await startCluster(['--grace', '0s']);
  try {
    await createIndex(cluster.nodes[0]!, 'books', 2, 1);
    await untilGreen(cluster.nodes, 3);
    const began = performance.now();
    await fill([cluster.nodes[0]!], 'books', documents);
    console.log(`${documents} documents written in ${seconds(performance.now() - began)} s`);
    const rows: Record<string, unknown>[] = [];
    for (let round = 0; round < option(args, 'rounds', 3); round++) {
      const lost = cluster.nodes[round % 3]!;
      const others = cluster.nodes.filter((node) => node !== lost);
      await untilGreen(cluster.nodes, 3);
      const observer = new Observer(cluster.nodes, 'books');
      await pause(3000);
      const at = performance.now();
      await lost.end('SIGKILL');
      await untilGreen(others, 2);
      const green = performance.now() - at;
      await pause(Math.max(0, 12_000 - green));
      await observer.stop();
      const failed = observer.failedSearches(at, SEARCHES_MS);
      rows.push({
        'searches failed after 1 s': failed.length,
        'writes resumed after ms': Math.round(observer.writesResumed(at)),
        'green after s': seconds(green),
      });
      for (const { problem } of failed.slice(0, 5)) console.log(problem);
      await lost.start();
    }
    console.log(`loss of a node: at most 0 searches, ${WRITES_MS} ms and ${GREEN_MS / 1000} s are the aims`);
    console.table(rows);
  } finally {
    await cluster.close();
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
