/** What an engine that follows another one has of its shards: the leader decides what is written, a follower searches and reads. */
import type { Counters } from './counters.js';
import type { ShardClient } from './shardClient.js';

/** The leader, as a follower sees it. */
export interface ShardLeader {
  /**
   * A way to a shard that the leader has open; fails where it can't be opened, or is there no more.
   * @param lost the way that was had before, if it leads nowhere any more
   */
  connect(uid: number, lost: ShardClient | undefined): Promise<ShardClient>;
  /** Keeps every row of all shards that a search may still name until the returned function is called. */
  hold(): () => void;
  /** Where what is done with a shard is counted. */
  counters(uid: number): Counters;
}

/** The searches of all followers, as the leader sees them. */
export interface FollowerSearches {
  /** A mark for what no search will find any more that begins from now on. */
  mark(): number;
  /** Whether all searches are over that began before a mark. */
  areOver(mark: number): boolean;
}
