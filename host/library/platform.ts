/** What the library needs of the platform that it runs on. */
import type { RepositoryLocations } from '../snapshot/locations.js';
import type { Blobs, Storage } from '../storage/storage.js';

/** Storage that is open; `release` lets others have it. */
export interface KeptData {
  storage: Storage;
  blobs: Blobs;
  /** Where repositories of snapshots may be. */
  places?: RepositoryLocations;
  release(): void;
}

/** What a platform has of its own. */
export interface Platform {
  /** Finds the core and compiles it. */
  compileCore(): Promise<WebAssembly.Module>;
  /** Opens what {@link EngineOptions.data} names. */
  openData(data: string): Promise<KeptData>;
  /** {@link EngineServices.loadsLate} */
  loadsLate?: boolean;
}
