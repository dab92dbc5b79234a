/** Keeping users and API keys by requests, wherever they are kept. */
import { createHash, randomBytes } from 'node:crypto';
import { ElasticsearchError, illegalArgument } from '../../errors.js';
import type { Grants } from '../../security/grants.js';
import type { Fields, KnownKey, NewKey, UserAdministration } from '../../security/userAdministration.js';
import { checkPassword, hashPassword } from './passwords.js';
import {
  changeUsers,
  isUserName,
  type KeyEntry,
  readGrants,
  readUsers,
  type Users,
  UsersFileBusy,
  UsersFileError,
} from './usersFile.js';

/** Passwords that are hashed at the same time: each takes a processor for a good tenth of a second. */
const MAX_HASHED = 2;

/** A key's entry and what its owner is given. */
export function newKey(name: string, { grants, cluster }: Grants): NewKey & { entry: KeyEntry } {
  const id = randomBytes(15).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  const sha256 = createHash('sha256').update(secret).digest('hex');
  return { id, secret, entry: { name, created: new Date().toISOString(), sha256, grants, cluster } };
}

/** Changes are made one after t/** What keeps users: it checks what is asked for, and makes changes one after the other. */
export abstract class KeptUsers implements UserAdministration {
  #hashed = 0;

  /** Who there is. */
  protected abstract read(): Users;

  /** Makes a change of those who may be changed, and has it taken; nothing happens where `change` returns undefined. */
  protected abstract write(change: (users: Users) => Users | undefined): Promise<void>;

  /** Refuses changes of who is kept elsewhere. @param id a user's name, or a key's id */
  protected checkKept(_kind: 'user' | 'key', _id: string): void {}

  async users(): Promise<ReadonlyMap<string, Grants>> {
    const { users } = told(() => this.read());
    return new Map([...users].map(([name, { grants, cluster }]) => [name, { grants, cluster }]));
  }

  async keys(): Promise<ReadonlyMap<string, KnownKey>> {
    const { keys } = told(() => this.read());
    return new Map(
      [...keys].map(([id, { name, created, grants, cluster }]) => [id, { name, created, grants, cluster }]),
    );
  }

  async putUser(name: string, fields: Fields, mustBeNew: boolean): Promise<boolean> {
    if (!isUserName(name)) throw illegalArgument(`[${name.slice(0, 200)}] can't be the name of a user`);
    checkFields(fields, ['password', 'grants', 'cluster']);
    const { password: text } = fields;
    const grants = grantsOf(fields);
    this.checkKept('user', name);
    // Before a password is hashed for nothing.
    this.#check(name, mustBeNew, text);
    const password = text === undefined ? undefined : await this.#hash(text);
    let isNew = false;
    await this.write((users) => {
      const known = users.users.get(name);
      isNew = known === undefined;
      if (mustBeNew && !isNew) throw isThere(name);
      const entry = {
        password: password ?? known?.password,
        grants: grants.grants ?? known?.grants ?? [],
        cluster: grants.cluster ?? known?.cluster ?? 'none',
      };
      if (entry.password === undefined) throw noPassword(name);
      return {
        ...users,
        users: new Map([...users.users, [name, { ...entry, password: entry.password }]]),
      };
    });
    return isNew;
  }

  async removeUser(name: string): Promise<boolean> {
    this.checkKept('user', name);
    let removed = false;
    await this.write((users) => {
      const left = new Map(users.users);
      removed = left.delete(name);
      return removed ? { ...users, users: left } : undefined;
    });
    return removed;
  }

  async addKey(fields: Fields): Promise<NewKey> {
    checkFields(fields, ['name', 'grants', 'cluster']);
    const { name } = fields;
    if (typeof name !== 'string' || !isUserName(name))
      throw illegalArgument('"name" says what the key is for, in 1 to 128 characters');
    const { grants = [], cluster = 'none' } = grantsOf(fields);
    const { id, secret, entry } = newKey(name, { grants, cluster });
    await this.write((users) => ({ ...users, keys: new Map([...users.keys, [id, entry]]) }));
    return { id, secret };
  }

  async removeKey(id: string): Promise<boolean> {
    this.checkKept('key', id);
    let removed = false;
    await this.write((users) => {
      const left = new Map(users.keys);
      removed = left.delete(id);
      return removed ? { ...users, keys: left } : undefined;
    });
    return removed;
  }

  #check(name: string, mustBeNew: boolean, password: unknown): void {
    const isKnown = told(() => this.read()).users.has(name);
    if (mustBeNew && isKnown) throw isThere(name);
    if (!isKnown && password === undefined) throw noPassword(name);
  }

  async #hash(password: unknown) {
    if (typeof password !== 'string') throw illegalArgument('"password" must be a text');
    const problem = checkPassword(password);
    if (problem !== undefined) throw illegalArgument(problem);
    if (this.#hashed >= MAX_HASHED)
      throw new ElasticsearchError(
        'EsRejectedExecutionException',
        'other passwords are being set; try again',
      );
    this.#hashed++;
    try {
      return await hashPassword(password);
    } finally {
      this.#hashed--;
    }
  }
}

/** In the file that `resilin user` and `resilin key` keep: each change begins with what the file has then, whoever wrote it. */
export class FileUsers extends KeptUsers {
  readonly #file: string;
  readonly #changed: (users: Users) => void;

  /** @param changed takes the users who there are from now on, before the change is answered */
  constructor(file: string, changed: (users: Users) => void) {
    super();
    this.#file = file;
    this.#changed = changed;
  }

  protected override read(): Users {
    return readUsers(this.#file);
  }

  protected override async write(change: (users: Users) => Users | undefined): Promise<void> {
    const written = told(() =>
      changeUsers(this.#file, (users) => {
        const next = change(users);
        if (next !== undefined) checkManagers(users, next);
        return next;
      }),
    );
    if (written !== undefined) this.#changed(written);
  }
}

/** Refuses a change that leaves nobody who may keep users. */
export function checkManagers(before: Users, after: Users): void {
  if (managers(after) === 0 && managers(before) > 0)
    throw illegalArgument(
      'nobody would be left who may manage the cluster; `resilin user` on the server still can',
    );
}

/** Those who may keep users. */
function managers({ users, keys }: Users): number {
  return [...users.values(), ...keys.values()].filter(({ cluster }) => cluster === 'manage').length;
}

function checkFields(fields: Fields, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw illegalArgument(`[${unknown.slice(0, 100)}] is unknown; there are ${known.join(', ')}`);
}

/** What the fields say of grants. */
function grantsOf({ grants, cluster }: Fields): Partial<Grants> {
  const read = told(() => readGrants({ grants, cluster }, 'the request'));
  return {
    ...(grants === undefined ? {} : { grants: read.grants }),
    ...(cluster === undefined ? {} : { cluster: read.cluster }),
  };
}

/** What is wrong with what is asked for, or with the file, as an answer. */
export function told<T>(work: () => T): T {
  try {
    return work();
  } catch (e) {
    if (e instanceof UsersFileBusy)
      throw new ElasticsearchError('ElasticsearchIllegalStateException', e.message, { status: 409 });
    if (e instanceof UsersFileError) throw illegalArgument(e.message);
    throw e;
  }
}

function isThere(name: string): ElasticsearchError {
  return new ElasticsearchError(
    'ElasticsearchIllegalArgumentException',
    `there is a user [${name}] already`,
    { status: 409 },
  );
}

function noPassword(name: string): ElasticsearchError {
  return illegalArgument(`there is no user [${name}] yet: a new one needs a "password"`);
}
