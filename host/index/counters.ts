/** What a shard has done since it was opened: counts, and times in milliseconds. */
export class Counters {
  indexed = 0;
  indexTime = 0;
  deleted = 0;
  deleteTime = 0;
  noops = 0;
  found = 0;
  missing = 0;
  queries = 0;
  queryTime = 0;
  queriesNow = 0;
  fetches = 0;
  fetchTime = 0;
  refreshes = 0;
  refreshTime = 0;
  flushes = 0;
  flushTime = 0;
  merges = 0;
  mergeTime = 0;
  percolations = 0;
  percolateTime = 0;
  suggestions = 0;
  suggestTime = 0;

  /** Adds those of another shard. */
  add(other: Counters): void {
    for (const key of Object.keys(this) as (keyof Counters)[]) {
      const value = other[key];
      if (typeof value === 'number') (this[key] as number) += value;
    }
  }
}
