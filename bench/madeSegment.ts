/** One merged segment of made-up documents, at the core. */
import { ChainRunner } from '../host/analysis/chainRunner.js';
import { AnalyzerRegistry } from '../host/analysis/registry.js';
import { BatchWriter } from '../host/core/batch.js';
import { type Core, Work } from '../host/core/instance.js';
import type { ShardHandle } from '../host/core/status.js';
import { type CompiledSearch, compileSearch } from '../host/searchBody/compile.js';
import { flatSettings } from '../host/settings/indexSettings.js';
import { DocumentParser } from '../host/mapping/documents.js';
import { MappingModel } from '../host/mapping/model.js';

const BATCH_BYTES = 1 << 21;
const WORK_BUDGET = 1_000_000;

/** A shard of that segment. */
export class MadeSegment {
  readonly #core: Core;
  readonly #shard: ShardHandle;
  readonly #registry: AnalyzerRegistry;
  readonly #model: MappingModel;

  /**
   * Indexes `count` documents of a type.
   * @param make the document of a number
   */
  constructor(
    core: Core,
    type: string,
    mapping: Record<string, unknown>,
    count: number,
    make: (i: number) => Record<string, unknown>,
  ) {
    this.#core = core;
    this.#shard = core.createShard();
    this.#registry = new AnalyzerRegistry(new ChainRunner(() => core).run, flatSettings({}));
    this.#model = new MappingModel(this.#registry);
    this.#model.putMapping(type, mapping);
    const parser = new DocumentParser(this.#model);
    for (const field of this.#model.coreFields()) core.defineField(this.#shard, field);
    const batch = new BatchWriter(BATCH_BYTES);
    for (let i = 0; i < count; i++) {
      parser.parse(batch, i + 1, { type, id: String(i), source: make(i) });
      if (batch.length < BATCH_BYTES && i < count - 1) continue;
      core.apply(this.#shard, batch.bytes());
      batch.reset();
      while (core.work(this.#shard, WORK_BUDGET) === Work.flushing);
    }
    core.refresh(this.#shard);
    core.forceMerge(this.#shard, 1);
    while (core.work(this.#shard, WORK_BUDGET) !== Work.idle);
  }

  /** A request's body, compiled. */
  compile(body: unknown): CompiledSearch {
    const { registry, model } = { registry: this.#registry, model: this.#model };
    return compileSearch(body, { index: 'bench', model, registry, now: Date.now });
  }

  /** Plan in, the bytes of a result out, which stay until the next call. */
  search(plan: Uint8Array): Uint8Array {
    return this.#core.search(this.#shard, plan);
  }

  drop(): void {
    this.#core.dropShard(this.#shard);
  }
}
