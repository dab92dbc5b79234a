/** What the library needs of the platform that it runs on. */
import type { OpenStore } from './store.js';

/** Storage that is open; `release` lets others have it. */
export type KeptData = OpenStore & Required<Pick<OpenStore, 'release'>>;

/** What a platform has of its own. */
export interface Platform {
  /** Finds the core and compiles it. */
  compileCore(): Promise<WebAssembly.Module>;
  /** Opens what {@link EngineOptions.data} names by a string. */
  openData(data: string): Promise<KeptData>;
  /** {@link EngineServices.loadsLate} */
  loadsLate?: boolean;
}
