/** A key for a program: what it may do, and its secret, which is shown once. */
import { useSignal } from '@preact/signals';
import { isObject, type JsonObject } from '../../api/json';
import type { ClusterLevel } from '../../app/whoAmI';
import { ActionDialog } from '../../components/ActionDialog';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { GrantsEditor } from './GrantsEditor';
import { type GrantRow, grantsOf, newRow } from './grantRows';

interface AddKeyDialogProps {
  onClose: () => void;
  /** The value of the header. */
  onDone: (header: string) => void;
}

export function AddKeyDialog({ onClose, onDone }: AddKeyDialogProps) {
  const name = useSignal('');
  const rows = useSignal<readonly GrantRow[]>([newRow('', 'write')]);
  const cluster = useSignal<ClusterLevel>('none');
  const grants = grantsOf(rows.value).map(({ indices, access }) => ({ indices, access }));
  return (
    <ActionDialog
      action={{
        title: 'Add key',
        method: 'POST',
        path: '/_security/api_key',
        body: { name: name.value, grants, cluster: cluster.value },
        done: `The key for ${name.value} is made`,
      }}
      problem={name.value.trim() === '' ? 'Say what the key is for.' : undefined}
      onClose={onClose}
      onDone={(answer: JsonObject) => {
        if (isObject(answer)) onDone(`ApiKey ${String(answer.encoded)}`);
      }}
    >
      <label>
        What it is for
        <input
          value={name.value}
          autocomplete="off"
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </label>
      <GrantsEditor rows={rows} cluster={cluster} />
    </ActionDialog>
  );
}

export function NewKeyDialog({ header, onClose }: { header: string; onClose: () => void }) {
  return (
    <Dialog title="The key’s header" onClose={onClose}>
      <div class="stack">
        <p>The server keeps only a hash of it: it isn’t shown again.</p>
        <pre>Authorization: {header}</pre>
        <div class="actions">
          <CopyButton label="Copy the header" text={() => `Authorization: ${header}`} />
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
