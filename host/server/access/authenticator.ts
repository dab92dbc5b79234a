/** Who sent a request: by the name and password, or the API key, of its Authorization header. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../../errors.js';
import { Principal } from '../../security/principal.js';
import { COST, noPassword, PasswordChecks, type PasswordHash } from './passwords.js';
import type { Users } from './usersFile.js';

/** Headers whose senders are remembered. Only right ones are. */
const MAX_REMEMBERED = 10_000;
/** No header that is longer is looked at. */
const MAX_HEADER = 8192;

interface Credentials {
  kind: 'basic' | 'apikey';
  /** The name of a user, or the id of a key. */
  name: string;
  secret: string;
}

/** Everything that is known of one state of the users file. */
interface Generation {
  users: ReadonlyMap<string, { password: PasswordHash; principal: Principal }>;
  keys: ReadonlyMap<string, { hash: Buffer; principal: Principal }>;
  /** What the passwords of those are compared with who aren't there, at the cost of the others. */
  nobody: PasswordHash;
  /** By {@link Authenticator.#fingerprint} of a header that was right. */
  remembered: Map<string, Principal>;
  /** Of those that are being checked. */
  pending: Map<string, Promise<Principal | undefined>>;
}

/**
 * Knows principals by their Authorization headers. A header that was right once isn't hashed again until the users change. Those
 * whom nobody knows are refused after as long as others with a wrong password.
 */
export class Authenticator {
  readonly #checks: PasswordChecks;
  /** Headers are remembered under keyed hashes: what is in memory is no use to who reads it. */
  readonly #key = randomBytes(32);
  #now: Generation;

  constructor(users: Users, checks = new PasswordChecks()) {
    this.#checks = checks;
    this.#now = generationOf(users);
  }

  /** Takes other users in place of the old ones; nobody is remembered. */
  use(users: Users): void {
    this.#now = generationOf(users);
  }

  /** A principal by what it is called, for a request that another node has let in; undefined for nobody who is known. */
  principal(kind: 'user' | 'key', name: string): Principal | undefined {
    return (kind === 'user' ? this.#now.users : this.#now.keys).get(name)?.principal;
  }

  /**
   * The sender of a request; 401 without one, 429 where too many passwords are waiting already.
   * @param source the address that it came from
   */
  authenticate(header: string | undefined, uri: string, source: string): Principal | Promise<Principal> {
    if (header === undefined) throw missing(uri);
    const fingerprint = this.#fingerprint(header);
    return this.#now.remembered.get(fingerprint) ?? this.#check(header, fingerprint, uri, source);
  }

  async #check(header: string, fingerprint: string, uri: string, source: string): Promise<Principal> {
    const credentials = readHeader(header);
    if (credentials === undefined) throw missing(uri);
    for (;;) {
      const now = this.#now;
      let pending = now.pending.get(fingerprint);
      if (pending === undefined) {
        pending = this.#verify(now, credentials, source).finally(() => now.pending.delete(fingerprint));
        now.pending.set(fingerprint, pending);
      }
      const principal = await pending;
      // The users may have changed meanwhile: what was right may be wrong now.
      if (now !== this.#now) continue;
      if (principal === undefined) throw wrong(credentials.name, uri);
      remember(now.remembered, fingerprint, principal);
      return principal;
    }
  }

  async #verify(
    { users, keys, nobody }: Generation,
    { kind, name, secret }: Credentials,
    source: string,
  ): Promise<Principal | undefined> {
    if (kind === 'apikey') {
      const key = keys.get(name);
      const hash = createHash('sha256').update(secret).digest();
      const good = timingSafeEqual(hash, key?.hash ?? NO_HASH);
      return good ? key?.principal : undefined;
    }
    const user = users.get(name);
    const good = await this.#checks.check(secret, user?.password ?? nobody, source);
    return good ? user?.principal : undefined;
  }

  #fingerprint(header: string): string {
    return createHmac('sha256', this.#key).update(header).digest('base64');
  }
}

const NO_HASH = Buffer.alloc(32);

function generationOf({ users, keys }: Users): Generation {
  const costs = [...users.values()].map(({ password }) => password);
  const dearest = costs.sort((a, b) => b.N * b.r * b.p - a.N * a.r * a.p)[0] ?? COST;
  return {
    users: new Map(
      [...users].map(([name, { password, ...grants }]) => [
        name,
        { password, principal: new Principal('user', name, grants) },
      ]),
    ),
    keys: new Map(
      [...keys].map(([id, { sha256, grants, cluster }]) => [
        id,
        { hash: Buffer.from(sha256, 'hex'), principal: new Principal('key', id, { grants, cluster }) },
      ]),
    ),
    nobody: noPassword(dearest),
    remembered: new Map(),
    pending: new Map(),
  };
}

function remember(map: Map<string, Principal>, fingerprint: string, principal: Principal): void {
  if (map.size >= MAX_REMEMBERED) {
    const [oldest] = map.keys();
    map.delete(oldest!);
  }
  map.set(fingerprint, principal);
}

/** The credentials of a header; undefined if there are none in it. */
export function readHeader(header: string): Credentials | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const match = /^(basic|apikey) +([\w+/-]+=*) *$/i.exec(header);
  if (match === null) return undefined;
  const text = Buffer.from(match[2]!, 'base64').toString();
  const at = text.indexOf(':');
  if (at < 0) return undefined;
  const kind = match[1]!.toLowerCase() === 'basic' ? 'basic' : 'apikey';
  return { kind, name: text.slice(0, at), secret: text.slice(at + 1) };
}

function missing(uri: string) {
  return unauthenticated(`missing authentication token for REST request [${uri}]`);
}

function wrong(name: string, uri: string) {
  return unauthenticated(`unable to authenticate user [${name}] for REST request [${uri}]`);
}
