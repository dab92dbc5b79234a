/** The stats in Prometheus' text format, kept by a registry of the server's own. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Engine } from '../engine/engine.js';
import { type Stats, statsOf, total } from '../engine/stats.js';
import { POOLS, type PoolName } from '../limits/threadPools.js';
import { healthOf } from '../rest/cluster/health.js';
import type { Meter, Platform } from '../rest/cluster/node.js';
import { setClusterMetrics } from './clusterMetrics.js';
import { DurationHistogram } from './durations.js';

type Labels = Readonly<Record<string, string>>;
/** One value without labels, or each with its own; those that were there before and are no more are forgotten. */
export type Samples = number | readonly (readonly [labels: Labels, value: number])[];

/** Measures a server: what is read from elsewhere is set right before it is shown, latencies are observed as answers are given. */
export class Metrics implements Meter {
  readonly #engine: Engine;
  readonly #version: string;
  readonly #platform: Platform;
  readonly #registry = new Registry();
  readonly #gauges = new Map<string, Gauge>();
  readonly #counters = new Map<string, Counter>();
  readonly #requests: DurationHistogram;
  readonly #routes: DurationHistogram;

  /** @param node the names of a node of a cluster, which all that it tells is labelled with */
  constructor(
    engine: Engine,
    version: string,
    platform: Platform,
    node?: { readonly cluster: string; readonly node: string },
  ) {
    if (node !== undefined) this.#registry.setDefaultLabels({ cluster: node.cluster, node: node.node });
    this.#engine = engine;
    this.#version = version;
    this.#platform = platform;
    this.#requests = new DurationHistogram(
      this.#registry,
      'resilin_request_duration_seconds',
      'Time of requests by their pool (search, index, bulk, get ...), their wait for a turn included',
    );
    this.#routes = new DurationHistogram(
      this.#registry,
      'resilin_http_request_duration_seconds',
      'Time of requests by method and route',
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  route(method: string, route: string, pool: PoolName): (seconds: number) => void {
    const requests = this.#requests.with({ pool });
    const routes = this.#routes.with({ method, route });
    return (seconds) => {
      requests.observe(seconds);
      routes.observe(seconds);
    };
  }

  async text(): Promise<string> {
    const open = this.#engine.cluster.all().filter(({ closed }) => !closed);
    const stats = await Promise.all(
      open.map(async (index) =>
        (await statsOf(index, { scrolls: this.#engine.scrolls })).map((each) => each.stats),
      ),
    );
    const health = open.map((index) => healthOf(this.#engine, index));
    const sum = (of: 'active' | 'initializing' | 'unassigned') =>
      health.reduce((all, each) => all + each[of], 0);
    this.#gauge('resilin_info', 'Version of the server', [[{ version: this.#version }, 1]]);
    this.#gauge('resilin_indices', 'Open indices', open.length);
    this.#gauge('resilin_shards', 'Shards by state', [
      [{ state: 'active' }, sum('active')],
      [{ state: 'initializing' }, sum('initializing')],
      [{ state: 'unassigned' }, sum('unassigned')],
    ]);
    this.#setProcess();
    this.#setHttp();
    this.#setLimits();
    const all = total(stats.flat());
    all.counters.add(this.#engine.past);
    this.#setIndices(all);
    const { replication } = this.#engine;
    if (replication !== undefined)
      await setClusterMetrics(replication, this.#engine.cluster.all(), {
        gauge: (name, help, samples) => this.#gauge(name, help, samples),
        counter: (name, help, samples) => this.#counter(name, help, samples),
      });
    return this.#registry.metrics();
  }

  #setProcess(): void {
    const { memory, cpuTime, uptime, openFiles, collections, disk } = this.#platform;
    const { resident, heapUsed, heapTotal, heapMax, external } = memory();
    const { user, system } = cpuTime();
    const files = openFiles();
    // The names that dashboards for any process, and for any of Node's, ask for.
    this.#counter('process_cpu_user_seconds_total', 'Processor time in user mode', user / 1000);
    this.#counter('process_cpu_system_seconds_total', 'Processor time in the kernel', system / 1000);
    this.#counter('process_cpu_seconds_total', 'Processor time', (user + system) / 1000);
    this.#gauge('process_resident_memory_bytes', 'Memory of the process', resident);
    const started = Date.now() / 1000 - uptime().process;
    this.#gauge('process_start_time_seconds', 'When the process was started, since 1970', started);
    if (files >= 0) this.#gauge('process_open_fds', 'Open files and sockets', files);
    this.#gauge('nodejs_heap_size_used_bytes', 'Used heap of the main thread', heapUsed);
    this.#gauge('nodejs_heap_size_total_bytes', 'Heap of the main thread', heapTotal);
    this.#gauge('resilin_heap_max_bytes', 'Most that the heap may grow to', heapMax);
    this.#gauge('nodejs_external_memory_bytes', 'Memory of buffers outside the heap', external);
    const collected = Object.entries(collections());
    this.#counter(
      'resilin_gc_total',
      'Garbage collections of the main thread',
      collected.map(([generation, { count }]) => [{ generation }, count]),
    );
    this.#counter(
      'resilin_gc_seconds_total',
      'Time that they took',
      collected.map(([generation, { ms }]) => [{ generation }, ms / 1000]),
    );
    const space = disk();
    if (space !== undefined)
      this.#gauge('resilin_disk_available_bytes', 'Room in the data folder', space.available);
  }

  #setHttp(): void {
    const { open, opened } = this.#platform.connections();
    this.#gauge('resilin_http_connections', 'Open connections', open);
    this.#counter('resilin_http_connections_total', 'Connections since the start', opened);
    const answers = this.#platform.answers?.();
    if (answers === undefined) return;
    this.#counter(
      'resilin_http_responses_total',
      'Answers by status',
      [...answers.byStatus].map(([status, count]) => [{ status: String(status) }, count]),
    );
  }

  #setLimits(): void {
    const { breakers, pools, scrolls } = this.#engine;
    const each = Object.entries(breakers.stats);
    const breaker = (of: 'limit' | 'used' | 'tripped') =>
      each.map(([name, stats]) => [{ breaker: name }, stats[of]] as const);
    this.#gauge('resilin_breaker_limit_bytes', 'Limits of the circuit breakers', breaker('limit'));
    this.#gauge('resilin_breaker_used_bytes', 'What they count', breaker('used'));
    this.#counter('resilin_breaker_tripped_total', 'How often they refused', breaker('tripped'));
    const pool = (of: 'active' | 'queue' | 'rejected' | 'completed') =>
      POOLS.map((name) => [{ pool: name }, pools.stats(name)[of]] as const);
    this.#gauge('resilin_pool_active', 'Requests under way', pool('active'));
    this.#gauge('resilin_pool_queue', 'Requests that wait', pool('queue'));
    this.#counter('resilin_pool_rejected_total', 'Requests refused with 429', pool('rejected'));
    this.#counter('resilin_pool_completed_total', 'Requests done', pool('completed'));
    this.#gauge('resilin_scrolls', 'Open scrolls', scrolls.size);
  }

  #setIndices(stats: Stats): void {
    const { documents, deleted, bytes, segments, counters: c, uncheckpointed, filters } = stats;
    const { writes, searches } = c;
    this.#gauge('resilin_documents', 'Documents that searches find', documents);
    this.#gauge('resilin_documents_deleted', 'Deleted documents that no merge has dropped', deleted);
    this.#gauge('resilin_segments', 'Segments', segments.length);
    this.#gauge('resilin_segment_bytes', 'Bytes of the segments', bytes);
    this.#gauge(
      'resilin_uncheckpointed_operations',
      'Operations that a restart would repeat',
      uncheckpointed,
    );
    this.#gauge('resilin_filter_cache_bytes', 'Cached filters', filters.bytes);
    this.#gauge('resilin_merges_running', 'Merges that are going on', stats.merging.count);
    const done: readonly [name: string, help: string, count: number, ms: number][] = [
      ['indexing', 'Documents indexed', writes.indexed, writes.indexTime],
      ['deletion', 'Documents deleted', writes.deleted, writes.deleteTime],
      ['query', 'Queries of shards', searches.queries, searches.queryTime],
      ['fetch', 'Fetches of shards', searches.fetches, searches.fetchTime],
      ['refresh', 'Refreshes of shards', c.refreshes, c.refreshTime],
      ['flush', 'Checkpoints of shards', c.flushes, c.flushTime],
      ['merge', 'Merges of segments', c.merges, c.mergeTime],
      ['percolate', 'Percolations of shards', c.percolations, c.percolateTime],
      ['suggest', 'Suggestions of shards', c.suggestions, c.suggestTime],
    ];
    for (const [name, help, count, ms] of done) {
      this.#counter(`resilin_${name}_total`, help, count);
      this.#counter(`resilin_${name}_seconds_total`, `${help}: time`, ms / 1000);
    }
    this.#counter('resilin_get_total', 'Documents asked for by id', [
      [{ found: 'true' }, c.found],
      [{ found: 'false' }, c.missing],
    ]);
  }

  #gauge(name: string, help: string, samples: Samples): void {
    let gauge = this.#gauges.get(name);
    if (gauge === undefined) {
      // What has no samples yet has no labels.
      if (typeof samples !== 'number' && samples.length === 0) return;
      gauge = new Gauge({ name, help, labelNames: labelsOf(samples), registers: [this.#registry] });
      this.#gauges.set(name, gauge);
    }
    if (typeof samples === 'number') gauge.set(samples);
    else {
      gauge.reset();
      for (const [labels, value] of samples) gauge.set(labels, value);
    }
  }

  /** A count that is kept elsewhere. */
  #counter(name: string, help: string, samples: Samples): void {
    let counter = this.#counters.get(name);
    if (counter === undefined) {
      counter = new Counter({ name, help, labelNames: labelsOf(samples), registers: [this.#registry] });
      this.#counters.set(name, counter);
    }
    counter.reset();
    if (typeof samples === 'number') counter.inc(samples);
    else for (const [labels, value] of samples) counter.inc(labels, value);
  }
}

function labelsOf(samples: Samples): string[] {
  return typeof samples === 'number' ? [] : Object.keys(samples[0]?.[0] ?? {});
}
