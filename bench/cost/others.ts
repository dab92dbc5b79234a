/** Everything but searches: documents, mappings, analysis, templates, aliases, warmers, percolation, what the server tells of itself. */
import { expression, pattern, query } from './queries.js';
import { searchBody } from './searches.js';
import { type CostRequest, type Json, type JsonObject, type Sizes, words, WORDS } from './request.js';

const TYPES = [
  'string',
  'long',
  'double',
  'date',
  'boolean',
  'ip',
  'geo_point',
  'geo_shape',
  'completion',
  'binary',
  'token_count',
  'nested',
  'object',
  'nonsense',
];
/** Names that are odd. */
const NAMES = [
  'a',
  '__proto__',
  'constructor',
  'toString',
  'é',
  ' ',
  'a b',
  '_x',
  '.',
  '..',
  'a.b.c',
  '\u0000',
  'x'.repeat(2000),
  '',
  '*',
  '🦊',
];

const deep = (c: Sizes, most: number): string => {
  const n = c.amount(most);
  return `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`;
};

function scalar(c: Sizes): Json {
  return c.of<() => Json>([
    () => c.extreme(),
    () => words(c, c.amount(300)),
    () => c.repeated('9', 3000),
    () => null,
    () => ({ lat: c.extreme(), lon: c.extreme() }),
    () => c.list(1000, (i) => i),
    () => c.list(200, () => [[[]]]),
    () => '2014-01-01',
    () => ({ type: 'polygon', coordinates: [c.list(300, (i) => [i % 180, (i * 7) % 90])] }),
    () => ({ input: c.list(200, () => c.of(WORDS)), weight: c.extreme() }),
    () => BigInt(`1${c.repeated('0', 300)}`),
  ])();
}

function document(c: Sizes): JsonObject {
  return Object.fromEntries(
    c.list(400, (i) => [
      c.chance(0.05) ? c.of(NAMES) : `y${c.below(600)}${c.chance(0.1) ? `.b${i}` : ''}`,
      scalar(c),
    ]),
  );
}

function fieldMapping(c: Sizes): JsonObject {
  return {
    type: c.of(TYPES),
    ...c.maybe(0.2, 'analyzer', () => c.of(['english', 'keyword', 'nope', 'cjk'])),
    ...c.maybe(0.1, 'format', () => c.repeated('yyyy||', 300)),
    ...c.maybe(0.1, 'fields', () => Object.fromEntries(c.list(100, (i) => [`m${i}`, { type: c.of(TYPES) }]))),
    ...c.maybe(0.1, 'copy_to', () => c.list(100, (i) => `y${i}`)),
    ...c.maybe(0.1, 'precision', () => c.of(['1m', '1mm', '100km'])),
    ...c.maybe(0.1, 'tree_levels', () => c.extreme()),
    ...c.maybe(0.1, 'precision_step', () => c.extreme()),
    ...c.maybe(0.1, 'position_offset_gap', () => c.extreme()),
    ...c.maybe(0.1, 'boost', () => c.extreme()),
  };
}

function mapping(c: Sizes): JsonObject {
  const properties = Object.fromEntries(
    c.list(600, (i) => [c.chance(0.02) ? c.of(NAMES) : `y${i}`, fieldMapping(c)]),
  );
  return {
    properties,
    ...c.maybe(0.2, 'dynamic_templates', () =>
      c.list(200, (i) => ({
        [`d${i}`]: {
          match: c.of(['*', pattern(c)]),
          match_pattern: c.of(['regex', 'simple']),
          mapping: { type: 'string' },
        },
      })),
    ),
    ...c.maybe(0.2, '_source', () => ({ includes: c.list(300, (i) => `*${i}*`) })),
    ...c.maybe(0.1, 'date_detection', () => c.chance(0.5)),
    ...c.maybe(0.1, 'dynamic_date_formats', () => c.list(100, () => 'yyyy-MM-dd||yy')),
  };
}

function analysis(c: Sizes): JsonObject {
  const filters: JsonObject = {
    g: { type: 'ngram', min_gram: c.of([1, 2]), max_gram: c.of([3, 20, 255, 1e9]) },
    e: { type: 'edge_ngram', min_gram: 1, max_gram: c.of([20, 1000, 1e9]) },
    sh: { type: 'shingle', min_shingle_size: 2, max_shingle_size: c.of([3, 30, 1000, 1e9]) },
    syn: {
      type: 'synonym',
      synonyms: c.list(1000, () => `${words(c, c.amount(5))} => ${words(c, c.amount(20))}`),
    },
    pat: { type: 'pattern_capture', patterns: c.list(20, () => `(${pattern(c)})`) },
    rep: { type: 'pattern_replace', pattern: pattern(c), replacement: c.repeated('$0', 50) },
    stop: { type: 'stop', stopwords: c.list(3000, () => c.of(WORDS)) },
    word: { type: 'word_delimiter', catenate_all: true, preserve_original: true },
    limit: { type: 'limit', max_token_count: c.extreme() },
    cg: { type: 'common_grams', common_words: c.list(300, () => c.of(WORDS)) },
    dic: { type: 'dictionary_decompounder', word_list: c.list(300, () => c.of(WORDS)), min_subword_size: 1 },
  };
  const chosen = c.list(6, () => c.of(Object.keys(filters)));
  return {
    analyzer: {
      x: {
        type: 'custom',
        tokenizer: c.of(['tok', 'standard', 'keyword', 'nopath', 'ngr', 'whitespace']),
        filter: chosen,
        char_filter: c.of([[], ['map'], ['cpat']]),
      },
    },
    filter: filters,
    tokenizer: {
      tok: { type: 'pattern', pattern: pattern(c) },
      nopath: { type: 'path_hierarchy' },
      ngr: { type: 'ngram', min_gram: 1, max_gram: c.of([2, 100]) },
    },
    char_filter: {
      map: { type: 'mapping', mappings: c.list(300, (i) => `${c.of(WORDS)} => ${i}`) },
      cpat: { type: 'pattern_replace', pattern: pattern(c), replacement: 'x' },
    },
  };
}

const FILTERS = [
  'ngram',
  'edge_ngram',
  'shingle',
  'lowercase',
  'asciifolding',
  'porter_stem',
  'reverse',
  'unique',
  'kstem',
  'cjk_bigram',
  'word_delimiter',
  'nope',
];

function paths(c: Sizes): string {
  return c
    .list(300, () =>
      c.of([
        '**',
        '*.*',
        '**.a',
        `${c.repeated('*.', 40)}b`,
        `${c.repeated('**.', 40)}b`,
        '_source',
        '-**',
        'hits.hits',
      ]),
    )
    .join(',');
}

const LISTED = [
  '/_nodes',
  '/_cluster/state',
  '/_nodes/stats',
  '/',
  '/_stats?fields=*',
  '/c/_mapping',
  '/_segments',
  '/_settings',
  '/c/t/1',
  '/_cluster/health?level=shards',
  '/_recovery',
  '/_aliases',
  '/_cluster/stats',
];
const CATS = [
  'indices',
  'shards',
  'segments',
  'thread_pool',
  'fielddata',
  'nodes',
  'recovery',
  'allocation',
  'aliases',
  'count',
  'health',
  'plugins',
];

const index = (c: Sizes) => c.of(['w', 'w', 'w1', 'w2', 'w3']);

export const OTHERS: readonly ((c: Sizes) => CostRequest)[] = [
  (c) => ({ method: 'GET', path: c.of(LISTED) }),
  (c) => ({ method: 'GET', path: withQuery(c.of(LISTED), `filter_path=${paths(c)}`) }),
  (c) => ({
    method: 'POST',
    path: `/c/_search?filter_path=${paths(c)}&size=100`,
    body: { query: query(c, 1) },
  }),
  (c) => ({
    method: 'GET',
    path: `/_cat/${c.of(CATS)}?v&h=${c.list(300, () => '*').join(',')}&bytes=${c.of(['b', 'kb'])}`,
  }),
  (c) => ({
    method: 'GET',
    path: `/${c.of(NAMES.map(encodeURIComponent))}/${encodeURIComponent(c.of(NAMES))}/${c.repeated('x', 9000)}`,
  }),
  (c) => ({
    method: 'GET',
    path: `/${c.list(1500, () => c.of(['c', '*', '-c', '+w', 'c*'])).join(',')}/_search?ignore_unavailable=true`,
  }),
  (c) => ({ method: 'GET', path: `/c/_search?${c.list(1000, (i) => `p${i}=${i}`).join('&')}` }),
  (c) => ({
    method: 'PUT',
    path: `/${index(c)}/t/${c.below(50)}?refresh=${c.chance(0.3)}`,
    body: document(c),
  }),
  (c) => ({ method: 'PUT', path: `/${index(c)}/t/1`, text: `{"deep":${deep(c, 30_000)}}` }),
  (c) => ({
    method: 'POST',
    path: `/${index(c)}/t/1/_update`,
    body: { doc: document(c), upsert: document(c), detect_noop: true },
  }),
  (c) => ({
    method: 'POST',
    path: '/_bulk?refresh=true',
    lines: c
      .list(400, (): Json[] =>
        c.of<() => Json[]>([
          () => [
            { index: { _index: index(c), _type: 't', _id: String(c.below(100)) } },
            { s: words(c, 20), n: c.extreme() },
          ],
          () => [{ delete: { _index: index(c), _type: 't', _id: String(c.below(100)) } }],
          () => [
            { update: { _index: index(c), _type: 't', _id: String(c.below(100)) } },
            { doc: { n: c.below(9) } },
          ],
          () => [{ create: {} }, {}],
        ])(),
      )
      .flat(),
  }),
  (c) => ({
    method: 'POST',
    path: '/_bulk',
    text: c.repeated('{"index":{"_index":"w","_type":"t"}}\n{}\n', 3000),
  }),
  (c) => ({
    method: 'POST',
    path: '/w/t/_bulk',
    lines: c.list(30, (): Json[] => [{ index: {} }, document(c)]).flat(),
  }),
  (c) => ({
    method: 'POST',
    path: '/_mget',
    body: {
      docs: c.list(1500, () => ({
        _index: c.of(['c', 'w', 'nope']),
        _type: 't',
        _id: String(c.below(3000)),
        ...c.maybe(0.2, '_source', () => c.list(50, () => '*a*')),
        ...c.maybe(0.2, 'fields', () => ['s', 't']),
      })),
    },
  }),
  (c) => ({ method: 'POST', path: '/c/t/_mget', body: { ids: c.list(5000, String) } }),
  (c) => ({
    method: 'GET',
    path: `/c/t/${c.below(3000)}?_source_include=${c.list(600, (i) => `*${i}*.*`).join(',')}&fields=${c.list(300, () => 's').join(',')}`,
  }),
  (c) => ({ method: 'PUT', path: `/${index(c)}/_mapping/t`, body: { t: mapping(c) } }),
  (c) => ({
    method: 'PUT',
    path: `/w${c.of([1, 2, 3])}`,
    body: {
      settings: {
        number_of_shards: c.of([1, 2, 5]),
        number_of_replicas: c.of([0, 1, 2 ** 31]),
        analysis: analysis(c),
      },
      mappings: {
        t: { properties: { y1: { type: 'string', analyzer: 'x' } } },
        ...c.maybe(0.3, 'u', () => mapping(c)),
      },
      ...c.maybe(0.3, 'warmers', () => ({ v: { source: searchBody(c) } })),
      aliases: Object.fromEntries(c.list(60, (i) => [`al${i}`, { filter: query(c, 1) }])),
    },
  }),
  (c) => ({ method: 'DELETE', path: `/w${c.of([1, 2, 3])}` }),
  (c) => ({
    method: 'POST',
    path: `/w${c.of([1, 2, 3])}/_analyze?analyzer=x`,
    text: words(c, c.amount(3000)),
  }),
  (c) => ({
    method: 'POST',
    path: `/_analyze?tokenizer=${c.of(['standard', 'ngram', 'keyword', 'edge_ngram', 'whitespace', 'pattern', 'uax_url_email', 'path_hierarchy'])}&filters=${c.list(30, () => c.of(FILTERS)).join(',')}`,
    text: c.of([
      words(c, c.amount(3000)),
      c.repeated('a/b', 3000),
      c.repeated('漢字', 3000),
      c.repeated('aA1', 3000),
    ]),
  }),
  (c) => ({ method: 'PUT', path: `/${index(c)}/t/7?refresh=true`, body: { y1: words(c, c.amount(2000)) } }),
  (c) => ({
    method: 'PUT',
    path: `/_template/t${c.below(50)}`,
    body: {
      template: c.of(['w*', `${c.repeated('*w', 100)}*`, 'z']),
      order: c.extreme(),
      settings: { number_of_shards: 1 },
      mappings: { t: mapping(c) },
    },
  }),
  () => ({ method: 'DELETE', path: '/_template/*' }),
  (c) => ({
    method: 'POST',
    path: '/_aliases',
    body: {
      actions: c.list(200, (i) => ({
        [c.of(['add', 'remove'])]: {
          index: c.of(['w', 'w1', 'c']),
          alias: `b${i}`,
          ...c.maybe(0.5, 'filter', () => query(c, 1)),
        },
      })),
    },
  }),
  (c) => ({ method: 'POST', path: `/b${c.below(20)}/_search`, body: searchBody(c) }),
  (c) => ({ method: 'PUT', path: `/c/_warmer/v${c.below(20)}`, body: searchBody(c) }),
  (c) => ({ method: 'PUT', path: `/w/.percolator/${c.below(200)}`, body: { query: query(c, 2) } }),
  (c) => ({
    method: 'POST',
    path: '/w/t/_percolate',
    body: {
      doc: document(c),
      size: c.extreme(),
      ...c.maybe(0.2, 'highlight', () => ({ fields: { '*': {} } })),
      ...c.maybe(0.2, 'aggs', () => ({ a: { terms: { field: 'x' } } })),
    },
  }),
  (c) => ({
    method: 'POST',
    path: '/_mpercolate',
    lines: c
      .list(100, () => [
        { percolate: { index: c.of(['w', 'c']), type: 't' } },
        { doc: { s: words(c, c.amount(100)) } },
      ])
      .flat(),
  }),
  (c) => ({
    method: 'POST',
    path: `/c/t/${c.below(3000)}/_termvector?fields=${c.list(50, () => c.of(['s', 't', '*'])).join(',')}&term_statistics=true&field_statistics=true`,
  }),
  (c) => ({
    method: 'POST',
    path: '/_mtermvectors',
    body: {
      docs: c.list(200, () => ({ _index: 'c', _type: 't', _id: String(c.below(3000)), fields: ['s', 't'] })),
    },
  }),
  (c) => ({
    method: 'GET',
    path: `/c/_field_stats?fields=${c.list(300, () => c.of(['*', 's', 'n', 'x*'])).join(',')}&level=indices`,
  }),
  (c) => ({ method: 'DELETE', path: '/w/_query', body: { query: query(c, 2) } }),
  (c) => ({ method: 'PUT', path: `/_scripts/expression/s${c.below(9)}`, body: { script: expression(c) } }),
  (c) => ({
    method: 'PUT',
    path: `/_search/template/s${c.below(9)}`,
    body: { template: c.repeated('{{#a}}', 3000) },
  }),
  (c) => ({
    method: 'PUT',
    path: '/w/_settings',
    body: {
      index: {
        [c.of(['refresh_interval', 'blocks.write', 'search.slowlog.threshold.query.warn', 'nope'])]: c.of([
          '1s',
          'false',
          '0',
          'x',
          c.repeated('9', 300),
        ]),
      },
    },
  }),
  (c) => ({
    method: 'PUT',
    path: '/_cluster/settings',
    body: { transient: Object.fromEntries(c.list(300, (i) => [`logger.x${i}`, 'x'])) },
  }),
  (c) => ({
    method: 'POST',
    path: `/${index(c)}/_${c.of(['refresh', 'flush', 'optimize?max_num_segments=1', 'cache/clear', 'close', 'open', 'upgrade'])}`,
  }),
  (c) => ({
    method: 'GET',
    path: `/_nodes/hot_threads?interval=${c.of(['1ms', '10ms'])}&threads=${c.amount(1e9)}`,
  }),
  (c) => ({
    method: c.of(['POST', 'PUT', 'OPTIONS', 'GET']),
    path: c.of(['/c/_search', '/w/t/5', '/_bulk', '/_mget', '/_aliases']),
    text: `${c.repeated('a: [', 3000)}1`,
    written: 'yaml',
  }),
  (c) => ({
    method: 'POST',
    path: c.of(['/c/_search', '/w/t/5', '/_bulk', '/_mget']),
    text: c.repeated(c.of([' ', '{', '[', 'a', '\n']), 20_000_000),
    written: c.of(['gzip', 'deflate']),
  }),
];

function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
