/** Aggregations that multiply, and facets. */
import { dateMath, expression, pattern, query } from './queries.js';
import type { Json, JsonObject, Sizes } from './request.js';

const FIELDS = ['k', 'g', 's', 'n', 'f', 'd', 'ip', 'p', 'ng', 'o.a', 'missing', '_uid', '_type', 'x1'];

const field = (c: Sizes): JsonObject =>
  c.chance(0.08) ? { script: expression(c), lang: 'expression' } : { field: c.of(FIELDS) };
const size = (c: Sizes) => c.of([0, 1, 10, 10_000, 1e9, 2 ** 31 - 1, c.extreme()]);
const format = (c: Sizes) =>
  c.of([c.repeated('0', 2000), `#.${c.repeated('#', 900)}`, 'yyyy-MM', c.repeated('y', 900), "'"]);
const order = (c: Sizes): Json =>
  c.of<() => Json>([
    () => ({ _count: 'asc' }),
    () => ({ [c.list(50, () => 'a0').join('>')]: 'desc' }),
    () => c.list(50, () => ({ _term: 'asc' })),
    () => ({ 'a0.value': 'asc' }),
  ])();

const BUCKETS: readonly ((c: Sizes) => JsonObject)[] = [
  (c) => ({
    terms: {
      ...field(c),
      size: size(c),
      ...c.maybe(0.2, 'shard_size', () => c.extreme()),
      ...c.maybe(0.2, 'min_doc_count', () => c.of([0, 1, -1, 1e9])),
      ...c.maybe(0.2, 'include', () => pattern(c)),
      ...c.maybe(0.2, 'order', () => order(c)),
      ...c.maybe(0.2, 'collect_mode', () => 'breadth_first'),
      ...c.maybe(0.1, 'execution_hint', () => c.of(['map', 'global_ordinals_hash'])),
    },
  }),
  (c) => ({
    histogram: {
      field: c.of(['n', 'f', 'd', 'ip']),
      interval: c.of([1, 10, 1e9, 1e-300, c.extreme()]),
      ...c.maybe(0.4, 'min_doc_count', () => 0),
      ...c.maybe(0.3, 'extended_bounds', () => ({ min: -c.amount(1e15), max: c.amount(1e15) })),
      ...c.maybe(0.2, 'format', () => format(c)),
      ...c.maybe(0.2, 'offset', () => c.extreme()),
    },
  }),
  (c) => ({
    date_histogram: {
      field: c.of(['d', 'n']),
      interval: c.of(['1ms', 'second', 'minute', 'hour', 'day', 'year', '0.001s', `${c.amount(1e12)}d`]),
      ...c.maybe(0.4, 'min_doc_count', () => 0),
      ...c.maybe(0.2, 'time_zone', () => c.of(['Europe/Prague', '-12:30'])),
      ...c.maybe(0.2, 'format', () => format(c)),
      ...c.maybe(0.2, 'extended_bounds', () => ({ min: dateMath(c), max: dateMath(c) })),
    },
  }),
  (c) => ({
    range: {
      ...field(c),
      ranges: c.list(3000, () => ({ from: c.below(1000), to: c.extreme() })),
      ...c.maybe(0.3, 'keyed', () => true),
    },
  }),
  (c) => ({
    date_range: { field: 'd', ranges: c.list(300, () => ({ from: dateMath(c) })), format: format(c) },
  }),
  (c) => ({
    ip_range: {
      field: 'ip',
      ranges: c.list(1000, () => ({ mask: `10.0.${c.below(256)}.0/${c.below(33)}` })),
    },
  }),
  (c) => ({
    geo_distance: {
      field: 'p',
      origin: [1, 2],
      unit: c.of(['mm', 'km', 'x']),
      ranges: c.list(1000, (i) => ({ from: i })),
    },
  }),
  (c) => ({
    geohash_grid: { field: 'p', precision: c.of([1, 5, 12, 13, 0]), size: size(c), shard_size: size(c) },
  }),
  (c) => ({ filters: { filters: c.list(200, () => ({ range: { n: { gt: c.below(1e5) } } })) } }),
  (c) => ({ filter: { query: query(c, 2) } }),
  () => ({ nested: { path: 'o' } }),
  () => ({ reverse_nested: {} }),
  () => ({ children: { type: 'child' } }),
  () => ({ global: {} }),
  (c) => ({ missing: { field: c.of(FIELDS) } }),
  (c) => ({
    significant_terms: {
      field: c.of(['s', 'k', 'g']),
      size: size(c),
      min_doc_count: c.of([1, 0]),
      background_filter: { term: { g: 'g1' } },
      [c.of(['jlh', 'chi_square', 'gnd', 'mutual_information'])]: {},
    },
  }),
];

const METRICS: readonly ((c: Sizes) => JsonObject)[] = [
  (c) => ({ [c.of(['avg', 'sum', 'min', 'max', 'stats', 'extended_stats', 'value_count'])]: field(c) }),
  (c) => ({ cardinality: { ...field(c), precision_threshold: c.extreme() } }),
  (c) => ({
    percentiles: {
      ...field(c),
      percents: c.list(3000, () => c.next() * 100),
      compression: c.of([1, 100, 1e4, 1e9]),
    },
  }),
  (c) => ({ percentile_ranks: { ...field(c), values: c.list(3000, () => c.extreme()) } }),
  () => ({ geo_bounds: { field: 'p', wrap_longitude: true } }),
  (c) => ({
    top_hits: {
      size: c.of([1, 10, 1000, 1e6, 2 ** 31 - 1]),
      from: c.of([0, 1000]),
      sort: c.list(5, () => ({ [c.of(FIELDS)]: 'asc' })),
      ...c.maybe(0.3, 'highlight', () => ({ fields: { '*': {} } })),
      ...c.maybe(0.2, '_source', () => c.list(300, (i) => `*${i}*`)),
    },
  }),
  (c) => ({ scripted_metric: { map_script: expression(c) } }),
];

/** Aggregations within aggregations; the product of their buckets is what costs. */
export function aggregations(c: Sizes, depth = c.amount(7)): JsonObject {
  const count = depth > 3 ? c.between(1, 2) : c.amount(12);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const own = depth > 1 && c.chance(0.75) ? c.of(BUCKETS)(c) : c.of(c.chance(0.6) ? METRICS : BUCKETS)(c);
      const takes = !Object.keys(own).some((kind) => METRIC_NAMES.has(kind));
      return [`a${i}`, takes && depth > 1 ? { ...own, aggs: aggregations(c, depth - 1) } : own];
    }),
  );
}

const METRIC_NAMES = new Set(
  'avg sum min max stats extended_stats value_count cardinality percentiles percentile_ranks geo_bounds top_hits scripted_metric'.split(
    ' ',
  ),
);

/** One aggregation in another, hundreds of times. */
export function deepAggregations(c: Sizes): JsonObject {
  let aggs: JsonObject = { x: { stats: { field: 'n' } } };
  for (let n = c.amount(400); n > 0; n--)
    aggs = {
      x: { ...c.of([{ filter: { match_all: {} } }, { terms: { field: 'g' } }, { global: {} }]), aggs },
    };
  return aggs;
}

export function facets(c: Sizes): JsonObject {
  return Object.fromEntries(
    c.list(20, (i) => [
      `f${i}`,
      c.of<() => JsonObject>([
        () => ({ terms: { field: c.of(FIELDS), size: size(c), regex: pattern(c) } }),
        () => ({ histogram: { field: 'n', interval: c.of([1, 1e9, 0.1]) } }),
        () => ({ date_histogram: { field: 'd', interval: c.of(['second', 'year']) } }),
        () => ({ statistical: { field: c.of(FIELDS) } }),
        () => ({ terms_stats: { key_field: 'k', value_field: 'n', size: size(c) } }),
        () => ({ range: { n: c.list(1000, (from) => ({ from })) } }),
        () => ({ geo_distance: { p: [1, 2], ranges: c.list(300, (from) => ({ from })) } }),
        () => ({ query: query(c, 1) }),
      ])(),
    ]),
  );
}
