/** Adding users, changing what they may do, and their passwords. */
import { useSignal } from '@preact/signals';
import { authorization, basic } from '../../api/httpTransport';
import { useClient } from '../../app/context';
import { type ClusterLevel, type Grants, whoAmI } from '../../app/whoAmI';
import { ActionDialog } from '../../components/ActionDialog';
import { GrantsEditor } from './GrantsEditor';
import { type GrantRow, grantsOf, newRow, rowsOf } from './grantRows';

interface DialogProps {
  onClose: () => void;
  onDone: () => void;
}

/** What is shown in place of a password. */
const HIDDEN = '…';
const MIN_PASSWORD = 8;

function pathOf(name: string): string {
  return `/_security/user/${encodeURIComponent(name)}`;
}

export function AddUserDialog({ onClose, onDone }: DialogProps) {
  const name = useSignal('');
  const password = useSignal('');
  const rows = useSignal<readonly GrantRow[]>([newRow()]);
  const cluster = useSignal<ClusterLevel>('none');
  const grants = { grants: grantsOf(rows.value), cluster: cluster.value };
  return (
    <ActionDialog
      action={{
        title: 'Add user',
        method: 'PUT',
        path: `${pathOf(name.value)}?op_type=create`,
        body: { password: password.value, ...json(grants) },
        shown: { password: HIDDEN, ...json(grants) },
        done: `${name.value} may sign in`,
      }}
      problem={name.value === '' ? 'A user needs a name.' : passwordProblem(password.value)}
      onClose={onClose}
      onDone={onDone}
    >
      <label>
        Name
        <input
          value={name.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            name.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      <PasswordField label="Password" value={password.value} onInput={(text) => (password.value = text)} />
      <GrantsEditor rows={rows} cluster={cluster} />
    </ActionDialog>
  );
}

export function ChangeGrantsDialog({
  name,
  grants,
  onClose,
  onDone,
}: DialogProps & { name: string; grants: Grants }) {
  const rows = useSignal<readonly GrantRow[]>(rowsOf(grants.grants));
  const cluster = useSignal<ClusterLevel>(grants.cluster);
  return (
    <ActionDialog
      action={{
        title: 'Change grants',
        method: 'PUT',
        path: pathOf(name),
        body: json({ grants: grantsOf(rows.value), cluster: cluster.value }),
        done: `${name} has other grants`,
      }}
      onClose={onClose}
      onDone={onDone}
    >
      <GrantsEditor rows={rows} cluster={cluster} />
    </ActionDialog>
  );
}

export function ChangePasswordDialog({ name, onClose, onDone }: DialogProps & { name: string }) {
  const client = useClient();
  const password = useSignal('');
  const again = useSignal('');
  const who = whoAmI(client).value;
  const problem =
    passwordProblem(password.value) ??
    (again.value === password.value ? undefined : 'Both must be the same.');
  return (
    <ActionDialog
      action={{
        title: 'Change password',
        method: 'PUT',
        path: pathOf(name),
        body: { password: password.value },
        shown: { password: HIDDEN },
        warning: `The next request of ${name} with the old password is refused.`,
        done: `${name} has another password`,
      }}
      problem={problem}
      onClose={onClose}
      onDone={() => {
        // Whoever has changed their own goes on with it.
        if (who?.kind === 'user' && who.name === name) authorization.value = basic(name, password.value);
        onDone();
      }}
    >
      <PasswordField
        label="New password"
        value={password.value}
        onInput={(text) => (password.value = text)}
      />
      <PasswordField label="Once more" value={again.value} onInput={(text) => (again.value = text)} />
    </ActionDialog>
  );
}

function PasswordField({
  label,
  value,
  onInput,
}: {
  label: string;
  value: string;
  onInput: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="password"
        autocomplete="new-password"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

function passwordProblem(password: string): string | undefined {
  return [...password].length < MIN_PASSWORD
    ? `A password has at least ${MIN_PASSWORD} characters.`
    : undefined;
}

/** Grants as JSON. */
function json({ grants, cluster }: Grants) {
  return { grants: grants.map(({ indices, access }) => ({ indices, access })), cluster };
}
