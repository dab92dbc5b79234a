/** Repositories of snapshots in folders, which the nodes of a cluster, and other servers, share: `path.repo`. */
import { isAbsolute, relative, resolve } from 'node:path';
import type { RepositoryLocations } from '../snapshot/locations.js';
import { FileBlobs } from '../storage/files.js';
import type { Blobs } from '../storage/storage.js';

/** A relative location is in the first folder; an absolute one must be in one of them. */
export class RepositoryFolders implements RepositoryLocations {
  readonly #folders: readonly string[];
  readonly #open = new Map<string, Promise<FileBlobs>>();

  /** @param folders at least one */
  constructor(folders: readonly string[]) {
    this.#folders = folders.map((folder) => resolve(folder));
  }

  async open(location: string): Promise<Blobs | undefined> {
    const path = resolve(this.#folders[0]!, location);
    if (!this.#folders.some((folder) => isWithin(folder, path))) return undefined;
    let opening = this.#open.get(path);
    if (opening === undefined) {
      opening = FileBlobs.openShared(path);
      this.#open.set(path, opening);
      opening.catch(() => this.#open.delete(path));
    }
    return opening;
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
}
