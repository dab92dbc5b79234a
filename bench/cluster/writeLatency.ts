/**
 * How long does an acknowledged write take on an idle cluster? One client, one write at a time, a new document each; beside it the same at a
 * node alone, in the same minutes.
 *
 *     npm run bench:cluster -- writeLatency [--writes 1000] [--rounds 3]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Peer } from '../../test/torture/peer.js';
import { ServerProcess } from '../../test/torture/serverProcess.js';
import { median, option } from '../server/options.js';
import { hundredths } from './hundredths.js';
import { createIndex, startCluster, untilGreen } from './setUp.js';

const TARGET_MS = 10;
const WARM_UP = 200;

export async function writeLatency(args: readonly string[]): Promise<void> {
  const writes = option(args, 'writes', 1000);
  const folder = mkdtempSync(join(tmpdir(), 'resilin-alone-'));
  const alone = new ServerProcess(resolve('build/js/host/cli/main.js'), [
    '--data',
    folder,
    '--threads',
    '1,1',
  ]);
  const cluster = await startCluster();
  try {
    await untilGreen(cluster.nodes, 3);
    for (const replicas of [1, 2]) await createIndex(cluster.nodes[0]!, `replicas-${replicas}`, 1, replicas);
    await untilGreen(cluster.nodes, 3);
    const rows: Record<string, Record<string, number>> = {};
    const places: [string, Peer, string][] = [
      ['alone', alone, 'alone'],
      ...[1, 2].flatMap((replicas) =>
        cluster.nodes.map((node): [string, Peer, string] => [
          `${replicas} replicas, node ${node.number}`,
          node,
          `replicas-${replicas}`,
        ]),
      ),
    ];
    for (const [, peer, index] of places) await timed(peer, index, WARM_UP, 'warm');
    for (let round = 0; round < option(args, 'rounds', 3); round++)
      for (const [name, peer, index] of places) {
        const ms = await timed(peer, index, writes, `r${round}-${name.at(-1)}`);
        const { median: best = Number.POSITIVE_INFINITY } = rows[name] ?? {};
        if (median(ms) < best)
          rows[name] = { median: hundredths(median(ms)), p95: hundredths(percentile(ms, 0.95)) };
      }
    console.log(
      `acknowledged single write, milliseconds, the best of the rounds; at most ${TARGET_MS} is the aim for a cluster's median`,
    );
    console.table(rows);
  } finally {
    await cluster.close();
    await alone.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(peer: Peer, index: string, writes: number, ids: string): Promise<number[]> {
  const ms: number[] = [];
  for (let i = 0; i < writes; i++) {
    const began = performance.now();
    const { status } = await peer.send('PUT', `/${index}/t/${ids}-${i}`, {
      n: i,
      text: 'a b c d e f g h i j',
    });
    if (status !== 201 && status !== 200) throw new Error(`a write was answered with ${status}`);
    ms.push(performance.now() - began);
  }
  return ms;
}

function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!;
}
