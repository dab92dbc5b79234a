import type { Core } from '../core/instance.js';
import type { RunChain } from './compile.js';

/** Compiled chains that a runner keeps. */
const KEPT = 256;

/** Runs chains in an instance of the core, and keeps those used last compiled there. */
export class ChainRunner {
  readonly #core: () => Core;
  #compiledIn: Core | undefined;
  /** Definition → handle, the one used last at the end. */
  readonly #handles = new Map<Uint8Array, number>();

  /** `core` gives the instance to use, a new one after a trap. */
  constructor(core: () => Core) {
    this.#core = core;
  }

  readonly run: RunChain = (chain, input) => {
    const core = this.#core();
    if (core !== this.#compiledIn) {
      this.#handles.clear();
      this.#compiledIn = core;
    }
    let handle = this.#handles.get(chain);
    if (handle === undefined) handle = core.defineAnalyzer(chain);
    else this.#handles.delete(chain);
    this.#handles.set(chain, handle);
    const tokens = core.analyze(handle, input);
    if (this.#handles.size > KEPT) this.#dropOldest(core);
    return tokens;
  };

  #dropOldest(core: Core): void {
    for (const [chain, handle] of this.#handles) {
      this.#handles.delete(chain);
      core.dropAnalyzer(handle);
      return;
    }
  }
}
