/** A node as part of a cluster: what its engine, and what answers its clients, ask of that. */
import { copyChoice } from './copyPreference.js';
import { documentElsewhere } from './documentElsewhere.js';
import type { CopyChoice } from '../search/chosenShards.js';
import { rejected } from '../errors.js';
import type { Breakers, SettingLookup } from '../limits/breakers.js';
import type { ClusterServices } from '../metadata/indexLifecycle.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { DigestMark } from '../shard/digestMark.js';
import { LogDigest } from '../shard/logDigest.js';
import type { Operation } from '../shard/operation.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import type { EncodedDocument, ShardIndex, ShardReplication } from '../shard/shardIndex.js';
import { ShardLog } from '../shard/shardLog.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Outcome } from '../shard/writeQueue.js';
import type { Storage } from '../storage/storage.js';
import type { WorkLimit } from '../workLimit.js';
import type { Copies } from './copies.js';
import { CountedPeers } from './countedPeers.js';
import { checkFormats, watchFormats } from './formatCheck.js';
import { FORMATS } from './formats.js';
import type { AnswerRequest, ForwardedAnswer, ForwardedRequest } from './forwarding.js';
import type { GivenDocuments } from './givenDocuments.js';
import { LoggedCommits } from './loggedCommits.js';
import type { Maintain, Maintenance } from './maintenance.js';
import { Membership } from './membership.js';
import type { ChosenNodes } from '../metadata/chosenNodes.js';
import type { QuestionHandler } from './message.js';
import type { MetadataRepair } from './metadataRepair.js';
import { type ClusterNode, type NodeDetails, Nodes } from './nodes.js';
import type { Repairs } from './repairs.js';
import type { ReplicatedCluster } from './replicatedCluster.js';
import { type ReplicationOptions, ReplicationParts } from './replicationParts.js';
import { type Rerouted, type RerouteCommand, reroute } from './reroute/execution.js';
import type { Rerouting } from './reroute/rerouting.js';
import type { KnownNode } from './reroute/resolveNode.js';
import { type ShardCopy, shardCopies } from './shardCopies.js';
import type { ReplicatedSnapshots } from './snapshots.js';
import type { Retention } from './trimming.js';

const COMPARED_EVERY = 10_000;

/** The replication of one node. */
export class Replication implements ShardReplication {
  readonly nodes: Nodes;
  /** Questions to other nodes. */
  readonly peers: CountedPeers;
  readonly #options: ReplicationOptions;
  readonly #membership: Membership;
  #parts!: ReplicationParts;
  #warn: (message: string) => void = () => {};

  private constructor(options: ReplicationOptions) {
    const { node, services, data, attributes, formats = FORMATS } = options;
    this.#options = options;
    this.#membership = new Membership(services.members, options, {
      data: data !== false,
      formats,
      ...(attributes === undefined ? {} : { attributes }),
    });
    this.peers = new CountedPeers(services.peers);
    this.nodes = new Nodes(node, services.members, this.peers, services.clock);
  }

  static async open(options: ReplicationOptions): Promise<Replication> {
    return new Replication(options);
  }

  // ----------------------------------------------------------------------------------------- a node's beginning and end

  /** The metadata of the node; called before anything else. Throws where its data are another cluster's, or of a single node. */
  cluster(services: ClusterServices): ReplicatedCluster {
    const { nodes, peers } = this;
    const base = { options: this.#options, nodes, peers };
    this.#warn = services.warn;
    this.#parts = new ReplicationParts({ ...base, membership: this.#membership }, services);
    return this.#parts.cluster;
  }

  /**
   * Carries out what the logs say, and lets others know of this node when it has come as far as they are.
   * @param maintain does something with the shards of indices on this node
   * @throws FormatsDiffer where a living node knows none of its formats, ClusterError where their log of metadata is gone
   */
  async start(details: Omit<NodeDetails, 'data' | 'formats'>, maintain: Maintain): Promise<void> {
    const { maintenance, placements, metadata, barriers, questions, reads } = this.#parts;
    const { held, trimming, comparison, cluster, diskWatch, marks } = this.#parts;
    const membership = this.#membership;
    const warn = this.#warn;
    maintenance.maintain = maintain;
    membership.describe(details);
    await membership.watch();
    const { formats } = membership.details;
    checkFormats(this.nodes, formats);
    placements.follow();
    await metadata.open(this.nodes.ids.length === 1);
    metadata.follow();
    const signal = new AbortController().signal;
    await barriers.catchUp(signal);
    await questions.serve();
    membership.describe({ copies: held.caughtUp(), ...diskWatch.first() });
    await membership.join();
    // Of two that come at the same moment at least the later one sees the other.
    checkFormats(this.nodes, formats);
    watchFormats(this.nodes, formats, warn);
    // Whatever was acknowledged before others knew of this node is here from now on, and searchable.
    await barriers.catchUp(signal);
    await maintain('refresh', cluster.all(), 0);
    reads.refreshed();
    held.start();
    trimming.start();
    marks.start();
    diskWatch.start();
    for (const index of cluster.all()) comparison.again(index);
  }

  /** Changes what the node says of itself. */
  tell(details: Partial<NodeDetails>): Promise<void> {
    return this.#membership.tell(details);
  }

  /** An index has shards, or is opened that was closed. */
  opened(index: OpenIndex): void {
    const { followers, held } = this.#parts;
    if (index.shards.length === 0) return;
    if (followers.find(index.metadata.uuid)?.index === index) {
      held.look();
      return;
    }
    followers.open(index);
    held.opened(index);
  }

  /** An index is closed: nothing is written to it from now on. */
  shut(index: OpenIndex): void {
    this.#parts.held.look();
    this.#parts.writers.gone(index);
  }

  /** It hasn't any more. */
  gone(index: OpenIndex): void {
    const { followers, held, writers } = this.#parts;
    if (followers.find(index.metadata.uuid) === undefined) return;
    held.gone(index);
    writers.gone(index);
    followers.end(index);
  }

  /** Has other nodes ask this one nothing more; what it was asked before, and what its clients ask, it goes on with. */
  async leave(): Promise<void> {
    if (!this.#membership.silence()) return;
    const { placements, held, comparison, diskWatch } = this.#parts;
    placements.close();
    diskWatch.close();
    await held.close();
    comparison.close();
    await this.#membership.leave();
  }

  /** Ends what is under way; writes that wait are refused. */
  async close(): Promise<void> {
    const { trimming, marks, metadataCopies, sources, reads, metadata, followers, stall } = this.#parts;
    const ended = rejected('the node is shutting down');
    await this.leave();
    trimming.close();
    marks.close();
    metadataCopies.close();
    sources.close();
    reads.close();
    // Before what can't be committed is given up: nothing behind that may be carried out.
    const stopped = followers.stop(ended);
    stall.close();
    await metadata.stop(ended);
    await stopped;
    // What the metadata have opened meanwhile.
    await followers.stop(ended);
  }

  // ------------------------------------------------------------------------------------------------------ other nodes

  /** The id of this node. */
  get self(): string {
    return this.nodes.self;
  }

  /** What settings of allocation name of this node besides. */
  get attributes(): Readonly<Record<string, string>> {
    return this.#membership.attributes;
  }

  /** Whether this node may have copies of shards. */
  get hasData(): boolean {
    return this.#membership.hasData;
  }

  /** Answers questions of a kind, which other nodes ask: see {@link RegisterQuestion}. */
  register(kind: string, handler: QuestionHandler, mostBytes?: number): void {
    this.#parts.questions.register(kind, handler, mostBytes);
  }

  /** What all other nodes answer to a question, by their ids; those that don't answer in some seconds are left out. */
  askOthers(kind: string, question: unknown): Promise<Map<string, Uint8Array>> {
    return this.#parts.questions.askOthers(kind, question);
  }

  /** Answers requests of other nodes for what this one alone knows. */
  answers(answer: AnswerRequest): void {
    this.#parts.forwarding.answer = answer;
  }

  /** What another node answers to a request; throws `PeerUnreachable` or `PeerFailed` where it doesn't. */
  forward(node: string, request: ForwardedRequest, limit: WorkLimit): Promise<ForwardedAnswer> {
    return this.#parts.forwarding.forward(node, request, limit);
  }

  /** What all other nodes answer to a GET; those that don't answer in some seconds are left out. */
  elsewhere(uri: string): Promise<Uint8Array[]> {
    return this.#parts.forwarding.elsewhere(uri);
  }

  /** What snapshots need of the nodes. */
  get snapshots(): ReplicatedSnapshots {
    return this.#parts.snapshots;
  }

  /** Repairs of the log of the metadata. */
  get metadataRepair(): MetadataRepair {
    return this.#parts.metadataRepair;
  }

  /** Repairs of indices whose logs have lost messages. */
  get repairs(): Repairs {
    return this.#parts.repairs;
  }

  // ------------------------------------------------------------------------------------------------- copies of shards

  /** Whether this node has a copy of a shard that is searched and read here. */
  holds(index: OpenIndex, shard: number): boolean {
    return index.shards[shard]?.isHeld ?? this.#parts.held.holdsAtOpening(index, shard);
  }

  /** See {@link KnownCopies.placed}. */
  placementOf(index: OpenIndex, shard: number, places?: readonly string[]): ClusterNode[] {
    return this.#parts.known.placed(index, shard, places);
  }

  /** See {@link KnownCopies.wanted}. */
  wantedCopies(index: OpenIndex): number {
    return this.#parts.known.wanted(index);
  }

  /** See {@link Placements.leftOf}. */
  leftOf(index: OpenIndex, shard: number): { node: string; at: number }[] {
    return this.#parts.placements.leftOf(index, shard);
  }

  /** See {@link KnownCopies.searchable}. */
  searchableCopiesOf(
    index: OpenIndex,
    shard: number,
    places?: readonly string[],
    choice?: ChosenNodes,
  ): ClusterNode[] {
    return this.#parts.known.searchable(index, shard, places, choice);
  }

  /** See {@link shardCopies}. */
  shardCopies(index: OpenIndex, shard: number): ShardCopy[] {
    return shardCopies(this, index, shard);
  }

  /** See {@link KnownCopies.isFirst}. */
  isFirstCopy(index: OpenIndex, shard: number): boolean {
    return this.#parts.known.isFirst(index, shard);
  }

  /** See {@link KnownCopies.leastBusy}. */
  copiesOf(index: OpenIndex, shard: number): ClusterNode[] {
    return this.#parts.known.leastBusy(index, shard);
  }

  /** See {@link copyChoice}. */
  copyChoice(preference: string): CopyChoice | undefined {
    return copyChoice(this, preference);
  }

  /** Copies that are fetched. */
  get copies(): Copies {
    return this.#parts.copies;
  }

  /** What commands that move copies change. */
  get rerouting(): Rerouting {
    return this.#parts.rerouting;
  }

  /** See {@link reroute}. */
  reroute(
    nodes: readonly KnownNode[],
    commands: readonly RerouteCommand[],
    options: { explain: boolean; isDryRun: boolean },
  ): Promise<Rerouted> {
    return reroute(this, nodes, commands, options);
  }

  /** See {@link HeldCopies.renew}. */
  renew(index: OpenIndex, shard: number, reason: string): void {
    this.#parts.held.renew(index, shard, reason);
  }

  // -------------------------------------------------------------------------------------------------------------- logs

  /** Resolves when this node has all that was acknowledged before, by whatever node, of these indices. */
  async current(indices: readonly OpenIndex[]): Promise<void> {
    const { questions, barriers } = this.#parts;
    await questions.within(async (signal) => {
      await Promise.all(indices.map((index) => barriers.current(index, signal)));
    });
  }

  /** See {@link Barriers.lags}. */
  lags(): Promise<Map<string, number>> {
    return this.#parts.barriers.lags();
  }

  /** What this process has appended to logs of indices, and carried out of them. */
  get counts(): { appended: number; messages: number; operations: number } {
    return { appended: this.#parts.writers.appended, ...this.#parts.outcomes.counts };
  }

  /** Why an index takes no writes, for good or at the moment; undefined where it does. */
  takesNoWrites(index: OpenIndex): string | undefined {
    const stalled = index.shards.map(({ number }) => this.#parts.known.stalled(index, number));
    return this.failureOf(index) ?? stalled.find((reason) => reason !== undefined);
  }

  /** Why indices take no writes, and nodes neither: sentences for whoever looks after the cluster; undefined where there are none. */
  troubles(indices: readonly OpenIndex[]): string[] | undefined {
    const ofNodes = this.#parts.known.stalledNodes();
    const ofIndices = indices.flatMap((index) => {
      const reason = this.failureOf(index);
      return reason === undefined ? [] : [`[${index.name}] takes no writes: ${reason}`];
    });
    const lost = this.metadataFailure;
    const ofMetadata = lost === undefined ? [] : [`the metadata can't be changed: ${lost}`];
    const all = [...ofMetadata, ...ofNodes, ...ofIndices];
    return all.length === 0 ? undefined : all;
  }

  /** Bounds what is answered to other nodes as settings of the cluster say. */
  configure(setting: SettingLookup, breakers: Breakers): void {
    this.#parts.reads.configure(setting, breakers);
  }

  /** Why writes to an index fail on some node, or at the moment on this one; undefined where they don't. */
  failureOf(index: OpenIndex): string | undefined {
    return this.#parts.failures.of(index);
  }

  /** See {@link LogFailures.lasting}. */
  lastingFailureOf(index: OpenIndex): string | undefined {
    return this.#parts.failures.lasting(index);
  }

  /** See {@link LogFailures.ofMetadata}. */
  get metadataFailure(): string | undefined {
    return this.#parts.failures.ofMetadata;
  }

  /** Trims all logs now, as far as living nodes let it. @param retention what stays; as the settings say, without */
  trim(retention?: Retention): Promise<void> {
    return this.#parts.trimming.run(retention);
  }

  /** See {@link ReplicatedMaintenance.knowOpen}. */
  knowOpen(indices: readonly OpenIndex[]): Promise<boolean> {
    return this.#parts.maintenance.knowOpen(indices);
  }

  /** Does something with the shards of indices on all nodes, when they have all that was acknowledged before. */
  everywhere(action: Maintenance, indices: readonly OpenIndex[], argument = 0): Promise<void> {
    return this.#parts.maintenance.everywhere(action, indices, argument);
  }

  // --------------------------------------------------------------------------------------------------- what shards need

  documentElsewhere(
    shard: { readonly isHeld: boolean; searched(): SearchedShard },
    types: readonly string[],
    id: string,
  ): StoredDocument | undefined {
    const index = this.#parts.cluster.all().find(({ shards }) => shards.some((each) => each === shard));
    const isHere = shard.isHeld && index !== undefined;
    return documentElsewhere(shard, types, id, isHere ? () => this.current([index]) : undefined);
  }

  /** Documents that requests bring and that are not written. */
  get given(): GivenDocuments {
    return this.#parts.given;
  }

  lacking(index: string, document: EncodedDocument): Error {
    return this.given.lacking(index, document);
  }

  shardElsewhere(
    name: string,
    shard: Pick<SearchedShard, 'number' | 'uid' | 'counters'>,
    preferred?: readonly string[],
  ): SearchedShard {
    return this.#parts.reads.elsewhere(this.#parts.cluster.index(name), shard, preferred);
  }

  logged(storage: Storage, uid: number): { log: ShardLog; digest: LogDigest; commits: LoggedCommits } {
    const every = this.#options.comparedEvery ?? COMPARED_EVERY;
    return {
      log: new ShardLog(storage, uid),
      digest: new LogDigest(storage, uid, every),
      commits: new LoggedCommits(storage, uid, this.#options.services.clock, this.#parts.stall),
    };
  }

  marked({ uuid }: ShardIndex, shard: number, mark: DigestMark): void {
    const index = this.#parts.followers.find(uuid)?.index;
    if (index !== undefined) this.#parts.comparison.marked(index, shard, mark);
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
    return this.#parts.writers.write(this.#parts.cluster.index(name), number, ops);
  }
}
