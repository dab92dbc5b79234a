/** The figures in Prometheus' text format: `GET /metrics`, and `/_prometheus/metrics` where an index is called metrics. */
import type { Engine } from '../index/engine.js';
import { type Figures, figuresOf, total } from '../index/figures.js';
import { POOLS } from '../index/threadPools.js';
import { healthOf } from './cluster.js';
import { NO_PLATFORM, type NodeNames } from './node.js';
import type { RestHandler, RestResponse, RoutedRequest } from './request.js';
import type { Route } from './router.js';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The routes of this family. @param otherwise answers where an index is called metrics */
export function prometheusRoutes(engine: Engine, names: NodeNames, otherwise: RestHandler): Route[] {
  const handler = () => metrics(engine, names);
  const shared = (request: RoutedRequest) =>
    engine.cluster.find('metrics') === undefined && engine.cluster.behind('metrics') === undefined
      ? handler()
      : otherwise({ ...request, path: { index: 'metrics' } });
  return [
    ['GET', '/_prometheus/metrics', handler],
    ['GET', '/metrics', shared],
  ];
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** Writes metrics, each with its samples. */
class Exposition {
  #text = '';

  add(kind: 'gauge' | 'counter', name: string, help: string, samples: number | readonly Sample[]): void {
    this.#text += `# HELP resilin_${name} ${help}\n# TYPE resilin_${name} ${kind}\n`;
    const list: readonly Sample[] = typeof samples === 'number' ? [[{}, samples]] : samples;
    for (const [labels, value] of list) {
      const shown = Object.entries(labels).map(([key, each]) => `${key}="${escaped(each)}"`);
      this.#text += `resilin_${name}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}\n`;
    }
  }

  get text(): string {
    return this.#text;
  }
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

async function metrics(
  engine: Engine,
  { version, platform = NO_PLATFORM }: NodeNames,
): Promise<RestResponse> {
  const out = new Exposition();
  out.add('gauge', 'info', 'Version of the server', [[{ version }, 1]]);
  addProcess(out, platform);
  addLimits(out, engine);
  const open = engine.cluster.all().filter(({ closed }) => !closed);
  const health = open.map(healthOf);
  const sum = (of: 'active' | 'unassigned') => health.reduce((all, each) => all + each[of], 0);
  out.add('gauge', 'indices', 'Open indices', open.length);
  out.add('gauge', 'shards', 'Shards by state', [
    [{ state: 'active' }, sum('active')],
    [{ state: 'unassigned' }, sum('unassigned')],
  ]);
  const figures = await Promise.all(
    open.map(async (index) => (await figuresOf(index)).map((each) => each.figures)),
  );
  addIndices(out, total(figures.flat()));
  return { status: 200, contentType: TYPE, body: new TextEncoder().encode(out.text) };
}

function addProcess(out: Exposition, platform: NonNullable<NodeNames['platform']>): void {
  const { resident, heapUsed, heapMax } = platform.memory();
  out.add('gauge', 'process_resident_memory_bytes', 'Memory of the process', resident);
  out.add('gauge', 'process_heap_bytes', 'Used heap of the main thread', heapUsed);
  out.add('gauge', 'process_heap_max_bytes', 'Most that the heap may grow to', heapMax);
  out.add('counter', 'process_uptime_seconds_total', 'Since the start', platform.uptime().process);
  const disk = platform.disk();
  if (disk !== undefined) out.add('gauge', 'disk_available_bytes', 'Room in the data folder', disk.available);
  const { open, opened } = platform.connections();
  out.add('gauge', 'http_connections', 'Open connections', open);
  out.add('counter', 'http_connections_total', 'Connections since the start', opened);
  const answers = platform.answers?.();
  if (answers === undefined) return;
  const samples = [...answers.byStatus].map(([status, count]): Sample => [{ status: String(status) }, count]);
  out.add('counter', 'http_responses_total', 'Answers by status', samples);
  out.add('counter', 'http_response_seconds_total', 'Time from requests to their answers', answers.seconds);
}

function addLimits(out: Exposition, { breakers, pools, scrolls }: Engine): void {
  const each = Object.entries(breakers.figures);
  const breaker = (of: 'limit' | 'used' | 'tripped') =>
    each.map(([name, figures]): Sample => [{ breaker: name }, figures[of]]);
  out.add('gauge', 'breaker_limit_bytes', 'Limits of the circuit breakers', breaker('limit'));
  out.add('gauge', 'breaker_used_bytes', 'What they count', breaker('used'));
  out.add('counter', 'breaker_tripped_total', 'How often they refused', breaker('tripped'));
  const pool = (of: 'active' | 'queue' | 'rejected' | 'completed') =>
    POOLS.map((name): Sample => [{ pool: name }, pools.figures(name)[of]]);
  out.add('gauge', 'pool_active', 'Requests under way', pool('active'));
  out.add('gauge', 'pool_queue', 'Requests that wait', pool('queue'));
  out.add('counter', 'pool_rejected_total', 'Requests refused with 429', pool('rejected'));
  out.add('counter', 'pool_completed_total', 'Requests done', pool('completed'));
  out.add('gauge', 'scrolls', 'Open scrolls', scrolls.size);
}

function addIndices(
  out: Exposition,
  { documents, deleted, bytes, segments, counters: c, uncheckpointed }: Figures,
): void {
  out.add('gauge', 'documents', 'Documents that searches find', documents);
  out.add('gauge', 'documents_deleted', 'Deleted documents that no merge has dropped', deleted);
  out.add('gauge', 'segments', 'Segments', segments.length);
  out.add('gauge', 'segment_bytes', 'Bytes of the segments', bytes);
  out.add('gauge', 'uncheckpointed_operations', 'Operations that a restart would repeat', uncheckpointed);
  const done: readonly [name: string, help: string, count: number, ms: number][] = [
    ['indexing', 'Documents indexed', c.indexed, c.indexTime],
    ['deletion', 'Documents deleted', c.deleted, c.deleteTime],
    ['query', 'Queries of shards', c.queries, c.queryTime],
    ['fetch', 'Fetches of shards', c.fetches, c.fetchTime],
    ['refresh', 'Refreshes of shards', c.refreshes, c.refreshTime],
    ['flush', 'Checkpoints of shards', c.flushes, c.flushTime],
    ['merge', 'Merges of segments', c.merges, c.mergeTime],
  ];
  for (const [name, help, count, ms] of done) {
    out.add('counter', `${name}_total`, help, count);
    out.add('counter', `${name}_seconds_total`, `${help}: time`, ms / 1000);
  }
  out.add('counter', 'get_total', 'Documents asked for by id', [
    [{ found: 'true' }, c.found],
    [{ found: 'false' }, c.missing],
  ]);
}
