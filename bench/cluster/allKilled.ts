/**
 * All nodes get SIGKILL at once under load, and are started again: how soon are they green, and is all there that was acknowledged?
 *
 *     npm run bench:cluster -- allKilled [--documents 100000] [--rounds 3] [--machines]    --machines: the NATS servers too
 */
import { performance } from 'node:perf_hooks';
import { option } from '../server/options.js';
import { Observer, pause } from './observer.js';
import { createIndex, expectOk, fill, startCluster, untilGreen } from './setUp.js';

export async function allKilled(args: readonly string[]): Promise<void> {
  const documents = option(args, 'documents', 100_000);
  const cluster = await startCluster([], false);
  const { nodes, nats } = cluster;
  try {
    await createIndex(nodes[0]!, 'books', 2, 1);
    await untilGreen(nodes, 3);
    await fill([nodes[0]!], 'books', documents);
    const rows: Record<string, unknown>[] = [];
    for (let round = 0; round < option(args, 'rounds', 3); round++) {
      const observer = new Observer(nodes, 'books');
      await pause(3000);
      const servers = args.includes('--machines') ? nats.servers : [];
      await Promise.all([...nodes, ...servers].map((each) => each.end('SIGKILL')));
      const stopped = observer.stop();
      await stopped;
      const began = performance.now();
      await Promise.all(servers.map((server) => server.start()));
      await Promise.all(nodes.map((node) => node.start()));
      const listening = performance.now() - began;
      await untilGreen(nodes, 3);
      const green = performance.now() - began;
      let missing = 0;
      for (const node of nodes) missing += await missingAt(node, observer.acknowledged);
      await expectOk(nodes[0]!, 'POST', '/books/_refresh');
      const counts = await Promise.all(nodes.map((node) => expectOk(node, 'GET', '/books/_count')));
      rows.push({
        acknowledged: observer.acknowledged.length,
        missing,
        counts: counts.map((body) => (body as { count: number }).count).join(' '),
        'all listen after s': seconds(listening),
        'green after s': seconds(green),
      });
      for (const id of observer.acknowledged) await expectOk(nodes[0]!, 'DELETE', `/books/t/${id}`);
    }
    console.log('all nodes killed at once and started again: green, 0 missing are the aims');
    console.table(rows);
  } finally {
    await cluster.close();
  }
}

async function missingAt(node: Parameters<typeof expectOk>[0], ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { docs } = (await expectOk(node, 'POST', '/books/t/_mget?_source=false', { ids })) as {
    docs: { found: boolean }[];
  };
  return docs.filter(({ found }) => !found).length;
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
