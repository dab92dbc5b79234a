/** What was seen of queries, as figures, a table and a chart. */
import { digits } from '../../kernels/table.js';
import { barChart } from './barChart.js';
import { Latencies } from './latencies.js';
import type { Load, Seen } from './load.js';

const PERCENTILES = [50, 90, 99, 99.9] as const;
/** Of these, those that the chart shows. */
const CHARTED = [50, 90, 99] as const;
const LONGEST_NAME = 40;
const WIDTH = 11;

/** Of a query, or of all; latencies in milliseconds. */
export interface QuerySummary {
  name: string;
  requests: number;
  failed: number;
  perSecond: number;
  mean: number;
  percentiles: Record<string, number>;
  max: number;
}

export interface LoadSummary {
  seconds: number;
  all: QuerySummary;
  queries: QuerySummary[];
}

export function summaryOf({ queries, ms }: Load): LoadSummary {
  const all: Seen = { name: 'all', latencies: new Latencies(), failed: 0 };
  for (const { latencies, failed } of queries) {
    all.latencies.take(latencies);
    all.failed += failed;
  }
  const figures = (seen: Seen) => summarized(seen, ms / 1000);
  return { seconds: ms / 1000, all: figures(all), queries: queries.map(figures) };
}

function summarized({ name, latencies, failed }: Seen, seconds: number): QuerySummary {
  return {
    name,
    requests: latencies.count + failed,
    failed,
    perSecond: seconds === 0 ? 0 : latencies.count / seconds,
    mean: latencies.mean,
    percentiles: Object.fromEntries(PERCENTILES.map((each) => [each, latencies.percentile(each / 100)])),
    max: latencies.max,
  };
}

/** A line for each query, and one for all. */
export function latencyTable({ seconds, all, queries }: LoadSummary, connections: number): string {
  const width = Math.min(LONGEST_NAME, Math.max(5, ...queries.map(({ name }) => name.length))) + 1;
  const line = (name: string, cells: readonly string[]) =>
    `${name.slice(0, LONGEST_NAME).padEnd(width)}${cells.map((cell) => cell.padStart(WIDTH)).join('')}`;
  const row = ({ name, requests, failed, perSecond, mean, percentiles, max }: QuerySummary) =>
    line(name, [
      requests.toLocaleString('en'),
      failed.toLocaleString('en'),
      ...[perSecond, mean, ...PERCENTILES.map((each) => percentiles[each]!), max].map(digits),
    ]);
  const percents = PERCENTILES.map((each) => `${each} %`);
  const head = line('query', ['requests', 'failed', 'a second', 'mean ms', ...percents, 'max ms']);
  const rows = queries.length === 1 ? [] : queries.map(row);
  const { name } = queries.length === 1 ? queries[0]! : all;
  const told = `${connections} connection${connections === 1 ? '' : 's'}, ${seconds.toFixed(1)} s`;
  return [told, '', head, ...rows, row({ ...all, name }), ''].join('\n');
}

/** Bars of each query's percentiles. */
export function latencyChart({ all, queries }: LoadSummary): string {
  const groups = [...queries, all].map(({ name, percentiles }) => ({
    heading: name,
    bars: CHARTED.map((each) => ({ label: `${each} %`, value: percentiles[each]! })),
  }));
  return barChart('Latencies of queries', 'milliseconds', groups);
}
