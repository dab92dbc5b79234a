/** What the rows of shards take in the store, for engines whose store can tell. */

/** What is asked of a shard. */
export interface SizedShard {
  /** Its number in the store. */
  readonly uid: number;
  /** Grows with every operation, and with those whose rows have gone. */
  readonly rowChanges: number;
}

export interface RowSizes {
  /** Bytes by shard. @param shards all there are */
  of<T extends SizedShard>(shards: readonly T[]): Promise<ReadonlyMap<T, number>>;
}
