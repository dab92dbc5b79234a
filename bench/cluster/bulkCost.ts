/**
 * What do bulk requests cost a cluster, beside a node alone? The same bodies, one after the other, into a new index of two shards, on all nodes
 * in turn; the cluster's has one replica. Processor time of all threads of all nodes, from the first body until all is searchable on every
 * copy; that of the NATS servers stands beside it. A node and the cluster take turns; the first rounds warm up. In these the cluster is sent
 * three times as many, so that each node is sent as many bodies as the node alone, and V8 has compiled as much of it: without, the first
 * rounds that count would measure its compiler, by up to half of a node's costs. The ratio of each round is shown.
 *
 *     npm run bench:cluster -- bulkCost [--documents 60000] [--rounds 5] [--warmup 2]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ServerProcess } from '../../test/torture/serverProcess.js';
import { median, option } from '../server/options.js';
import { hundredths } from './hundredths.js';
import { createIndex, expectOk, fill, type Sender, startCluster, untilGreen } from './setUp.js';

const TARGET = 2.3;

export async function bulkCost(args: readonly string[]): Promise<void> {
  const documents = option(args, 'documents', 60_000);
  const folder = mkdtempSync(join(tmpdir(), 'resilin-alone-'));
  const main = resolve('build/js/host/cli/main.js');
  const alone = new ServerProcess(main, ['--data', folder, '--threads', '1,1']);
  const cluster = await startCluster();
  try {
    await alone.ready();
    await untilGreen(cluster.nodes, 3);
    const each = (ms: number) => (1000 * ms) / documents;
    const remove = async (name: string) => {
      await expectOk(alone, 'DELETE', `/${name}`);
      await expectOk(cluster.nodes[0]!, 'DELETE', `/${name}`);
    };
    const rows: Record<string, number[]> = { alone: [], cluster: [], 'NATS servers': [] };
    const ratios: number[] = [];
    for (let round = 0; round < option(args, 'warmup', 2); round++) {
      await index([alone], `warm${round}`, documents, 0);
      await index(cluster.nodes, `warm${round}`, cluster.nodes.length * documents, 1);
      await remove(`warm${round}`);
    }
    for (let round = 0; round < option(args, 'rounds', 5); round++) {
      const own = times([alone.pid]);
      await index([alone], `b${round}`, documents, 0);
      const aloneMs = times([alone.pid]) - own;
      const nodes = cluster.nodes.map(({ pid }) => pid);
      const servers = cluster.nats.servers.map(({ pid }) => pid);
      const [before, beside] = [times(nodes), times(servers)];
      await index(cluster.nodes, `b${round}`, documents, 1);
      const clusterMs = times(nodes) - before;
      ratios.push(hundredths(clusterMs / aloneMs));
      rows.alone!.push(each(aloneMs));
      rows.cluster!.push(each(clusterMs));
      rows['NATS servers']!.push(each(times(servers) - beside));
      await remove(`b${round}`);
    }
    const rounded = Object.entries(rows).map(([name, all]) => [name, Math.round(10 * median(all)) / 10]);
    const ratio = median(rows.cluster!) / median(rows.alone!);
    console.log(
      `processor time of _bulk, microseconds a document of some 300 bytes; at most ${TARGET} times that of a node is the aim`,
    );
    console.table({ ...Object.fromEntries(rounded), ratio: hundredths(ratio) });
    console.log(`the ratio of each round: ${ratios.join(' ')}`);
  } finally {
    await cluster.close();
    await alone.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function index(
  peers: readonly Sender[],
  name: string,
  documents: number,
  replicas: number,
): Promise<void> {
  await createIndex(peers[0]!, name, 2, replicas);
  await expectOk(peers[0]!, 'GET', `/_cluster/health/${name}?wait_for_status=green`);
  await fill(peers, name, documents);
  await expectOk(peers[0]!, 'POST', `/${name}/_refresh`);
}

/** Milliseconds that all threads of some processes have run. Linux only. */
function times(pids: readonly (number | undefined)[]): number {
  const of = (file: string) => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
  const files = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  );
  return files.reduce((sum, file) => sum + of(file), 0);
}
