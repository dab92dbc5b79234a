/**
 * The file of users and API keys:
 *
 *     {
 *       "format": 1,
 *       "users": {
 *         "ann": {
 *           "password": { "N": 16384, "r": 8, "p": 5, "salt": "…", "hash": "…" },
 *           "grants": [{ "indices": ["logs-*"], "access": "read" }],
 *           "cluster": "monitor"
 *         }
 *       },
 *       "keys": {
 *         "Q0t9…": { "name": "shipper", "created": "2026-01-31T12:00:00.000Z", "sha256": "…", "grants": […], "cluster": "none" }
 *       }
 *     }
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CLUSTER_LEVELS, type Grants, INDEX_LEVELS, type IndexGrant } from '../../security/grants.js';
import { isCost, type PasswordHash } from './passwords.js';

export interface UserEntry extends Grants {
  password: PasswordHash;
}

export interface KeyEntry extends Grants {
  /** What it is for, in its owner's words. */
  name: string;
  created: string;
  /** Of its secret, as hexadecimal digits. The secret is random: it takes no slow hash. */
  sha256: string;
}

/** Who there is; users by name, keys by id. */
export interface Users {
  users: ReadonlyMap<string, UserEntry>;
  keys: ReadonlyMap<string, KeyEntry>;
}

export const NOBODY: Users = { users: new Map(), keys: new Map() };

/** What is wrong with a file, in words for whoever keeps it. */
export class UsersFileError extends Error {
  override readonly name = 'UsersFileError';
}

/** Somebody else is changing the file. */
export class UsersFileBusy extends UsersFileError {}

const FORMAT = 1;
const MAX_BYTES = 16 * 1024 * 1024;

/** Whether it can be a user's name: what stands before the colon of Basic credentials. */
export function isUserName(name: string): boolean {
  return /^[^\p{C}:]{1,128}$/u.test(name) && name.trim() === name;
}

/** Whether it can be the name of an index, of an alias, or a pattern of such names. */
export function isIndexPattern(name: string): boolean {
  return /^[^\p{C}\\/?"<>| ,#]{1,255}$/u.test(name);
}

/** Reads a file; refuses one that others could have written or read. */
export function readUsers(file: string): Users {
  let text: string;
  try {
    const handle = openSync(file, 'r');
    try {
      checkOwner(fstatSync(handle), file);
      text = readFileSync(handle, 'utf8');
    } finally {
      closeSync(handle);
    }
  } catch (e) {
    if (e instanceof UsersFileError) throw e;
    throw new UsersFileError(`the users file ${file} can't be read: ${(e as Error).message}`);
  }
  try {
    return parseUsers(text);
  } catch (e) {
    if (!(e instanceof UsersFileError)) throw e;
    throw new UsersFileError(`the users file ${file} can't be used: ${e.message}`);
  }
}

function checkOwner({ mode, uid, size }: Stats, file: string): void {
  if (size > MAX_BYTES) throw new UsersFileError(`the users file ${file} has more than ${MAX_BYTES} bytes`);
  const own = process.getuid?.();
  // Where there are no such modes.
  if (own === undefined) return;
  if (uid !== own && uid !== 0)
    throw new UsersFileError(`the users file ${file} belongs to somebody else; it must be this user's own`);
  if ((mode & 0o077) !== 0)
    throw new UsersFileError(
      `the users file ${file} can be read or written by others (mode ${(mode & 0o777).toString(8)}); use chmod 600`,
    );
}

/** Reads the text of a file. Nothing in it is passed over: a misspelt grant is a mistake and not no grant. */
export function parseUsers(text: string): Users {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (e) {
    throw new UsersFileError(`it is no JSON: ${(e as Error).message.slice(0, 200)}`);
  }
  const { format, users, keys } = objectOf(json, 'it', ['format', 'users', 'keys']);
  if (format !== FORMAT)
    throw new UsersFileError(`"format" is not ${FORMAT}, which is all that this version knows`);
  return {
    users: new Map(
      entriesOf(users, 'users').map(([name, entry]) => [checked(name), readUser(entry, `user ${name}`)]),
    ),
    keys: new Map(entriesOf(keys, 'keys').map(([id, entry]) => [checked(id), readKey(entry, `key ${id}`)])),
  };
}

/** The text of a file. */
export function formatUsers({ users, keys }: Users): string {
  const json = { format: FORMAT, users: Object.fromEntries(users), keys: Object.fromEntries(keys) };
  return `${JSON.stringify(json, null, 2)}\n`;
}

/**
 * Changes a file: the new one is written aside, for its owner's eyes alone, made durable, and takes the place of the old. Others who
 * change it meanwhile are told so ({@link UsersFileBusy}).
 * @param change the users who are to be; undefined leaves the file as it is
 * @returns what was written
 */
export function changeUsers(file: string, change: (users: Users) => Users | undefined): Users | undefined {
  const aside = `${file}.new`;
  let handle: number;
  try {
    handle = openSync(aside, 'wx', 0o600);
  } catch (e) {
    const { code, message } = e as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsersFileBusy(
        `${aside} is there: another command is changing the users, or was broken off; remove it in that case`,
      );
    throw new UsersFileError(`the users file ${file} can't be written: ${message}`);
  }
  let written: Users | undefined;
  try {
    try {
      const next = change(isThere(file) ? readUsers(file) : NOBODY);
      if (next !== undefined) {
        const text = formatUsers(next);
        // What can't be read again is not written.
        if (Buffer.byteLength(text) > MAX_BYTES)
          throw new UsersFileError(`the users file ${file} would have more than ${MAX_BYTES} bytes`);
        written = parseUsers(text);
        writeSync(handle, text);
        fsyncSync(handle);
      }
    } finally {
      closeSync(handle);
    }
    if (written === undefined) {
      rmSync(aside);
      return undefined;
    }
    renameSync(aside, file);
  } catch (e) {
    rmSync(aside, { force: true });
    throw e;
  }
  // Folders can't be opened there.
  if (process.platform === 'win32') return written;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return written;
}

function isThere(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new UsersFileError(`the users file ${file} can't be read: ${(e as Error).message}`);
  }
}

type JsonObject = Record<string, unknown>;

function objectOf(value: unknown, what: string, keys?: readonly string[]): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsersFileError(`${what} must be an object`);
  const unknown = keys && Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new UsersFileError(`${what} has an unknown part "${unknown}"`);
  return value as JsonObject;
}

function entriesOf(value: unknown, what: string): [string, unknown][] {
  return value === undefined ? [] : Object.entries(objectOf(value, `"${what}"`));
}

function checked(name: string): string {
  if (!isUserName(name)) throw new UsersFileError(`"${name.slice(0, 200)}" can't be a name`);
  return name;
}

function readUser(value: unknown, what: string): UserEntry {
  const { password, ...grants } = objectOf(value, what, ['password', 'grants', 'cluster']);
  return { password: readHash(password, what), ...readGrants(grants, what) };
}

function readHash(value: unknown, what: string): PasswordHash {
  const { N, r, p, salt, hash } = objectOf(value, `the password of ${what}`, ['N', 'r', 'p', 'salt', 'hash']);
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  if (!isCost(cost))
    throw new UsersFileError(`the password of ${what} is hashed with a cost that isn't allowed`);
  return {
    ...cost,
    salt: base64Of(salt, 16, `the salt of ${what}`),
    hash: base64Of(hash, 32, `the hash of ${what}`),
  };
}

function base64Of(value: unknown, least: number, what: string): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  if (bytes === undefined || bytes.toString('base64') !== value || bytes.length < least || bytes.length > 128)
    throw new UsersFileError(`${what} must be ${least} to 128 bytes in Base64`);
  return value;
}

function readKey(value: unknown, what: string): KeyEntry {
  const { name, created, sha256, ...grants } = objectOf(value, what, [
    'name',
    'created',
    'sha256',
    'grants',
    'cluster',
  ]);
  if (typeof name !== 'string' || typeof created !== 'string')
    throw new UsersFileError(`${what} must have a "name" and a time "created"`);
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/.test(sha256))
    throw new UsersFileError(`${what} must have a "sha256" of 64 hexadecimal digits`);
  return { name, created, sha256, ...readGrants(grants, what) };
}

/** Reads what a principal may do. @param what whose it is, for errors */
export function readGrants({ grants = [], cluster = 'none' }: JsonObject, what: string): Grants {
  if (!Array.isArray(grants)) throw new UsersFileError(`"grants" of ${what} must be a list`);
  const level = CLUSTER_LEVELS.find((each) => each === cluster);
  if (level === undefined)
    throw new UsersFileError(`"cluster" of ${what} must be one of ${CLUSTER_LEVELS.join(', ')}`);
  return { grants: grants.map((each) => readGrant(each, what)), cluster: level };
}

function readGrant(value: unknown, what: string): IndexGrant {
  const { indices, access } = objectOf(value, `a grant of ${what}`, ['indices', 'access']);
  const level = INDEX_LEVELS.find((each) => each === access);
  if (level === undefined)
    throw new UsersFileError(`"access" of a grant of ${what} must be one of ${INDEX_LEVELS.join(', ')}`);
  const names: unknown[] = Array.isArray(indices) ? indices : [];
  if (names.length === 0 || !names.every((name) => typeof name === 'string' && isIndexPattern(name)))
    throw new UsersFileError(`"indices" of a grant of ${what} must be a list of names and patterns`);
  return { indices: names as string[], access: level };
}
