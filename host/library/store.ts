/** Stores that a program names explicitly, its own ones among them. */
import type { RepositoryLocations } from '../snapshot/locations.js';
import type { Blobs, Storage } from '../storage/storage.js';

/** A store that is open. */
export interface OpenStore {
  storage: Storage;
  blobs: Blobs;
  /** Where repositories of snapshots may be; memory without. */
  places?: RepositoryLocations;
  /** Lets others have it, after `storage` is closed. */
  release?(): void;
}

/** A store, for `createEngine({ data: store })`. */
export interface Store {
  /** What messages call it. */
  readonly name: string;
  /**
   * In browsers: tabs and workers that name it share one engine, the one of whoever has it open, as they do with `'idb:NAME'`. Stores of one name are
   * one store then.
   */
  readonly isShared?: boolean;
  /** Opens it, empty where there is none yet. One engine at a time has it. Rejects with what is to be told. */
  open(): Promise<OpenStore>;
}
