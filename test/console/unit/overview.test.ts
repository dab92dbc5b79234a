/** What the overview computes: latencies from histograms, rates from counts, rows from tables, requests of actions. */
import { describe, expect, it } from 'vitest';
import {
  addedTo,
  type Histogram,
  quantile,
  readHistogram,
} from '../../../console/src/views/overview/histogram.js';
import { actionsOf, createAction, plainAction } from '../../../console/src/views/overview/indexActions.js';
import { readIndices, sumOf } from '../../../console/src/views/overview/indices.js';
import {
  MOST_SAMPLES,
  percentiles,
  rates,
  readSample,
  type Sample,
  withSample,
} from '../../../console/src/views/overview/samples.js';

const METRICS = `# TYPE t histogram
t_bucket{le="0.01",pool="search"} 4
t_bucket{le="0.1",pool="search"} 8
t_bucket{le="+Inf",pool="search"} 10
t_sum{pool="search"} 3.2
t_count{pool="search"} 10
t_bucket{le="0.01",pool="bulk"} 1
t_bucket{le="0.1",pool="bulk"} 1
t_bucket{le="+Inf",pool="bulk"} 1
t_bucket{pool="index",le="0.01"} 2
t_bucket{pool="index",le="0.1"} 3
t_bucket{pool="index",le="+Inf"} 3
`;

describe('a histogram', () => {
  it('is read from metrics, of one pool or of several', () => {
    const bounds = [0.01, 0.1, Infinity];
    expect(readHistogram(METRICS, 't', 'pool', ['search'])).toEqual({ bounds, counts: [4, 8, 10] });
    expect(readHistogram(METRICS, 't', 'pool', ['bulk', 'index'])).toEqual({ bounds, counts: [3, 4, 4] });
    expect(readHistogram(METRICS, 't', 'pool', ['get'])).toBeUndefined();
    expect(readHistogram('', 't', 'pool', ['search'])).toBeUndefined();
  });

  it('has quantiles within its buckets, and none without requests', () => {
    const histogram: Histogram = { bounds: [0.01, 0.1, Infinity], counts: [4, 8, 10] };
    expect(quantile(histogram, 0.2)).toBeCloseTo(0.005);
    expect(quantile(histogram, 0.4)).toBeCloseTo(0.01);
    expect(quantile(histogram, 0.6)).toBeCloseTo(0.055);
    // Beyond all bounds nothing more is known.
    expect(quantile(histogram, 0.99)).toBe(0.1);
    expect(quantile({ bounds: [0.01, Infinity], counts: [0, 0] }, 0.5)).toBeUndefined();
    expect(quantile({ bounds: [0.01, 0.1, Infinity], counts: [0, 5, 5] }, 0.5)).toBeCloseTo(0.055);
  });

  it('tells what was added, and nothing where it began anew', () => {
    const before: Histogram = { bounds: [1, Infinity], counts: [2, 3] };
    expect(addedTo(before, { bounds: [1, Infinity], counts: [5, 7] })).toMatchObject({ counts: [3, 4] });
    expect(addedTo(before, { bounds: [1, Infinity], counts: [1, 1] })).toBeUndefined();
    expect(addedTo(undefined, before)).toBe(before);
  });
});

const sample = (time: number, more: Partial<Sample> = {}): Sample => ({
  time,
  indexed: 0,
  searches: 0,
  resident: 0,
  heap: 0,
  active: 0,
  waiting: 0,
  rejected: 0,
  merges: 0,
  searchTimes: undefined,
  writeTimes: undefined,
  ...more,
});

describe('readings', () => {
  it('are read from the stats of a node', () => {
    const node = {
      indices: { indexing: { index_total: 7 }, search: { query_total: 30 }, merges: { current: 1 } },
      process: { mem: { resident_in_bytes: 1000 } },
      jvm: { mem: { heap_used_in_bytes: 100 } },
      thread_pool: {
        search: { active: 2, queue: 3, rejected: 4 },
        bulk: { active: 1, queue: 0, rejected: 1 },
        management: { active: 2, queue: 0, rejected: 0 },
      },
    };
    const metrics = METRICS.replaceAll(/^t_/gm, 'resilin_request_duration_seconds_');
    expect(readSample(node, metrics, 12)).toMatchObject({
      ...{ time: 12, indexed: 7, searches: 10, resident: 1000, heap: 100 },
      ...{ active: 3, waiting: 3, rejected: 5, merges: 1 },
      searchTimes: { counts: [4, 8, 10] },
      writeTimes: { counts: [3, 4, 4] },
    });
    // An engine in a tab measures no requests and has no process.
    expect(readSample({ indices: node.indices }, undefined, 12)).toMatchObject({
      ...{ searches: 30, resident: 0, searchTimes: undefined, active: 0 },
    });
  });

  it('are kept for ten minutes', () => {
    let past: readonly Sample[] = [];
    for (let i = 0; i < MOST_SAMPLES + 20; i++) past = withSample(past, sample(i));
    expect([past.length, past[0]!.time, past.at(-1)!.time]).toEqual([MOST_SAMPLES, 20, MOST_SAMPLES + 19]);
  });

  it('give rates by the time that really went by, and none across a restart', () => {
    const past = [
      sample(0, { indexed: 10 }),
      sample(2, { indexed: 30 }),
      sample(12, { indexed: 80 }),
      sample(14, { indexed: 5 }),
    ];
    expect(rates(past, 'indexed')).toEqual([undefined, 10, 5, undefined]);
  });

  it('give percentiles of the requests of the last readings alone', () => {
    const at = (time: number, slow: number, all: number) =>
      sample(time, { searchTimes: { bounds: [0.01, 0.1, Infinity], counts: [all - slow, all, all] } });
    const past = [
      at(0, 100, 100),
      at(2, 100, 110),
      at(4, 100, 110),
      ...[6, 8, 10, 12, 14].map((t) => at(t, 100, 110)),
    ];
    const found = percentiles(past, 'searchTimes', 0.5);
    expect(found[0]).toBeUndefined();
    expect(found[1]).toBeCloseTo(0.005);
    expect(found.at(-1)).toBeUndefined();
    expect(percentiles(past, 'writeTimes', 0.5)).toEqual(past.map(() => undefined));
  });
});

describe('indices', () => {
  it('are read from the cat tables, closed ones without numbers', () => {
    const rows = readIndices(
      [
        {
          ...{ index: 'a', status: 'open', health: 'green', pri: '2', rep: '0', 'docs.count': '12' },
          ...{ 'docs.deleted': '3', 'store.size': '100', 'segments.count': '4', 'memory.total': '5' },
        },
        { index: 'b', status: 'close', health: null, pri: null, 'docs.count': null },
      ],
      [
        { alias: 'z', index: 'a' },
        { alias: 'y', index: 'a' },
      ],
    );
    expect(rows[0]).toEqual({
      ...{ name: 'a', isOpen: true, health: 'green', shards: 2, replicas: 0, documents: 12, deleted: 3 },
      ...{ disk: 100, memory: 5, segments: 4, aliases: ['y', 'z'] },
    });
    expect(rows[1]).toMatchObject({ isOpen: false, health: 'unknown', documents: undefined, aliases: [] });
    expect(sumOf(rows, 'documents')).toBe(12);
  });

  it('are changed by requests that name them as they are', () => {
    expect(plainAction('delete', 'a b/c')).toMatchObject({
      method: 'DELETE',
      path: '/a%20b%2Fc',
      typed: 'a b/c',
    });
    expect(actionsOf(false)).toEqual(['open', 'delete']);
    expect(actionsOf(true)).not.toContain('open');
    expect(
      createAction('x', 3, 1, { settings: { number_of_replicas: 2 }, mappings: { t: {} } }),
    ).toMatchObject({
      method: 'PUT',
      path: '/x',
      body: { settings: { number_of_shards: 3, number_of_replicas: 2 }, mappings: { t: {} } },
    });
  });
});
