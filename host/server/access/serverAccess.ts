/** Who may connect to a server and how: its files of users and of TLS, read at the start and again when told to. */
import type { SecureContextOptions } from 'node:tls';
import { type Authenticate, everybody } from '../http.js';
import type { Logger } from '../log.js';
import { readTls, type TlsFiles } from '../tls.js';
import { Authenticator } from './authenticator.js';
import { readUsers } from './usersFile.js';

/** The files; without them everybody may do everything, and connections are plain. */
export interface AccessFiles {
  users?: string | undefined;
  tls?: TlsFiles | undefined;
}

export class ServerAccess {
  readonly #files: AccessFiles;
  readonly #authenticator: Authenticator | undefined;
  /** As it was at the start. */
  readonly tls: SecureContextOptions | undefined;

  /** Throws where a file can't be used. */
  constructor(files: AccessFiles) {
    this.#files = files;
    this.#authenticator = files.users === undefined ? undefined : new Authenticator(readUsers(files.users));
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

  /** Reads the files again. One that can't be used changes nothing. @param show shows another certificate from now on */
  reload(log: Logger, show: (tls: SecureContextOptions) => void): void {
    const { users, tls } = this.#files;
    if (users === undefined && tls === undefined)
      log.info('nothing is read again: there are neither --users nor --tls-cert');
    const again = (file: string, take: () => string) => {
      try {
        log.info(take());
      } catch (e) {
        log.error(`${(e as Error).message}; ${file} stays as it was read before`);
      }
    };
    if (users !== undefined)
      again(users, () => {
        const read = readUsers(users);
        this.#authenticator!.use(read);
        return `${users} is read again: ${read.users.size} users, ${read.keys.size} keys`;
      });
    if (tls !== undefined)
      again(tls.cert, () => {
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
