import { ClusterError } from '../../cluster/errors.js';
import { checkedName } from '../../cluster/names.js';

/** How a node reaches the servers of NATS. */
export interface NatsOptions {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, with `USER:PASSWORD@` if need be; connected to in this order. */
  servers: readonly string[];
  /** The cluster's name: letters, digits and `-`, at most 64 of them. */
  cluster: string;
  /** This node's id. */
  node: string;
  user?: string;
  password?: string;
  token?: string;
  /** A file with the seed of an NKey. */
  nkeyFile?: string;
  /** A file of credentials, with a JWT and a seed. */
  credsFile?: string;
  /** Files for TLS; with any of them, connections without TLS are refused. */
  tls?: { caFile?: string; certFile?: string; keyFile?: string };
  /** On how many servers a log is kept: 3 for a cluster of them and 1 for one alone, unless given. */
  logCopies?: number;
  /** Milliseconds after which a node that isn't heard of is gone; 10,000 unless given. */
  memberTtlMs?: number;
  /** Milliseconds for which a log has to seem shorter, different or gone before readers are told; 10,000 unless given. */
  confirmMs?: number;
  /** Told what whoever runs the servers should know. */
  warn?(message: string): void;
}

/** Where to connect, and as whom when the addresses say so. */
export interface NatsAddresses {
  /** `HOST:PORT` each. */
  servers: string[];
  tls: boolean;
  user?: string;
  password?: string;
}

/** Addresses of NATS can't be read, or contradict each other. */
export class InvalidNatsAddress extends ClusterError {
  override readonly name = 'InvalidNatsAddress';

  constructor(address: string, reason: string) {
    super(`[${address}] is no address of a NATS server: ${reason}. One looks like nats://127.0.0.1:4222`);
  }
}

const DEFAULT_PORT = '4222';

/** Reads addresses, each an item or several with commas between them. */
export function natsAddresses(texts: readonly string[]): NatsAddresses {
  const items = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const result: NatsAddresses = { servers: [], tls: false };
  for (const item of items.filter((text) => text !== '')) {
    const url = parsed(item);
    // Passwords don't belong into messages.
    const shown = `${url.protocol}//${url.host}`;
    if (url.protocol !== 'nats:' && url.protocol !== 'tls:')
      throw new InvalidNatsAddress(shown, 'it begins with neither nats:// nor tls://');
    if (url.hostname === '') throw new InvalidNatsAddress(shown, 'it has no host');
    if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '')
      throw new InvalidNatsAddress(shown, 'nothing may follow the port');
    const tls = url.protocol === 'tls:';
    if (result.servers.length > 0 && tls !== result.tls)
      throw new InvalidNatsAddress(shown, 'either all addresses are tls:// or none');
    result.tls = tls;
    if (url.username !== '') {
      const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
      if (result.user !== undefined && (result.user !== user || result.password !== password))
        throw new InvalidNatsAddress(shown, 'all servers take the same user and password');
      result.user = user;
      result.password = password;
    }
    result.servers.push(`${url.hostname}:${url.port || DEFAULT_PORT}`);
  }
  if (result.servers.length === 0) throw new InvalidNatsAddress('', 'there is none');
  return result;
}

function parsed(text: string): URL {
  try {
    return new URL(text.includes('://') ? text : `nats://${text}`);
  } catch (error) {
    const afterUser = text.slice(text.lastIndexOf('@') + 1);
    throw new InvalidNatsAddress(afterUser, error instanceof Error ? error.message : String(error));
  }
}

const CLUSTER = /^[A-Za-z0-9-]{1,64}$/;

/** The names under which a cluster's things are known to NATS. */
export class NatsNames {
  readonly #cluster: string;

  /** @throws ClusterError when it isn't one */
  constructor(cluster: string) {
    if (!CLUSTER.test(cluster))
      throw new ClusterError(
        `[${cluster}] can't be the name of a cluster: letters, digits and - are allowed, at most 64 of them`,
      );
    this.#cluster = cluster;
  }

  /** What the names of all streams of logs begin with. */
  get streamPrefix(): string {
    return `resilin_${this.#cluster}_`;
  }

  stream(log: string): string {
    return `${this.streamPrefix}${checkedName('log', log)}`;
  }

  /** What a log's messages go to, without the subject that the log is told. */
  messages(log: string): string {
    return `resilin.${this.#cluster}.log.${log}.message.`;
  }

  /** What the parts of long messages go to. */
  parts(log: string): string {
    return `resilin.${this.#cluster}.log.${log}.part`;
  }

  get membersBucket(): string {
    return `resilin_${this.#cluster}_members`;
  }

  /** Where a node takes questions. */
  questions(node: string): string {
    return `resilin.${this.#cluster}.ask.${checkedName('node', node)}`;
  }

  /** What the subjects of answers begin with; nothing else is answered to. */
  get answers(): string {
    return `resilin.${this.#cluster}.answer.`;
  }
}
