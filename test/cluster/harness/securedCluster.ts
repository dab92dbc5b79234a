import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { certificate } from './certificates.js';
import type { NatsOptions } from './natsServers.js';

const PASSWORD = 'only for tests';
const NATS_PASSWORD = 'only-for-tests';

/** The files and options of a cluster whose nodes have users, and reach NATS by TLS with a password. */
export class SecuredCluster {
  /** What addresses of NATS begin with. */
  readonly scheme = `tls://resilin:${NATS_PASSWORD}@`;
  /** Whom requests are sent as. */
  readonly credentials = `admin:${PASSWORD}`;
  /** Options of each node. */
  readonly args: readonly string[];
  /** What servers of NATS are told. */
  readonly nats: NatsOptions;

  /** @param main the compiled command line */
  constructor(folder: string, main: string) {
    const { key, cert } = certificate(folder, 'nats');
    const users = join(folder, 'users.json');
    const grants = ['--grant', '*:manage', '--cluster', 'manage'];
    execFileSync(process.execPath, [main, 'user', 'add', 'admin', ...grants, '--users', users], {
      input: `${PASSWORD}\n`,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    this.args = ['--nats-ca', cert, '--users', users];
    this.nats = {
      config: [
        `tls { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)}, timeout: 5 }`,
        `authorization { user: resilin, password: ${JSON.stringify(NATS_PASSWORD)} }`,
      ].join('\n'),
    };
  }
}
