/** Making a snapshot, and bringing one back. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useClient } from '../../app/context';
import { whileVisible } from '../../app/whileVisible';
import { ActionDialog } from '../../components/ActionDialog';
import { Bar } from '../../components/Bar';
import { Spinner } from '../../components/Spinner';
import { createSnapshot, proposedName, restoreSnapshot } from './snapshotActions';
import { type Restored, readRecovery, type Snapshot } from './snapshots';

const RECOVERY_MS = 1000;

interface DialogProps {
  repository: string;
  onClose: () => void;
  onDone: () => void;
}

export function CreateSnapshotDialog({ repository, onClose, onDone }: DialogProps) {
  const name = useSignal(proposedName(new Date()));
  const indices = useSignal('');
  const withState = useSignal(true);
  const isPartial = useSignal(false);
  return (
    <ActionDialog
      action={createSnapshot(repository, name.value, indices.value, withState.value, isPartial.value)}
      problem={name.value === '' ? 'A snapshot needs a name.' : undefined}
      onClose={onClose}
      onDone={onDone}
    >
      <TextField label="Name" value={name} />
      <TextField label="Indices" value={indices} placeholder="all, or names and patterns: logs-*, books" />
      <Check value={withState}>With templates and settings of the cluster</Check>
      <Check value={isPartial}>Leave out shards that can’t be read</Check>
    </ActionDialog>
  );
}

export function RestoreDialog({
  repository,
  snapshot,
  onClose,
  onDone,
}: DialogProps & { snapshot: Snapshot }) {
  const indices = useSignal('');
  const pattern = useSignal('');
  const replacement = useSignal('');
  const withAliases = useSignal(true);
  const withState = useSignal(false);
  return (
    <ActionDialog
      action={restoreSnapshot(repository, snapshot.snapshot, {
        indices: indices.value,
        pattern: pattern.value,
        replacement: replacement.value,
        withAliases: withAliases.value,
        withState: withState.value,
      })}
      onClose={onClose}
      onDone={onDone}
      whileRunning={<RestoreProgress />}
    >
      <p class="muted">
        It has {listed(snapshot.indices)}. An index that is open isn’t replaced: close it first, or give what
        is restored other names.
      </p>
      <TextField label="Indices" value={indices} placeholder="all of them" />
      <TextField label="Names that match" value={pattern} placeholder="a regular expression: (.+)" />
      <TextField label="become" value={replacement} placeholder="restored-$1" />
      <Check value={withAliases}>With aliases</Check>
      <Check value={withState}>With templates and settings of the cluster</Check>
    </ActionDialog>
  );
}

/** How far the indices are that are being restored. */
function RestoreProgress() {
  const client = useClient();
  const restored = useSignal<readonly Restored[]>([]);
  useEffect(
    () =>
      whileVisible(RECOVERY_MS, async () => {
        try {
          restored.value = readRecovery(await client.get('/_recovery?active_only=true', { quiet: true }));
        } catch {
          // Its own answer says what becomes of it.
        }
      }),
    [client],
  );
  return (
    <div class="progress">
      <Spinner label="Restoring" />
      {restored.value.map(({ index, share, stage }) => (
        <p key={index}>
          {index} <span class="muted tabular">{`${Math.floor(share * 100)} %, ${stage}`}</span>
          <Bar share={share} />
        </p>
      ))}
    </div>
  );
}

function TextField({
  label,
  value,
  placeholder,
}: {
  label: string;
  value: Signal<string>;
  placeholder?: string;
}) {
  return (
    <label>
      {label}
      <input
        value={value.value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}

function Check({ value, children }: { value: Signal<boolean>; children: ComponentChildren }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.checked;
        }}
      />
      {children}
    </label>
  );
}

/** So many names are listed. */
const LISTED = 12;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'no indices';
  const more = names.length - LISTED;
  return `${names.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
