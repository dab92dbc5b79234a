/** What requests are made of that are to be bent out of shape: bodies that work, and words for paths and parameters. */

/** Bodies of all kinds of requests. */
export const BODIES: readonly unknown[] = [
  {
    query: { match: { s: 'red fox' } },
    size: 2,
    sort: ['n', { d: 'desc' }],
    fields: ['s'],
    highlight: { fields: { s: {} } },
  },
  {
    query: {
      bool: {
        must: [{ term: { n: 1 } }],
        should: { prefix: { s: 're' } },
        must_not: { range: { n: { gt: 5 } } },
      },
    },
  },
  {
    query: { filtered: { query: { match_all: {} }, filter: { exists: { field: 's' } } } },
    from: 0,
    explain: true,
  },
  { query: { query_string: { query: 's:red AND (fox~ OR n:[1 TO 5]) "a b"~2^3', default_operator: 'and' } } },
  {
    query: {
      function_score: {
        query: { match_all: {} },
        functions: [{ gauss: { n: { origin: 1, scale: 2 } } }],
        score_mode: 'sum',
      },
    },
  },
  {
    query: { multi_match: { query: 'red', fields: ['s^2', 'o.*'], type: 'cross_fields', fuzziness: 'AUTO' } },
  },
  {
    query: {
      span_near: {
        clauses: [{ span_term: { s: 'red' } }, { span_term: { s: 'fox' } }],
        slop: 3,
        in_order: true,
      },
    },
  },
  { query: { more_like_this: { fields: ['s'], like_text: 'red fox', min_term_freq: 1, min_doc_freq: 1 } } },
  {
    query: { regexp: { s: { value: 'f.x|r(e|d)*', flags: 'ALL' } } },
    post_filter: { geo_distance: { distance: '12km', p: [1, 2] } },
  },
  { query: { nested: { path: 'k', query: { match: { 'k.a': 1 } }, score_mode: 'avg' } } },
  { query: { has_child: { type: 'c', query: { match_all: {} } } } },
  {
    size: 0,
    aggs: {
      a: { terms: { field: 's', size: 5, order: { _term: 'asc' } }, aggs: { b: { avg: { field: 'n' } } } },
    },
  },
  {
    aggs: {
      h: {
        date_histogram: {
          field: 'd',
          interval: 'month',
          min_doc_count: 0,
          extended_bounds: { min: '2014-01', max: '2014-03' },
        },
      },
    },
  },
  {
    aggs: {
      r: { range: { field: 'n', ranges: [{ to: 1 }, { from: 1, to: 5 }] } },
      p: { percentiles: { field: 'n', percents: [1, 50] } },
    },
  },
  {
    aggs: {
      g: { geohash_grid: { field: 'p', precision: 4 } },
      f: { filter: { term: { n: 1 } } },
      c: { cardinality: { field: 's' } },
    },
  },
  {
    aggs: {
      h: { histogram: { field: 'n', interval: 1 } },
      t: { top_hits: { size: 1, sort: 'n' } },
      x: { significant_terms: { field: 's' } },
    },
  },
  {
    suggest: { x: { text: 'rde fxo', term: { field: 's' } }, y: { text: 'red fx', phrase: { field: 's' } } },
  },
  { doc: { n: 2 }, detect_noop: true, upsert: { n: 0 }, doc_as_upsert: true },
  {
    s: 'blue',
    n: 3,
    o: { d: '2015-02-02' },
    d: '2014-05-05',
    p: { lat: 1, lon: 2 },
    k: [{ a: 1 }, { a: 2 }],
  },
  {
    docs: [
      { _index: 'a', _type: 't', _id: '1', fields: ['s'] },
      { _id: 2, _source: false },
    ],
  },
  { ids: ['1', '2'] },
  {
    actions: [
      { add: { index: 'a', alias: 'al', filter: { term: { n: 1 } } } },
      { remove: { index: 'b', alias: 'al' } },
    ],
  },
  {
    settings: {
      number_of_shards: 1,
      analysis: {
        analyzer: { x: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'y'] } },
        filter: { y: { type: 'ngram', min_gram: 1, max_gram: 3 } },
      },
    },
    mappings: { t: { properties: { x: { type: 'string', analyzer: 'x' } } } },
  },
  {
    template: 'te*',
    order: 1,
    settings: { number_of_replicas: 0 },
    mappings: { t: { dynamic_templates: [{ q: { match: '*', mapping: { type: 'string' } } }] } },
  },
  { index: { refresh_interval: '1s', 'blocks.write': false } },
  {
    t: {
      properties: { y: { type: 'long' }, z: { type: 'multi_field', fields: { z: { type: 'string' } } } },
      _parent: { type: 'q' },
    },
  },
  {
    transient: { 'indices.ttl.interval': '60s' },
    persistent: { 'cluster.routing.allocation.enable': 'all' },
  },
  { template: { query: { match: { s: '{{w}}' } }, size: '{{#s}}{{s}}{{/s}}' }, params: { w: 'fox', s: 2 } },
  { scroll_id: ['x'], scroll: '1m' },
  { analyzer: 'standard', text: 'The red fox', filters: ['lowercase'] },
  {
    query: { match_all: {} },
    rescore: { window_size: 3, query: { rescore_query: { match: { s: 'red' } } } },
    facets: { f: { terms: { field: 's' } } },
  },
];

/** Bodies of lines. */
export const LINES: readonly string[] = [
  '{"index":{"_index":"a","_type":"t","_id":"5"}}\n{"n":1}\n{"delete":{"_index":"a","_type":"t","_id":"5"}}\n',
  '{"update":{"_index":"a","_type":"t","_id":"1","_retry_on_conflict":2}}\n{"doc":{"n":2}}\n{"create":{}}\n{"s":"x"}\n',
  '{"index":"a","search_type":"count"}\n{"query":{"match_all":{}}}\n{}\n{"size":0}\n',
];

/** What may stand in the place of a name in a path. */
export const PARTS: readonly string[] = [
  'a',
  'b',
  'al',
  '_all',
  '*',
  'nope',
  '-a',
  'a,b',
  't',
  '1',
  '',
  '_x',
  '%',
  '%00',
  'A',
  'x'.repeat(300),
  '_nodes',
  '..',
  '.',
  '%2e%2e%2f',
  '+a,-b',
  '%ff%fe',
  'a%2fb',
  '{index}',
  '<script>',
  '%F0%9F%A6%8A',
  '\xff\xfe',
  'a b'.replace(' ', '%20'),
  '_search',
  '_mapping',
];

/** Names of parameters. */
export const PARAMETERS: readonly string[] = [
  'size',
  'from',
  'q',
  'sort',
  'routing',
  'version',
  'version_type',
  'scroll',
  'search_type',
  'fields',
  '_source',
  'filter_path',
  'format',
  'h',
  'level',
  'timeout',
  'refresh',
  'op_type',
  'preference',
  'expand_wildcards',
  'v',
  'bytes',
  'time',
  'human',
  'pretty',
  'case',
  'source',
  'scroll_id',
  'analyzer',
  'text',
  'df',
  'explain',
  'parent',
  'ttl',
  'timestamp',
  'terminate_after',
  'max_num_segments',
];

/** Values of parameters. */
export const VALUES: readonly string[] = [
  '',
  '0',
  '1',
  '-1',
  'x',
  'true',
  '1m',
  'a,b',
  '*',
  'yaml',
  'json',
  'scan',
  'count',
  'external',
  '_shards:0',
  '**',
  's:desc',
  '9'.repeat(30),
  '1e3',
  '%7B%22query%22%3A%7B%7D%7D',
  '%',
  '%zz',
  '2147483647',
  '-2147483648',
  'NaN',
  '1.5',
  'now',
  '%22',
  '((',
];
