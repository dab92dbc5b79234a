/**
 * Users and API keys that all nodes of a cluster know: kept among the metadata of the cluster, as hashes. Those of a node's own file are
 * known on that node besides, and are changed there alone.
 */
import { illegalArgument } from '../../errors.js';
import type { Stored } from '../../metadata/stored.js';
import { checkManagers, KeptUsers, told } from './fileUsers.js';
import { formatUsers, NOBODY, parseUsers, type Users } from './usersFile.js';

/** Characters of all users and keys: some thousand of them. */
const MAX_TEXT = 1024 * 1024;

/** The users and keys that the cluster keeps. Throws a `UsersFileError` for what isn't understood, so that nobody is let in by it. */
export function sharedUsers({ users }: Pick<Stored, 'users'>): Users {
  return users === undefined ? NOBODY : parseUsers(users);
}

/** Those of both; who is in a node's own file is known as the file has them. */
export function withShared(own: Users, shared: Users): Users {
  return {
    users: new Map([...shared.users, ...own.users]),
    keys: new Map([...shared.keys, ...own.keys]),
  };
}

export class ClusterUsers extends KeptUsers {
  readonly #stored: Stored;
  readonly #own: () => Users;

  /** @param own those of the node's own file */
  constructor(stored: Stored, own: () => Users) {
    super();
    this.#stored = stored;
    this.#own = own;
  }

  protected override read(): Users {
    return withShared(this.#own(), sharedUsers(this.#stored));
  }

  protected override checkKept(kind: 'user' | 'key', id: string): void {
    const own = this.#own();
    if ((kind === 'user' ? own.users : own.keys).has(id))
      throw illegalArgument(
        `the ${kind} [${id}] is in the users file of this node: \`resilin ${kind}\` changes it there, on each node that has it`,
      );
  }

  protected override write(change: (users: Users) => Users | undefined): Promise<void> {
    return this.#stored.changeUsers((text) =>
      told(() => {
        const before = text === undefined ? NOBODY : parseUsers(text);
        const next = change(before);
        if (next === undefined) return undefined;
        const own = this.#own();
        checkManagers(withShared(own, before), withShared(own, next));
        const written = formatUsers(next);
        if (written.length > MAX_TEXT)
          throw illegalArgument(`users and keys of a cluster have ${MAX_TEXT} characters at most`);
        return written;
      }),
    );
  }
}
