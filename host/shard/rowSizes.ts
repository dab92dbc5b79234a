/** What the rows of shards take in the store, for engines whose store can tell. */

/** What is asked of a shard. */
export interface SizedShard {
  /** Its number in the store. */
  readonly uid: number;
  /** Another one after rows have come or gone. */
  readonly rowsState: string;
}

export interface RowSizes {
  /** Bytes by shard. @param shards all there are */
  of<T extends SizedShard>(shards: readonly T[]): Promise<ReadonlyMap<T, number>>;
}
