/** The engine: indices by name, and everything that can be asked of them. It knows neither HTTP nor any platform. */

import { ChainRunner } from '../analysis/chainRunner.js';
import { AnalyzerRegistry } from '../analysis/registry.js';
import { Core } from '../core/instance.js';
import { rejected, unauthorized } from '../errors.js';
import { parseLax } from '../json/laxJson.js';
import { allParts } from '../latePart.js';
import { LeaderOnly } from '../leaderOnly.js';
import { Breakers } from '../limits/breakers.js';
import { inCountedPasses } from '../limits/countedPasses.js';
import { ThreadPools } from '../limits/threadPools.js';
import { idInside } from '../mapping/sourcePaths.js';
import { Cluster } from '../metadata/cluster.js';
import type { ClusterFollower } from '../metadata/clusterFollower.js';
import { type ClusterInterface, ClusterView } from '../metadata/clusterView.js';
import type { CheckFilter, ClusterServices } from '../metadata/indexLifecycle.js';
import { DOCUMENT_CALL, type NameOptions } from '../metadata/names.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { SearchTarget } from '../metadata/targets.js';
import { isSet } from '../numbers/javaBooleans.js';
import { percolatedQueries, type QueryCompiler } from '../percolate/queries.js';
import { QueryMemory } from '../percolate/queryMemory.js';
import { checkAliasFilter } from '../query/aliasFilter.js';
import type { SearchContext } from '../query/searchContext.js';
import type { NodeDetails } from '../replication/nodes.js';
import type { Maintenance } from '../replication/maintenance.js';
import type { Replication } from '../replication/replication.js';
import type { Groovy } from '../script/groovy.js';
import { percolation } from '../search/latePercolation.js';
import { hitBytes } from '../search/merging.js';
import type { Percolated, PercolateRequest } from '../search/percolating.js';
import { SweepHits } from '../search/scanHits.js';
import { OwnScrolls, type ScrollInterface, Scrolls } from '../search/scroll.js';
import { execute, type SearchServices, search } from '../search/search.js';
import type { SearchRequest } from '../search/searchRequest.js';
import type { SearchResponse } from '../search/searchResponse.js';
import { suggest } from '../search/suggesting.js';
import type { IndexLevel } from '../security/grants.js';
import type { Principal } from '../security/principal.js';
import type { Block } from '../settings/blocks.js';
import type { SlowLog } from '../settings/slowlog.js';
import { Counters } from '../shard/counters.js';
import { documentId, randomId } from '../shard/ids.js';
import type { RowSizes } from '../shard/rowSizes.js';
import type { CopyChoice } from '../search/chosenShards.js';
import type { Shard } from '../shard/shard.js';
import type { ShardTransport } from '../shard/shardClient.js';
import type { FollowerSearches, ShardLeader } from '../shard/shardLeader.js';
import { MemoryLocations, type RepositoryLocations } from '../snapshot/locations.js';
import { importIndex } from '../snapshot/exporting.js';
import type { Imported } from '../snapshot/imported.js';
import { LateSnapshots } from '../snapshot/lateSnapshots.js';
import type { Snapshots } from '../snapshot/snapshots.js';
import type { Blobs, Storage } from '../storage/storage.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import { WriteBehind } from '../storage/writeBehind.js';
import type { Clock } from '../time/clock.js';
import { parseTime } from '../time/durations.js';
import { turnInLine, type WorkLimit } from '../workLimit.js';
import { type DocumentTarget, documentTarget } from './documentTarget.js';
import { deleteExpired, mayExpire } from './expiry.js';
import type { UpdateScripts } from './scriptedUpdate.js';
import { Scripts } from './scripts.js';
import { Upkeep } from './upkeep.js';
import { enqueue, type IndexedOperation, type OperationOutcome, PendingWrites } from './writing.js';

const utf8 = new TextDecoder();

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
  /** Lets {@link Engine.open} return before the shards are open; {@link Engine.ready} waits for them. */
  background?: boolean;
  /** Where repositories of snapshots may be; memory. */
  places?: RepositoryLocations;
  /** Bytes of writes that may wait at once; more are refused with 429. */
  maxPendingBytes?: number;
  /** Told of what took longer than an index's settings want to hear of. */
  slow?: SlowLog;
  /** Bytes of memory that the limits of breakers are shares of. */
  memory?: number;
  /** Not all who ask may touch everything: registered queries, which run for whoever percolates, look up nothing in other indices. */
  guarded?: boolean;
  /** The node's id; one is made without. */
  nodeId?: string;
  /** The engine that this one follows: it decides what is written, here is searched and read. */
  leader?: ShardLeader;
  /** The metadata of an engine that follows another one: most engines need no such thing. */
  Follower?: typeof ClusterFollower;
  /** Searches of engines that follow this one. */
  followers?: FollowerSearches;
  /** The other nodes of its cluster; it is alone without. */
  replication?: Replication;
  /** Tells what shards take in the store; sizes are those of segments alone without. */
  sizes?: RowSizes;
  /** Runs scripts in Groovy; none may run without. */
  groovy?: Groovy;
  /** Loads parts of the host when they are needed (host/latePart.ts); all of them before anything is opened. */
  loadsLate?: boolean;
}

/** What there may be none of. */
type Optional = 'nodeId' | 'replication' | 'leader' | 'Follower' | 'followers' | 'sizes' | 'groovy';

/** Who asks, what for, and at which level. */
interface Asked {
  principal: Principal;
  level: IndexLevel;
  action: string;
}

const READ_TIMEOUT_MS = 60_000;
const MAX_PENDING_BYTES = 256 * 1024 * 1024;
const MEMORY = 2 * 1024 * 1024 * 1024;
/** What a field of a mapping takes in memory, about, and the share of the memory that all of them may take; those of one request twice that. */
const FIELD_BYTES = 1400;
const MAPPING_SHARE = 0.2;
/** The share that all other metadata may take: settings, aliases, warmers, `_meta`, templates. */
const METADATA_SHARE = 0.1;
/** The share that registered queries may take when one is written; twice that, when they are read. */
const QUERY_SHARE = 0.1;

/** Does something with each shard; one whose index is closed or deleted meanwhile is left out, as in 1.7. */
async function onShards(
  indices: readonly OpenIndex[],
  work: (shard: Shard) => Promise<void> | undefined,
): Promise<void> {
  const leaveOut = (shard: Shard) => (e: unknown) => {
    if (shard.gone === undefined) throw e;
  };
  const shards = indices.flatMap((index) => index.shards.filter(({ isHeld }) => isHeld));
  await Promise.all(shards.map((shard) => work(shard)?.catch(leaveOut(shard))));
}

/** One node: all there is. */
export class Engine {
  /** The node's id, as errors of searches name it. */
  readonly nodeId: string;
  /** When it was started, in milliseconds. */
  readonly started: number;
  readonly cluster: ClusterInterface;
  readonly scrolls: ScrollInterface;
  /** What requests may take in memory. */
  readonly breakers: Breakers;
  /** Milliseconds that a request may take that changes nothing: `search.default_search_timeout`. */
  #readTimeout = READ_TIMEOUT_MS;
  /** How many of them may be under way. */
  readonly pools: ThreadPools;
  readonly #snapshots: LateSnapshots;
  /** Stored scripts and search templates. */
  readonly scripts: Scripts;
  /** What the shards have done that are there no more. */
  readonly past: Counters;
  /** The analyzers that every index has. */
  readonly analyzers: AnalyzerRegistry;
  readonly #services: Required<Omit<EngineServices, Optional>> & Pick<EngineServices, Optional>;
  /** The engine that this is a view of; itself where it is none. */
  readonly #whole: Engine;
  readonly #node: Cluster;
  readonly #scrolls: Scrolls;
  readonly #asked: Asked | undefined;
  readonly #upkeep: Upkeep;
  readonly #pending: PendingWrites;
  readonly #queries: QueryMemory;
  /** Fields of all mappings, and perhaps of some that were not made. */
  #fields = 0;
  #closed = false;

  private constructor(services: EngineServices, view?: { of: Engine; asked: Asked }) {
    if (view !== undefined) {
      const { of, asked } = view;
      const { principal, level, action } = asked;
      this.#asked = asked;
      this.#whole = of;
      this.#node = of.#node;
      this.#services = of.#services;
      this.#pending = of.#pending;
      this.#queries = of.#queries;
      this.#upkeep = of.#upkeep;
      this.nodeId = of.nodeId;
      this.started = of.started;
      this.breakers = of.breakers;
      this.pools = of.pools;
      this.#snapshots = of.#snapshots;
      this.scripts = of.scripts;
      this.past = of.past;
      this.analyzers = of.analyzers;
      this.#scrolls = of.#scrolls;
      this.scrolls = new OwnScrolls(of.#scrolls, principal.identity, principal.mayCluster('manage'));
      const check: CheckFilter = (index, filter, limit) => this.#checkFilter(index, filter, limit);
      this.cluster = new ClusterView(of.#node, principal, level, action, check);
      return;
    }
    this.#whole = this;
    this.nodeId = services.nodeId ?? randomId();
    this.pools = new ThreadPools();
    this.past = new Counters();
    this.#services = {
      warn: () => {},
      turn: turnInLine,
      maxPendingBytes: MAX_PENDING_BYTES,
      memory: MEMORY,
      slow: () => {},
      places: new MemoryLocations(),
      background: false,
      guarded: false,
      loadsLate: false,
      ...services,
    };
    this.#pending = new PendingWrites(this.#services.maxPendingBytes);
    const { clock, warn } = this.#services;
    if (services.leader === undefined)
      this.#services.storage = new WriteBehind(services.storage, clock, (message) => warn(message));
    // Made for the first text that is analyzed here: a node that is asked for none has the memory for other things.
    let core: Core | undefined;
    const chains = new ChainRunner(() => {
      if (core === undefined || core.dead) core = new Core(services.module);
      return core;
    });
    this.analyzers = new AnalyzerRegistry(chains.run);
    this.started = services.clock.now();
    this.breakers = new Breakers(
      this.#services.memory,
      () => services.transport.fielddata,
      () => (services.storage.heapBytes ?? 0) + this.#kept,
      () => services.transport.searchMemory?.used ?? 0,
    );
    this.#queries = new QueryMemory((bytes, ready) =>
      this.breakers.checkShare(bytes, ready ? 2 * QUERY_SHARE : QUERY_SHARE, '<percolator>'),
    );
    this.#scrolls = new Scrolls(services.clock, this.breakers);
    this.scrolls = this.#scrolls;
    this.#upkeep = new Upkeep({
      clock,
      warn,
      refresh: (index) => this.#maintain('refresh', [index]),
      deleteExpired: () => this.deleteExpired(this.now()),
      // Copies come from other nodes too.
      mayExpire: () => services.replication !== undefined || this.cluster.all().some(mayExpire),
      interval: () => this.cluster.stored.setting('indices.ttl.interval'),
    });
    const { replication } = services;
    const Metadata = services.Follower ?? Cluster;
    const metadata: ClusterServices = {
      ...this.#services,
      refuseFielddata: (field: string) => this.breakers.refuseFielddata(field),
      opened: (index) => {
        if (services.leader !== undefined) {
          this.#fields = this.#countFields();
          return;
        }
        for (const shard of index.shards) shard.onDirty = () => this.#upkeep.changed(index);
        this.#upkeep.opened();
        this.#fields = this.#countFields();
        const lenient = (name: string) => index.metadata.settings.flat[`index.percolator.${name}`] === 'true';
        // The mapping may be another one later.
        const compile = (query: unknown) =>
          percolatedQueries(
            this.#percolatorContext(index),
            lenient('allow_unmapped_fields') || lenient('map_unmapped_fields_as_string'),
          )(query);
        const run: QueryCompiler['run'] = (work, limit, goesOn) =>
          inCountedPasses(work, limit, this.breakers, '<percolator>', goesOn);
        index.percolator.use({ compile, run }, this.#queries);
        replication?.opened(index);
      },
      gone: (index) => {
        this.#fields = this.#countFields();
        replication?.gone(index);
        index.percolator.close();
        this.#gone(index);
      },
      shut: (index) => {
        index.percolator.close();
        this.#gone(index);
        replication!.shut(index);
      },
      admitFields: (more, passing) => {
        const share = passing ? 2 * MAPPING_SHARE : MAPPING_SHARE;
        // What was not made in the end is counted until then.
        if (FIELD_BYTES * (this.#fields + more) > share * this.#services.memory)
          this.#fields = this.#countFields();
        this.breakers.checkShare(FIELD_BYTES * (this.#fields + more), share, '<mapping>');
        if (!passing) this.#fields += more;
      },
      admitMetadata: (bytes) => this.breakers.checkShare(bytes, METADATA_SHARE, '<metadata>'),
      analyzers: (flat) => new AnalyzerRegistry(chains.run, flat),
      checkFilter: (index, filter, limit) => this.#checkFilter(index, filter, limit),
    };
    this.#node = replication?.cluster(metadata) ?? new Metadata(metadata);
    this.cluster = this.#node;
    this.scripts = new Scripts({
      cluster: this.#node,
      storage: this.#services.storage,
      write: (operations) => this.write(operations),
      refresh: (outcomes) => this.refreshTouched(outcomes),
    });
    this.#snapshots = new LateSnapshots({
      ...this.#services,
      cluster: this.#node,
      moveScripts: (scripts) => this.scripts.move(scripts),
      nodes: replication?.snapshots,
    });
  }

  /** Opens what the storage holds. */
  static async open(services: EngineServices): Promise<Engine> {
    if (services.loadsLate !== true) await allParts();
    const engine = new Engine(services);
    await engine.#node.load();
    if (services.leader !== undefined) {
      engine.#configure();
      engine.cluster.stored.settingsChanged = () => engine.#configure();
      return engine;
    }
    const oldScripts = engine.cluster.stored.oldScripts();
    const isMoving = Object.keys(oldScripts).length > 0;
    if (isMoving || !engine.#services.background) await engine.#node.ready();
    if (isMoving) await engine.scripts.move(oldScripts);
    engine.#configure();
    engine.cluster.stored.settingsChanged = () => engine.#configure();
    return engine;
  }

  /**
   * This engine as a principal may use it: names that it may not touch at that level are found by no wildcard, and refused with 403
   * where they are given, wherever in a request that is.
   * @param action what it is about to do, for the texts of refusals
   */
  as(principal: Principal, level: IndexLevel, action: string): Engine {
    return new Engine(this.#services, { of: this.#whole, asked: { principal, level, action } });
  }

  /** The same for a part of a request that takes a higher level than the rest. */
  at(level: IndexLevel): Engine {
    if (this.#asked === undefined || this.#asked.level === level) return this;
    return this.as(this.#asked.principal, level, this.#asked.action);
  }

  /** Bytes that mappings, other metadata and registered queries take. */
  get #kept(): number {
    return FIELD_BYTES * this.#fields + this.#node.size.bytes + this.#queries.bytes;
  }

  /** Fields and objects of all mappings. */
  #countFields(): number {
    return this.#node.all().reduce((sum, { model }) => sum + model.size, 0);
  }

  /** Why the store takes no writes any more. */
  get storeFailure(): Error | undefined {
    return this.#services.storage.failure;
  }

  /** Milliseconds that a request may take that changes nothing. */
  get readTimeout(): number {
    return this.#whole.#readTimeout;
  }

  /** Applies the cluster's settings. */
  #configure(): void {
    const setting = (name: string) => this.cluster.stored.setting(name);
    this.breakers.configure(setting);
    this.replication?.configure(setting, this.breakers);
    this.#services.transport.limitFielddata(this.breakers.fielddataLimit);
    this.#services.transport.searchMemory?.limit(this.breakers.searchLimit);
    this.pools.configure(setting);
    const timeout = setting('search.default_search_timeout');
    const ms = timeout === undefined ? READ_TIMEOUT_MS : parseTime(timeout);
    this.#readTimeout = ms < 0 ? Number.POSITIVE_INFINITY : ms;
  }

  /** Resolves when the indices that an expression means are open, all without one; at once after the start is over. */
  async ready(expression: string | undefined): Promise<void> {
    if (!this.cluster.opening) return;
    let indices = this.cluster.all();
    try {
      indices = this.resolve(expression, { ignoreUnavailable: true });
    } catch {
      // Whoever asked will be told.
    }
    // Any request may name a script.
    await Promise.all([...indices, this.scripts.index].map((index) => index?.ready()));
  }

  /** Bytes of the store by shard; undefined where it can't tell. */
  rowSizes(): Promise<ReadonlyMap<Shard, number>> | undefined {
    return this.#services.sizes?.of(this.#node.all().flatMap(({ shards }) => shards));
  }

  /** Resolves after so many milliseconds. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#services.clock.after(ms, resolve);
    });
  }

  /** Tells an operator. */
  warn(message: string): void {
    this.#services.warn(message);
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#services.clock.now();
  }

  /** What a query is compiled with for an index. */
  context<T extends object>(index: OpenIndex, more: T) {
    return { ...this.#context(index), ...more };
  }

  /** What a query of this caller is compiled with for a target. */
  #contextOf({ index, confined }: SearchTarget) {
    const context = this.#context(index);
    const asked = this.#asked;
    if (!confined || asked === undefined) return context;
    const refusal = (what: string) => unauthorized(`${asked.action}[${what}]`, asked.principal.name);
    return { ...context, confined: refusal };
  }

  #context(index: OpenIndex) {
    const { name, model, registry } = index;
    const { flat } = index.metadata.settings;
    return {
      index: name,
      model,
      registry,
      strictFields: !isSet(flat['index.query.parse.allow_unmapped_fields'], true),
      defaultField: flat['index.query.default_field'],
      lenientStrings: isSet(flat['index.query_string.lenient'], false),
      now: () => this.now(),
      // What queries look up elsewhere: sources of documents, and whether a name stands for their index.
      source: (where: string, type: string, id: string): unknown => {
        const found = this.at('read').#read(where, type, id);
        return found === undefined ? undefined : parseLax(utf8.decode(found.source));
      },
      stored: (language: string, id: string) => this.scripts.text(language, id),
      groovy: this.#services.groovy,
      admit: (bytes: number) => this.breakers.check('request', bytes, '<search>'),
      // Of one that is searched already: there is nothing to hide.
      isIndex: (name: string): boolean =>
        this.#node.resolve(name, { ignoreUnavailable: true, allowNoIndices: true }).includes(index),
    };
  }

  /** Refuses, in turns, a filter that an alias of the index can't have. */
  async #checkFilter(index: OpenIndex, filter: unknown, limit: WorkLimit): Promise<void> {
    const context = this.context(index, { filter });
    await inCountedPasses(() => checkAliasFilter(context), limit, this.breakers, '<alias>');
  }

  /** What registered queries are compiled with. */
  #percolatorContext(index: OpenIndex) {
    const context = this.#context(index);
    if (!this.#services.guarded) return context;
    const source = (where: string, type: string, id: string): unknown => {
      if (where === index.name) return context.source(where, type, id);
      throw unauthorized('indices:data/read/get', `queries of ${index.name}`);
    };
    return { ...context, source };
  }

  /** What runs scripts of updates. */
  get updateScripts(): UpdateScripts {
    const stored = (language: string, id: string) => this.scripts.text(language, id);
    return { groovy: this.#services.groovy, stored, now: () => this.now() };
  }

  /** The names of all indices, sorted. */
  indexNames(): string[] {
    return this.cluster.all().map(({ name }) => name);
  }

  /** The index of that name; 404 without it. */
  index(name: string): OpenIndex {
    return this.cluster.index(name);
  }

  /** The indices that an expression means; 403 if what is done with one of them is forbidden. */
  resolve(expression: string | undefined, options?: NameOptions, what?: Block): OpenIndex[] {
    const found = this.cluster.resolve(expression, options);
    if (what !== undefined) for (const index of found) index.checkBlock(what);
    return found;
  }

  /** What a search of an expression searches. */
  targets(
    expression?: string,
    routing?: readonly string[],
    options: NameOptions = DOCUMENT_CALL,
  ): SearchTarget[] {
    const targets = this.cluster.targets(expression, routing, options);
    for (const { index } of targets) this.#checkRead(index);
    return targets;
  }

  // ---------------------------------------------------------------------------------------------- documents

  /** An id for a document that came without one. */
  newDocumentId(): string {
    return documentId(this.#services.clock.now());
  }

  /** The id of a document that came without one: from inside of it if its mapping says so, else a new one. */
  idFor(index: string, type: string, source: Uint8Array): string {
    const [name = index] = this.cluster.behind(index) ?? [];
    const model = this.cluster.find(name)?.model;
    return (model === undefined ? undefined : idInside(model, type, source)) ?? this.newDocumentId();
  }

  #target(name: string, routing: string | undefined): DocumentTarget | undefined {
    return documentTarget(this.cluster, this.#node, name, routing);
  }

  /** Where a document is read; 404 without the index. */
  readTarget(name: string, routing: string | undefined): DocumentTarget {
    const target = this.#target(name, routing) ?? { index: this.cluster.index(name), routing };
    this.#checkRead(target.index);
    return target;
  }

  /** Refuses what blocks forbid; what isn't in the store yet can be read by the leader alone. */
  #checkRead(index: OpenIndex): void {
    index.checkBlock('read');
    if (this.#services.leader !== undefined && index.syncWithin !== undefined) throw new LeaderOnly();
  }

  /** Writes documents, each succeeding or failing for itself; missing indices are made. */
  async write(operations: readonly IndexedOperation[]): Promise<OperationOutcome[]> {
    return (await this.submit(operations)).done;
  }

  /**
   * The same in two steps: when it resolves, the writes stand in the queues of their shards, so that those of a later call
   * come after them; `done` resolves with what became of them. 429 if too many bytes are waiting.
   */
  async submit(operations: readonly IndexedOperation[]): Promise<{ done: Promise<OperationOutcome[]> }> {
    if (this.#services.leader !== undefined) throw new LeaderOnly();
    if (this.#whole.#closed) throw rejected('the node is shutting down');
    const release = this.#pending.hold(operations);
    const find = (name: string, routing: string | undefined) => this.#target(name, routing);
    try {
      const done = await enqueue(
        operations,
        find,
        (name) => this.cluster.ensure(name),
        (index, shard) => this.#copies(index, shard),
      );
      return { done: done().finally(release) };
    } catch (e) {
      release();
      throw e;
    }
  }

  /** How many copies of a shard there are. */
  #copies(index: OpenIndex, shard: number): number {
    return this.replication?.searchableCopiesOf(index, shard).length ?? 1;
  }

  /** A shard by its number in the store, when the changes are made that are under way. */
  async shard(uid: number): Promise<Shard | undefined> {
    const find = () => {
      for (const { shards } of this.#node.all())
        for (const shard of shards) if (shard.uid === uid) return shard;
      return undefined;
    };
    return find() ?? this.#node.exclusive(async () => find());
  }

  /** Gives others a turn of the event loop. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#services.turn(resolve));
  }

  /** Whether whoever asks may see and do everything. */
  get isWhole(): boolean {
    return this.#asked === undefined;
  }

  /** The other nodes of its cluster; undefined where it is alone. */
  get replication(): Replication | undefined {
    return this.#services.replication;
  }

  /** Joins its cluster, when what the node holds is as new as what the others have. */
  async join(details: Omit<NodeDetails, 'data' | 'formats'>): Promise<void> {
    await this.#node.ready();
    await this.replication?.start(details, (action, indices, argument) =>
      this.#maintain(action, indices, argument),
    );
  }

  /** Resolves when this node has all that was acknowledged before, by whatever node, of what an expression means. */
  async current(expression: string | undefined): Promise<void> {
    const { replication } = this;
    if (replication === undefined) return;
    let indices = this.cluster.all();
    try {
      indices = this.resolve(expression, { ignoreUnavailable: true });
    } catch {
      // Whoever asked will be told.
    }
    await replication.current(indices);
  }

  /** Makes what these writes did searchable. */
  async refreshTouched(outcomes: Iterable<{ index: string; shard: number }>): Promise<void> {
    if (this.replication !== undefined) {
      const names = new Set([...outcomes].map(({ index }) => index));
      return this.refresh([...names].flatMap((name) => this.#node.find(name) ?? []));
    }
    const shards = new Set(
      [...outcomes].flatMap(({ index, shard }) => this.#node.find(index)?.shards[shard] ?? []),
    );
    await Promise.all([...shards].map((shard) => shard.refresh()));
  }

  /** Has other threads read a document into memory where reading it here may wait for a disk; undefined elsewhere. */
  prefetch(name: string, type: string, id: string, routing?: string): Promise<void> | undefined {
    if (this.#services.storage.isCold !== true) return undefined;
    const target = this.readTarget(name, routing);
    return target.index.shardOf(type, id, target.routing).documents.prefetchId(type, id);
  }

  /** The newest version of a document, searchable or not. Type `_all` finds the first type that has the id. */
  get(index: string, type: string, id: string, routing?: string): StoredDocument | undefined {
    const target = this.readTarget(index, routing);
    const shard = target.index.shardOf(type, id, target.routing);
    const types = type === '_all' ? target.index.model.typeNames() : [type];
    for (const each of types) {
      const found = shard.documents.get(each, id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The same for a query that is compiled: a document of another node is waited for (passes.ts). */
  #read(name: string, type: string, id: string): StoredDocument | undefined {
    const { index, routing } = this.readTarget(name, undefined);
    const shard = index.shardOf(type, id, routing);
    if (this.replication === undefined) return this.get(name, type, id);
    const types = type === '_all' ? index.model.typeNames() : [type];
    return shard.documentElsewhere(types, id);
  }

  // ---------------------------------------------------------------------------------------------- searches

  get #searchServices(): SearchServices {
    const { nodeId: node, breakers } = this;
    return { node, breakers, slow: this.#services.slow, context: (target) => this.#contextOf(target) };
  }

  search(targets: readonly SearchTarget[], request: SearchRequest): Promise<SearchResponse> {
    return search(targets, request, this.#searchServices);
  }

  /** Finds the registered queries that match a document. */
  percolate(targets: readonly SearchTarget[], request: PercolateRequest): Promise<Percolated> {
    if (this.#services.leader !== undefined) throw new LeaderOnly();
    const work = () =>
      percolation.loaded.percolate(targets, request, {
        transport: this.#services.transport,
        context: (target) => ({ ...this.#contextOf(target), filter: target.filter }),
        search: (where, asked) => this.search(where, asked),
      });
    return this.replication?.given.admitting(work) ?? work();
  }

  /** The choice that a preference makes among the copies that nodes have. */
  copyChoice(preference: string): CopyChoice | undefined {
    return this.replication?.copyChoice(preference);
  }

  /** Suggests without searching. */
  suggest(
    targets: readonly SearchTarget[],
    body: Pick<SearchRequest, 'body' | 'unreadable'>,
    limit: WorkLimit,
    only?: ReadonlySet<number>,
    copies?: CopyChoice,
  ): ReturnType<typeof suggest> {
    return suggest(targets, body, (target) => this.#contextOf(target), limit, only, copies);
  }

  /**
   * Starts a search that is read page by page; returns its first page, which a scan leaves empty, and its number.
   * @param keepAlive how long it waits for the next page, in milliseconds
   */
  async openScroll(
    targets: readonly SearchTarget[],
    request: SearchRequest,
    keepAlive: number,
  ): Promise<{ response: SearchResponse; number: number }> {
    if (this.#services.leader !== undefined) throw new LeaderOnly();
    const found = await execute(targets, request, this.#searchServices, true);
    const { response, hits, ranking, size, held, release } = found;
    const scan = request.phase === 'init_scan';
    const swept = scan ? new SweepHits(hits) : undefined;
    const bytes = swept?.bytes ?? hits.reduce((sum, { result, sort }) => sum + hitBytes(result, sort), 0);
    const context = {
      // Only the first page has aggregations and suggestions, and its hits are not kept.
      base: { ...response, hits: [], aggregations: undefined, suggestions: undefined },
      size,
      hits: swept === undefined ? { ranked: ranking } : { swept },
      indices: new Set(targets.map(({ index }) => index)),
      shards: hits.map(({ shard }) => shard),
      bytes: bytes + 4096,
      release,
    };
    held.release();
    return { response, number: this.scrolls.open(context, keepAlive) };
  }

  /** Drops what searches of these indices make again when they need it. @param what parts of `Cache` */
  async clearCaches(indices: readonly OpenIndex[], what: number): Promise<void> {
    await this.#everywhere('clearCaches', indices, what);
  }

  /** Makes all writes to these indices searchable. @param perhapsOpen closed ones that another node may have opened */
  async refresh(indices: readonly OpenIndex[], perhapsOpen: readonly OpenIndex[] = []): Promise<void> {
    await this.#everywhere('refresh', indices, 0, perhapsOpen);
  }

  /** Makes all writes to these indices searchable, and persists their segments. */
  async flush(indices: readonly OpenIndex[]): Promise<void> {
    await this.#everywhere('flush', indices);
  }

  /** The same, which marks every shard with an id of its own until something is written and flushed. */
  async syncedFlush(indices: readonly OpenIndex[]): Promise<void> {
    await this.#everywhere('syncedFlush', indices);
  }

  /** Merges every shard of these indices down to that many segments. */
  async forceMerge(indices: readonly OpenIndex[], maxSegments: number): Promise<void> {
    await this.#everywhere('forceMerge', indices, maxSegments);
  }

  /** Does something with the shards of indices, on every node that has some. */
  #everywhere(
    action: Maintenance,
    indices: readonly OpenIndex[],
    argument = 0,
    perhapsOpen: readonly OpenIndex[] = [],
  ): Promise<void> {
    const open = [...indices.filter(({ closed }) => !closed), ...perhapsOpen];
    return this.replication?.everywhere(action, open, argument) ?? this.#maintain(action, indices, argument);
  }

  /** Does something with the shards of indices that are on this node. */
  async #maintain(action: Maintenance, indices: readonly OpenIndex[], argument = 0): Promise<void> {
    const work = (shard: Shard) => {
      if (action === 'refresh') return shard.refresh();
      if (action === 'forceMerge') return shard.forceMerge(argument);
      if (!shard.active) return undefined;
      if (action === 'clearCaches') return shard.clearCaches(argument);
      return action === 'flush' ? shard.checkpoint() : shard.syncedFlush();
    };
    if (action === 'flush' || action === 'syncedFlush') await onShards(indices, (shard) => shard.refresh());
    await onShards(indices, work);
  }

  get snapshots(): Snapshots {
    return this.#snapshots.all;
  }

  /** Makes an index of an exported file; nothing has changed if it fails. @param name another than the index had */
  importIndex(file: Uint8Array, name?: string): Promise<Imported> {
    const { storage, blobs } = this.#services;
    return importIndex(file, name, { storage, blobs, cluster: this.#node });
  }

  /** Finishes what is under way, persists the segments and lets go of the storage. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#upkeep.close();
    this.scrolls.freeAll();
    await this.#snapshots.close();
    await this.replication?.close();
    await this.#node.close();
    await this.#services.transport.close();
    await this.#services.storage.close();
  }

  #gone(index: OpenIndex): void {
    this.scrolls.freeAll(index);
    for (const { counters } of index.shards) this.past.addPast(counters.take());
    this.#upkeep.gone(index);
  }

  /** Deletes the documents whose time to live was over at `now`; of nodes with a copy of a shard, one does so. */
  async deleteExpired(now: number): Promise<void> {
    const { replication } = this;
    for (const index of this.cluster.all())
      if (mayExpire(index))
        await deleteExpired(index, this.context(index, {}) as SearchContext, now, replication);
  }
}
