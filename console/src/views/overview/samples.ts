/** What a node was doing, read every few seconds, and what follows from one reading to the next. The past is bounded. */
import { isObject, type JsonObject } from '../../api/json';
import { addedTo, countOf, type Histogram, quantile, readHistogram } from './histogram';

/** One reading. Counts are since the node's start. */
export interface Sample {
  /** Seconds since 1970. */
  time: number;
  /** Documents. */
  indexed: number;
  /** Requests for searches; of shards, where requests aren't measured. */
  searches: number;
  /** Bytes of the process; 0 where there is none to measure. */
  resident: number;
  /** Bytes of the main thread's heap in use. */
  heap: number;
  /** Requests. */
  active: number;
  waiting: number;
  rejected: number;
  /** Merges that are going on. */
  merges: number;
  /** Undefined where nothing measures. */
  searchTimes: Histogram | undefined;
  writeTimes: Histogram | undefined;
}

/** Ten minutes at two seconds each. */
export const MOST_SAMPLES = 300;
/** Percentiles are those of so many readings. */
const WINDOW = 5;
const DURATIONS = 'resilin_request_duration_seconds';

/**
 * Reads a node's stats.
 * @param node of `_nodes/stats`
 * @param metrics in Prometheus' text format, where the server measures
 */
export function readSample(node: JsonObject, metrics: string | undefined, time: number): Sample {
  const number = (...path: string[]): number => {
    let at: unknown = node;
    for (const name of path) at = isObject(at) ? at[name] : undefined;
    return typeof at === 'number' ? at : 0;
  };
  // Those who look on, such as this view, are no work.
  const pools = Object.keys(isObject(node.thread_pool) ? node.thread_pool : {}).filter(
    (pool) => pool !== 'management',
  );
  const sum = (of: string) => pools.reduce((all, pool) => all + number('thread_pool', pool, of), 0);
  const times = (values: readonly string[]) =>
    metrics === undefined ? undefined : readHistogram(metrics, DURATIONS, 'pool', values);
  const searchTimes = times(['search']);
  return {
    time,
    indexed: number('indices', 'indexing', 'index_total'),
    searches: searchTimes === undefined ? number('indices', 'search', 'query_total') : countOf(searchTimes),
    resident: number('process', 'mem', 'resident_in_bytes'),
    heap: number('jvm', 'mem', 'heap_used_in_bytes'),
    active: sum('active'),
    waiting: sum('queue'),
    rejected: sum('rejected'),
    merges: number('indices', 'merges', 'current'),
    searchTimes,
    writeTimes: times(['index', 'bulk']),
  };
}

/** The past with one reading more, and the oldest ones gone. */
export function withSample(past: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...past.slice(1 - MOST_SAMPLES), sample];
}

/** How much a count rose in a second, for each reading; undefined for the first one, and where the count began anew. */
export function rates(
  past: readonly Sample[],
  count: 'indexed' | 'searches' | 'rejected',
): (number | undefined)[] {
  return past.map((sample, i) => {
    const before = past[i - 1];
    if (before === undefined) return undefined;
    const [rise, seconds] = [sample[count] - before[count], sample.time - before.time];
    return rise < 0 || seconds <= 0 ? undefined : rise / seconds;
  });
}

/** Seconds that a share of the requests took at most, for each reading, of those of the last ten seconds; undefined where there were none. */
export function percentiles(
  past: readonly Sample[],
  of: 'searchTimes' | 'writeTimes',
  share: number,
): (number | undefined)[] {
  return past.map((sample, i) => {
    const now = sample[of];
    const before = past[Math.max(0, i - WINDOW)];
    if (now === undefined || i === 0 || before === undefined) return undefined;
    const added = addedTo(before[of], now);
    return added === undefined ? undefined : quantile(added, share);
  });
}
