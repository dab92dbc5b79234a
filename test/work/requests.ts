/** Requests that take the core long, each in a way of its own, and the documents that they read. */

export const DOCUMENTS = 3000;

const words = ['red', 'fox', 'lazy', 'dog', 'brown', 'quick', 'jumps', 'over', 'river', 'stone'];

/** Three segments with deletions, of one shard. */
export async function fill(request: (method: string, uri: string, body?: unknown) => Promise<unknown>) {
  const properties = { k: { type: 'string', index: 'not_analyzed' }, p: { type: 'geo_point' } };
  await request('PUT', '/a', {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { t: { properties } },
  });
  const third = DOCUMENTS / 3;
  for (let from = 0; from < DOCUMENTS; from += third) {
    const lines = Array.from({ length: third }, (_, i) => line(from + i));
    await request('POST', '/a/t/_bulk?refresh=true', lines.join(''));
  }
  for (let i = 0; i < DOCUMENTS; i += 300) await request('DELETE', `/a/t/${i}`);
  await request('POST', '/a/_refresh');
}

function line(i: number): string {
  const text = Array.from({ length: 12 }, (_, w) => words[((i + w) * 7919 + (i >> 3)) % words.length]);
  const x = [...text, `word${i % 700}`, `rare${i}`].join(' ');
  const source = { x, k: `k${i}`, g: `g${i % 40}`, n: (i * 7919) % 5000, p: [i % 180, i % 90] };
  return `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`;
}

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const script = (text: string) => ({ script_score: { script: text, lang: 'expression' } });
const terms = (field: string, aggs?: object) => ({ terms: { field, size: 0 }, ...(aggs && { aggs }) });
const phrase = { match_phrase: { x: 'red fox' } };

/** Searches by their names: each body is of `/a/_search`. */
export const SEARCHES: readonly (readonly [string, object])[] = [
  [
    'regular expressions',
    { query: { bool: { should: many(20, (i) => ({ regexp: { x: `.*${i}.*(a|b).*` } })) } } },
  ],
  [
    'fuzzy words',
    { query: { bool: { should: many(25, (i) => ({ fuzzy: { k: { value: `k1${i}`, fuzziness: 2 } } })) } } },
  ],
  [
    'prefixes as filters',
    { query: { filtered: { filter: { or: many(20, (i) => ({ prefix: { x: `rare${i}` } })) } } } },
  ],
  [
    'a phrase with a prefix',
    { query: { match_phrase_prefix: { x: { query: 'fox rare', max_expansions: 5000 } } } },
  ],
  ['scripts', { query: { function_score: { functions: many(30, (i) => script(`doc['n'].value + ${i}`)) } } }],
  ['phrases', { query: { bool: { must: [phrase], should: [{ match_phrase: { x: 'lazy dog' } }] } } }],
  ['a union', { query: { match: { x: 'red fox dog word1 word2 rare17' } } }],
  ['sorted by a term', { sort: ['k'], query: phrase, size: 200 }],
  [
    'ranges',
    { size: 0, aggs: { r: { range: { field: 'n', ranges: many(100, (i) => ({ from: i * 10 })) } } } },
  ],
  ['terms below terms', { size: 0, aggs: { k: terms('k', { g: terms('g', { n: terms('n') }) }) } }],
  [
    'terms without documents',
    {
      size: 0,
      query: { term: { x: 'word1' } },
      aggs: { g: terms('g', { k: { terms: { field: 'k', size: 0, min_doc_count: 0 } } }) },
    },
  ],
  [
    'significant terms',
    { size: 0, query: { term: { x: 'word1' } }, aggs: { s: { significant_terms: { field: 'k' } } } },
  ],
  [
    'top hits',
    { size: 0, query: phrase, aggs: { g: terms('g', { t: { top_hits: { sort: ['n'], size: 3 } } }) } },
  ],
  [
    'distances',
    {
      query: { filtered: { filter: { geo_distance: { distance: '4000km', p: [10, 10] } } } },
      sort: [{ _geo_distance: { p: [20, 20] } }],
    },
  ],
  [
    'a rescored query',
    { query: { match: { x: 'red dog' } }, rescore: { window_size: 500, query: { rescore_query: phrase } } },
  ],
];

/** Reads of terms: of `/a/_suggest`. */
export const SUGGESTIONS: readonly (readonly [string, object])[] = [
  [
    'words alike',
    { s: { text: 'rore17', term: { field: 'x', suggest_mode: 'always', max_edits: 2, prefix_length: 0 } } },
  ],
];
