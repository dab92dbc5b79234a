/** The parts of a node of a cluster, each given what it needs of the others. */
import type { ClusterServices as Services } from '../cluster/services.js';
import type { ClusterServices } from '../metadata/indexLifecycle.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { INDEX_RANGE, encodeJson } from '../storage/records.js';
import { expandReplicas } from './autoExpand.js';
import { AwaitedOutcomes } from './awaitedOutcomes.js';
import { Barriers } from './barriers.js';
import { Copies } from './copies.js';
import { CopyComparison } from './copyComparison.js';
import { CopySources } from './copySources.js';
import type { CountedPeers } from './countedPeers.js';
import { Followers } from './followers.js';
import { COMPARED_FORMAT, type Formats, MARKS_FORMAT } from './formats.js';
import { Forwarding } from './forwarding.js';
import { GivenDocuments } from './givenDocuments.js';
import { HeldCopies } from './heldCopies.js';
import { IndexMarks } from './indexMarks.js';
import { KeptOutcomes } from './keptOutcomes.js';
import { keptOf } from './kept.js';
import { KnownCopies } from './knownCopies.js';
import { KnownNodes } from './knownNodes.js';
import { LogFailures } from './logFailures.js';
import { ReplicatedMaintenance } from './maintenance.js';
import { MappingChanges } from './mappingChanges.js';
import type { Membership } from './membership.js';
import { countOf, questionOf, type RegisterQuestion } from './message.js';
import { MetadataCopies } from './metadataCopies.js';
import { LoggedStorage, MetadataLog, readPlace } from './metadataLog.js';
import { MetadataLogs } from './metadataLogs.js';
import { MetadataRepair } from './metadataRepair.js';
import { NodeQuestions } from './nodeQuestions.js';
import type { Nodes } from './nodes.js';
import { pause } from './pause.js';
import { evictOne } from './reroute/eviction.js';
import { DiskWatch } from './diskWatch.js';
import type { DiskSpace } from './diskWatermarks.js';
import { delayOf, Placements } from './placements.js';
import { Repairs } from './repairs.js';
import { ReplicatedCluster } from './replicatedCluster.js';
import { Rerouting } from './reroute/rerouting.js';
import { ShardReads } from './shardReads.js';
import { ShardWriters } from './shardWriters.js';
import { ReplicatedSnapshots } from './snapshots.js';
import { StoreStall } from './storeStall.js';
import { TrimmedLogs } from './trimmedLogs.js';
import { Trimming } from './trimming.js';
import { WriterQuestions } from './writerQuestions.js';

/** What a node is told of the cluster. */
export interface ReplicationOptions {
  /** The cluster's name. */
  cluster: string;
  /** The node's id, kept in its data. */
  node: string;
  /** Another one for each process. */
  incarnation: string;
  /** Whether it may have copies of shards; it may without. */
  data?: boolean;
  /** What settings of allocation name besides, such as a zone. */
  attributes?: Readonly<Record<string, string>>;
  /** The disk that the node's data are on; undefined where that isn't known. */
  disk?: () => DiskSpace | undefined;
  /** Milliseconds that the places of nodes that went are kept before others make copies. */
  graceMs?: number;
  /** Whether every node with data has a copy of everything, whatever the indices say. */
  isEverywhere?: boolean;
  /** Copies are compared after each so many messages of a shard. */
  comparedEvery?: number;
  /** What the node knows of what nodes tell each other; what this version knows without. */
  formats?: Formats;
  services: Services;
}

/** What there is before the engine. */
export interface ReplicationBase {
  options: ReplicationOptions;
  nodes: Nodes;
  peers: CountedPeers;
  membership: Membership;
}

const GRACE_MS = 60_000;
const DRAINED_MS = 20;

/**
 * Metadata come first, then the logs of indices that are followed, the copies of their shards, and last what is asked of those.
 * What an earlier part needs of a later one, it calls when it is needed.
 */
export class ReplicationParts {
  readonly questions: NodeQuestions;
  readonly cluster: ReplicatedCluster;
  readonly metadata: MetadataLog;
  readonly metadataCopies: MetadataCopies;
  readonly metadataRepair: MetadataRepair;
  readonly outcomes: AwaitedOutcomes;
  readonly followers: Followers;
  readonly failures: LogFailures;
  readonly barriers: Barriers;
  readonly placements: Placements;
  readonly copies: Copies;
  readonly sources: CopySources;
  readonly held: HeldCopies;
  readonly known: KnownCopies;
  readonly mappings: MappingChanges;
  readonly marks: IndexMarks;
  readonly given: GivenDocuments;
  readonly writers: ShardWriters;
  readonly reads: ShardReads;
  readonly maintenance: ReplicatedMaintenance;
  readonly forwarding: Forwarding;
  readonly comparison: CopyComparison;
  readonly repairs: Repairs;
  readonly rerouting: Rerouting;
  readonly snapshots: ReplicatedSnapshots;
  readonly trimming: Trimming;
  readonly diskWatch: DiskWatch;
  readonly stall: StoreStall;
  readonly #base: ReplicationBase;
  readonly #services: ClusterServices;
  readonly #trimmedLogs: TrimmedLogs;

  /** Throws where the node's data are another cluster's, or of a single node. */
  constructor(base: ReplicationBase, services: ClusterServices) {
    checkData(base.options.cluster, services);
    this.#base = base;
    this.#services = services;
    const { options, nodes, peers, membership } = base;
    const { clock, storage, warn } = services;
    const { incarnation } = options;
    this.questions = new NodeQuestions({ nodes, peers, clock, warn });
    const { questions } = this;
    const register: RegisterQuestion = (kind, handler, mostBytes) =>
      questions.register(kind, handler, mostBytes);

    this.stall = new StoreStall({
      stalled: (stalled) => {
        warn(`the node follows its logs no further for now: ${stalled}`);
        this.held.stall();
        this.#tellStall(stalled);
      },
      resumed: () => {
        warn('the node follows its logs again');
        this.held.resume();
        this.#tellStall(undefined);
      },
    });
    const { stall } = this;
    const logged = new LoggedStorage(storage);
    const metadataLogs = new MetadataLogs(options.services.logs);
    this.metadata = this.#metadataLog(metadataLogs);
    this.cluster = this.#cluster(logged);
    this.metadataCopies = new MetadataCopies({ ...services, nodes, peers });
    this.metadataRepair = new MetadataRepair({
      clock,
      nodes,
      questions,
      log: this.metadata,
      logs: metadataLogs,
      copies: this.metadataCopies,
      indices: () => this.cluster.all(),
    });

    const kept = new KeptOutcomes(clock);
    this.outcomes = new AwaitedOutcomes(incarnation, kept);
    this.#trimmedLogs = new TrimmedLogs({
      clock,
      nodes,
      peers,
      followerOf: (uuid, signal) => this.followers.known(uuid, signal),
      renew: (index, shard, reason) => this.held.renew(index, shard, reason),
    });
    this.followers = this.#followers();
    const { followers } = this;
    const arriving = (index: OpenIndex) => this.held.arriving(index);
    this.failures = new LogFailures({ membership, nodes, metadata: this.metadata, followers, warn });
    this.barriers = new Barriers({
      clock,
      stall,
      followers,
      currentMetadata: (signal) => this.metadata.currentOrLost(signal),
      indices: () => this.cluster.all(),
      arriving,
    });
    const { barriers } = this;
    const followerOf = (uuid: string, signal: AbortSignal) => followers.known(uuid, signal);

    this.placements = this.#placements();
    this.copies = new Copies({
      ...services,
      peers,
      setting: (name) => this.cluster.stored.setting(name),
      isMoving: (index, shard) => this.known.isMoving(index, shard),
      reachMapping: (index, position, signal) => followers.of(index).reachMapping(position, signal),
    });
    this.sources = new CopySources({ ...services, incarnation, followerOf });
    this.held = this.#held();
    const isSearchable = (index: OpenIndex, shard: number) => this.held.isSearchable(index, shard);
    this.known = new KnownCopies({
      nodes,
      peers,
      placements: this.placements,
      isEverywhere: options.isEverywhere === true,
      isSearchable,
      stalled: () => stall.reason,
    });
    const { known } = this;
    this.rerouting = new Rerouting({
      nodes,
      followers,
      questions,
      placements: this.placements,
      held: this.held,
      cluster: this.cluster,
    });

    this.mappings = new MappingChanges({
      clock,
      stall,
      followers,
      questions,
      draft: (index) => this.cluster.draft(index),
    });
    this.marks = new IndexMarks({
      clock,
      stall,
      nodes,
      followers,
      questions,
      mappings: this.mappings,
      indices: () => this.cluster.all(),
      knowMarks: () => this.#know(MARKS_FORMAT),
    });
    this.given = new GivenDocuments({
      admit: (index, document) =>
        this.mappings.admit(followers.of(this.cluster.index(index)), [{ ...document, kind: 'index' }]),
    });
    const copiesOf = (index: OpenIndex, shard: number) => known.leastBusy(index, shard);
    const elsewhere = new WriterQuestions({ clock, peers, kept, copiesOf, followerOf });
    this.writers = new ShardWriters({
      clock,
      turn: services.turn,
      writer: incarnation,
      stall,
      nodes,
      followers,
      barriers,
      mappings: this.mappings,
      outcomes: this.outcomes,
      elsewhere,
      copies: known,
      knowCompared: () => this.#know(COMPARED_FORMAT),
      differs: (...confirmed) => this.comparison.differs(...confirmed),
      marked: (...mark) => void this.comparison.marked(...mark),
      isSearchable,
    });
    this.reads = new ShardReads({ clock, peers, incarnation, followers, barriers, copies: known });
    nodes.onChange(() => this.reads.letGo((process) => nodes.runs(process)));
    this.maintenance = new ReplicatedMaintenance({
      nodes,
      questions,
      followers,
      barriers,
      stall,
      arriving,
    });
    this.forwarding = new Forwarding(questions);
    this.comparison = this.#comparison(register);
    this.repairs = this.#repairs(register);
    this.snapshots = this.#snapshots(register);
    this.trimming = this.#trimming();
    this.diskWatch = this.#diskWatch();

    register('metadata', async (bytes, signal) => {
      await this.metadata.reach(countOf(questionOf(bytes).position), signal);
      return encodeJson({});
    });
    const served = [
      this.metadataCopies,
      this.metadataRepair,
      this.#trimmedLogs,
      this.sources,
      this.held,
      this.rerouting,
      this.mappings,
      this.marks,
      elsewhere,
      this.writers,
      this.reads,
      this.maintenance,
      this.forwarding,
      this.trimming,
    ];
    for (const part of served) part.serve(register);
  }

  /** Whether all living nodes know a format. */
  #know(format: number): boolean {
    const { nodes, membership } = this.#base;
    const knows = ({ formats }: { formats: Formats }) => formats.newest >= format;
    return knows(membership.details) && nodes.all.every(knows);
  }

  #tellStall(stalled: string | undefined): void {
    const { warn } = this.#services;
    this.#base.membership.tell({ stalled }).catch((e) => warn(`telling the other nodes: ${e}`));
  }

  #metadataLog(logs: MetadataLogs): MetadataLog {
    const { options } = this.#base;
    return new MetadataLog({
      ...this.#services,
      cluster: options.cluster,
      logs,
      failed: (reason) => this.failures.metadataFailed(reason),
      follow: (position, command, commit) => this.cluster.follow(position, command, commit),
      fetch: (after, signal) => this.metadataCopies.fetch(after, signal),
      refill: (position, rows, commit) => this.cluster.refill(position, rows, commit),
    });
  }

  #cluster(storage: LoggedStorage): ReplicatedCluster {
    const { nodes, options } = this.#base;
    const { logs } = options.services;
    return new ReplicatedCluster(this.#services, {
      storage,
      log: () => this.metadata,
      self: nodes.self,
      createLog: async (name) => void (await logs.open(name, { create: true })),
      deleteLog: async (name) => {
        try {
          await (await logs.open(name)).delete();
        } catch {
          // Another node has deleted it, or will: every node tries.
        }
      },
      everywhere: (position) => this.questions.tellAll('metadata', { position }),
      changed: () => {
        this.placements.forget();
        this.#replaced();
        this.diskWatch.again();
      },
      changeMapping: (index, edit) => this.mappings.changeEverywhere(index, edit),
      knowMarks: () => this.#know(MARKS_FORMAT),
      marks: () => this.marks,
    });
  }

  #followers(): Followers {
    const { nodes } = this.#base;
    return new Followers({
      ...this.#services,
      logs: this.#base.options.services.logs,
      current: (signal) => this.metadata.current(signal),
      carriedOut: (message, outcomes, position) => this.outcomes.carriedOut(message, outcomes, position),
      remapped: () => void this.cluster.version++,
      trimmed: (index, first) => this.#trimmedLogs.renewCopies(index, first),
      fetchMapping: (index, first, signal) => this.#trimmedLogs.mappingOf(index, first, signal),
      outdated: (index, shard, reason) => {
        if (nodes.othersWith(index.metadata.uuid, shard).length === 0) return false;
        this.held.renew(index, shard, reason);
        return true;
      },
      failed: (index, reason) => this.failures.failed(index, reason),
    });
  }

  #placements(): Placements {
    const { options, nodes, membership } = this.#base;
    const { node, graceMs = GRACE_MS } = options;
    return new Placements({
      nodes,
      known: new KnownNodes(this.#services.storage),
      clock: this.#services.clock,
      graceMs,
      self: () => (membership.hasData ? { attributes: {}, ...membership.details, id: node } : undefined),
      settings: () => {
        const { persistent, transient } = this.cluster.stored.settings;
        return { ...persistent, ...transient };
      },
      longestDelay: () =>
        Math.max(0, ...this.cluster.all().map(({ metadata }) => delayOf(metadata.settings.flat) ?? 0)),
      indices: () => this.cluster.all(),
      isEverywhere: options.isEverywhere === true,
      changed: () => this.#replaced(),
    });
  }

  #diskWatch(): DiskWatch {
    const { options, nodes, membership } = this.#base;
    const { disk = () => undefined } = options;
    const { known, placements, rerouting } = this;
    return new DiskWatch({
      ...this.#services,
      disk: membership.hasData ? disk : () => undefined,
      settings: () => rerouting.settings,
      tell: (details) => membership.tell(details),
      evict: () =>
        evictOne({
          self: nodes.self,
          nodes,
          rerouting,
          searchableCopiesOf: (...asked) => known.searchable(...asked),
          placementOf: (...asked) => known.placed(...asked),
          wantedCopies: (index) => known.wanted(index),
          leftOf: (index, shard) => placements.leftOf(index, shard),
        }),
    });
  }

  /** Copies may have to be elsewhere, or more of them, or fewer. */
  #replaced(): void {
    if (this.#base.options.isEverywhere !== true) expandReplicas(this.cluster.all(), this.placements);
    this.held.look();
  }

  #held(): HeldCopies {
    const { nodes, peers, membership } = this.#base;
    const { clock } = this.#services;
    return new HeldCopies({
      ...this.#services,
      nodes,
      peers,
      placements: this.placements,
      hasData: membership.hasData,
      indices: () => this.cluster.all(),
      follower: (uuid) => this.followers.find(uuid),
      fetch: (index, shard, from, atLeast, signal) => this.copies.fetch(index, shard, from, atLeast, signal),
      tell: (copies) => membership.tell({ copies }),
      written: async (index, shard) => {
        while (this.writers.isWaiting(index, shard)) await pause(clock, DRAINED_MS);
      },
    });
  }

  #comparison(register: RegisterQuestion): CopyComparison {
    const { nodes, options } = this.#base;
    return new CopyComparison({
      self: nodes.self,
      clock: options.services.clock,
      find: (uuid) => this.followers.find(uuid)?.index,
      copiesOf: (index, shard) => this.known.searchable(index, shard),
      ask: (id, kind, question) => this.questions.askBriefly(id, kind, question),
      register,
      warn: this.#services.warn,
      renew: (index, shard, reason) => this.held.renew(index, shard, reason),
      fail: ({ metadata }, reason) => this.followers.find(metadata.uuid)?.fail(reason),
    });
  }

  #repairs(register: RegisterQuestion): Repairs {
    return new Repairs({
      self: this.#base.nodes.self,
      storage: this.#services.storage,
      failureOf: (index) => this.failures.lasting(index),
      find: (uuid) => this.followers.find(uuid)?.index,
      mappingPositionOf: (uuid) => this.followers.find(uuid)?.mappingPosition ?? 0,
      askOthers: (kind, question) => this.questions.askOthers(kind, question),
      demandAll: (answered) => this.questions.demandAll(answered),
      register,
      succeed: (index, made) => this.cluster.succeed(index, made),
    });
  }

  #snapshots(register: RegisterQuestion): ReplicatedSnapshots {
    const { options, nodes } = this.#base;
    const { node, incarnation, services } = options;
    const { questions, barriers } = this;
    return new ReplicatedSnapshots({
      self: { node, incarnation },
      clock: services.clock,
      storage: this.#services.storage,
      lives: (process) => nodes.lives(process),
      nodes: () => nodes.all,
      // In the same order for every snapshot: segments of other copies are others, and would be written again.
      copiesOf: (index, shard) => this.known.searchable(index, shard),
      ask: (id, kind, question, signal) => questions.ask(id, kind, question, signal),
      askOthers: (kind, question) => questions.askOthers(kind, question),
      register,
      upToDate: (uuid, shard, signal) => barriers.upToDate(uuid, shard, signal),
      current: (index) => questions.within((signal) => barriers.current(index, signal)),
      find: (uuid) => this.followers.find(uuid)?.index,
      warn: this.#services.warn,
      fetchInstead: (uuid, shard, reason) => {
        const index = this.followers.find(uuid)?.index;
        const others = index === undefined ? [] : this.known.searchable(index, shard);
        const told = nodes.othersWith(uuid, shard).map(({ id }) => id);
        if (index === undefined || !others.some(({ id }) => told.includes(id))) return false;
        this.held.renew(index, shard, reason);
        return true;
      },
    });
  }

  #trimming(): Trimming {
    const { nodes, peers, options } = this.#base;
    const { storage } = this.#services;
    const { followers, metadata, copies, sources } = this;
    return new Trimming({
      ...this.#services,
      logs: options.services.logs,
      nodes,
      peers,
      setting: (name) => this.cluster.stored.setting(name),
      kept: () =>
        keptOf({
          storage,
          metadata: metadata.position,
          indices: followers.all,
          moving: [copies, sources],
        }),
      metadataLog: () => metadata.log,
      logOf: (uuid, had) => {
        const follower = followers.find(uuid);
        // Where nobody has a copy, nobody says what a copy that comes needs of it.
        return follower?.index.shards.every(({ number }) => had.has(number)) === true
          ? follower.log()
          : undefined;
      },
      renewMapping: async (uuid) => {
        const follower = followers.find(uuid);
        if (follower !== undefined && follower.failure === undefined) await this.mappings.renew(follower);
      },
      removeUnnamed: (logs) => this.cluster.removeUnnamed(logs),
    });
  }
}

/** Throws where a node's data are another cluster's, or of a single node. */
function checkData(cluster: string, { storage }: ClusterServices): void {
  const place = readPlace(storage);
  if (place !== undefined && place.cluster !== cluster)
    throw new Error(`the data are those of a node of the cluster [${place.cluster}], not of [${cluster}]`);
  const [index] = storage.range(...INDEX_RANGE, { limit: 1, keysOnly: true });
  if (place === undefined && index !== undefined)
    throw new Error(
      'the data are those of a single node: start it without a cluster, export what it holds, and import that into the cluster',
    );
}
