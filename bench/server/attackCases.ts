/** Requests that are small for what they ask, and the indices that they ask. */
import type { ServerProcess } from './process.js';

/** One request, or several at once. */
export interface Attack {
  name: string;
  /** What is made for it first, beside the index `a`. */
  prepare?: 'wide' | 'long' | 'shapes' | 'patterns' | 'percolator' | undefined;
  method?: string;
  path: string;
  /** Made when it is sent. */
  body: () => string;
  /** How often it is sent at once. */
  times?: number;
  /** The answer comes within so many milliseconds; those of a request without a timeout. */
  within?: number;
}

const DOCUMENTS = 20_000;
const ROWS = 2_000;
const FIELDS = 60_000;
const FIELDS_AT_ONCE = 5_000;
const LONG_BYTES = 10_000_000;

const WORDS = ['red', 'fox', 'lazy', 'dog', 'brown', 'quick', 'jumps', 'over', 'river', 'stone'];
const wordAt = (i: number) => WORDS[(i * 7919 + (i >> 3)) % WORDS.length]!;

/** Makes `a`: documents with a text, a keyword that each has for itself, a number, a date, a point and an object. */
export async function fill(server: ServerProcess): Promise<void> {
  const properties = {
    k: { type: 'string', index: 'not_analyzed' },
    d: { type: 'date' },
    p: { type: 'geo_point' },
    s: { type: 'geo_shape', precision: '10km' },
  };
  await server.json('PUT', '/a', {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { t: { properties } },
  });
  for (let from = 0; from < DOCUMENTS; from += ROWS) {
    const lines = Array.from({ length: ROWS }, (_, i) => row(from + i));
    await server.json('POST', '/a/t/_bulk', lines.join(''));
  }
  await server.json('POST', '/a/_refresh');
}

function row(i: number): string {
  const text = Array.from({ length: 20 }, (_, w) => wordAt(i + w)).join(' ');
  const o = { a: { b: i, c: wordAt(i) }, e: [i, i + 1] };
  const source = { k: `k${i}`, n: i, d: i * 86_400_000, x: `${text} w${i}`, p: [i % 180, i % 90], o };
  return `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`;
}

/** What some attacks need besides. */
export const PREPARATIONS = {
  /** An index with as many fields as there may be. */
  async wide(server: ServerProcess): Promise<void> {
    await server.json('PUT', '/wide', { settings: { number_of_shards: 1 } });
    for (let from = 0; from < FIELDS; from += FIELDS_AT_ONCE) {
      const names = Array.from({ length: FIELDS_AT_ONCE }, (_, i) => [`f${from + i}`, { type: 'string' }]);
      await server.json('PUT', '/wide/_mapping/t', { t: { properties: Object.fromEntries(names) } });
    }
  },
  /** A document with one long text. */
  async long(server: ServerProcess): Promise<void> {
    await server.json('PUT', '/long', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { v: { type: 'string', term_vector: 'with_positions_offsets' } } } },
    });
    const x = text(LONG_BYTES);
    await server.json('PUT', '/long/t/1?refresh=true', { x });
    await server.json('PUT', '/long/t/2?refresh=true', { v: x });
  },
  /** An index whose analyzers have patterns. */
  async patterns(server: ServerProcess): Promise<void> {
    const filter = {
      capture: { type: 'pattern_capture', patterns: ['(([a-z]+)(\\d*))', '(.)(.)'] },
      replace: { type: 'pattern_replace', pattern: '(a|b|c)+x?', replacement: '$1y' },
    };
    const analyzer = {
      capture: { tokenizer: 'whitespace', filter: ['capture'] },
      replace: { tokenizer: 'keyword', filter: ['replace'] },
    };
    const properties = { c: { type: 'string', analyzer: 'capture' } };
    await server.json('PUT', '/patterns', {
      settings: { number_of_shards: 1, analysis: { filter, analyzer } },
      mappings: { t: { properties } },
    });
  },
  /** An index with a registered query. */
  async percolator(server: ServerProcess): Promise<void> {
    const x = { type: 'string' };
    await server.json('PUT', '/percolator', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { x, a: { properties: { n: { type: 'long' } } } } } },
    });
    await server.json('PUT', '/percolator/.percolator/1', { query: { match: { x: 'red' } } });
  },
  async shapes(server: ServerProcess): Promise<void> {
    const s = { type: 'geo_shape', precision: '1km' };
    await server.json('PUT', '/shapes', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { s } } },
    });
  },
};

function text(bytes: number): string {
  const out: string[] = [];
  for (let length = 0, i = 0; length < bytes; i++) {
    out.push(wordAt(i));
    length += wordAt(i).length + 1;
  }
  return out.join(' ');
}

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** A request without a body. */
const get = (name: string, path: string, prepare?: Attack['prepare']): Attack => ({
  name,
  path,
  method: 'GET',
  prepare,
  body: () => '',
});

const search = (name: string, body: () => object, more: Partial<Attack> = {}): Attack => ({
  name,
  path: '/a/_search',
  body: () => JSON.stringify(body()),
  ...more,
});

const aggs = (name: string, body: () => object, more: Partial<Attack> = {}) =>
  search(name, () => ({ size: 0, aggs: { x: body() } }), more);

const ring = (count: number) =>
  many(count + 1, (i) => {
    const angle = ((i % count) / count) * 2 * Math.PI;
    return [20 * Math.cos(angle), 20 * Math.sin(angle)];
  });

function template(): string {
  const items = many(60, (i) => i);
  const sections = 5;
  const source = `${'{{#i}}'.repeat(sections)}a${'{{/i}}'.repeat(sections)}`;
  return JSON.stringify({ template: { query: { match: { x: source } } }, params: { i: items } });
}

const terms = (size: number) => ({ terms: { field: 'k', size } });
const bounds = { min: 0, max: 1_000_000_000 };

/** All of them. */
export const ATTACKS: readonly Attack[] = [
  get('nothing', '/'),
  // ---------------------------------------------------------------------------- as the first who tried did
  { name: 'template, five nested sections', path: '/a/_search/template', body: template },
  get('filter_path of 60 **', `/_nodes?filter_path=${many(60, () => '**').join('.')}.x`),
  get('filter_path of 4,000 **', `/?filter_path=${many(4000, () => '**').join('.')}`),
  aggs('format of 300,000 zeros', () => ({
    histogram: { field: 'n', interval: 1, format: '0'.repeat(300_000) },
  })),
  aggs('extended_bounds below terms', () => ({
    terms: { field: 'k', size: 1000 },
    aggs: { h: { histogram: { field: 'n', interval: 1, min_doc_count: 0, extended_bounds: bounds } } },
  })),
  search(
    'multi_match on 60,000 fields',
    () => ({ query: { multi_match: { query: 'red fox', fields: ['*'] } } }),
    {
      prepare: 'wide',
      path: '/wide/_search',
    },
  ),
  search('1,000 script fields, 10,000 hits', () => ({
    size: 10_000,
    script_fields: Object.fromEntries(
      many(1000, (i) => [`s${i}`, { script: `doc['n'].value * ${i}`, lang: 'expression' }]),
    ),
  })),
  aggs('500,000 percents', () => ({ percentiles: { field: 'n', percents: many(500_000, (i) => i / 5000) } })),
  search('5,000 source patterns', () => ({ size: 10_000, _source: many(5000, (i) => `*o*${i}*.a*b*`) })),
  {
    name: '_msearch of 200 terms',
    path: '/a/_msearch',
    body: () => `{}\n${JSON.stringify({ size: 0, aggs: { x: terms(0) } })}\n`.repeat(200),
  },
  aggs('terms of size 0 above a histogram', () => ({
    ...terms(0),
    aggs: { h: { histogram: { field: 'n', interval: 1 } } },
  })),
  search(
    'highlighting 10 MB',
    () => ({ query: { match: { x: 'red fox' } }, highlight: { fields: { x: {} } }, _source: false }),
    { prepare: 'long', path: '/long/_search' },
  ),
  search(
    'highlighting 10 MB, fast vectors',
    () => ({ query: { match: { v: 'red fox' } }, highlight: { fields: { v: {} } }, _source: false }),
    { prepare: 'long', path: '/long/_search' },
  ),
  search('polygon of a million vertices', () => ({
    query: { filtered: { filter: { geo_polygon: { p: { points: ring(1_000_000) } } } } },
  })),
  search('shape of a million vertices', () => ({
    query: { geo_shape: { s: { shape: { type: 'polygon', coordinates: [ring(1_000_000)] } } } },
  })),
  search('shape of 10,000 vertices', () => ({
    query: { geo_shape: { s: { shape: { type: 'polygon', coordinates: [ring(9_999)] } } } },
  })),
  {
    name: 'document with a shape of 100,000',
    prepare: 'shapes',
    method: 'PUT',
    path: '/shapes/t/1',
    body: () => JSON.stringify({ s: { type: 'polygon', coordinates: [ring(100_000)] } }),
  },
  aggs('300,000 ranges', () => ({ range: { field: 'n', ranges: many(300_000, (i) => ({ from: i })) } })),
  aggs('10,000 ranges', () => ({ range: { field: 'n', ranges: many(10_000, (i) => ({ from: i })) } })),
  // ---------------------------------------------------------------------------- timeouts
  search(
    'script filter, timeout 200 ms',
    () => ({
      timeout: '200ms',
      query: {
        filtered: {
          filter: { bool: { must: many(1000, (i) => ({ range: { n: { gte: i - 1000 } } })) } },
          query: {
            function_score: {
              functions: many(400, (i) => ({
                script_score: { script: `ln(doc['n'].value + ${i}) * sin(_score)`, lang: 'expression' },
              })),
            },
          },
        },
      },
    }),
    { within: 300 },
  ),
  search(
    'patterns, timeout 200 ms',
    () => ({
      timeout: '200ms',
      query: { bool: { should: many(1000, (i) => ({ regexp: { x: `.*${i}.*[a-z].*(a|b).*` } })) } },
    }),
    { within: 300 },
  ),
  search(
    'fuzzy words, timeout 200 ms',
    () => ({
      timeout: '200ms',
      query: { bool: { should: many(1000, (i) => ({ fuzzy: { k: { value: `k1${i}`, fuzziness: 2 } } })) } },
    }),
    { within: 300 },
  ),
  aggs(
    'terms below terms, timeout 200 ms',
    () => ({ ...terms(0), aggs: { y: { ...terms(0), aggs: { z: terms(0) } } } }),
    {
      path: '/a/_search?timeout=200ms',
      within: 300,
    },
  ),
  search(
    'all hits by a script, timeout 200 ms',
    () => ({ timeout: '200ms', size: 20_000, sort: ['k'], fields: ['*'] }),
    {
      within: 300,
    },
  ),
  search(
    'explained hits, timeout 200 ms',
    () => ({
      timeout: '200ms',
      size: 10_000,
      explain: true,
      query: { query_string: { query: WORDS.join(' '), default_field: 'x' } },
    }),
    { within: 300 },
  ),
  // ---------------------------------------------------------------------------- large bodies
  search('bool of 100,000 clauses', () => ({
    query: { bool: { should: many(100_000, (i) => ({ term: { n: i } })) } },
  })),
  search('terms filter of 1,000,000', () => ({
    query: { filtered: { filter: { terms: { k: many(1_000_000, (i) => `k${i}`) } } } },
  })),
  search('terms filter of 100,000', () => ({
    query: { filtered: { filter: { terms: { k: many(100_000, (i) => `k${i}`) } } } },
  })),
  {
    name: 'lax JSON of 20 MB',
    path: '/a/_search',
    body: () => `{query:{match:{x:[${many(2_000_000, () => "'red'").join(',')}]}}}`,
  },
  {
    name: 'broken JSON of 20 MB',
    path: '/a/_search',
    body: () => `{"query":{"terms":{"n":[${many(3_000_000, (i) => i).join(',')}`,
  },
  search('query of 5 MB', () => ({ query: { match: { x: text(5_000_000) } } })),
  search('query_string of 1 MB', () => ({ query: { query_string: { query: text(1_000_000) } } })),
  {
    name: 'document with 1,000,000 numbers',
    method: 'PUT',
    path: '/a/t/list',
    body: () => JSON.stringify({ n: many(1_000_000, (i) => i) }),
  },
  {
    name: '_mget of 100,000',
    path: '/a/t/_mget',
    body: () => JSON.stringify({ ids: many(100_000, (i) => String(i)) }),
  },
  {
    name: '_analyze of 10 MB',
    path: '/_analyze?analyzer=english',
    body: () => text(10_000_000),
  },
  {
    name: 'pattern_capture of 500 kB',
    prepare: 'patterns',
    path: '/patterns/_analyze?analyzer=capture',
    body: () => 'abcx0'.repeat(100_000),
  },
  {
    name: 'pattern_replace of 500 kB',
    prepare: 'patterns',
    path: '/patterns/_analyze?analyzer=replace',
    body: () => 'abcx0'.repeat(100_000),
  },
  {
    name: 'document of 1 MB for pattern_capture',
    prepare: 'patterns',
    method: 'PUT',
    path: '/patterns/t/1',
    body: () => JSON.stringify({ c: 'abcx0 '.repeat(170_000) }),
  },
  {
    name: 'percolating 300,000 objects',
    prepare: 'percolator',
    path: '/percolator/t/_percolate',
    body: () => JSON.stringify({ doc: { x: 'red', a: many(300_000, (n) => ({ n })) } }),
  },
  {
    name: '_mpercolate of 10,000',
    prepare: 'percolator',
    path: '/percolator/t/_mpercolate',
    body: () => '{"percolate":{}}\n{"doc":{"x":"red"}}\n'.repeat(10_000),
  },
  {
    name: 'index with 100,000 stop words',
    method: 'PUT',
    path: '/words',
    body: () => {
      const analyzer = { words: { type: 'standard', stopwords: many(100_000, (i) => `w${i}`) } };
      return JSON.stringify({ settings: { number_of_shards: 1, analysis: { analyzer } } });
    },
  },
  get('_settings of 100,000 stop words', '/_settings'),
  {
    name: '200 documents, each with a field more',
    prepare: 'wide',
    path: '/wide/t/_bulk',
    body: () => many(200, (i) => `{"index":{}}\n{"more${i}":${i}}\n`).join(''),
  },
  search('more like a text of 1 MB', () => ({
    query: { more_like_this: { fields: ['x'], like_text: text(1_000_000), min_term_freq: 1 } },
  })),
  get('_termvectors of 10 MB', '/long/t/1/_termvector', 'long'),
  {
    name: 'suggestions for 10,000 words',
    path: '/a/_suggest',
    body: () =>
      JSON.stringify({ s: { text: many(10_000, (i) => `k1${i}`).join(' '), term: { field: 'k' } } }),
  },
  {
    name: '10,000 suggestions',
    path: '/a/_suggest',
    body: () =>
      JSON.stringify(
        Object.fromEntries(many(10_000, (i) => [`s${i}`, { text: `reed${i}`, term: { field: 'x' } }])),
      ),
  },
  search('10,000 aggregations', () => ({
    size: 0,
    aggs: Object.fromEntries(many(10_000, (i) => [`a${i}`, { stats: { field: 'n' } }])),
  })),
  search('1,000 highlighted fields, 1,000 hits', () => ({
    size: 1000,
    query: { match: { x: WORDS.join(' ') } },
    highlight: {
      fields: Object.fromEntries(many(1000, (i) => [i % 2 ? `x${'*'.repeat(i % 40)}` : 'x', {}])),
    },
  })),
  get('_mapping of 60,000 fields', '/wide/_mapping', 'wide'),
  get('_cluster/state of 60,000 fields', '/_cluster/state', 'wide'),
  get('_mapping/field of 60,000', '/wide/_mapping/field/*', 'wide'),
  get('_stats of 60,000 fields', '/_stats?fields=*', 'wide'),
  search('10,000 hits, pretty YAML', () => ({ size: 10_000 }), { path: '/a/_search?format=yaml&pretty' }),
  search('10,000 hits, filter_path', () => ({ size: 10_000 }), {
    path: '/a/_search?filter_path=**._id,hits.**.o.*',
  }),
  search('10,000 hits, in CBOR', () => ({ size: 10_000 }), { path: '/a/_search?format=cbor' }),
  search('20 terms of size 0 at once', () => ({ size: 0, aggs: { x: terms(0) } }), { times: 20 }),
];
