/** The snapshots of an engine. What makes them, browsers load when a request is for it. */
import { LatePart } from '../latePart.js';
import type { Snapshots, SnapshotServices } from './snapshots.js';

const part = new LatePart('what makes snapshots', ['_snapshot'], () => import('./snapshots.js'));

/** Holds {@link Snapshots} from when there can be any. */
export class LateSnapshots {
  readonly #services: SnapshotServices;
  #made: Snapshots | undefined;

  constructor(services: SnapshotServices) {
    this.#services = services;
    // Damaged repositories are told of when the engine is opened, where that can be.
    if (part.isLoaded) this.#make();
  }

  /** Throws where the part isn't loaded. */
  get all(): Snapshots {
    return this.#made ?? this.#make();
  }

  /** Gives up what is being made. */
  async close(): Promise<void> {
    await this.#made?.close();
  }

  #make(): Snapshots {
    this.#made = new part.loaded.Snapshots(this.#services);
    return this.#made;
  }
}
