/** Who may connect to a server and how: its files of users and of TLS, read at the start and again when told to. */
import type { SecureContextOptions } from 'node:tls';
import { type Authenticate, everybody } from '../http.js';
import type { Logger } from '../log.js';
import { readTls, type TlsFiles } from '../tls.js';
import type { Principal } from '../../security/principal.js';
import { Authenticator } from './authenticator.js';
import { withShared } from './clusterUsers.js';
import { NOBODY, readUsers, type Users } from './usersFile.js';

/** The files; without them everybody may do everything, and connections are plain. */
export interface AccessFiles {
  users?: string | undefined;
  tls?: TlsFiles | undefined;
}

export class ServerAccess {
  readonly #files: AccessFiles;
  readonly #authenticator: Authenticator | undefined;
  /** Those of the file, and those of the cluster. */
  #own: Users = NOBODY;
  #shared: Users = NOBODY;
  /** As it was at the start. */
  readonly tls: SecureContextOptions | undefined;

  /** Throws where a file can't be used. */
  constructor(files: AccessFiles) {
    this.#files = files;
    if (files.users !== undefined) this.#own = readUsers(files.users);
    this.#authenticator = files.users === undefined ? undefined : new Authenticator(this.#own);
    this.tls = files.tls === undefined ? undefined : readTls(files.tls);
  }

  /** Whether there are users, who may not do everything. */
  get guarded(): boolean {
    return this.#authenticator !== undefined;
  }

  /** Finds out who sent a request. */
  get authenticate(): Authenticate {
    const authenticator = this.#authenticator;
    return authenticator === undefined ? everybody : (...request) => authenticator.authenticate(...request);
  }

  /** Takes other users in place of those of the file: they have just been written there. */
  use(users: Users): void {
    this.#own = users;
    this.#useAll();
  }

  /** The users of the file, as they were read last. */
  get own(): Users {
    return this.#own;
  }

  /** Takes other users that all nodes of the cluster know. */
  useShared(users: Users): void {
    this.#shared = users;
    this.#useAll();
  }

  /** A principal by what it is called; undefined for nobody who is known. */
  principal(kind: 'user' | 'key', name: string): Principal | undefined {
    return this.#authenticator?.principal(kind, name);
  }

  #useAll(): void {
    this.#authenticator?.use(withShared(this.#own, this.#shared));
  }

  /** Reads the file of users again, which another thread has written. */
  reloadUsers(log: Logger): void {
    const { users } = this.#files;
    if (users !== undefined) this.#again(log, users, () => this.#readUsers(users));
  }

  #readUsers(file: string): string {
    const read = readUsers(file);
    this.use(read);
    return `${file} is read again: ${read.users.size} users, ${read.keys.size} keys`;
  }

  #again(log: Logger, file: string, take: () => string): void {
    try {
      log.info(take());
    } catch (e) {
      log.error(`${(e as Error).message}; ${file} stays as it was read before`);
    }
  }

  /** Reads the files again. One that can't be used changes nothing. @param show shows another certificate from now on */
  reload(log: Logger, show: (tls: SecureContextOptions) => void): void {
    const { users, tls } = this.#files;
    if (users === undefined && tls === undefined)
      log.info('nothing is read again: there are neither --users nor --tls-cert');
    this.reloadUsers(log);
    if (tls !== undefined)
      this.#again(log, tls.cert, () => {
        show(readTls(tls));
        return `${tls.cert} is read again`;
      });
  }

  /** What an operator should know who lets others than this machine connect. */
  warnings(host: string): string[] {
    if (isLoopback(host)) return [];
    const { users, tls } = this.#files;
    return [
      ...(users === undefined
        ? [`${host} lets other machines connect, and whoever does may do everything: there is no --users`]
        : []),
      ...(tls === undefined
        ? [
            `${host} lets other machines connect, and what they send can be read on the way: there is no --tls-cert`,
          ]
        : []),
    ];
  }
}

/** Whether an address or name is this machine's alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
