/** Users in a file, as `resilin user add` writes them. */
import { hashPassword } from '../../../host/server/access/passwords.js';
import { changeUsers } from '../../../host/server/access/usersFile.js';

/** Adds a user who may do everything. The password's hash is a cheap one. */
export async function addUser(file: string, name: string, password: string): Promise<void> {
  const entry = {
    password: await hashPassword(password, { N: 1024, r: 8, p: 1 }),
    grants: [{ indices: ['*'], access: 'manage' as const }],
    cluster: 'manage' as const,
  };
  changeUsers(file, ({ users, keys }) => ({ users: new Map([...users, [name, entry]]), keys }));
}
