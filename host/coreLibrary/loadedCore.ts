/** The core, compiled and ready for shards. */
import { ChainRunner } from '../analysis/chainRunner.js';
import { AnalyzerRegistry } from '../analysis/registry.js';
import { Core } from '../core/instance.js';
import { partsOfRequest } from '../latePart.js';
import { flatSettings } from '../settings/indexSettings.js';
import { named, wrong } from './coreErrors.js';
import type { ShardDefinition } from './definitions.js';
import { Fields } from './fields.js';
import { Shard } from './shard.js';

/** The core's bytes, a URL that has them, or the compiled module. */
export type CoreSource = BufferSource | URL | string | WebAssembly.Module;

/** One instance of the core with its memory, in the thread that calls it. */
export class ResilinCore {
  readonly #core: Core;

  /** @internal */
  constructor(module: WebAssembly.Module) {
    this.#core = new Core(module);
  }

  /** Bytes of its memory; it grows and never shrinks. */
  get memoryBytes(): number {
    return this.#core.memoryBytes;
  }

  /** Makes an empty shard. A shard's fields stay as they are. */
  async createShard(definition: ShardDefinition): Promise<Shard> {
    try {
      // Analyzers that few ask for are loaded when somebody does.
      await partsOfRequest([JSON.stringify({ analysis: definition.analysis, fields: definition.fields })]);
      const run = new ChainRunner(() => this.#core).run;
      const registry = new AnalyzerRegistry(run, flatSettings({ analysis: definition.analysis ?? {} }));
      return new Shard(this.#core, new Fields(definition, registry));
    } catch (e) {
      throw named(e);
    }
  }
}

/** Compiles the core, where it isn't yet. @param fetchBytes gets the bytes that a URL has */
export async function openCore(
  source: CoreSource,
  fetchBytes: (url: string | URL) => Promise<BufferSource>,
): Promise<ResilinCore> {
  return new ResilinCore(await compiled(source, fetchBytes));
}

async function compiled(
  source: CoreSource,
  fetchBytes: (url: string | URL) => Promise<BufferSource>,
): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL)
    return WebAssembly.compile(await fetchBytes(source));
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  throw wrong('the core is its bytes, a URL that has them, or the compiled module');
}

/** What `fetch` gets. */
export async function fetched(url: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers with ${response.status}`);
  return response.arrayBuffer();
}
