/** Nodes that commands of `_cluster/reroute` have chosen for the copies of a shard: kept with the index, so that all nodes place alike. */
export interface ChosenNodes {
  /** Nodes that are to have a copy, each with the node whose place it takes: its own where it takes nobody's. */
  readonly on: Readonly<Record<string, string>>;
  /** Nodes that are to have none while there are enough others. */
  readonly off: readonly string[];
}

/** The choices for the shards of an index, by number. */
export type ChosenByShard = Readonly<Record<string, ChosenNodes>>;
