import type { Core } from '../core/instance.js';
import type { TokenList } from '../core/result.js';
import { CoreError, Status } from '../core/status.js';
import { weighPart } from '../passes.js';
import type { Turns } from '../workLimit.js';
import type { RunChain } from './compile.js';
import { tooManyTokens } from './tokenLimit.js';

/** Compiled chains that a runner keeps. */
const KEPT = 256;

/** Runs a chain; a text that comes to too many tokens is refused. */
function analyze(core: Core, handle: number, input: Uint8Array): TokenList | Turns<TokenList> {
  try {
    return core.analyzeInTurns(handle, input, weighPart);
  } catch (e) {
    if (!(e instanceof CoreError) || e.code !== Status.limit) throw e;
    throw tooManyTokens();
  }
}

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
    const tokens = analyze(core, handle, input);
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
