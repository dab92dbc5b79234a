/** What snapshots need of the nodes of a cluster, and these of each other's snapshots. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Shard } from '../shard/shard.js';
import type { ShardOrigin } from '../shard/shardIndex.js';
import type { ShardRecord } from './record.js';

/** A process that runs a node. */
export interface NodeProcess {
  node: string;
  incarnation: string;
}

/** A shard that some node with a copy of it is to write into a repository. */
export interface ShardTask {
  /** The same for all shards of one snapshot. */
  id: string;
  repository: string;
  shard: number;
  /** When it began, in milliseconds. */
  started: number;
}

/** What has been written of a shard so far. */
export interface Written {
  files: number;
  bytes: number;
}

/** A node that can use a repository, or why it can't. */
export interface NodeVerification {
  node: string;
  name: string;
  failure?: string;
}

/** What other nodes ask of the snapshots of this one. */
export interface SnapshotAnswers {
  /** Writes a shard of this node; `progress` is told of each file. */
  write(
    task: ShardTask,
    shard: Shard,
    progress: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<ShardRecord>;
  /** Fills a shard of this node with what its origin has. */
  fill(origin: ShardOrigin, shard: number, uid: number, signal: AbortSignal): Promise<void>;
  /** Tries whether a repository can be used here, and is where a node has planted a seed. */
  verify(repository: string, seed: string): Promise<void>;
}

/** The nodes of a cluster as snapshots see them. */
export interface SnapshotNodes {
  /** This process. */
  readonly self: NodeProcess;
  /** Whether a process is one of the living nodes, as far as this one knows. */
  lives(process: NodeProcess): boolean;
  /** Answers other nodes from now on. */
  serve(answers: SnapshotAnswers): void;
  /** Whether some living node has a copy of each shard that can be written. */
  hasAll(index: OpenIndex): boolean;
  /**
   * Has a node write a shard as it is after all that was acknowledged before; where that fails, another one. Rejects with the reason of the
   * last one, or that of the signal.
   */
  write(
    index: OpenIndex,
    task: ShardTask,
    progress: (written: Written) => void,
    signal: AbortSignal,
  ): Promise<ShardRecord>;
  /** Resolves when this node knows the mapping of all that has been written before. */
  current(index: OpenIndex): Promise<void>;
  /** Resolves when a living node has each shard of an index open. Rejects where the index goes first. */
  filled(index: OpenIndex): Promise<void>;
  /** Whether one has. */
  isFilled(index: OpenIndex): Promise<boolean>;
  /** What all living nodes say of a repository, by their ids. */
  verify(repository: string, seed: string): Promise<NodeVerification[]>;
}
