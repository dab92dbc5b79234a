/** Keeps the file of users and API keys. */
import type { Grants } from '../security/grants.js';
import { newKey } from '../server/access/fileUsers.js';
import { checkPassword, hashPassword } from '../server/access/passwords.js';
import { changeUsers, readUsers, type Users, UsersFileError } from '../server/access/usersFile.js';
import type { UsersCommand } from './usersOptions.js';

/** What a command talks to. */
export interface UsersTerminal {
  /** Asks for a password. */
  password(name: string): Promise<string>;
  print(line: string): void;
}

const SIGNAL = 'a server that runs takes it when it is sent SIGHUP';

/** Carries a command out; throws {@link UsersFileError} with what to tell. */
export async function runUsersCommand(command: UsersCommand, terminal: UsersTerminal): Promise<void> {
  const { file } = command;
  switch (command.what) {
    case 'addUser':
      return addUser(command, terminal);
    case 'addKey':
      return addKey(command, terminal);
    case 'listUsers':
      for (const [name, entry] of readUsers(file).users) terminal.print(`${name}  ${describe(entry)}`);
      return;
    case 'listKeys':
      for (const [id, { name, created, ...grants }] of readUsers(file).keys)
        terminal.print(`${id}  ${name}  ${created}  ${describe(grants)}`);
      return;
    case 'removeUser':
      changeUsers(file, ({ users, keys }) => ({ users: without(users, command.name, 'user'), keys }));
      terminal.print(`user ${command.name} is removed; ${SIGNAL}`);
      return;
    case 'removeKey':
      changeUsers(file, ({ users, keys }) => ({ users, keys: without(keys, command.name, 'key') }));
      terminal.print(`key ${command.name} is removed; ${SIGNAL}`);
  }
}

type Addition = Extract<UsersCommand, { what: 'addUser' | 'addKey' }>;

async function addUser(
  { file, name, grants, cluster, replace }: Addition,
  terminal: UsersTerminal,
): Promise<void> {
  const password = await terminal.password(name);
  const problem = checkPassword(password);
  if (problem !== undefined) throw new UsersFileError(problem);
  const hash = await hashPassword(password);
  changeUsers(file, ({ users, keys }: Users) => {
    if (users.has(name) && !replace)
      throw new UsersFileError(`there is a user ${name} already; see --replace`);
    if (!users.has(name) && replace) throw new UsersFileError(`there is no user ${name} to replace`);
    return { users: new Map([...users, [name, { password: hash, grants, cluster }]]), keys };
  });
  terminal.print(`user ${name} may ${describe({ grants, cluster })}; ${SIGNAL}`);
}

function addKey({ file, name, grants, cluster }: Addition, terminal: UsersTerminal): void {
  const { id, secret, entry } = newKey(name, { grants, cluster });
  changeUsers(file, ({ users, keys }) => ({ users, keys: new Map([...keys, [id, entry]]) }));
  const header = Buffer.from(`${id}:${secret}`).toString('base64');
  terminal.print(`key ${id} (${name}) may ${describe({ grants, cluster })}; ${SIGNAL}`);
  terminal.print('its header, which is not shown again:');
  terminal.print(`Authorization: ApiKey ${header}`);
}

function without<T>(entries: ReadonlyMap<string, T>, name: string, what: string): Map<string, T> {
  const left = new Map(entries);
  if (!left.delete(name)) throw new UsersFileError(`there is no ${what} ${name}`);
  return left;
}

function describe({ grants, cluster }: Grants): string {
  const parts = grants.map(({ indices, access }) => `${access} ${indices.join(',')}`);
  if (cluster !== 'none') parts.push(`${cluster} the cluster`);
  return parts.length === 0 ? 'do nothing' : parts.join('; ');
}
