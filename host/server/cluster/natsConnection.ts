import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  type NatsConnection,
  type NatsConnectionImpl,
  type TlsOptions,
  connect,
  credsAuthenticator,
  errors,
  nkeyAuthenticator,
} from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessFile, fileAuthenticator } from './accessFile.js';
import { NatsUnusable } from './natsErrors.js';
import { type NatsOptions, natsAddresses } from './natsOptions.js';
import { ServerChoice } from './serverChoice.js';
import { ServerOrder } from './serverOrder.js';

/** The oldest server whose JetStream has what is needed. */
const OLDEST = [2, 9, 0] as const;
/** The first that can be told to bring each message to its disk before it acknowledges. */
const FIRST_WITH_SYNC_ALWAYS = [2, 10, 0] as const;
/** Servers of a cluster before this one may come back from trouble with other messages than the rest. */
const FIRST_THAT_AGREES = [2, 10, 23] as const;
const CONNECT_MS = 5000;
/** Milliseconds that servers of a cluster may take to elect who leads JetStream. */
const JETSTREAM_MS = 30_000;
/** Milliseconds until a question to JetStream has no answer. */
const JETSTREAM_CALL_MS = 2500;
const RETRY_MS = 250;
/** A connection is dead when two pings in a row, a second apart, bring no answer. */
const PING_MS = 1000;
const LOST_PINGS = 2;
const RECONNECT_MS = 200;

export interface NatsLink {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly choice: ServerChoice;
  /** What whoever runs the node should know, a sentence each. */
  readonly notices: readonly string[];
}

/**
 * Connects, and looks whether the servers have what is needed.
 * @throws NatsUnusable
 */
export async function connectToNats(options: NatsOptions): Promise<NatsLink> {
  const addresses = natsAddresses(options.servers);
  const connection = await connected(addresses.servers, await connectionOptions(options));
  // Refused twice, the client would close the connection for good: credentials may be taken again. Not before it is there: servers that tell of each
  // other would be asked for ever.
  (connection as NatsConnectionImpl).protocol.options.ignoreAuthErrorAbort = true;
  keepNamed(connection, addresses.servers);
  void watch(connection, options.warn ?? (() => {}));
  try {
    const { version } = connection.info!;
    if (!isAtLeast(version, OLDEST))
      throw new NatsUnusable(`NATS ${version} is too old: Resilin needs ${OLDEST.join('.')} or newer`);
    const choice = new ServerChoice(connection);
    const manager = await withJetStream(connection, choice);
    return { connection, manager, choice, notices: noticesOf(options, version, connection.info) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function connectionOptions(options: NatsOptions): Promise<ConnectionOptions> {
  const addresses = natsAddresses(options.servers);
  const { user = addresses.user, password = addresses.password, token } = options;
  const given = [user, token, options.nkeyFile, options.credsFile].filter((value) => value !== undefined);
  if (given.length > 1)
    throw new NatsUnusable('NATS takes one of: user and password, a token, an NKey, a file of credentials');
  const order = new ServerOrder(addresses.servers);
  const result: ConnectionOptions = {
    servers: addresses.servers,
    // Not `noRandomize`: of the addresses that one name stands for, any is taken.
    reconnectToServer: (servers) => order.next(servers),
    name: `resilin ${options.cluster} ${options.node}`,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: LOST_PINGS,
    // An error would be made of each question, for its stack, in case there is no answer.
    noAsyncTraces: true,
  };
  if (user !== undefined) Object.assign(result, { user, pass: password ?? '' });
  if (token !== undefined) result.token = token;
  if (options.nkeyFile !== undefined)
    result.authenticator = await fileAuthenticator('the seed of an NKey', options.nkeyFile, (bytes) =>
      nkeyAuthenticator(new TextEncoder().encode(new TextDecoder().decode(bytes).trim())),
    );
  if (options.credsFile !== undefined)
    result.authenticator = await fileAuthenticator(
      'credentials of NATS',
      options.credsFile,
      credsAuthenticator,
    );
  if (options.tls || addresses.tls) result.tls = await tlsOf(options.tls ?? {});
  return result;
}

/** What the client looks at for each connection. */
async function tlsOf({ caFile, certFile, keyFile }: NonNullable<NatsOptions['tls']>): Promise<TlsOptions> {
  const opened = async (what: string, path: string | undefined) =>
    path === undefined ? undefined : AccessFile.open(what, path);
  const ca = await opened('certificates', caFile);
  const cert = await opened('a certificate', certFile);
  const key = await opened('a private key', keyFile);
  const textOf = (file: AccessFile | undefined) => (file === undefined ? undefined : String(file.bytes));
  return {
    get ca() {
      return textOf(ca);
    },
    get cert() {
      return textOf(cert);
    },
    get key() {
      return textOf(key);
    },
  } as TlsOptions;
}

async function connected(servers: readonly string[], options: ConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect(options);
  } catch (cause) {
    const where = servers.join(', ');
    const text = message(cause);
    if (/authoriz|authentic|permission/i.test(text)) throw new NatsUnusable(refusal(where, text), { cause });
    if (/tls|certificate|self.signed|secure/i.test(text))
      throw new NatsUnusable(
        `NATS at ${where} can't be spoken to with the certificates that were given: ${text}. Servers with TLS are tls://HOST:PORT, with the name that is in the certificate`,
        { cause },
      );
    throw new NatsUnusable(
      `no NATS server answers at ${where}: ${text}. One is started by: nats-server --jetstream --store_dir FOLDER`,
      { cause },
    );
  }
}

/**
 * Keeps servers that were named and didn't answer: the client forgets them while it connects for the first time. Not by `setServers`, which
 * would keep those as well that other servers tell of, also when they are gone.
 */
function keepNamed(connection: NatsConnection, named: readonly string[]): void {
  const { servers } = (connection as NatsConnectionImpl).protocol;
  const known = new Set(servers.getServers().map(({ listen }) => listen));
  for (const server of named) if (!known.has(server.toLowerCase())) servers.addServer(server);
}

/** Watches a connection until it is closed. */
async function watch(connection: NatsConnection, warn: (message: string) => void): Promise<void> {
  const { protocol } = connection as NatsConnectionImpl;
  let isRefused = false;
  for await (const status of connection.status())
    switch (status.type) {
      // No answer to pings: the client would wait until all is sent, for as long as TCP goes on trying.
      case 'staleConnection':
        await protocol.transport.close(new Error('no answer to pings'));
        break;
      case 'error':
        if (isRefused || !isRefusal(status.error)) break;
        isRefused = true;
        warn(refusal(connection.getServer(), status.error.message));
        break;
      case 'reconnect':
        isRefused = false;
    }
}

function isRefusal(error: Error): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

function refusal(where: string, text: string): string {
  return `NATS at ${where} refuses this node: ${text}. User and password, token, NKey or credentials have to be those that its configuration names`;
}

async function withJetStream(connection: NatsConnection, choice: ServerChoice): Promise<JetStreamManager> {
  if (connection.info?.jetstream !== true && connection.info?.cluster === undefined)
    throw new NatsUnusable(
      'NATS runs without JetStream: it has to be started with --jetstream, or with jetstream {} in its configuration',
    );
  const started = performance.now();
  for (;;) {
    try {
      return await choice.watched('read', jetstreamManager(connection, { timeout: JETSTREAM_CALL_MS }));
    } catch (cause) {
      const text = message(cause);
      if (/not enabled for account/i.test(text))
        throw new NatsUnusable(
          `NATS has no JetStream for this account: its configuration needs jetstream: enabled there`,
          { cause },
        );
      if (connection.isClosed()) throw new NatsUnusable(`NATS has ended the connection: ${text}`, { cause });
      if (performance.now() - started > JETSTREAM_MS)
        throw new NatsUnusable(
          `JetStream of NATS doesn't answer: ${text}. A majority of its servers has to run, each with --jetstream`,
          { cause },
        );
    }
    await sleep(RETRY_MS);
  }
}

type ConnectionInfo = NatsConnection['info'];

function noticesOf(options: NatsOptions, version: string, info: ConnectionInfo): string[] {
  const notices: string[] = [];
  if (!isAtLeast(version, FIRST_WITH_SYNC_ALWAYS))
    notices.push(
      `NATS ${version} acknowledges messages before they are on its disk: when all of its servers lose power at once, the log may lose the last seconds. 2.10 and newer can be told sync_interval: always`,
    );
  else
    notices.push(
      'NATS has to be told sync_interval: always, or it acknowledges messages before they are on its disk; whether it was can not be seen from here',
    );
  if (info?.cluster !== undefined && !isAtLeast(version, FIRST_THAT_AGREES))
    notices.push(
      `a server of NATS ${version} that was killed or cut off may come back with other messages than the rest, which is mended in 2.10.23`,
    );
  if (info?.cluster === undefined)
    notices.push('NATS is one server alone: while it is away, nothing can be written');
  const addresses = natsAddresses(options.servers);
  const away = addresses.servers.filter((server) => !/^(127\.|localhost:|\[::1\])/.test(server));
  if (away.length > 0 && !addresses.tls && !options.tls)
    notices.push(`what goes to NATS at ${away.join(', ')} isn't encrypted`);
  if (away.length > 0 && info?.auth_required !== true && info?.tls_verify !== true)
    notices.push(
      `NATS at ${away.join(', ')} takes messages from whoever reaches it, who may do everything in the cluster: it should want credentials`,
    );
  return notices;
}

/** Whether a version, such as `2.10.4-beta`, is at least another one. */
export function isAtLeast(version: string, least: readonly number[]): boolean {
  const numbers = version.split(/[.-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
  for (const [i, number] of least.entries()) if (numbers[i] !== number) return (numbers[i] ?? 0) > number;
  return true;
}

function message(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${error.message.includes(cause) ? '' : cause}`;
}
