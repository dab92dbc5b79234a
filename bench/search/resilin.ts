import { ChainRunner } from '../../host/analysis/chainRunner.js';
import { AnalyzerRegistry, CORE_STANDARD } from '../../host/analysis/registry.js';
import { BatchWriter } from '../../host/core/batch.js';
import { type Core, loadCore, Work } from '../../host/core/instance.js';
import { decodeResult, type SearchResult } from '../../host/core/result.js';
import type { ShardHandle } from '../../host/core/status.js';
import { compileSearch } from '../../host/searchBody/compile.js';
import { allParts } from '../../host/latePart.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import { flatSettings } from '../../host/settings/indexSettings.js';
import { MappingModel } from '../../host/mapping/model.js';
import type { Answer } from './check.js';
import { corpusChunks, type Row, type Spec } from './corpus.js';
import { Progress } from './progress.js';

/** What indexing took. */
export interface Indexing {
  readonly docs: number;
  /** Bytes of the documents' JSON. */
  readonly bytes: number;
  /** All of it, in milliseconds; the parts follow. */
  readonly ms: number;
  /** Mapping, batch encoding and the core's `apply`. */
  readonly applyMs: number;
  readonly refreshMs: number;
  readonly mergeMs: number;
  /** Linear memory when all is done; it never shrinks. */
  readonly memoryBytes: number;
}

const DOCS_PER_CHUNK = 20_000;
const BATCH_BYTES = 1 << 20;
/** As the engine does, the buffer becomes a segment whenever this much was applied. */
const REFRESH_BYTES = 64 << 20;
const WORK_BUDGET = 1_000_000;
const INDEX = 'bench';

/** One shard of one index, without storage: what a search needs and nothing else. */
export class Resilin {
  readonly #core: Core;
  readonly #shard: ShardHandle;
  readonly #type: string;
  readonly #registry: AnalyzerRegistry;
  readonly #model: MappingModel;
  readonly #parser: DocumentParser;
  readonly #batch = new BatchWriter();
  readonly #idField: string;
  /** Ids by key; keys count from 1. */
  readonly #ids: string[] = [''];
  #defined = 0;
  #sinceRefresh = 0;
  #bytes = 0;
  #applyMs = 0;
  #refreshMs = 0;
  #mergeMs = 0;

  constructor(core: Core, spec: Spec) {
    this.#core = core;
    this.#shard = core.createShard();
    this.#registry = new AnalyzerRegistry(new ChainRunner(() => core).run, flatSettings(spec.settings));
    this.#model = new MappingModel(this.#registry);
    const [type = 'doc', mapping = {}] = Object.entries(spec.mappings ?? {})[0] ?? [];
    if (Object.keys(mapping).length > 0) this.#model.putMapping(type, mapping);
    this.#type = type;
    this.#idField = spec.id ?? '_id';
    this.#parser = new DocumentParser(this.#model);
  }

  get indexing(): Indexing {
    const [applyMs, refreshMs, mergeMs] = [this.#applyMs, this.#refreshMs, this.#mergeMs];
    const ms = applyMs + refreshMs + mergeMs;
    const docs = this.#ids.length - 1;
    return { docs, bytes: this.#bytes, ms, applyMs, refreshMs, mergeMs, memoryBytes: this.#core.memoryBytes };
  }

  /** Indexes parsed documents; the clock runs. */
  add(rows: readonly Row[]): void {
    const start = performance.now();
    const refreshed = this.#refreshMs;
    for (const { source, bytes } of rows) {
      const key = this.#ids.length;
      const id = String(source[this.#idField] ?? key - 1);
      this.#ids.push(id);
      this.#bytes += bytes;
      this.#parser.parse(this.#batch, key, { type: this.#type, id, source });
      if (this.#batch.length >= BATCH_BYTES) this.#apply();
    }
    this.#apply();
    this.#applyMs += performance.now() - start - (this.#refreshMs - refreshed);
  }

  /** Makes one segment of everything; the clock runs. */
  finish(): void {
    this.refresh();
    const start = performance.now();
    this.#core.forceMerge(this.#shard, 1);
    this.#work();
    this.#mergeMs += performance.now() - start;
    const segments = this.#core.segmentCount(this.#shard);
    if (segments !== 1) throw new Error(`${segments} segments after a merge down to one`);
  }

  /** The image of the one segment. */
  image(): Uint8Array {
    return this.#core.segmentImage(this.#shard, 0);
  }

  /** The plan of a query for the ten best hits and the total. */
  plan(query: Record<string, unknown>): Uint8Array {
    return this.#compile({ query }).slice();
  }

  /** Plan in, hits out: the result's bytes. */
  searchCore(plan: Uint8Array): Uint8Array {
    return this.#core.search(this.#shard, plan);
  }

  /** Plan in, hits out, read. */
  answer(plan: Uint8Array): SearchResult {
    return decodeResult(this.searchCore(plan));
  }

  /** A request's text in, hits with ids out. */
  search(body: string): Answer {
    const { total, keys, scores } = decodeResult(this.searchCore(this.#compile(JSON.parse(body))));
    const hits = new Array<{ id: string; score: number }>(keys.length);
    for (let i = 0; i < keys.length; i++) hits[i] = { id: this.#ids[keys[i]!]!, score: scores[i]! };
    return { total, hits };
  }

  /** The terms of a text, by the standard analyzer. */
  terms(text: string): string[] {
    return this.#core.analyze(CORE_STANDARD, text).tokens.map((token) => token.term);
  }

  #compile(body: unknown): Uint8Array {
    return compileSearch(body, {
      index: INDEX,
      model: this.#model,
      registry: this.#registry,
      now: Date.now,
    }).plan();
  }

  #apply(): void {
    if (this.#batch.length === 0) return;
    const fields = this.#model.coreFields();
    for (; this.#defined < fields.length; this.#defined++) {
      this.#core.defineField(this.#shard, fields[this.#defined]!);
    }
    this.#core.apply(this.#shard, this.#batch.bytes());
    this.#sinceRefresh += this.#batch.length;
    this.#batch.reset();
    // A buffer that is full becomes a segment by itself.
    while (this.#core.work(this.#shard, WORK_BUDGET) === Work.flushing);
    if (this.#sinceRefresh >= REFRESH_BYTES) this.refresh();
  }

  /** What was added becomes searchable; the clock runs. */
  refresh(): void {
    const start = performance.now();
    this.#sinceRefresh = 0;
    this.#core.refresh(this.#shard);
    this.#work();
    this.#refreshMs += performance.now() - start;
  }

  #work(): void {
    while (this.#core.work(this.#shard, WORK_BUDGET) !== Work.idle);
  }
}

/** Indexes a corpus into one segment. JSON is parsed before the clock starts, and stops it, chunk by chunk. */
export async function indexCorpus(
  wasm: Uint8Array,
  spec: Spec,
  files: readonly string[],
  limit: number,
): Promise<Resilin> {
  await allParts();
  const resilin = new Resilin(await loadCore(wasm as Uint8Array<ArrayBuffer>), spec);
  const progress = new Progress('indexing', limit);
  for await (const rows of corpusChunks(files, limit, DOCS_PER_CHUNK)) {
    resilin.add(rows);
    progress.update(resilin.indexing.docs);
  }
  progress.end();
  resilin.finish();
  return resilin;
}
