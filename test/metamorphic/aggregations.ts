/** Random trees of aggregations: siblings, some with others below and some without. */
import type { Chance } from './chance.js';
import { place, type Scope, SCOPES, fieldValue } from './fields.js';
import type { Json, JsonObject } from './json.js';
import { anyField } from './leaves.js';
import { filter } from './queries.js';
import { sort, sourceFilter } from './sorts.js';

type Maker = (c: Chance, scope: Scope) => JsonObject;

const numeric = (c: Chance, scope: Scope) =>
  c.of(c.chance(0.85) || scope.date.length === 0 ? scope.number : scope.date);

const ofNumber =
  (name: string, options: (c: Chance) => JsonObject = () => ({})): Maker =>
  (c, scope) => ({
    [name]: c.chance(0.9)
      ? { field: numeric(c, scope), ...options(c) }
      : { script: c.of(['doc["n"].value * 2', 'doc["seq"].value - 1.5']), lang: 'expression', ...options(c) },
  });

const METRICS: readonly Maker[] = [
  ofNumber('min'),
  ofNumber('max'),
  ofNumber('sum'),
  ofNumber('avg'),
  ofNumber('stats'),
  ofNumber('extended_stats', (c) => ({ ...c.maybe(0.3, 'sigma', () => 3) })),
  ofNumber('percentiles', (c) => ({
    ...c.maybe(0.3, 'percents', () => [5, 50, 99]),
    ...c.maybe(0.3, 'keyed', () => false),
    ...c.maybe(0.2, 'compression', () => 20),
  })),
  ofNumber('percentile_ranks', (c) => ({ values: c.many(1, 3, () => c.between(-5, 50)) })),
  (c, scope) => ({ value_count: { field: c.chance(0.05) ? '_parent' : anyField(c, scope) } }),
  (c, scope) => ({
    [c.of(['sum', 'stats', 'max', 'percentiles'])]: {
      field: c.of(scope.number),
      script: c.of(['_value * 2', '_value - 1', '_value + doc["n"].value']),
      lang: 'expression',
    },
  }),
  (c, scope) => ({
    cardinality: {
      field: c.chance(0.05) ? '_parent' : anyField(c, scope),
      ...c.maybe(0.3, 'precision_threshold', () => c.of([0, 3, 1000])),
    },
  }),
];

const TOPS: Maker = (c, scope) => ({
  top_hits: {
    ...c.maybe(0.6, 'size', () => c.between(0, 4)),
    ...c.maybe(0.2, 'from', () => 1),
    ...c.maybe(0.6, 'sort', () => sort(c, scope)),
    ...c.maybe(0.4, '_source', () => sourceFilter(c)),
    ...c.maybe(0.15, 'fielddata_fields', () => [c.of(scope.number)]),
    ...c.maybe(0.1, 'version', () => true),
    ...c.maybe(0.1, 'explain', () => true),
    ...c.maybe(0.1, 'highlight', () => ({ fields: { '*': {} } })),
  },
});

const ranges = (c: Chance, bound: () => Json): Json =>
  c.many(1, 4, () => ({
    ...c.maybe(0.7, 'from', bound),
    ...c.maybe(0.7, 'to', bound),
    ...c.maybe(0.2, 'key', () => c.of(['low', 'high'])),
  }));

/** What the order of buckets goes by: themselves, or one of the metrics below. */
function order(c: Chance, own: readonly string[], below: JsonObject | undefined): JsonObject {
  const singles = Object.entries(below ?? {})
    .filter(([, each]) =>
      /^(min|max|sum|avg|value_count|cardinality)$/.test(Object.keys(each as JsonObject)[0]!),
    )
    .map(([name]) => name);
  const direction = c.of(['asc', 'desc']);
  const several = Object.entries(below ?? {}).flatMap(([name, each]) => {
    const kind = Object.keys(each as JsonObject)[0]!;
    if (kind === 'stats') return [`${name}.avg`, `${name}.max`, `${name}.count`];
    if (kind === 'extended_stats') return [`${name}.std_deviation`, `${name}.sum_of_squares`];
    if (kind === 'percentiles') return [`${name}.50`];
    return /^(filter|global|nested|missing|reverse_nested)$/.test(kind) ? [`${name}>_count`, name] : [];
  });
  return { [c.of([...own, ...singles, ...several])]: direction };
}

function terms(c: Chance, scope: Scope, below: JsonObject | undefined): JsonObject {
  const field = c.chance(0.05)
    ? c.of(['_type', '_uid', '_parent'])
    : c.chance(0.6) && scope.word.length > 0
      ? c.of(scope.word)
      : anyField(c, scope);
  const texts = scope.word.includes(field) || scope.text.includes(field);
  return {
    terms: {
      field,
      ...c.maybe(0.5, 'size', () => c.of([0, 0, 1, 2, 100])),
      ...c.maybe(0.1, 'shard_size', () => 3),
      ...c.maybe(0.5, 'order', () =>
        c.chance(0.15)
          ? c.many<Json>(1, 2, () => order(c, ['_count', '_term'], below))
          : order(c, ['_count', '_term'], below),
      ),
      ...c.maybe(0.25, 'min_doc_count', () => c.of([0, 1, 2])),
      ...(texts ? c.maybe(0.15, 'include', () => c.of<Json>(['[a-d].*', ['a', 'dd']])) : {}),
      ...(texts ? c.maybe(0.1, 'exclude', () => 'd.*') : {}),
      ...c.maybe(0.3, 'collect_mode', () => c.of(['breadth_first', 'depth_first'])),
      ...c.maybe(0.2, 'execution_hint', () =>
        c.of(['map', 'global_ordinals', 'global_ordinals_hash', 'ordinals']),
      ),
      ...c.maybe(0.1, 'show_term_doc_count_error', () => true),
      ...c.maybe(0.05, 'shard_min_doc_count', () => 2),
      ...(scope.number.includes(field) ? c.maybe(0.1, 'script', () => '_value % 3') : {}),
      ...(scope.number.includes(field) ? { lang: 'expression' } : {}),
    },
  };
}

type Bucket = (c: Chance, scope: Scope, below: JsonObject | undefined) => JsonObject;

const BUCKETS: readonly Bucket[] = [
  terms,
  terms,
  terms,
  (c, scope) => ({ filter: filter(c, scope, 1) }),
  (c, scope) => ({
    filters: {
      filters: c.chance(0.5)
        ? c.many(1, 3, () => filter(c, scope, 1))
        : { one: filter(c, scope, 1), two: filter(c, scope, 0) },
    },
  }),
  (c, scope) => ({ missing: { field: c.chance(0.1) ? '_parent' : anyField(c, scope) } }),
  (c, scope) => ({
    range: {
      field: c.of(scope.number),
      ranges: ranges(c, () => fieldValue(c, c.of(['n', 'd']))),
      ...c.maybe(0.2, 'keyed', () => true),
    },
  }),
  (c, scope) => ({
    range: { field: c.of(scope.number), ranges: ranges(c, () => fieldValue(c, c.of(['n', 'd', 'seq']))) },
  }),
  (c, scope, below) => ({
    histogram: {
      field: numeric(c, { ...scope, number: scope.number.filter((field) => field !== 'huge'), date: [] }),
      interval: c.of([1, 2, 5, 100]),
      ...c.maybe(0.3, 'min_doc_count', () => c.of([0, 1, 2])),
      ...c.maybe(0.2, 'extended_bounds', () => ({ min: -3, max: 12 })),
      ...c.maybe(0.1, 'offset', () => 1),
      ...c.maybe(0.1, 'post_offset', () => 3),
      ...c.maybe(0.3, 'order', () => order(c, ['_count', '_key'], below)),
      ...c.maybe(0.2, 'keyed', () => true),
    },
  }),
];

const DATES: readonly Bucket[] = [
  (c, scope, below) => ({
    date_histogram: {
      field: c.of(scope.date),
      interval: c.of(['month', 'quarter', 'year', '90d', 'week']),
      ...c.maybe(0.3, 'min_doc_count', () => c.of([0, 1, 2])),
      ...c.maybe(0.3, c.of(['time_zone', 'pre_zone', 'post_zone']), () =>
        c.of(['+02:00', 'Europe/Berlin', '-08:00']),
      ),
      ...c.maybe(0.2, 'offset', () => '1d'),
      ...c.maybe(0.3, 'format', () => 'yyyy-MM-dd'),
      ...c.maybe(0.3, 'order', () => order(c, ['_count', '_key'], below)),
    },
  }),
  (c, scope) => ({
    date_range: {
      field: c.of(scope.date),
      ranges: ranges(c, () => c.of(['2014-01-15', '2014-02-01||+1M/M', '2015-01-01', 'now'])),
      ...c.maybe(0.3, 'format', () => 'yyyy-MM'),
    },
  }),
];

const GEO: readonly Bucket[] = [
  (c, scope) => ({
    geo_distance: {
      field: scope.geo[0]!,
      origin: place(c),
      unit: c.of(['km', 'mi']),
      ranges: ranges(c, () => c.of([10, 800, 5000])),
      ...c.maybe(0.3, 'distance_type', () => c.of(['arc', 'plane', 'sloppy_arc'])),
    },
  }),
  (c, scope) => ({
    geohash_grid: { field: scope.geo[0]!, precision: c.between(1, 5), ...c.maybe(0.4, 'size', () => 0) },
  }),
];

const IP: Bucket = (c, scope) => ({
  ip_range: {
    field: scope.ip[0]!,
    ranges: [...(ranges(c, () => fieldValue(c, 'addr')) as Json[]), { mask: '10.0.0.0/24' }],
  },
});

const SIGNIFICANT: Bucket = (c, scope) => ({
  significant_terms: {
    field: c.of([...scope.word, ...scope.text]),
    min_doc_count: c.between(1, 3),
    ...c.maybe(0.3, 'size', () => 3),
    ...c.maybe(0.5, c.of(['chi_square', 'gnd', 'mutual_information', 'jlh', 'percentage']), () =>
      c.of<JsonObject>([{}, { include_negatives: true }, { background_is_superset: false }]),
    ),
    ...c.maybe(0.1, 'background_filter', () => filter(c, scope, 0)),
  },
});

function bucket(c: Chance, scope: Scope, below: JsonObject | undefined): JsonObject {
  const kinds = [
    ...BUCKETS,
    ...(scope.date.length > 0 ? DATES : []),
    ...(scope.geo.length > 0 ? GEO : []),
    ...(scope.ip.length > 0 ? [IP] : []),
    SIGNIFICANT,
  ];
  return c.of(kinds)(c, scope, below);
}

function metric(c: Chance, scope: Scope): JsonObject {
  if (c.chance(0.15)) return TOPS(c, scope);
  if (scope.geo.length > 0 && c.chance(0.08))
    return { geo_bounds: { field: scope.geo[0]!, wrap_longitude: c.chance(0.5) } };
  return c.of(METRICS)(c, scope);
}

/** What leads to other documents: nested objects, what holds them, children, all. */
function step(c: Chance, scope: Scope, root: Scope, top: boolean, depth: number): JsonObject | undefined {
  const below = (to: Scope) => c.maybe(0.85, 'aggs', () => aggregations(c, to, root, depth - 1));
  const ways = [
    ...Object.entries(scope.nested).map(([path, inner]) => () => ({ nested: { path }, ...below(inner) })),
    ...(scope === root
      ? []
      : [
          () => ({ reverse_nested: {}, ...below(root) }),
          () => ({ reverse_nested: { path: 'kids' }, ...below(SCOPES.item!.nested.kids!) }),
        ]),
    ...scope.children.map((type) => () => ({
      children: { type },
      ...c.maybe(0.85, 'aggs', () => aggregations(c, SCOPES[type]!, SCOPES[type]!, depth - 1)),
    })),
    ...(top ? [() => ({ global: {}, ...below(scope) })] : []),
  ];
  return ways.length === 0 ? undefined : c.of<() => JsonObject>(ways)();
}

/** One to three aggregations beside each other; `depth` is how many levels there may be. */
export function aggregations(c: Chance, scope: Scope, root = scope, depth = 3, top = false): JsonObject {
  const out: JsonObject = {};
  const count = c.of([1, 1, 2, 3]);
  for (let i = 0; i < count; i++) {
    const name = `${'abc'[i]}${4 - depth}`;
    const way = depth > 1 && c.chance(0.25) ? step(c, scope, root, top, depth) : undefined;
    if (way !== undefined) {
      out[name] = way;
    } else if (c.chance(depth > 1 ? 0.65 : 0.3)) {
      const below = depth > 1 && c.chance(0.6) ? aggregations(c, scope, root, depth - 1) : undefined;
      out[name] = { ...bucket(c, scope, below), ...(below === undefined ? {} : { aggs: below }) };
    } else out[name] = metric(c, scope);
  }
  return out;
}
