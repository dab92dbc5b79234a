/** The repositories; the one whose snapshots are shown is chosen here. */
import { useSignal } from '@preact/signals';
import { setParams } from '../../app/location';
import { type Action, ActionDialog } from '../../components/ActionDialog';
import { DataTable } from '../../components/DataTable';
import { Icon } from '../../components/Icon';
import { deleteRepository, REPOSITORY_TYPES, verifyRepository } from './snapshotActions';

export interface Repository {
  name: string;
  type: string;
  settings: Record<string, string>;
}

interface RepositoryTableProps {
  rows: readonly Repository[];
  selected: string | undefined;
  onChange: () => void;
}

export function RepositoryTable({ rows, selected, onChange }: RepositoryTableProps) {
  const action = useSignal<Action | undefined>(undefined);
  return (
    <>
      <DataTable
        caption="Repositories"
        rows={rows}
        rowKey={({ name }) => name}
        sorted="name"
        empty="There is no repository yet: a folder, or a bucket, in which snapshots are kept."
        columns={[
          {
            name: 'name',
            title: 'Name',
            sortBy: ({ name }) => name,
            cell: ({ name }) => (
              <label class="choice">
                <input
                  type="radio"
                  name="repository"
                  checked={name === selected}
                  onChange={() => setParams({ repository: name })}
                />
                <b class="breakable">{name}</b>
              </label>
            ),
          },
          { name: 'type', title: 'Kind', cell: ({ type }) => REPOSITORY_TYPES[type]?.title ?? type },
          {
            name: 'settings',
            title: 'Settings',
            cell: ({ settings }) => (
              <code class="breakable">
                {Object.entries(settings)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(', ')}
              </code>
            ),
          },
          {
            name: 'actions',
            title: '',
            cell: ({ name }) => (
              <span class="row-actions">
                <button
                  type="button"
                  class="small"
                  aria-label={`Verify ${name}`}
                  onClick={() => (action.value = verifyRepository(name))}
                >
                  Verify
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={`Remove repository ${name}`}
                  onClick={() => (action.value = deleteRepository(name))}
                >
                  <Icon name="delete" />
                </button>
              </span>
            ),
          },
        ]}
      />
      {action.value !== undefined && (
        <ActionDialog
          action={action.value}
          onDone={onChange}
          onClose={() => {
            action.value = undefined;
          }}
        />
      )}
    </>
  );
}
