/** The cluster in a few numbers, and why it isn't green. */
import type { HealthStatus } from '../../app/clusterState';
import { formatBytes, formatCount } from '../../components/formats';
import { HealthDot } from '../../components/HealthDot';
import { type IndexRow, sumOf } from './indices';

/** Of `_cluster/health`. */
export interface Health {
  status: HealthStatus;
  number_of_nodes: number;
  active_shards: number;
  relocating_shards?: number;
  initializing_shards: number;
  unassigned_shards: number;
}

export function Summary({ health, rows }: { health: Health; rows: readonly IndexRow[] }) {
  const closed = rows.filter(({ isOpen }) => !isOpen).length;
  return (
    <dl class="summary">
      <div class={`health-card ${health.status}`}>
        <dt>Health</dt>
        <dd>
          <HealthDot status={health.status} /> {health.status}
        </dd>
        <dd class="muted">{reasonOf(health)}</dd>
      </div>
      <Figure
        title="Indices"
        value={formatCount(rows.length)}
        more={closed > 0 ? `${closed} closed` : undefined}
      />
      <Figure title="Documents" value={formatCount(sumOf(rows, 'documents'))} />
      <Figure title="On disk" value={formatBytes(sumOf(rows, 'disk'))} />
      <Figure title="In memory" value={formatBytes(sumOf(rows, 'memory'))} />
      <Figure
        title="Shards"
        value={formatCount(health.active_shards)}
        more={`${formatCount(sumOf(rows, 'segments'))} segments`}
      />
      {health.number_of_nodes > 1 && (
        <Figure
          title="Nodes"
          value={formatCount(health.number_of_nodes)}
          more={
            health.relocating_shards ? `${formatCount(health.relocating_shards)} shards moving` : undefined
          }
        />
      )}
    </dl>
  );
}

function Figure({ title, value, more }: { title: string; value: string; more?: string | undefined }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd class="tabular">{value}</dd>
      {more !== undefined && <dd class="muted">{more}</dd>}
    </div>
  );
}

/** Why the health is what it is. */
export function reasonOf({ status, number_of_nodes: nodes, ...shards }: Health): string {
  const { initializing_shards: initializing, unassigned_shards: unassigned } = shards;
  const count = (of: number, what: string) => `${formatCount(of)} ${of === 1 ? what : `${what}s`}`;
  if (status === 'green') return 'every shard is in its place';
  if (initializing > 0) return `${count(initializing, 'shard')} being opened`;
  if (status === 'red')
    return unassigned > 0
      ? `${count(unassigned, 'shard')} can't be opened`
      : 'an index takes no writes: the log of the server says why';
  return nodes <= 1
    ? `${count(unassigned, 'replica')} without another node`
    : `${count(unassigned, 'replica')} not assigned yet`;
}
