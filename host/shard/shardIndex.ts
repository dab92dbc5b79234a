/** What a shard needs of those it belongs to: the engine, and its index. */
import type { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import type { ElasticsearchError } from '../errors.js';
import type { Encoded } from '../mapping/documents.js';
import type { GivenTimes, Times } from '../mapping/documentTimes.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Rows } from '../storage/rows.js';
import type { Blobs, CommitOptions, Entry, Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { DigestMark } from './digestMark.js';
import type { LogDigest } from './logDigest.js';
import type { Operation } from './operation.js';
import type { ShardTransport } from './shardClient.js';
import type { FollowerSearches, ShardLeader } from './shardLeader.js';
import type { SearchedShard } from './searchedShard.js';
import type { ShardLog } from './shardLog.js';
import type { ShardDocuments } from './shardDocuments.js';
import type { SlowLog } from '../settings/slowlog.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import type { Outcome, Span } from './writeQueue.js';

/** What a shard needs of the engine. */
export interface ShardServices {
  storage: Storage;
  blobs: Blobs;
  clock: Clock;
  transport: ShardTransport;
  /** Calls back in the next turn of the event loop. */
  turn(callback: () => void): void;
  warn(message: string): void;
  /** Told of what took long. */
  slow?: SlowLog;
  /** Whoever decides what is written to the shards, where that isn't this engine. */
  leader?: ShardLeader;
  /** Searches of engines that follow this one. */
  followers?: FollowerSearches;
  /** Orders the writes of shards of which other nodes have copies. */
  replication?: ShardReplication;
  /** What is said to a search that needs too much of a field's values. */
  refuseFielddata?(field: string): ElasticsearchError;
}

/** What the shards of a restored index begin with, before any log: those of an index in a snapshot. */
export interface ShardOrigin {
  repository: string;
  snapshot: string;
  index: string;
  /** SHA-256 of the snapshot's record: another one of that name is another origin. */
  digest: string;
}

/** Orders writes: each node carries them out, with {@link Shard.apply}, in the order that it finds them in. */
export interface ShardReplication {
  /** Whether this node has a copy of a shard, or is making one. */
  holds(index: ShardIndex, shard: number): boolean;
  /** The id of this node. */
  readonly self: string;
  /** The shard as one request sees the copy of another node. @param preferred the only nodes that may be asked, in their order */
  shardElsewhere(
    index: string,
    shard: Pick<SearchedShard, 'number' | 'uid' | 'counters'>,
    preferred?: readonly string[],
  ): SearchedShard;
  /**
   * The newest version of a document that another node has, or may have written just now, of the first type that has it: where it must be
   * waited for, the work begins anew.
   */
  documentElsewhere(
    shard: { readonly isHeld: boolean; searched(): SearchedShard },
    types: readonly string[],
    id: string,
  ): StoredDocument | undefined;
  /**
   * Fills the store with what a shard begins with; undefined where it has that. What fails is tried again until it is there, or the signal
   * aborts.
   */
  fill(
    index: ShardIndex,
    shard: { uid: number; number: number },
    signal: AbortSignal,
  ): Promise<void> | undefined;
  /** How far a shard has followed its log, a hash of what it has made of that, and what commits it. */
  logged(storage: Storage, uid: number): { log: ShardLog; digest: LogDigest; commits: LoggedCommits };
  /** This node's copy of a shard has come to such a mark, which is in the store. */
  marked(index: ShardIndex, shard: number, mark: DigestMark): void;
  /** What is to be thrown where the mapping lacks what a document needs that is not to be written. */
  lacking(index: string, document: EncodedDocument): Error;
  /** Resolves with what became of them, when enough copies have them. */
  write(index: string, shard: number, ops: readonly Operation[]): Promise<Outcome[]>;
}

/** What may keep a commit back. */
export interface CommitGate {
  /** Whether the shard goes: nothing is tried again. */
  isOver(): boolean;
  /** What has to resolve before anything is tried again; undefined where nothing has to. */
  frozen(): Promise<void> | undefined;
}

/** Commits what a log says of a shard. */
export interface LoggedCommits {
  /** Commits rows and how far the log has been followed; tries that until it succeeds. Rejects where it is given up, or the shard goes. */
  commit(rows: Rows, spans: readonly Span[], options: CommitOptions, gate: CommitGate): Promise<void>;
  /** Resolves when a commit has failed and waits to be tried again. */
  paused(): Promise<void>;
}

/** Metadata of an index as they were when they were written. */
export interface ChangedMetadata {
  readonly entry: Entry;
  /** The version of the mapping in it. */
  readonly version: number;
  /** What was in force beside the mapping. */
  readonly rest: unknown;
}

/** What of a document is indexed. */
export type EncodedDocument = Pick<StoredDocument, 'type' | 'id' | 'parent' | 'source'> & {
  routing?: string | undefined;
};

/** What a shard needs of its index. */
export interface ShardIndex {
  readonly name: string;
  /** Whether it is closed: then it has no open shards. */
  readonly closed: boolean;
  readonly settings: FlatSettings;
  readonly uuid: string;
  /** What its shards begin with; undefined where that is nothing. */
  readonly origin: ShardOrigin | undefined;
  /** A shard was filled with what its origin has. */
  filled(): void;
  /** How long after their acknowledgement writes may be durable, in milliseconds; undefined where they are at once. */
  readonly syncWithin: number | undefined;
  /** Versions of deletions count for so many milliseconds. */
  readonly gcDeletes: number;
  /** All fields, in the order they were defined; it only grows. */
  fields(): readonly CoreField[];
  /**
   * Parses a document and writes it into the batch; a bad one throws and leaves the batch as it was. Its nested documents have the
   * numbers from `seq` on; the one behind is its own. `own` is given where it has that already.
   */
  encode(
    batch: BatchWriter,
    seq: number,
    doc: EncodedDocument,
    times?: GivenTimes | Times,
    own?: number,
  ): Encoded;
  /** The same of a document to be written, in turns; `work` counts the steps. */
  encodeInTurns(
    batch: BatchWriter,
    seq: number,
    doc: EncodedDocument,
    work: WorkLimit,
    times?: GivenTimes | Times,
  ): Turns<Encoded>;
  /** Bytes of a source from which on parsing it may take long, whatever it holds. */
  readonly longFrom: number;
  /** The name of a field by its number. */
  fieldName(number: number): string;
  /** Grows when a document brings a type or a field. */
  readonly mappingVersion: number;
  /** Whether documents of the type are more than their fields, such as queries. */
  watches(type: string): boolean;
  /** Refuses such a document, in turns; called before it is encoded to be written. */
  check(doc: { type: string; id: string; source: Uint8Array }, work: WorkLimit): Promise<void>;
  /** Such documents were written or deleted; resolves when what follows from that is in force. */
  written(
    shard: { readonly documents: ShardDocuments },
    documents: readonly { type: string; id: string }[],
  ): Promise<void>;
  /**
   * The index's metadata if they changed since they were last committed, written in turns. Who commits them takes them with
   * {@link takeMetadata} in the turn in which the commit begins.
   */
  changedMetadata(): Promise<ChangedMetadata> | undefined;
  /** The row of metadata that are to be committed now; undefined where newer ones have been, or are about to be. */
  takeMetadata(changed: ChangedMetadata): Entry | undefined;
  /** The metadata that were taken are in the store. */
  metadataKept(): void;
  /** The metadata that were taken could not be committed: they are changed still. */
  metadataLost(): void;
}
