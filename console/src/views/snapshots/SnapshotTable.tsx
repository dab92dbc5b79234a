/** The snapshots of a repository, those too that are being made. */
import { Bar } from '../../components/Bar';
import { DataTable } from '../../components/DataTable';
import { formatMs } from '../../components/formats';
import { Icon } from '../../components/Icon';
import type { Progress, Snapshot } from './snapshots';

const STATES: Readonly<Record<string, { text: string; kind: string }>> = {
  SUCCESS: { text: 'whole', kind: 'good' },
  PARTIAL: { text: 'partial', kind: 'fair' },
  FAILED: { text: 'failed', kind: 'problem' },
  IN_PROGRESS: { text: 'being made', kind: '' },
};

interface SnapshotTableProps {
  rows: readonly Snapshot[];
  progress: ReadonlyMap<string, Progress>;
  onRestore: (snapshot: Snapshot) => void;
  onDelete: (snapshot: Snapshot) => void;
}

export function SnapshotTable({ rows, progress, onRestore, onDelete }: SnapshotTableProps) {
  return (
    <DataTable
      caption="Snapshots"
      rows={rows}
      rowKey={({ snapshot }) => snapshot}
      sorted="-start"
      pageSize={50}
      empty="There is no snapshot in it yet."
      columns={[
        {
          name: 'name',
          title: 'Name',
          sortBy: ({ snapshot }) => snapshot,
          cell: ({ snapshot }) => <b class="breakable">{snapshot}</b>,
        },
        {
          name: 'state',
          title: 'State',
          sortBy: ({ state }) => state,
          cell: (row) => <StateCell row={row} progress={progress.get(row.snapshot)} />,
        },
        {
          name: 'start',
          title: 'Made',
          sortBy: ({ start_time_in_millis: start }) => start,
          cell: ({ start_time: text, start_time_in_millis: start }) => (
            <time dateTime={text}>{new Date(start).toLocaleString()}</time>
          ),
        },
        {
          name: 'took',
          title: 'Took',
          isNumber: true,
          sortBy: ({ duration_in_millis: took = -1 }) => took,
          cell: ({ duration_in_millis: took }) => (took === undefined ? '–' : formatMs(took)),
        },
        {
          name: 'indices',
          title: 'Indices',
          sortBy: ({ indices }) => indices.length,
          cell: ({ indices }) => <IndicesCell indices={indices} />,
        },
        {
          name: 'actions',
          title: '',
          cell: (row) => (
            <span class="row-actions">
              {row.state !== 'IN_PROGRESS' && row.state !== 'FAILED' && (
                <button
                  type="button"
                  class="small"
                  aria-label={`Restore ${row.snapshot}`}
                  onClick={() => onRestore(row)}
                >
                  Restore
                </button>
              )}
              <button
                type="button"
                class="icon"
                aria-label={`Delete ${row.snapshot}`}
                onClick={() => onDelete(row)}
              >
                <Icon name="delete" />
              </button>
            </span>
          ),
        },
      ]}
    />
  );
}

function StateCell({ row, progress }: { row: Snapshot; progress: Progress | undefined }) {
  const { text, kind } = STATES[row.state] ?? { text: row.state, kind: '' };
  const { failures, reason, shards, state } = row;
  const isRunning = state === 'IN_PROGRESS';
  const [done, total] =
    isRunning && progress !== undefined ? [progress.done, progress.total] : [shards.successful, shards.total];
  return (
    <div class="snapshot-state">
      <span class={kind}>{text}</span>{' '}
      <span class="muted tabular">
        {done} of {total} shards
      </span>
      {isRunning && <Bar share={total === 0 ? 0 : done / total} />}
      {reason !== undefined && <p class="problem">{reason}</p>}
      {failures.length > 0 && (
        <details>
          <summary>{failures.length === 1 ? '1 failure' : `${failures.length} failures`}</summary>
          <ul>
            {failures.map((failure) => (
              <li key={`${failure.index} ${failure.shard_id}`}>
                <code>
                  {failure.index}[{failure.shard_id}]
                </code>{' '}
                {failure.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** So many names are shown at once. */
const SHOWN = 3;

function IndicesCell({ indices }: { indices: readonly string[] }) {
  if (indices.length <= SHOWN) return <span class="breakable">{indices.join(', ') || 'none'}</span>;
  return (
    <details>
      <summary>{indices.length} indices</summary>
      <span class="breakable">{indices.join(', ')}</span>
    </details>
  );
}
