/** Queries and filters that take work: deep, wide, with large automata, many points, long texts. */
import { type JsonObject, type Sizes, words, WORDS } from './request.js';

type Maker = (c: Sizes, depth: number) => JsonObject;

const TEXTS = ['s', 't', 'ng', 'sh', 'k', 'g', 'o.b', 'x1', '_all', 'missing'];
const NUMBERS = ['n', 'f', 'd', 'ip', 'o.a', 'missing'];

const text = (c: Sizes) => c.of(TEXTS);
const number = (c: Sizes) => c.of(NUMBERS);

/** A regular expression that makes a large automaton, or one that must not be followed by trying. */
export function pattern(c: Sizes): string {
  return c.of<() => string>([
    () => `${c.repeated('.*[a-e]', 30)}x{0,${c.amount(500)}}`,
    () => `(${c.repeated('(a|b)', 20)}){1,${c.amount(900)}}`,
    () => `${c.repeated('(', 60)}a*${')*'.repeat(3)}`,
    () => `<1-${'9'.repeat(c.amount(12))}>`,
    () => `~(${c.list(12, () => `.*${c.of(WORDS)}.*`).join('&')})`,
    () => `${c.list(30, () => `(.*${c.of(WORDS)}.*)`).join('&')}`,
    () => c.list(300, () => c.of(WORDS)).join('|'),
    () => `.{${c.amount(500)},${c.amount(900)}}[a-z].{${c.amount(200)}}`,
    () => `@&~(${c.repeated('[^e]*e', 15)})`,
    () => c.repeated('[\\ud800\\udc00-\\udbff\\udfff]?', 50),
    () => `(.*a){${c.amount(60)}}`,
  ])();
}

function path(c: Sizes): string {
  return c.of<() => string>([
    () => `${c.repeated('*e', 200)}*`,
    () => c.repeated('?', 300),
    () => `*${c.of(WORDS)}*${c.repeated('?*', 60)}`,
    () => `${c.of('etaoin'.split(''))}*`,
  ])();
}

/** A query in Lucene's syntax. */
function lucene(c: Sizes): string {
  const clause = () =>
    c.of<() => string>([
      () => c.of(WORDS),
      () => `${c.of(WORDS)}~2`,
      () => `${text(c)}:${path(c)}`,
      () => `/${pattern(c)}/`,
      () => `n:[${c.below(10)} TO ${'9'.repeat(c.amount(30))}]`,
      () => `"${words(c, c.amount(50))}"~${c.amount(1e9)}`,
      () => `(${words(c, c.amount(20))})^${c.amount(1e9)}`,
      () => '*:*',
      () => `_exists_:${text(c)}`,
      () => `*.\\*:${c.of(WORDS)}`,
    ])();
  const list = c.list(300, clause).join(c.of([' ', ' AND ', ' OR ', ' NOT ', ' +', ' -']));
  return c.chance(0.2) ? `${c.repeated('(', 2000)}${list}${')'.repeat(c.amount(2000))}` : list;
}

const polygon = (c: Sizes, most: number): [number, number][] =>
  c.list(most, (i) => [Math.cos(i) * c.below(170), Math.sin(i) * c.below(80)] as [number, number]);

const shape = (c: Sizes): JsonObject => {
  const ring = polygon(c, 3000);
  return c.of<() => JsonObject>([
    () => ({ type: 'polygon', coordinates: [[...ring, ring[0]!]] }),
    () => ({ type: 'multipoint', coordinates: ring }),
    () => ({ type: 'linestring', coordinates: ring }),
    () => ({
      type: 'envelope',
      coordinates: [
        [-180 + c.next(), 90],
        [180, -90 + c.next()],
      ],
    }),
    () => ({
      type: 'circle',
      coordinates: [c.below(360) - 180, c.below(180) - 90],
      radius: `${c.amount(1e8)}m`,
    }),
    () => ({
      type: 'geometrycollection',
      geometries: c.list(50, () => ({ type: 'point', coordinates: [c.below(180), c.below(90)] })),
    }),
  ])();
};

/** An expression that is deep or long. */
export function expression(c: Sizes): string {
  return c.of<() => string>([
    () => `${c.repeated('(', 3000)}_score${c.repeated(')', 3000)}`,
    () => c.list(2000, () => "doc['n'].value").join(' + '),
    () =>
      c
        .list(300, () =>
          c.of(['sin(_score)', 'pow(2, 9999)', '1e308*10', "doc['f'].value", '_score % 0', 'atan2(1,0)']),
        )
        .join(c.of([' * ', ' / ', ' - ', ' && ', ' ? 1 : '])),
    () => `${c.repeated('-', 3000)}1`,
    () => `${c.repeated('abs(', 900)}1${c.repeated(')', 900)}`,
    () => c.list(200, () => '1').join(' ? 2 : '),
    () => `${'9'.repeat(c.amount(5000))}.${'9'.repeat(c.amount(500))}`,
  ])();
}

/** Dates with maths. */
export function dateMath(c: Sizes): string {
  return c.of<() => string>([
    () => `now${c.repeated('+1d', 2000)}`,
    () => `2014-01-01||${c.repeated('-1M/d', 500)}`,
    () => `now+${'9'.repeat(c.amount(25))}y`,
    () => `${'9'.repeat(c.amount(40))}-01-01`,
    () => `now/${c.of(['d', 'M', 'y', 'w', 'h', 'm', 's', 'x', ''])}`,
    () => c.repeated('2014-', 500),
  ])();
}

const LEAVES: readonly Maker[] = [
  (c) => ({
    regexp: { [text(c)]: { value: pattern(c), flags: c.of(['ALL', 'NONE', 'INTERSECTION|COMPLEMENT']) } },
  }),
  (c) => ({ wildcard: { [text(c)]: path(c) } }),
  (c) => ({ prefix: { [text(c)]: c.of(['', 'e', 'ea', c.repeated('a', 30_000)]) } }),
  (c) => ({
    fuzzy: {
      [text(c)]: {
        value: c.of([c.of(WORDS), c.repeated('ea', 200)]),
        fuzziness: c.of([2, 'AUTO', 1, 1e9]),
        max_expansions: c.extreme(),
        prefix_length: c.of([0, 0, 1, 1e9]),
        transpositions: c.chance(0.5),
      },
    },
  }),
  (c) => ({
    match: {
      [text(c)]: {
        query: words(c, c.amount(3000)),
        fuzziness: c.of([0, 2]),
        minimum_should_match: c.of(['50%', '3<-25% 9<-3', c.repeated('3<90% ', 100)]),
      },
    },
  }),
  (c) => ({ match_phrase: { [text(c)]: { query: words(c, c.amount(1000)), slop: c.extreme() } } }),
  (c) => ({
    match_phrase_prefix: {
      [text(c)]: { query: `${words(c, c.amount(30))} e`, max_expansions: c.extreme(), slop: c.amount(1000) },
    },
  }),
  (c) => ({
    multi_match: {
      query: words(c, c.amount(200)),
      fields: c.of<() => string[]>([
        () => ['*'],
        () => ['x*', 's^9', '*.*'],
        () => c.list(300, (i) => `x${i}^${i}`),
      ])(),
      type: c.of(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix']),
      fuzziness: c.of([0, 2]),
    },
  }),
  (c) => ({
    query_string: {
      query: lucene(c),
      fields: c.of([['s'], ['*'], ['s', 't', '_all']]),
      analyze_wildcard: c.chance(0.5),
      fuzzy_max_expansions: c.extreme(),
      lenient: c.chance(0.5),
    },
  }),
  (c) => ({ simple_query_string: { query: lucene(c), fields: c.of([['s'], ['*']]) } }),
  (c) => ({ common: { s: { query: words(c, c.amount(3000)), cutoff_frequency: c.next() } } }),
  (c) => ({
    more_like_this: {
      fields: c.of([['s', 't'], ['_all'], ['s']]),
      like_text: words(c, c.amount(5000)),
      max_query_terms: c.extreme(),
      min_term_freq: 1,
      min_doc_freq: 1,
      percent_terms_to_match: c.next(),
    },
  }),
  (c) => ({
    more_like_this: {
      ids: c.list(300, () => String(c.below(3000))),
      min_term_freq: 1,
      max_query_terms: c.extreme(),
    },
  }),
  (c) => ({
    fuzzy_like_this: {
      fields: ['s', 'ng'],
      like_text: words(c, c.amount(300)),
      max_query_terms: c.extreme(),
      fuzziness: 2,
    },
  }),
  (c) => ({
    terms: {
      [c.of(['k', 'n', 's', '_id', 'd'])]: c.list(20_000, (i) => c.of([`k${i}`, i, String(i)])),
      minimum_should_match: c.of([1, 2, '50%']),
    },
  }),
  (c) => ({ ids: { values: c.list(20_000, String) } }),
  (c) => ({
    range: {
      [number(c)]: {
        gte: c.of([dateMath(c), c.extreme(), '1'.repeat(c.amount(400))]),
        lt: c.of([dateMath(c), c.extreme()]),
        ...c.maybe(0.2, 'format', () => c.repeated('yyyy', 300)),
        ...c.maybe(0.2, 'time_zone', () => c.of(['+01:00', 'Europe/Prague', c.repeated('x', 3000)])),
      },
    },
  }),
  (c) => ({ range: { [text(c)]: { gte: 'a', lte: c.repeated('z', 30_000) } } }),
  (c) => ({ constant_score: { filter: { geo_polygon: { p: { points: polygon(c, 5000) } } } } }),
  (c) => ({
    constant_score: {
      filter: {
        geo_shape: {
          shape: {
            shape: shape(c),
            ...c.maybe(0.5, 'relation', () => c.of(['within', 'disjoint', 'intersects'])),
          },
        },
      },
    },
  }),
  (c) => ({
    constant_score: {
      filter: {
        geo_distance: {
          distance: c.of(['1m', '1e9km', '0.0001mm', `${c.extreme()}mi`]),
          p: [c.below(180), c.below(90)],
          distance_type: c.of(['arc', 'plane', 'sloppy_arc']),
          optimize_bbox: c.of(['none', 'memory', 'indexed']),
        },
      },
    },
  }),
  (c) => ({
    constant_score: {
      filter: { geohash_cell: { p: 'u2fhx', precision: c.of([1, 12, '1m', 3]), neighbors: true } },
    },
  }),
  (c) => ({ constant_score: { filter: { script: { script: expression(c), lang: 'expression' } } } }),
  (c) => ({
    span_near: {
      clauses: c.list(200, () => ({ span_term: { s: c.early(WORDS) } })),
      slop: c.amount(1e9),
      in_order: c.chance(0.5),
    },
  }),
  (c) => ({
    span_or: {
      clauses: c.list(500, () => ({ span_multi: { match: { prefix: { s: c.of(['e', 'ta', 'o']) } } } })),
    },
  }),
  (c) => ({ match_all: { boost: c.extreme() } }),
  (c) => ({ template: { query: c.list(100, () => '{{#a}}').join(''), params: { a: c.list(60, String) } } }),
];

/** `n` wrappers around a query. */
function wrapped(c: Sizes, inner: JsonObject): JsonObject {
  const layers: readonly ((query: JsonObject) => JsonObject)[] = [
    (query) => ({ bool: { must: query } }),
    (query) => ({ bool: { should: [query, { match_all: {} }], must_not: [query] } }),
    (query) => ({ filtered: { query, filter: { match_all: {} } } }),
    (query) => ({ constant_score: { query } }),
    (query) => ({ constant_score: { filter: { not: { query } } } }),
    (query) => ({ nested: { path: 'o', query } }),
    (query) => ({ dis_max: { queries: [query] } }),
    (query) => ({ function_score: { query } }),
    (query) => ({ has_child: { type: 'child', query } }),
    (query) => ({ boosting: { positive: query, negative: query, negative_boost: 0.1 } }),
    (query) => ({ wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') } }),
  ];
  let query = inner;
  const layer = c.of(layers);
  // Some double with every layer.
  const doubles = [layers[1], layers[9], layers[10]].includes(layer);
  for (let n = c.amount(doubles ? 8 : 600); n > 0; n--) query = layer(query);
  return query;
}

const COMPOUND: readonly Maker[] = [
  (c, depth) => wrapped(c, query(c, depth - 1)),
  (c, depth) => ({
    bool: {
      [c.of(['must', 'should', 'must_not'])]: c.list(400, () =>
        c.chance(0.97) ? { term: { s: c.early(WORDS) } } : query(c, depth - 2),
      ),
      minimum_should_match: c.of([1, '30%', 2]),
    },
  }),
  (c) => ({
    dis_max: {
      queries: c.list(800, () => ({ match: { [text(c)]: c.early(WORDS) } })),
      tie_breaker: c.next(),
    },
  }),
  (c, depth) => ({
    filtered: {
      query: query(c, depth - 1),
      filter: { [c.of(['and', 'or'])]: c.list(300, () => ({ range: { n: { gt: c.below(1e5) } } })) },
    },
  }),
  (c, depth) => ({
    function_score: {
      query: query(c, depth - 1),
      functions: c.list(150, () =>
        c.of<() => JsonObject>([
          () => ({ script_score: { script: expression(c), lang: 'expression' } }),
          () => ({ random_score: { seed: c.below(100) } }),
          () => ({ gauss: { n: { origin: c.extreme(), scale: c.amount(1e9), decay: 0.5 } } }),
          () => ({ linear: { p: { origin: '1,2', scale: `${c.amount(1e6)}km` } } }),
          () => ({
            field_value_factor: {
              field: 'n',
              factor: c.extreme(),
              modifier: c.of(['ln', 'reciprocal', 'sqrt']),
              missing: 1,
            },
          }),
          () => ({ weight: c.extreme(), filter: { term: { g: 'g1' } } }),
        ])(),
      ),
      score_mode: c.of(['sum', 'multiply', 'max', 'first']),
    },
  }),
  (c, depth) => ({
    has_child: {
      type: 'child',
      query: query(c, depth - 1),
      score_mode: c.of(['sum', 'none', 'avg']),
      min_children: c.amount(1e9),
    },
  }),
  (c, depth) => ({
    top_children: {
      type: 'child',
      query: query(c, depth - 1),
      factor: c.extreme(),
      incremental_factor: c.extreme(),
    },
  }),
  (c, depth) => ({
    nested: {
      path: 'o',
      query: query(c, depth - 1),
      score_mode: c.of(['avg', 'total']),
      inner_hits: { size: c.extreme() },
    },
  }),
  (c, depth) => ({ indices: { indices: c.list(500, (i) => `c${i}`), query: query(c, depth - 1) } }),
  (c) => ({
    span_near: {
      clauses: [spans(c, c.amount(300)), { span_term: { s: c.early(WORDS) } }],
      slop: c.amount(1e6),
      in_order: false,
    },
  }),
];

/** Spans within spans. */
function spans(c: Sizes, depth: number): JsonObject {
  let query: JsonObject = { span_term: { s: c.early(WORDS) } };
  for (let i = 0; i < depth; i++) {
    const inner = query;
    query = c.of<() => JsonObject>([
      () => ({
        span_near: { clauses: [inner, { span_term: { s: c.early(WORDS) } }], slop: 100, in_order: false },
      }),
      () => ({ span_or: { clauses: [inner, { span_term: { s: c.early(WORDS) } }] } }),
      () => ({ span_first: { match: inner, end: 1e6 } }),
      () => ({ span_not: { include: inner, exclude: { span_term: { s: c.early(WORDS) } } } }),
    ])();
  }
  return query;
}

/** A query that is dear, or seems so. */
export function query(c: Sizes, depth = 3): JsonObject {
  if (depth <= 0) return c.chance(0.5) ? { match_all: {} } : { term: { s: c.early(WORDS) } };
  return c.of(c.chance(0.35) ? COMPOUND : LEAVES)(c, depth);
}
