/** A node as part of a cluster: what its engine asks of the others, and answers them. */
import { copyChoice } from './copyPreference.js';
import { documentElsewhere } from './documentElsewhere.js';
import type { CopyChoice } from '../search/chosenShards.js';
import { LogMissing, LogUnavailable } from '../cluster/errors.js';
import type { Log } from '../cluster/log.js';
import type { ClusterServices as Services } from '../cluster/services.js';
import { ElasticsearchError, indexClosed, indexMissing, rejected } from '../errors.js';
import { isObject } from '../json/values.js';
import type { ClusterServices } from '../metadata/indexLifecycle.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Operation } from '../shard/operation.js';
import { RemoteShard } from '../shard/remoteShard.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import type { ShardIndex, ShardReplication } from '../shard/shardIndex.js';
import type { Outcome } from '../shard/writeQueue.js';
import { decodeText, encodeJson, encodeText, INDEX_RANGE } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import { Copies, type FetchedCopy } from './copies.js';
import { CopySources } from './copySources.js';
import { ReadAnswers } from './readAnswers.js';
import { ReadAsker, READ } from './readAsker.js';
import { ALIVE } from './silentNodes.js';
import type { AskedShard } from './readMessages.js';
import { CountedPeers } from './countedPeers.js';
import { decodeAnswer, encodeAnswer, type ForwardedAnswer, type ForwardedRequest } from './forwarding.js';
import { CopyComparison } from './copyComparison.js';
import { type DigestMark, LogDigest } from '../shard/logDigest.js';
import { ShardLog } from '../shard/shardLog.js';
import { readPlace as readShardPlace } from '../storage/logRows.js';
import { Repairs } from './repairs.js';
import { HeldCopies, KEEPS } from './heldCopies.js';
import { IndexFollower, notFollowing } from './indexFollower.js';
import { type Kept, keptByCopies } from './kept.js';
import { MappingChanges } from './mappingChanges.js';
import { countOf, type QuestionHandler, questionOf, type RegisterQuestion } from './message.js';
import { MetadataCopies } from './metadataCopies.js';
import { LoggedStorage, METADATA_LOG, MetadataLog, readPlace } from './metadataLog.js';
import { answersOf, type ClusterNode, everyone, majority, type NodeDetails, Nodes } from './nodes.js';
import { RemoteReads } from './remoteReads.js';
import { pause } from './pause.js';
import { delayOf, Placements } from './placements.js';
import { ReplicatedCluster } from './replicatedCluster.js';
import { TrimmedLogs } from './trimmedLogs.js';
import { KEPT_QUESTION, type Retention, Trimming } from './trimming.js';
import { ShardWriter } from './shardWriter.js';
import { ReplicatedSnapshots } from './snapshots.js';
import { KeptOutcomes } from './keptOutcomes.js';
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
  /** Milliseconds that the places of nodes that went are kept before others make copies. */
  graceMs?: number;
  /** Whether every node with data has a copy of everything, whatever the indices say. */
  isEverywhere?: boolean;
  /** Copies are compared after each so many messages of a shard. */
  comparedEvery?: number;
  services: Services;
}

/** What nodes do with the shards of indices for each other. */
export type Maintenance = 'refresh' | 'flush' | 'syncedFlush' | 'forceMerge' | 'clearCaches';

/** An index, and how far its log has to be carried out first. */
interface IndexPlace {
  name: string;
  uuid: string;
  position: number;
}

const NOTHING = new Uint8Array(0);
/** What a question is answered with that wants nothing but to be carried out. */
const DONE = encodeJson({});
const GRACE_MS = 60_000;
const COMPARED_EVERY = 10_000;
const DRAINED_MS = 20;
const QUESTION_MS = 30_000;
/** How long nodes are waited for that only tell of themselves. */
const ELSEWHERE_MS = 5000;
/** How long logs are waited for that only tell how long they are, and how many are asked at once. */
const LAG_MS = 1000;
const MOST_ASKED = 32;
const MAINTENANCE: readonly unknown[] = ['refresh', 'flush', 'syncedFlush', 'forceMerge', 'clearCaches'];

/** The replication of one node. */
export class Replication implements ShardReplication {
  readonly nodes: Nodes;
  /** Questions to other nodes. */
  readonly peers: CountedPeers;
  /** What snapshots need of the nodes. */
  readonly snapshots: ReplicatedSnapshots;
  readonly #options: ReplicationOptions;
  readonly #metadataLog: Log;
  readonly #followers = new Map<string, IndexFollower>();
  /** By index and number of the shard. */
  readonly #writers = new Map<string, ShardWriter>();
  /** Writes whose outcomes this node's copies are waited for, by index and number of the shard. */
  readonly #waiting = new Map<string, number>();
  readonly #kept: KeptOutcomes;
  readonly #writerQuestions: WriterQuestions;
  readonly #outcomes = new Map<number, (outcomes: Outcome[], position: number) => void>();
  readonly #mappings: MappingChanges;
  /** Reads of copies of other nodes, and what others read of those of this one. */
  readonly #asker: ReadAsker;
  readonly #reads: ReadAnswers;
  /** Barriers of logs that others may share. */
  readonly #barriers = new Map<Log, Promise<number>>();
  /** Copies that are fetched, and those that are handed over. */
  copies!: Copies;
  #sources!: CopySources;
  #placements!: Placements;
  #held!: HeldCopies;
  #comparison!: CopyComparison;
  /** Repairs of indices whose logs have lost messages. */
  repairs!: Repairs;
  #trimming!: Trimming;
  #trimmedLogs!: TrimmedLogs;
  #metadataCopies!: MetadataCopies;
  #metadata!: MetadataLog;
  #cluster!: ReplicatedCluster;
  #storage!: Storage;
  #services!: ClusterServices;
  #maintain: (action: Maintenance, indices: readonly OpenIndex[], argument: number) => Promise<void> =
    async () => {};
  #number = 0;
  #hasLeft = false;
  #details: NodeDetails;
  #messages = 0;
  #operations = 0;
  readonly #handlers = new Map<string, QuestionHandler>();
  #answers: (request: ForwardedRequest) => Promise<ForwardedAnswer> = () =>
    Promise.reject(new Error('it answers no requests'));

  private constructor(options: ReplicationOptions, metadataLog: Log) {
    const { node, services } = options;
    this.#options = options;
    this.#metadataLog = metadataLog;
    this.#details = { name: '', http: '', version: '', started: 0, data: options.data !== false };
    if (options.attributes !== undefined)
      this.#details = { ...this.#details, attributes: options.attributes };
    this.peers = new CountedPeers(services.peers);
    this.nodes = new Nodes(node, services.members, this.peers, services.clock);
    this.#kept = new KeptOutcomes(services.clock);
    this.#writerQuestions = new WriterQuestions({
      clock: services.clock,
      peers: this.peers,
      kept: this.#kept,
      copiesOf: (index, shard) => this.copiesOf(index, shard),
      followerOf: (uuid, signal) => this.#followerAt({ uuid }, signal),
    });
    this.#mappings = new MappingChanges({
      clock: services.clock,
      draft: (index) => this.#cluster.draft(index),
    });
    this.snapshots = new ReplicatedSnapshots({
      self: { node, incarnation: options.incarnation },
      clock: services.clock,
      lives: (process) => this.nodes.lives(process),
      nodes: () => this.nodes.all,
      copiesOf: (index, shard) => this.copiesOf(index, shard),
      ask: (id, kind, question, signal) => this.peers.ask(id, kind, encodeJson(question), signal),
      askOthers: (kind, question) => this.askOthers(kind, question),
      register: (kind, handler) => this.register(kind, handler),
      upToDate: (uuid, shard, signal) => this.#upToDate(uuid, shard, signal),
      current: (index) => this.current([index]),
      find: (uuid) => this.#followers.get(uuid)?.index,
      warn: (message) => this.#services.warn(message),
      storage: () => this.#storage,
      fetchInstead: (uuid, shard, reason) => this.#fetchInstead(uuid, shard, reason),
    });
    this.#asker = new ReadAsker(this.peers, services.clock, options.incarnation);
    this.#reads = new ReadAnswers({
      clock: services.clock,
      index: (at, asked) => this.#indexAt(at, asked),
      current: (index, shard, asked) => this.#currentAll(index, asked, shard),
    });
    this.#registerOwn();
  }

  /** Finds the cluster, or makes it. Throws `LogUnavailable` where its services can't be reached. */
  static async open(options: ReplicationOptions): Promise<Replication> {
    return new Replication(options, await options.services.logs.open(METADATA_LOG, { create: true }));
  }

  // -------------------------------------------------------------------------------- what the engine is built of

  /** The metadata of the node. Throws where its data are another cluster's, or of a single node. */
  cluster(services: ClusterServices): ReplicatedCluster {
    const { cluster } = this.#options;
    const place = readPlace(services.storage);
    if (place !== undefined && place.cluster !== cluster)
      throw new Error(`the data are those of a node of the cluster [${place.cluster}], not of [${cluster}]`);
    const [index] = services.storage.range(...INDEX_RANGE, { limit: 1, keysOnly: true });
    if (place === undefined && index !== undefined)
      throw new Error(
        'the data are those of a single node: start it without a cluster, export what it holds, and import that into the cluster',
      );
    const storage = new LoggedStorage(services.storage);
    this.#storage = services.storage;
    this.#services = services;
    const { logs } = this.#options.services;
    this.#cluster = new ReplicatedCluster(services, {
      storage,
      log: () => this.#metadata,
      self: this.nodes.self,
      createLog: async (name) => void (await logs.open(name, { create: true })),
      deleteLog: (name) => this.#deleteLog(name),
      everywhere: (position) => this.#tellAll('metadata', { position }),
      changed: () => {
        this.#placements.forget();
        this.#held.look();
      },
      changeMapping: (index, edit) => this.#changeMapping(index, edit),
    });
    this.#metadata = new MetadataLog({
      cluster,
      log: this.#metadataLog,
      storage: services.storage,
      clock: services.clock,
      warn: services.warn,
      follow: (position, command, commit) => this.#cluster.follow(position, command, commit),
      fetch: (signal) => this.#metadataCopies.fetch(signal),
      refill: (position, rows, commit) => this.#cluster.refill(position, rows, commit),
    });
    const register: RegisterQuestion = (kind, handler) => this.register(kind, handler);
    this.#metadataCopies = new MetadataCopies({ ...services, nodes: this.nodes, peers: this.peers });
    this.#metadataCopies.serve(register);
    this.#trimmedLogs = new TrimmedLogs({
      ...services,
      nodes: this.nodes,
      peers: this.peers,
      followerOf: (uuid, signal) => this.#followerAt({ uuid }, signal),
      renew: (index, shard, reason) => this.renew(index, shard, reason),
    });
    this.#trimmedLogs.serve(register);
    this.copies = new Copies({
      ...services,
      peers: this.peers,
      setting: (name) => this.#cluster.stored.setting(name),
    });
    this.#sources = new CopySources({
      ...services,
      incarnation: this.#options.incarnation,
      followerOf: (uuid, signal) => this.#followerAt({ uuid }, signal),
    });
    this.#sources.serve(register);
    this.#place(services);
    this.#trimming = new Trimming({
      ...services,
      nodes: this.nodes,
      peers: this.peers,
      setting: (name) => this.#cluster.stored.setting(name),
      kept: () => this.#neededLogs(),
      metadataLog: this.#metadataLog,
      logOf: (uuid) => this.#followers.get(uuid)?.log(),
      renewMapping: async (uuid) => {
        const follower = this.#followers.get(uuid);
        if (follower !== undefined && follower.failure === undefined) await this.#mappings.renew(follower);
      },
    });
    this.register(KEPT_QUESTION, async () => encodeJson(this.#neededLogs()));
    return this.#cluster;
  }

  /** Sets up what decides on copies. */
  #place({ storage, blobs, clock, warn }: ClusterServices): void {
    const { node, graceMs = GRACE_MS } = this.#options;
    const open = () => this.#cluster.all().filter(({ closed }) => !closed);
    this.#placements = new Placements({
      nodes: this.nodes,
      clock,
      graceMs,
      self: () => (this.hasData ? { attributes: {}, ...this.#details, id: node } : undefined),
      settings: () => {
        const { persistent, transient } = this.#cluster.stored.settings;
        return { ...persistent, ...transient };
      },
      longestDelay: () => Math.max(0, ...open().map(({ metadata }) => delayOf(metadata.settings.flat) ?? 0)),
      isEverywhere: this.#options.isEverywhere === true,
      changed: () => this.#held.look(),
    });
    this.#held = new HeldCopies({
      nodes: this.nodes,
      peers: this.peers,
      clock,
      storage,
      blobs,
      warn,
      placements: this.#placements,
      hasData: this.hasData,
      indices: () => this.#cluster.all(),
      follower: (uuid) => this.#followers.get(uuid),
      fetch: (index, shard, from, atLeast, signal) => this.fetchShard(index, shard, from, atLeast, signal),
      tell: (copies) => this.tell({ copies }),
      written: async ({ metadata }, shard) => {
        while (this.#waiting.has(`${metadata.uuid}/${shard}`)) await pause(clock, DRAINED_MS);
      },
    });
    this.repairs = new Repairs({
      self: node,
      failureOf: (index) => this.failureOf(index),
      find: (uuid) => this.#followers.get(uuid)?.index,
      placesOf: (index) => this.#placesOf(index),
      askOthers: (kind, question) => this.askOthers(kind, question),
      register: (kind, handler) => this.register(kind, handler),
      succeed: (uuid, metadata) => this.#cluster.succeed(uuid, metadata),
    });
    this.#comparison = new CopyComparison({
      self: node,
      clock: this.#options.services.clock,
      find: (uuid) => this.#followers.get(uuid)?.index,
      copiesOf: (index, shard) => this.searchableCopiesOf(index, shard),
      ask: (id, kind, question) => this.#askBriefly(id, kind, question),
      register: (kind, handler) => this.register(kind, handler),
      warn: (message) => this.#services.warn(message),
      renew: (index, shard, reason) => this.renew(index, shard, reason),
      fail: (index, reason) => this.#followers.get(index.metadata.uuid)?.fail(reason),
    });
    this.register(KEEPS, async (bytes) => this.#held.answer(bytes));
  }

  /** How far this node may have logs trimmed. */
  #neededLogs(): Kept {
    const indices = [...this.#followers].map(([uuid, { index, mappingPosition }]) => {
      const positions = [
        keptByCopies(this.#storage, index),
        this.copies.keptOf(uuid),
        this.#sources.keptOf(uuid),
      ].filter((position) => position !== undefined);
      const copies = positions.length === 0 ? {} : { copies: Math.min(...positions) };
      return [uuid, { ...copies, mapping: mappingPosition }] as const;
    });
    return { metadata: this.#metadata.position, indices: Object.fromEntries(indices) };
  }

  /** Trims all logs now, as far as living nodes let it. @param retention what stays; as the settings say, without */
  trim(retention?: Retention): Promise<void> {
    return this.#trimming.run(retention);
  }

  /** See {@link Copies.fetch}. */
  fetchShard(
    index: OpenIndex,
    shard: number,
    from: readonly ClusterNode[],
    atLeast: number,
    signal: AbortSignal,
  ): Promise<FetchedCopy> {
    return this.copies.fetch(index, shard, from, atLeast, signal);
  }

  /**
   * Carries out what the logs say, and lets others know of this node when it has come as far as they are.
   * @param maintain does something with the shards of indices on this node
   */
  async start(
    details: Omit<NodeDetails, 'data'>,
    maintain: (action: Maintenance, indices: readonly OpenIndex[], argument: number) => Promise<void>,
  ): Promise<void> {
    this.#maintain = maintain;
    this.#details = { ...this.#details, ...details };
    const { services, node, incarnation } = this.#options;
    await services.members.watch();
    this.#placements.follow();
    this.#metadata.follow();
    const signal = new AbortController().signal;
    await this.#catchUp(signal);
    await this.peers.serve((kind, bytes, asked) => this.#answer(kind, bytes, asked));
    this.#details = { ...this.#details, copies: this.#held.caughtUp() };
    await services.members.join({ node, incarnation, details: { ...this.#details } });
    // Whatever was acknowledged before others knew of this node is here from now on, and searchable.
    await this.#catchUp(signal);
    await maintain('refresh', this.#cluster.all(), 0);
    this.#held.start();
    this.#trimming.start();
    for (const index of this.#cluster.all()) this.#comparison.again(index);
  }

  /** Changes what the node says of itself. */
  async tell(details: Partial<NodeDetails>): Promise<void> {
    this.#details = { ...this.#details, ...details };
    // Saying anything would be joining again.
    if (this.#hasLeft) return;
    const { services, node, incarnation } = this.#options;
    await services.members.update({ node, incarnation, details: { ...this.#details } });
  }

  /** What settings of allocation name of this node besides. */
  get attributes(): Readonly<Record<string, string>> {
    return this.#details.attributes ?? {};
  }

  /** Whether this node may have copies of shards. */
  get hasData(): boolean {
    return this.#details.data;
  }

  #fetchInstead(uuid: string, shard: number, reason: string): boolean {
    const index = this.#followers.get(uuid)?.index;
    if (index === undefined) return false;
    const others = this.searchableCopiesOf(index, shard).filter(
      ({ id, copies }) => id !== this.nodes.self && copies?.[uuid]?.includes(shard) === true,
    );
    if (others.length === 0) return false;
    this.renew(index, shard, reason);
    return true;
  }

  /** See {@link HeldCopies.renew}. */
  renew(index: OpenIndex, shard: number, reason: string): void {
    this.#held.renew(index, shard, reason);
  }

  /** Whether this node has a copy of a shard that is searched and read here. */
  holds(index: OpenIndex, shard: number): boolean {
    return index.shards[shard]?.isHeld ?? this.#held.holdsAtOpening(index, shard);
  }

  /** The living nodes that a shard is placed on, whoever is asked in the same order. Not all of them may have their copies yet. */
  placementOf(index: OpenIndex, shard: number): ClusterNode[] {
    const { data } = this.nodes;
    const ids = this.#placements.of(index)[shard] ?? [];
    return ids.flatMap((id) => data.find((node) => node.id === id) ?? []);
  }

  /** How many copies each shard of an index is to have. */
  wantedCopies(index: OpenIndex): number {
    const { replicas } = index.metadata.settings;
    return this.#options.isEverywhere === true ? 1 + replicas : this.#placements.wanted(index);
  }

  /** How many places of a shard are kept for nodes that went. */
  delayedCopies(index: OpenIndex, shard: number): number {
    const ids = this.#placements.of(index)[shard] ?? [];
    return this.#placements.delayed(index).filter(({ id }) => ids.includes(id)).length;
  }

  /** The living nodes with a copy of a shard that may be searched, whoever is asked in the same order; the first is shown as the primary. */
  searchableCopiesOf(index: OpenIndex, shard: number): ClusterNode[] {
    const { data, self } = this.nodes;
    const { uuid } = index.metadata;
    const ids = this.#placements.of(index)[shard] ?? [];
    const having = data.filter(({ id, copies }) => {
      if (id === self) return this.#held.isSearchable(index, shard);
      const told = copies?.[uuid];
      // Who has not told of an index yet has just heard of it.
      if (Array.isArray(told)) return told.includes(shard);
      return ids.includes(id) && !('origin' in index.metadata) && !('continued' in index.metadata);
    });
    const rank = ({ id }: ClusterNode) => ids.indexOf(id) + 1 || ids.length + 1;
    return having.sort((a, b) => rank(a) - rank(b));
  }

  /**
   * The living nodes with a copy of a shard that may be searched: this one first where it is one of them, then the ones with the fewest
   * questions of this node under way.
   */
  copiesOf(index: OpenIndex, shard: number): ClusterNode[] {
    const { self } = this.nodes;
    const busy = ({ id }: ClusterNode) => (id === self ? -1 : this.peers.underWay(id));
    return this.searchableCopiesOf(index, shard).sort((a, b) => busy(a) - busy(b));
  }

  /** Why writes to an index fail on some node, or at the moment on this one; undefined where they don't. */
  failureOf(index: OpenIndex): string | undefined {
    const { uuid } = index.metadata;
    const of = (failures: NodeDetails['failures']) => failures?.[uuid];
    return (
      of(this.#details.failures) ??
      this.nodes.all.map(({ failures }) => of(failures)).find(Boolean) ??
      this.#followers.get(uuid)?.trouble
    );
  }

  /** The id of this node. */
  get self(): string {
    return this.nodes.self;
  }

  /** See {@link ShardReplication.shardElsewhere}. */
  shardElsewhere(
    name: string,
    shard: Pick<SearchedShard, 'number' | 'uid' | 'counters'>,
    preferred?: readonly string[],
  ): SearchedShard {
    return new RemoteShard(shard, this.#readsOf(name, shard.number, preferred));
  }

  #readsOf(name: string, shard: number, preferred?: readonly string[]): RemoteReads {
    const index = this.#cluster.index(name);
    const { uuid } = index.metadata;
    return new RemoteReads(
      {
        name: `[${name}][${shard}]`,
        at: () => {
          const mapping = this.#followers.get(uuid)?.mappingPosition ?? 0;
          return { index: name, uuid, shard, mapping };
        },
        copies: () => {
          const copies = this.copiesOf(index, shard).map(({ id }) => id);
          return preferred === undefined ? copies : preferred.filter((id) => copies.includes(id));
        },
      },
      this.#asker,
    );
  }

  /** The index that another node asks about, with at least the mapping that it asks by; undefined where it has gone. */
  async #indexAt({ uuid, mapping }: AskedShard, signal: AbortSignal): Promise<OpenIndex | undefined> {
    const follower = this.#followers.get(uuid) ?? (await this.#followerAt({ uuid }, signal));
    if (follower === undefined) return undefined;
    if (follower.mappingPosition < mapping) await follower.reachMapping(mapping, signal);
    return follower.index;
  }

  /** Answers requests of other nodes for what this one alone knows. */
  answers(answer: (request: ForwardedRequest) => Promise<ForwardedAnswer>): void {
    this.#answers = answer;
  }

  /** What another node answers to a request; throws `PeerUnreachable` or `PeerFailed` where it doesn't. */
  async forward(node: string, { method, uri, body }: ForwardedRequest): Promise<ForwardedAnswer> {
    return this.#within(async (signal) => {
      const question = encodeJson({ method, uri, body: decodeText(body) });
      return decodeAnswer(await this.peers.ask(node, 'request', question, signal));
    });
  }

  /** What all other nodes answer to such a request; those that don't answer in some seconds are left out. */
  async elsewhere(uri: string): Promise<Uint8Array[]> {
    return [...(await this.askOthers('get', { uri })).values()];
  }

  /** What all other nodes answer to a question, by their ids; those that don't answer in some seconds are left out. */
  async askOthers(kind: string, question: unknown): Promise<Map<string, Uint8Array>> {
    const timeout = new AbortController();
    const cancel = this.#services.clock.after(ELSEWHERE_MS, () =>
      timeout.abort(new Error('it took too long')),
    );
    try {
      return await answersOf(this.nodes, this.peers, kind, question, timeout.signal);
    } finally {
      cancel();
    }
  }

  /** How far the copies of an index are in the store. */
  #placesOf(index: OpenIndex): { places: Map<number, number>; mappingPosition: number } {
    const places = new Map<number, number>();
    for (const { number, uid, isHeld, opening, active } of index.shards)
      if (isHeld && active && !opening) places.set(number, readShardPlace(this.#storage, uid)?.position ?? 0);
    const mappingPosition = this.#followers.get(index.metadata.uuid)?.mappingPosition ?? 0;
    return { places, mappingPosition };
  }

  /** What a node answers; rejects where it doesn't in some seconds. */
  async #askBriefly(node: string, kind: string, question: unknown): Promise<Uint8Array> {
    const timeout = new AbortController();
    const late = () => timeout.abort(new Error('it took too long'));
    const cancel = this.#services.clock.after(ELSEWHERE_MS, late);
    try {
      return await this.peers.ask(node, kind, encodeJson(question), timeout.signal);
    } finally {
      cancel();
    }
  }

  /** Answers questions of a kind, which other nodes ask. */
  register(kind: string, handler: QuestionHandler): void {
    this.#handlers.set(kind, handler);
  }

  /** What this process has appended to logs of indices, and carried out of them. */
  get counts(): { appended: number; messages: number; operations: number } {
    return { appended: this.#number, messages: this.#messages, operations: this.#operations };
  }

  /**
   * Positions between the end of an index's log and what this node has carried out of it, by the index's name: messages, and parts of long
   * ones. An index whose log doesn't answer within a second is left out.
   */
  async lags(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const over = new AbortController();
    const cancel = this.#services.clock.after(LAG_MS, () => over.abort());
    const ended = new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const waiting = [...this.#followers.values()];
    const ask = async () => {
      for (let next = waiting.pop(); next !== undefined && !over.signal.aborted; next = waiting.pop())
        try {
          const last = await this.#last(await next.log());
          found.set(next.index.name, Math.max(0, last - next.carriedOut));
        } catch {
          // Health says which logs can't be reached.
        }
    };
    await Promise.race([ended, Promise.all(Array.from({ length: MOST_ASKED }, ask))]);
    cancel();
    return new Map(found);
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    await this.#metadata.current(signal);
    // What is being restored may not be there for long.
    const indices = this.#cluster.all().filter(({ filling }) => !filling);
    await Promise.all(indices.map((index) => this.#currentAll(index, signal)));
  }

  /** An index has open shards. */
  opened(index: OpenIndex): void {
    if (index.closed || index.shards.length === 0) return;
    const { warn, clock } = this.#services;
    const { logs } = this.#options.services;
    const follower = new IndexFollower(index, {
      logs,
      storage: this.#storage,
      clock,
      warn,
      carriedOut: ({ writer, number, isDistant }, outcomes, position) => {
        this.#messages++;
        this.#operations += outcomes.length;
        if (writer === this.#options.incarnation) this.#outcomes.get(number)?.(outcomes, position);
        if (isDistant === true) this.#kept.keep(writer, number, outcomes);
      },
      remapped: () => void this.#cluster.version++,
      trimmed: (of, first) => this.#trimmedLogs.renewCopies(of, first),
      fetchMapping: (of, first, signal) => this.#trimmedLogs.mappingOf(of, first, signal),
      outdated: (of, shard, reason) => this.renew(of, shard, reason),
      failed: ({ metadata }, reason) => {
        const failures = { ...this.#details.failures, [metadata.uuid]: reason };
        this.tell({ failures }).catch((e) => warn(`telling the other nodes: ${e}`));
      },
    });
    this.#followers.set(index.metadata.uuid, follower);
    this.#held.opened(index);
  }

  /** It hasn't any more. */
  gone(index: OpenIndex): void {
    const follower = this.#followers.get(index.metadata.uuid);
    if (follower === undefined) return;
    this.#held.gone(index);
    this.#followers.delete(index.metadata.uuid);
    for (const shard of index.shards.keys()) this.#writers.delete(`${index.metadata.uuid}/${shard}`);
    void follower.stop(index.closed ? indexClosed(index.name) : indexMissing(index.name));
  }

  /** Has other nodes ask this one nothing more; what it was asked before, and what its clients ask, it goes on with. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#placements.close();
    await this.#held.close();
    this.#comparison.close();
    await this.#options.services.members.leave().catch(() => {});
  }

  /** Ends what is under way; writes that wait are refused. */
  async close(): Promise<void> {
    const ended = rejected('the node is shutting down');
    await this.leave();
    this.#trimming.close();
    this.#metadataCopies.close();
    this.#sources.close();
    this.#asker.close();
    this.#reads.close();
    await this.#metadata.stop(ended);
    await Promise.all([...this.#followers.values()].map((follower) => follower.stop(ended)));
  }

  // ------------------------------------------------------------------------------------------------- documents

  readonly documentElsewhere = documentElsewhere;

  /** See {@link copyChoice}. */
  copyChoice(preference: string): CopyChoice | undefined {
    return copyChoice(this, preference);
  }

  logged(storage: Storage, uid: number): { log: ShardLog; digest: LogDigest } {
    const every = this.#options.comparedEvery ?? COMPARED_EVERY;
    return { log: new ShardLog(storage, uid), digest: new LogDigest(storage, uid, every) };
  }

  marked({ uuid }: ShardIndex, shard: number, mark: DigestMark): void {
    const index = this.#followers.get(uuid)?.index;
    if (index !== undefined) this.#comparison.marked(index, shard, mark);
  }

  fill(
    index: ShardIndex,
    shard: { uid: number; number: number },
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const { name, uuid, origin } = index;
    if (origin === undefined) return undefined;
    return this.snapshots.fill({ name, uuid, origin, filled: () => index.filled() }, shard, signal);
  }

  write(name: string, number: number, ops: readonly Operation[]): Promise<Outcome[]> {
    const index = this.#cluster.index(name);
    const follower = this.#follower(index);
    const key = `${index.metadata.uuid}/${number}`;
    let writer = this.#writers.get(key);
    if (writer === undefined) {
      writer = new ShardWriter(number, {
        clock: this.#services.clock,
        writer: this.#options.incarnation,
        follower,
        mappings: this.#mappings,
        outcomes: (message, signal) => this.#outcomesOf(key, message, signal),
        nextNumber: () => ++this.#number,
        copied: (of, at, position, level, signal) => this.#copied(of, at, position, level, signal),
        isHere: (of, at) => this.#held.isSearchable(of, at),
        elsewhere: this.#writerQuestions,
        last: async (of) => this.#last(await of.log()),
      });
      this.#writers.set(key, writer);
    }
    return writer.write(ops);
  }

  #follower(index: OpenIndex): IndexFollower {
    const follower = this.#followers.get(index.metadata.uuid);
    if (follower === undefined) throw index.closed ? indexClosed(index.name) : indexMissing(index.name);
    if (follower.failure !== undefined) throw notFollowing(index.name, follower.failure);
    return follower;
  }

  async #outcomesOf(
    shard: string,
    number: number,
    signal: AbortSignal,
  ): Promise<{ outcomes: Outcome[]; position: number }> {
    signal.throwIfAborted();
    this.#waiting.set(shard, 1 + (this.#waiting.get(shard) ?? 0));
    try {
      return await new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        this.#outcomes.set(number, (outcomes, position) => resolve({ outcomes, position }));
      });
    } finally {
      this.#outcomes.delete(number);
      const left = this.#waiting.get(shard)! - 1;
      if (left > 0) this.#waiting.set(shard, left);
      else this.#waiting.delete(shard);
    }
  }

  async #copied(
    index: OpenIndex,
    shard: number,
    position: number,
    level: 'QUORUM' | 'ALL',
    signal: AbortSignal,
  ): Promise<void> {
    const { name, metadata } = index;
    const place: IndexPlace = { name, uuid: metadata.uuid, position };
    // Where nobody has a copy, somebody will.
    const all = (copies: number) => Math.max(1, everyone(copies));
    const needed = level === 'ALL' ? all : majority;
    const copies = () => this.copiesOf(index, shard).map(({ id }) => id);
    await this.nodes.ask('reached', { place, shard }, needed, signal, copies);
  }

  /** Resolves when this node has all that was acknowledged before, by whatever node, of these indices. */
  async current(indices: readonly OpenIndex[]): Promise<void> {
    await this.#within(async (signal) => {
      await Promise.all(indices.map((index) => this.#currentAll(index, signal)));
    });
  }

  /** @param shard the only one that it is wanted of */
  async #currentAll(index: OpenIndex, signal: AbortSignal, shard?: number): Promise<void> {
    const follower = this.#followers.get(index.metadata.uuid);
    if (follower === undefined || follower.failure !== undefined) return;
    let last: number;
    try {
      last = await this.#last(await follower.log());
    } catch (e) {
      // Its documents are read nevertheless; it takes no writes.
      if (e instanceof LogMissing) return;
      throw e;
    }
    const reached =
      shard === undefined ? follower.reachAll(last, signal) : follower.reach(shard, last, signal);
    await reached.catch((e) => {
      if (follower.failure === undefined) throw e;
    });
  }

  /** The index of a uuid, when a shard of it here has all that was acknowledged before; undefined where there is none. */
  async #upToDate(uuid: string, shard: number, signal: AbortSignal): Promise<OpenIndex | undefined> {
    await this.#metadata.current(signal);
    const follower = this.#followers.get(uuid);
    if (follower === undefined || follower.index.shards[shard] === undefined) return undefined;
    // What has been carried out is still there where the log isn't.
    if (follower.failure === undefined)
      await follower.reach(shard, await this.#last(await follower.log()), signal);
    return follower.index;
  }

  /** The last position of a log, asked for after the call; who comes meanwhile shares the next question. */
  #last(log: Log): Promise<number> {
    const waiting = this.#barriers.get(log);
    if (waiting !== undefined) return waiting;
    // In a turn of its own, so that all of this one's requests share it.
    const asked = Promise.resolve().then(() => {
      this.#barriers.delete(log);
      return log.lastPosition();
    });
    this.#barriers.set(log, asked);
    return asked;
  }

  // --------------------------------------------------------------------------------------- mappings, maintenance

  async #changeMapping(index: OpenIndex, edit: (draft: OpenIndex) => void): Promise<void> {
    const position = await this.#mappings.change(this.#follower(index), edit);
    const place: IndexPlace = { name: index.name, uuid: index.metadata.uuid, position };
    await this.#tellAll('mapped', { place });
  }

  /** Does something with the shards of indices on all nodes, when they have all that was acknowledged before. */
  async everywhere(action: Maintenance, indices: readonly OpenIndex[], argument = 0): Promise<void> {
    await this.#within(async (signal) => {
      const places = await Promise.all(
        indices.map(async (index): Promise<IndexPlace> => {
          const { name, metadata } = index;
          return { name, uuid: metadata.uuid, position: await this.#last(await this.#follower(index).log()) };
        }),
      );
      const own = this.#maintained(action, places, argument, signal);
      await Promise.all([own, this.nodes.ask('maintain', { action, places, argument }, everyone, signal)]);
    });
  }

  async #maintained(
    action: Maintenance,
    places: readonly IndexPlace[],
    argument: number,
    signal: AbortSignal,
  ): Promise<void> {
    const indices = await Promise.all(
      places.map(async (place) => {
        const follower = await this.#followerAt(place, signal);
        // What is being restored has nothing to be looked after yet.
        if (follower === undefined || follower.index.filling) return [];
        const { index } = follower;
        const arriving = this.#held.arriving(index);
        await follower.reachAll(place.position, signal, arriving);
        // A copy that will be searched in a moment.
        await Promise.all(arriving.map((shard) => index.copyOf(shard)?.refresh()));
        return [index];
      }),
    );
    await this.#maintain(action, indices.flat(), argument);
  }

  /** The follower of an index that another node knows; undefined where the index has gone. */
  async #followerAt(
    { uuid }: Pick<IndexPlace, 'uuid'>,
    signal: AbortSignal,
  ): Promise<IndexFollower | undefined> {
    const known = this.#followers.get(uuid);
    if (known !== undefined) return known;
    await this.#metadata.current(signal);
    return this.#followers.get(uuid);
  }

  async #tellAll(kind: string, question: unknown): Promise<void> {
    try {
      await this.#within((signal) => this.nodes.ask(kind, question, everyone, signal));
    } catch (e) {
      // It is in force; who has not heard of it yet will.
      this.#services.warn(`not every node has confirmed a change of the metadata: ${(e as Error).message}`);
    }
  }

  /** Answers another node. */
  async #answer(kind: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const handler = this.#handlers.get(kind);
    if (handler === undefined) throw new Error(`nobody knows what [${kind}] asks`);
    return handler(bytes, signal);
  }

  /** Registers what this class answers itself. What another node sends is checked. */
  #registerOwn(): void {
    this.register(ALIVE, async () => NOTHING);
    this.register(READ, (bytes, signal) => this.#reads.answer(bytes, signal));
    for (const kind of ['outcomes', 'document'])
      this.register(kind, (bytes, signal) => this.#writerQuestions.answer(kind, bytes, signal));
    this.register('get', async (bytes) => {
      const { uri } = questionOf(bytes);
      return (await this.#answers({ method: 'GET', uri: String(uri), body: NOTHING })).body;
    });
    this.register('request', async (bytes) => {
      const { method, uri, body } = questionOf(bytes);
      const request = { method: String(method), uri: String(uri), body: encodeText(String(body)) };
      return encodeAnswer(await this.#answers(request));
    });
    this.register('metadata', async (bytes, signal) => {
      await this.#metadata.reach(countOf(questionOf(bytes).position), signal);
      return DONE;
    });
    this.register('reached', async (bytes, signal) => {
      const { place, shard } = questionOf(bytes);
      const at = placeOf(place);
      const number = countOf(shard);
      const follower = await this.#followerAt(at, signal);
      if (follower !== undefined) {
        if (!follower.has(number)) throw new Error('it has no copy of the shard');
        await follower.reach(number, at.position, signal);
      }
      return DONE;
    });
    this.register('mapped', async (bytes, signal) => {
      const at = placeOf(questionOf(bytes).place);
      await (await this.#followerAt(at, signal))?.reachMapping(at.position, signal);
      return DONE;
    });
    this.register('maintain', async (bytes, signal) => {
      const { places, action, argument } = questionOf(bytes);
      if (!MAINTENANCE.includes(action) || !Array.isArray(places))
        throw new Error('nobody knows what [maintain] asks');
      await this.#maintained(action as Maintenance, places.map(placeOf), countOf(argument), signal);
      return DONE;
    });
  }

  async #deleteLog(name: string): Promise<void> {
    try {
      await (await this.#options.services.logs.open(name)).delete();
    } catch {
      // Another node has deleted it, or will: every node tries.
    }
  }

  async #within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = new AbortController();
    const late = new ElasticsearchError(
      'UnavailableShardsException',
      `the cluster did not answer within ${QUESTION_MS / 1000}s`,
      { status: 503 },
    );
    const cancel = this.#services.clock.after(QUESTION_MS, () => timeout.abort(late));
    try {
      return await work(timeout.signal);
    } catch (e) {
      if (e instanceof LogUnavailable)
        throw new ElasticsearchError('UnavailableShardsException', e.message, { status: 503 });
      throw e;
    } finally {
      cancel();
    }
  }
}

function placeOf(value: unknown): IndexPlace {
  if (!isObject(value) || typeof value.name !== 'string' || typeof value.uuid !== 'string')
    throw new Error('a place that is none');
  return { name: value.name, uuid: value.uuid, position: countOf(value.position) };
}
