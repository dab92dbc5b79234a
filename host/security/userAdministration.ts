/** Keeping users and API keys by requests: what a server offers that has them. */
import type { Grants } from './grants.js';

/** A key without its secret, which nobody knows but who was given it. */
export interface KnownKey extends Grants {
  /** What it is for, in its owner's words. */
  name: string;
  /** When it was made, in ISO 8601. */
  created: string;
}

/** A key that was made just now. */
export interface NewKey {
  id: string;
  /** Shown this once. */
  secret: string;
}

/** Parts of a request's body, which are checked: 400 for one that isn't known or can't be. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Who there is, and changes of that. A change is on disk and in force, for requests on every connection, when its promise resolves. One that
 * would leave nobody who may manage the cluster is refused with 400; so is one with 409 while a command changes the same file.
 */
export interface UserAdministration {
  /** By name. */
  users(): Promise<ReadonlyMap<string, Grants>>;
  /** By id. */
  keys(): Promise<ReadonlyMap<string, KnownKey>>;
  /**
   * Makes a user, or gives one who is there what the fields have: `password`, `grants`, `cluster`.
   * @param mustBeNew 409 for one who is there
   * @returns whether it is a new one
   */
  putUser(name: string, fields: Fields, mustBeNew: boolean): Promise<boolean>;
  /** @returns whether there was one */
  removeUser(name: string): Promise<boolean>;
  /** Makes a key of a `name`, `grants` and `cluster`. */
  addKey(fields: Fields): Promise<NewKey>;
  /** @returns whether there was one */
  removeKey(id: string): Promise<boolean>;
}
