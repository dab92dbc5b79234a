/**
 * How long do writes wait when the NATS server that leads their log is lost? It gets SIGKILL, again and again, while two writers and two
 * searchers go on, and is started again when writes have resumed.
 *
 *     npm run bench:cluster -- serverLoss [--rounds 10] [--pause]    --pause: SIGSTOP in place of SIGKILL
 */
import { performance } from 'node:perf_hooks';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsServers } from '../../test/cluster/harness/natsServers.js';
import { median, option } from '../server/options.js';
import { Observer, pause } from './observer.js';
import { createIndex, startCluster, untilGreen } from './setUp.js';

const TARGET_MS = 5000;
const MOST_MS = 60_000;

export async function serverLoss(args: readonly string[]): Promise<void> {
  const cluster = await startCluster([], false);
  const isPaused = args.includes('--pause');
  try {
    await createIndex(cluster.nodes[0]!, 'books', 2, 2);
    await untilGreen(cluster.nodes, 3);
    const waited: number[] = [];
    let failed = 0;
    for (let round = 0; round < option(args, 'rounds', 10); round++) {
      const leader = cluster.nats.servers[await leaderOf(cluster.nats)]!;
      const observer = new Observer(cluster.nodes, 'books');
      await pause(1500);
      const at = performance.now();
      if (isPaused) leader.signal('SIGSTOP');
      else await leader.end('SIGKILL');
      while (observer.writesResumed(at) === Number.POSITIVE_INFINITY && performance.now() - at < MOST_MS)
        await pause(20);
      waited.push(Math.round(observer.writesResumed(at)));
      await pause(2000);
      await observer.stop();
      failed += observer.failedSearches(at, 0).length;
      for (const { problem } of observer.failedSearches(at, 0).slice(0, 3)) console.log(problem);
      if (isPaused) leader.signal('SIGCONT');
      else await leader.start();
      await untilGreen(cluster.nodes, 3);
      await pause(3000);
    }
    const within = waited.filter((ms) => ms <= TARGET_MS).length;
    console.log(`writes resumed after ms: ${waited.join(', ')}; at most ${TARGET_MS} is the aim`);
    console.table([{ rounds: waited.length, median: median(waited), within, 'searches failed': failed }]);
  } finally {
    await cluster.close();
  }
}

/** The number of the server that leads the log of the one index. */
async function leaderOf({ urls }: NatsServers): Promise<number> {
  const connection = await connect({ servers: urls });
  try {
    const manager = await jetstreamManager(connection);
    for await (const { config, cluster } of manager.streams.list())
      if (config.name.includes('_index-')) return Number(cluster?.leader?.slice(1));
    throw new Error('there is no log of an index');
  } finally {
    await connection.close();
  }
}
