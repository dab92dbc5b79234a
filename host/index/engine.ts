/** The engine: indices by name, and everything that can be asked of them. It knows neither HTTP nor any platform. */
import type { AnalyzeInCore } from '../analysis/registry.js';
import { Core } from '../core/instance.js';
import {
  ElasticsearchError,
  indexAlreadyExists,
  indexMissing,
  mapperParsing,
  rejected,
  toElasticsearchError,
} from '../errors.js';
import {
  decodeJson,
  encodeJson,
  indexKey,
  INDEX_RANGE,
  NODE_KEY,
  type StoredDocument,
} from '../storage/records.js';
import type { Blobs, Storage } from '../storage/storage.js';
import type { Clock } from './clock.js';
import { documentId, randomId } from './ids.js';
import { checkIndexName, checkTypeName, type NameOptions, resolveNames } from './names.js';
import { defaultTurn } from './turn.js';
import { type IndexMetadata, OpenIndex } from './openIndex.js';
import { checkLengths, checkVersion, type Operation, type WriteResult } from './operation.js';
import { type SearchRequest, type SearchResponse, search } from './search.js';
import { parseSettings } from './settings.js';
import type { Shard } from './shard.js';
import type { ShardTransport } from './shardClient.js';
import { dropShards, sweepDropped } from './sweep.js';

/** What the engine is built on. */
export interface EngineServices {
  storage: Storage;
  blobs: Blobs;
  clock: Clock;
  transport: ShardTransport;
  /** The compiled core, for analysis in the engine's own thread. */
  module: WebAssembly.Module;
  /** Calls back in the next turn of the event loop. */
  turn?: (callback: () => void) => void;
  /** Told of what an operator should know. */
  warn?: (message: string) => void;
  /** Bytes of writes that may wait at once; more are refused with 429. */
  maxPendingBytes?: number;
}

/** An operation on a document of some index. */
export interface IndexedOperation extends Operation {
  index: string;
}

/** What became of one. */
export interface OperationOutcome {
  shard: number;
  result: WriteResult | ElasticsearchError;
}

const MAX_PENDING_BYTES = 256 * 1024 * 1024;

interface NodeMetadata {
  /** The number of the next shard. */
  nextShard: number;
}

/** One node: all there is. */
export class Engine {
  /** The node's id, as errors of searches name it. */
  readonly nodeId = randomId();
  readonly #services: Required<EngineServices>;
  readonly #indices = new Map<string, OpenIndex>();
  /** Indices being made; others that want them wait. */
  readonly #creating = new Map<string, Promise<OpenIndex>>();
  readonly #timers = new Map<OpenIndex, () => void>();
  #core: Core;
  #node: NodeMetadata = { nextShard: 1 };
  #pendingBytes = 0;
  #closed = false;

  private constructor(services: EngineServices) {
    this.#services = { warn: () => {}, turn: defaultTurn(), maxPendingBytes: MAX_PENDING_BYTES, ...services };
    this.#core = new Core(services.module);
  }

  /** Opens what the storage holds. */
  static async open(services: EngineServices): Promise<Engine> {
    const engine = new Engine(services);
    await engine.#load();
    return engine;
  }

  async #load(): Promise<void> {
    const { storage, blobs } = this.#services;
    const node = storage.get(NODE_KEY);
    if (node !== undefined) this.#node = decodeJson<NodeMetadata>(node);
    const found = [...storage.range(...INDEX_RANGE)].map(([, value]) => decodeJson<IndexMetadata>(value));
    await sweepDropped(storage, blobs, new Set(found.flatMap((metadata) => metadata.shardUids)));
    for (const metadata of found) await this.#adopt(new OpenIndex(metadata));
  }

  // ---------------------------------------------------------------------------------------------- indices

  /** The names of all indices, sorted. */
  indexNames(): string[] {
    return [...this.#indices.keys()].sort();
  }

  /** The index of that name; 404 without it. */
  index(name: string): OpenIndex {
    const index = this.#indices.get(name);
    if (index === undefined) throw indexMissing(name);
    return index;
  }

  hasIndex(name: string): boolean {
    return this.#indices.has(name);
  }

  /** The indices that an expression means. */
  resolve(expression: string | undefined, options?: NameOptions): OpenIndex[] {
    return resolveNames(this.#indices.keys(), expression, options).map((name) => this.index(name));
  }

  /** Makes an index from the body of a create request; nothing is there if it fails. */
  async createIndex(name: string, body: { settings?: unknown; mappings?: unknown } = {}): Promise<void> {
    if (this.#indices.has(name) || this.#creating.has(name)) throw indexAlreadyExists(name);
    await this.#create(name, body);
  }

  /** Deletes the indices that an expression means; one that is missing leaves all as they are. */
  async deleteIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    const indices = this.resolve(expression, options);
    for (const index of indices) this.#indices.delete(index.name);
    for (const index of indices) {
      this.#timers.get(index)?.();
      this.#timers.delete(index);
      await Promise.all(index.shards.map((shard) => shard.close(false)));
      await dropShards(this.#services.storage, this.#services.blobs, index.metadata.shardUids, [
        indexKey(index.name),
      ]);
    }
  }

  /** Merges a mapping into a type of an index. */
  async putMapping(
    index: OpenIndex,
    type: string,
    body: unknown,
    options: { ignoreConflicts?: boolean } = {},
  ): Promise<void> {
    checkTypeName(type);
    index.model.putMapping(type, body, options);
    const changed = index.changedMetadata();
    if (changed !== undefined) await this.#services.storage.commit([changed], []);
  }

  #create(name: string, body: { settings?: unknown; mappings?: unknown }): Promise<OpenIndex> {
    const made = this.#make(name, body).finally(() => this.#creating.delete(name));
    this.#creating.set(name, made);
    return made;
  }

  async #make(name: string, body: { settings?: unknown; mappings?: unknown }): Promise<OpenIndex> {
    checkIndexName(name);
    const settings = parseSettings(name, body.settings);
    const first = this.#node.nextShard;
    const metadata: IndexMetadata = {
      name,
      uuid: randomId(),
      created: this.#services.clock.now(),
      settings,
      analysis: analysisOf(body.settings),
      shardUids: Array.from({ length: settings.shards }, (_, i) => first + i),
    };
    const index = new OpenIndex(metadata);
    for (const [type, mapping] of Object.entries((body.mappings ?? {}) as Record<string, unknown>)) {
      try {
        index.model.putMapping(type, mapping, {});
      } catch (e) {
        const cause = toElasticsearchError(e);
        throw cause.exception === 'MapperParsingException'
          ? mapperParsing(`mapping [${type}]`, cause)
          : cause;
      }
    }
    this.#node = { nextShard: first + settings.shards };
    index.changedMetadata();
    await this.#services.storage.commit([index.metadataEntry(), [NODE_KEY, encodeJson(this.#node)]], []);
    await this.#adopt(index);
    return index;
  }

  async #adopt(index: OpenIndex): Promise<void> {
    const { storage, blobs, clock, transport, turn, warn } = this.#services;
    await index.open({ storage, blobs, clock, transport, turn, warn });
    for (const shard of index.shards) shard.onDirty = () => this.#refreshLater(index);
    this.#indices.set(index.name, index);
  }

  /** The index of a write, made on the way if need be. */
  async #ensureIndex(name: string): Promise<OpenIndex> {
    const index = this.#indices.get(name);
    if (index !== undefined) return index;
    return this.#creating.get(name) ?? this.#create(name, {});
  }

  // ---------------------------------------------------------------------------------------------- documents

  /** An id for a document that came without one. */
  newDocumentId(): string {
    return documentId(this.#services.clock.now());
  }

  /** Writes documents, each succeeding or failing for itself; missing indices are made. */
  async write(operations: readonly IndexedOperation[]): Promise<OperationOutcome[]> {
    if (this.#closed) throw rejected('the node is shutting down');
    const bytes = operations.reduce((sum, op) => sum + 256 + (op.source?.length ?? 0), 0);
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > this.#services.maxPendingBytes) {
      throw rejected(`rejected execution: ${this.#pendingBytes} bytes of writes are waiting already`);
    }
    this.#pendingBytes += bytes;
    try {
      return await this.#write(operations);
    } finally {
      this.#pendingBytes -= bytes;
    }
  }

  async #write(operations: readonly IndexedOperation[]): Promise<OperationOutcome[]> {
    const outcomes = new Array<OperationOutcome>(operations.length);
    const byShard = new Map<Shard, { ops: Operation[]; at: number[] }>();
    for (let i = 0; i < operations.length; i++) {
      const op = operations[i]!;
      try {
        checkLengths(op);
        const index = this.#indices.get(op.index) ?? (await this.#ensureIndex(op.index));
        checkVersion(op.version, op.versionType ?? 'internal');
        const shard = index.shardOf(op.type, op.id, op.routing);
        let group = byShard.get(shard);
        if (group === undefined) {
          group = { ops: [], at: [] };
          byShard.set(shard, group);
        }
        group.ops.push(op);
        group.at.push(i);
      } catch (e) {
        outcomes[i] = { shard: -1, result: toElasticsearchError(e) };
      }
    }
    await Promise.all(
      [...byShard].map(async ([shard, { ops, at }]) => {
        const results = await shard.write(ops);
        for (let i = 0; i < at.length; i++) outcomes[at[i]!] = { shard: shard.number, result: results[i]! };
      }),
    );
    return outcomes;
  }

  /** The newest version of a document, searchable or not. Type `_all` finds the first type that has the id. */
  get(index: string, type: string, id: string, routing?: string): StoredDocument | undefined {
    const open = this.index(index);
    const shard = open.shardOf(type, id, routing);
    const types = type === '_all' ? open.model.typeNames() : [type];
    for (const each of types) {
      const found = shard.get(each, id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  // ---------------------------------------------------------------------------------------------- searches

  search(indices: readonly OpenIndex[], request: SearchRequest): Promise<SearchResponse> {
    const services = { node: this.nodeId, analyze: this.analyze, now: () => this.#services.clock.now() };
    return search(indices, request, services);
  }

  /** The tokens that an analyzer of the core makes of a text. */
  readonly analyze: AnalyzeInCore = (analyzer, text) => {
    if (this.#core.dead) this.#core = new Core(this.#services.module);
    return this.#core.analyze(analyzer, text).tokens;
  };

  /** Makes all writes to these indices searchable. */
  async refresh(indices: readonly OpenIndex[]): Promise<void> {
    await Promise.all(indices.flatMap((index) => index.shards.map((shard) => shard.refresh())));
  }

  /** Merges every shard of these indices down to that many segments. */
  async forceMerge(indices: readonly OpenIndex[], maxSegments: number): Promise<void> {
    await Promise.all(indices.flatMap((index) => index.shards.map((shard) => shard.forceMerge(maxSegments))));
  }

  /** Finishes what is under way, persists the segments and lets go of the storage. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
    await Promise.allSettled(this.#creating.values());
    for (const index of this.#indices.values()) {
      const results = await Promise.allSettled(index.shards.map((shard) => shard.close(true)));
      for (const result of results) {
        if (result.status === 'rejected') this.#services.warn(`[${index.name}] closing: ${result.reason}`);
      }
    }
    await this.#services.transport.close();
    await this.#services.storage.close();
  }

  #refreshLater(index: OpenIndex): void {
    const { refreshInterval } = index.metadata.settings;
    if (refreshInterval < 0 || this.#timers.has(index) || this.#closed) return;
    const cancel = this.#services.clock.after(refreshInterval, () => {
      this.#timers.delete(index);
      this.refresh([index]).catch((e) => {
        if (!(e instanceof ElasticsearchError)) this.#services.warn(`[${index.name}] refresh: ${e}`);
        if (index.shards.some((shard) => shard.dirty && shard.active)) this.#refreshLater(index);
      });
    });
    this.#timers.set(index, cancel);
  }
}

/** The analysis part of settings, wherever 1.7 lets it stand. */
function analysisOf(settings: unknown): unknown {
  if (typeof settings !== 'object' || settings === null) return undefined;
  const { analysis, index } = settings as { analysis?: unknown; index?: unknown };
  return analysis ?? analysisOf(index);
}
