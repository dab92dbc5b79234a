/** Where repositories may be. */
import { MemoryBlobs } from '../storage/memory.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { Blobs } from '../storage/storage.js';

/** What a node lets repositories be in. */
export interface RepositoryLocations {
  /** The blobs at a location; undefined if it is in none of the folders. */
  open(location: string): Promise<Blobs | undefined>;
  /** The blobs of a repository of type `s3`; rejects with what is wrong with its settings. Without it there is no such type. */
  openBucket?(settings: Readonly<FlatSettings>): Promise<Blobs>;
  /** The blobs below an address of http or https, to be read only; undefined where it isn't allowed. */
  openUrl?(url: string): Promise<Blobs | undefined>;
}

/** Repositories that last as long as the process; any relative location is one. */
export class MemoryLocations implements RepositoryLocations {
  readonly #places = new Map<string, Blobs>();

  async open(location: string): Promise<Blobs | undefined> {
    if (/^([/\\]|[a-z]:)/i.test(location) || location.split(/[/\\]/).includes('..')) return undefined;
    let blobs = this.#places.get(location);
    if (blobs === undefined) {
      blobs = new MemoryBlobs();
      this.#places.set(location, blobs);
    }
    return blobs;
  }
}
