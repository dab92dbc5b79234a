/** What a node of a cluster tells Prometheus of the cluster, as it sees it. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Replication } from '../replication/replication.js';
import type { Samples } from './metrics.js';

/** Takes samples by their names. */
export interface Samplers {
  gauge(name: string, help: string, samples: Samples): void;
  counter(name: string, help: string, samples: Samples): void;
}

/** Sets the samples of a node. @param everyIndex closed ones too */
export async function setClusterMetrics(
  replication: Replication,
  everyIndex: readonly OpenIndex[],
  { gauge, counter }: Samplers,
): Promise<void> {
  const { nodes, counts } = replication;
  const indices = everyIndex.filter(({ closed }) => !closed);
  const { all } = nodes;
  const data = all.filter((node) => node.data).length;
  gauge('resilin_cluster_nodes', 'Living nodes of the cluster', [
    [{ role: 'data' }, data],
    [{ role: 'client' }, all.length - data],
  ]);
  gauge('resilin_cluster_member', 'Whether the others see this node', nodes.hasJoined ? 1 : 0);
  const searchable = indices.flatMap(({ shards }) => shards.filter(({ isHeld }) => isHeld)).length;
  const heldOf = (some: readonly OpenIndex[]) => some.reduce((sum, { copies }) => sum + copies.length, 0);
  const held = heldOf(indices);
  gauge('resilin_copies', 'Copies of shards on this node', [
    [{ state: 'searchable' }, searchable],
    [{ state: 'joining' }, Math.max(0, held - searchable)],
    [{ state: 'closed' }, heldOf(everyIndex) - held],
  ]);
  gauge(
    'resilin_log_lag',
    "Positions between the end of an index's log and what this node has carried out of it",
    [...(await replication.lags())].map(([index, lag]) => [{ index }, lag]),
  );
  gauge(
    'resilin_log_failed',
    'Whether an index takes no writes because its log has failed or does not answer',
    indices.map(({ name }, i) => [{ index: name }, replication.failureOf(indices[i]!) === undefined ? 0 : 1]),
  );
  gauge(
    'resilin_metadata_failed',
    'Whether metadata of the cluster can not be changed because their log has failed',
    replication.metadataFailure === undefined ? 0 : 1,
  );
  counter(
    'resilin_log_appends_total',
    'Messages that this node appended to logs of indices',
    counts.appended,
  );
  counter('resilin_log_messages_total', 'Messages of logs that this node carried out', counts.messages);
  counter('resilin_log_operations_total', 'Operations in them', counts.operations);
  const fetches = replication.copies.progress;
  const running = fetches.filter(({ stage }) => stage === 'INDEX' || stage === 'TRANSLOG');
  gauge('resilin_fetches', 'Copies that this node fetches from others', running.length);
  gauge(
    'resilin_fetches_failed',
    'Copies whose last fetch has failed',
    fetches.filter(({ stage }) => stage === 'FAILED').length,
  );
}
