/** Repositories, the snapshots in them, making and restoring them. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useClient } from '../../app/context';
import { place, setParams } from '../../app/location';
import { whileVisible } from '../../app/whileVisible';
import { type Action, ActionDialog } from '../../components/ActionDialog';
import { ErrorBox } from '../../components/ErrorBox';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { ViewHeader } from '../../components/ViewHeader';
import { RepositoryDialog } from './RepositoryDialog';
import { type Repository, RepositoryTable } from './RepositoryTable';
import { CreateSnapshotDialog, RestoreDialog } from './SnapshotDialogs';
import { SnapshotTable } from './SnapshotTable';
import { deleteSnapshot } from './snapshotActions';
import { type Progress, readStatus, type Snapshot } from './snapshots';
import './snapshots.css';

const PROGRESS_MS = 1000;

export default function SnapshotsView() {
  const client = useClient();
  const isAdding = useSignal(false);
  const answered = useAnswer(
    async (signal) => {
      const found = await client.get<Record<string, Omit<Repository, 'name'>>>('/_snapshot', { signal });
      return Object.entries(found).map(([name, each]): Repository => ({ ...each, name }));
    },
    [client],
  );
  const { value, error, reload } = answered.value;
  const wanted = place.value.params.get('repository');
  const selected = (value?.find(({ name }) => name === wanted) ?? value?.[0])?.name;
  return (
    <>
      <ViewHeader title="Snapshots">
        <button
          type="button"
          class={value?.length === 0 ? 'primary' : ''}
          onClick={() => (isAdding.value = true)}
        >
          <Icon name="add" /> Add repository
        </button>
      </ViewHeader>
      <div class="stack">
        <Panel title="Repositories">
          {error !== undefined ? (
            <ErrorBox error={error} />
          ) : value === undefined ? (
            <Spinner label="Asking" />
          ) : (
            <RepositoryTable rows={value} selected={selected} onChange={reload} />
          )}
        </Panel>
        {selected !== undefined && <Snapshots key={selected} repository={selected} />}
      </div>
      {isAdding.value && (
        <RepositoryDialog
          onClose={() => {
            isAdding.value = false;
          }}
          onDone={(name) => {
            setParams({ repository: name });
            reload();
          }}
        />
      )}
    </>
  );
}

type Open = { what: 'create' } | { what: 'restore'; snapshot: Snapshot } | { what: 'delete'; action: Action };

const NO_PROGRESS: ReadonlyMap<string, Progress> = new Map();

function Snapshots({ repository }: { repository: string }) {
  const client = useClient();
  const open = useSignal<Open | undefined>(undefined);
  const progress = useSignal<ReadonlyMap<string, Progress>>(NO_PROGRESS);
  const at = `/_snapshot/${encodeURIComponent(repository)}`;
  const answered = useAnswer(
    async (signal) => {
      const { snapshots } = await client.get<{ snapshots: Snapshot[] }>(`${at}/_all`, { signal });
      return snapshots;
    },
    [client, repository],
  );
  const { value, error, reload } = answered.value;
  const isRunning = value?.some(({ state }) => state === 'IN_PROGRESS') === true;
  useEffect(() => {
    if (!isRunning) return undefined;
    return whileVisible(PROGRESS_MS, async () => {
      try {
        const found = readStatus(await client.get(`${at}/_status`, { quiet: true }));
        progress.value = found;
        // None is under way any more.
        if (found.size === 0) answered.peek().reload();
      } catch {
        answered.peek().reload();
      }
    });
  }, [client, at, isRunning]);
  const close = () => {
    open.value = undefined;
  };
  return (
    <Panel
      title={`Snapshots in ${repository}`}
      actions={
        <button type="button" class="primary" onClick={() => (open.value = { what: 'create' })}>
          <Icon name="snapshots" /> Make snapshot
        </button>
      }
    >
      {error !== undefined ? (
        <ErrorBox error={error} />
      ) : value === undefined ? (
        <Spinner label="Asking" />
      ) : (
        <SnapshotTable
          rows={value}
          progress={progress.value}
          onRestore={(snapshot) => {
            open.value = { what: 'restore', snapshot };
          }}
          onDelete={({ snapshot }) => {
            open.value = { what: 'delete', action: deleteSnapshot(repository, snapshot) };
          }}
        />
      )}
      {open.value?.what === 'create' && (
        <CreateSnapshotDialog repository={repository} onClose={close} onDone={reload} />
      )}
      {open.value?.what === 'restore' && (
        <RestoreDialog
          repository={repository}
          snapshot={open.value.snapshot}
          onClose={close}
          onDone={reload}
        />
      )}
      {open.value?.what === 'delete' && (
        <ActionDialog action={open.value.action} onClose={close} onDone={reload} />
      )}
    </Panel>
  );
}
