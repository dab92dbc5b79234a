/** Users and API keys, for those who may keep them. */
import { useSignal } from '@preact/signals';
import { useClient } from '../../app/context';
import { type Grants, whoAmI } from '../../app/whoAmI';
import { type Action, ActionDialog } from '../../components/ActionDialog';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { ViewHeader } from '../../components/ViewHeader';
import { describeGrants } from './grantRows';
import { AddKeyDialog, NewKeyDialog } from './KeyDialogs';
import { AddUserDialog, ChangeGrantsDialog, ChangePasswordDialog } from './UserDialogs';
import './users.css';

interface UserRow extends Grants {
  name: string;
}

interface KeyRow extends Grants {
  id: string;
  name: string;
  created: string;
}

/** What is open above the view. */
type Open =
  | { what: 'addUser' | 'addKey' }
  | { what: 'grants' | 'password'; user: UserRow }
  | { what: 'remove'; action: Action }
  | { what: 'newKey'; header: string };

export default function UsersView() {
  const client = useClient();
  const open = useSignal<Open | undefined>(undefined);
  const answered = useAnswer(
    async (signal) => {
      const [users, keys] = await Promise.all([
        client.get<Record<string, Grants>>('/_security/user', { signal }),
        client.get<Record<string, Omit<KeyRow, 'id'>>>('/_security/api_key', { signal }),
      ]);
      return {
        users: Object.entries(users).map(([name, grants]): UserRow => ({ ...grants, name })),
        keys: Object.entries(keys).map(([id, key]): KeyRow => ({ ...key, id })),
      };
    },
    [client],
  );
  const { value, error, reload } = answered.value;
  const show = (next: Open | undefined) => {
    open.value = next;
  };
  return (
    <>
      <ViewHeader title="Users and keys">
        <button type="button" onClick={() => show({ what: 'addKey' })}>
          <Icon name="add" /> Add key
        </button>
        <button type="button" class="primary" onClick={() => show({ what: 'addUser' })}>
          <Icon name="add" /> Add user
        </button>
      </ViewHeader>
      {error !== undefined ? (
        <ErrorBox error={error} />
      ) : value === undefined ? (
        <Spinner label="Asking" />
      ) : (
        <div class="stack">
          <Panel title="Users">
            <UserTable rows={value.users} show={show} />
          </Panel>
          <Panel title="API keys">
            <KeyTable rows={value.keys} show={show} />
          </Panel>
        </div>
      )}
      <OpenDialog open={open.value} show={show} reload={reload} />
    </>
  );
}

type Show = (next: Open | undefined) => void;

function UserTable({ rows, show }: { rows: readonly UserRow[]; show: Show }) {
  const who = whoAmI(useClient()).value;
  return (
    <DataTable
      caption="Users"
      rows={rows}
      rowKey={({ name }) => name}
      sorted="name"
      pageSize={50}
      empty="There are no users."
      columns={[
        {
          name: 'name',
          title: 'Name',
          sortBy: ({ name }) => name,
          cell: ({ name }) => (
            <>
              <b>{name}</b> {who?.kind === 'user' && who.name === name && <span class="tag">you</span>}
            </>
          ),
        },
        { name: 'may', title: 'May', cell: (row) => describeGrants(row) },
        {
          name: 'actions',
          title: '',
          cell: (user) => (
            <span class="row-actions">
              <button
                type="button"
                class="small"
                aria-label={`Grants of ${user.name}`}
                onClick={() => show({ what: 'grants', user })}
              >
                Grants
              </button>
              <button
                type="button"
                class="small"
                aria-label={`Password of ${user.name}`}
                onClick={() => show({ what: 'password', user })}
              >
                Password
              </button>
              <RemoveButton
                what={user.name}
                onClick={() => show({ what: 'remove', action: removeUser(user.name) })}
              />
            </span>
          ),
        },
      ]}
    />
  );
}

function KeyTable({ rows, show }: { rows: readonly KeyRow[]; show: Show }) {
  return (
    <DataTable
      caption="API keys"
      rows={rows}
      rowKey={({ id }) => id}
      sorted="name"
      pageSize={50}
      empty="There are no keys. A key lets a program in without a password of anybody’s."
      columns={[
        { name: 'name', title: 'For', sortBy: ({ name }) => name, cell: ({ name }) => <b>{name}</b> },
        { name: 'id', title: 'Id', cell: ({ id }) => <code>{id}</code> },
        {
          name: 'created',
          title: 'Made',
          sortBy: ({ created }) => created,
          cell: ({ created }) => <time dateTime={created}>{new Date(created).toLocaleString()}</time>,
        },
        { name: 'may', title: 'May', cell: (row) => describeGrants(row) },
        {
          name: 'actions',
          title: '',
          cell: (key) => (
            <span class="row-actions">
              <RemoveButton
                what={`key ${key.name}`}
                onClick={() => show({ what: 'remove', action: removeKey(key) })}
              />
            </span>
          ),
        },
      ]}
    />
  );
}

function RemoveButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" class="icon" aria-label={`Remove ${what}`} onClick={onClick}>
      <Icon name="delete" />
    </button>
  );
}

function removeUser(name: string): Action {
  return {
    title: 'Remove user',
    method: 'DELETE',
    path: `/_security/user/${encodeURIComponent(name)}`,
    warning: `The next request of ${name} is refused.`,
    typed: name,
    done: `${name} is removed`,
  };
}

function removeKey({ id, name }: KeyRow): Action {
  return {
    title: 'Remove key',
    method: 'DELETE',
    path: `/_security/api_key/${encodeURIComponent(id)}`,
    warning: `The next request with the key for ${name} is refused.`,
    typed: name,
    done: `The key for ${name} is removed`,
  };
}

function OpenDialog({ open, show, reload }: { open: Open | undefined; show: Show; reload: () => void }) {
  const close = () => show(undefined);
  switch (open?.what) {
    case 'addUser':
      return <AddUserDialog onClose={close} onDone={reload} />;
    case 'grants':
      return <ChangeGrantsDialog name={open.user.name} grants={open.user} onClose={close} onDone={reload} />;
    case 'password':
      return <ChangePasswordDialog name={open.user.name} onClose={close} onDone={reload} />;
    case 'addKey':
      return (
        <AddKeyDialog
          onClose={close}
          onDone={(header) => {
            reload();
            show({ what: 'newKey', header });
          }}
        />
      );
    case 'newKey':
      return <NewKeyDialog header={open.header} onClose={close} />;
    case 'remove':
      return <ActionDialog action={open.action} onClose={close} onDone={reload} />;
    case undefined:
      return null;
  }
}
