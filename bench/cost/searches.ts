/** Searches, suggestions, and all that is made of them: templates, many at once, scrolls. */
import { aggregations, deepAggregations, facets } from './aggregations.js';
import { expression, query } from './queries.js';
import { type CostRequest, type Json, type JsonObject, type Sizes, words } from './request.js';

const INDICES = ['/c', '/c', '/c/t', '/al', '/c,w', '/*', ''];

function highlight(c: Sizes): JsonObject {
  const options = (): JsonObject => ({
    ...c.maybe(0.5, 'type', () => c.of(['plain', 'fvh', 'postings', 'x'])),
    ...c.maybe(0.5, 'fragment_size', () => c.extreme()),
    ...c.maybe(0.5, 'number_of_fragments', () => c.extreme()),
    ...c.maybe(0.2, 'no_match_size', () => c.extreme()),
    ...c.maybe(0.2, 'boundary_chars', () => c.repeated('. ', 3000)),
    ...c.maybe(0.2, 'boundary_max_scan', () => c.extreme()),
    ...c.maybe(0.2, 'phrase_limit', () => c.extreme()),
    ...c.maybe(0.2, 'matched_fields', () => c.list(20, () => c.of(['s', 't', 'ng']))),
    ...c.maybe(0.2, 'highlight_query', () => query(c, 2)),
    ...c.maybe(0.2, 'pre_tags', () => c.list(200, () => '<b>')),
    ...c.maybe(0.2, 'order', () => 'score'),
  });
  return {
    ...options(),
    fields: { [c.of(['*', 's', 't', 'ng', 'sh'])]: options(), [c.of(['t', 's'])]: options() },
  };
}

function sort(c: Sizes): Json[] {
  return c.list(60, () =>
    c.of<() => Json>([
      () => ({
        [c.of(['n', 'k', 'd', 'f', 's', '_score', '_doc', 'o.a'])]: {
          order: c.of(['asc', 'desc']),
          mode: c.of(['min', 'max', 'sum', 'avg']),
          ignore_unmapped: true,
        },
      }),
      () => ({
        _geo_distance: { p: c.list(300, () => [c.below(180), c.below(90)]), unit: 'km', order: 'asc' },
      }),
      () => ({ _script: { script: expression(c), lang: 'expression', type: 'number' } }),
      () => ({ 'o.a': { nested_path: 'o', nested_filter: query(c, 1) } }),
    ])(),
  );
}

const TEXT = (c: Sizes) => words(c, c.amount(400));

function suggest(c: Sizes): JsonObject {
  return Object.fromEntries(
    c.list(20, (i) => [
      `s${i}`,
      {
        text: TEXT(c),
        ...c.of<() => JsonObject>([
          () => ({
            term: {
              field: c.of(['s', 'k', 'ng']),
              size: c.extreme(),
              shard_size: c.extreme(),
              max_edits: 2,
              prefix_length: c.of([0, 1]),
              min_word_length: 1,
              max_inspections: c.extreme(),
              suggest_mode: 'always',
              max_term_freq: c.extreme(),
              string_distance: c.of([
                'internal',
                'ngram',
                'jarowinkler',
                'levenstein',
                'damerau_levenshtein',
              ]),
            },
          }),
          () => ({
            phrase: {
              field: c.of(['s', 'sh']),
              size: c.amount(1000),
              shard_size: c.amount(1000),
              max_errors: c.of([0.5, 1, 5, 1e9]),
              confidence: c.of([0, 1, -1]),
              gram_size: c.of([1, 2, 5, 1e9]),
              direct_generator: c.list(10, () => ({
                field: 's',
                size: c.amount(1000),
                suggest_mode: 'always',
                min_word_length: 1,
                prefix_length: c.of([0, 1]),
                max_inspections: c.amount(1e6),
              })),
              ...c.maybe(0.3, 'highlight', () => ({ pre_tag: c.repeated('<b>', 300), post_tag: '' })),
            },
          }),
          () => ({
            completion: {
              field: 'c',
              size: c.extreme(),
              fuzzy: { fuzziness: 2, min_length: 1, prefix_length: 0 },
            },
          }),
        ])(),
      },
    ]),
  );
}

/** The body of a search. */
export function searchBody(c: Sizes): JsonObject {
  return {
    ...c.maybe(0.8, 'query', () => query(c)),
    ...c.maybe(0.35, 'aggs', () => (c.chance(0.1) ? deepAggregations(c) : aggregations(c))),
    ...c.maybe(0.05, 'facets', () => facets(c)),
    ...c.maybe(0.4, 'size', () => c.of([0, 1, 10, 100, 1000, 10_000, c.extreme()])),
    ...c.maybe(0.1, 'from', () => c.extreme()),
    ...c.maybe(0.15, 'sort', () => sort(c)),
    ...c.maybe(0.12, 'highlight', () => highlight(c)),
    ...c.maybe(0.08, 'script_fields', () =>
      Object.fromEntries(c.list(200, (i) => [`v${i}`, { script: expression(c), lang: 'expression' }])),
    ),
    ...c.maybe(0.1, '_source', () => c.list(1000, (i) => c.of(['*', `*${i}*`, `${c.repeated('*.', 30)}a`]))),
    ...c.maybe(0.1, 'fields', () => c.list(300, (i) => c.of(['s', '*', `x${i}`, 'o.*']))),
    ...c.maybe(0.05, 'fielddata_fields', () => c.list(100, () => c.of(['s', 'n', 'k', 'p']))),
    ...c.maybe(0.05, 'suggest', () => suggest(c)),
    ...c.maybe(0.06, 'rescore', () =>
      c.list(20, () => ({ window_size: c.extreme(), query: { rescore_query: query(c, 1) } })),
    ),
    ...c.maybe(0.05, 'explain', () => true),
    ...c.maybe(0.05, 'post_filter', () => ({ query: query(c, 1) })),
    ...c.maybe(0.05, 'min_score', () => c.extreme()),
    ...c.maybe(0.05, 'timeout', () => c.of(['1ms', '50ms', '0', '-1', '1d'])),
    ...c.maybe(0.05, 'terminate_after', () => c.extreme()),
    ...c.maybe(0.05, 'indices_boost', () => Object.fromEntries(c.list(300, (i) => [`c${i}`, i]))),
  };
}

/** A search that costs little, for bodies of many. */
const light = (c: Sizes): JsonObject => ({ query: query(c, 1), size: c.of([0, 1, 10]) });

/** A search template whose sections multiply. */
function template(c: Sizes): JsonObject {
  const depth = c.amount(7);
  const source = `{"query":{"match":{"s":"${'{{#a}}'.repeat(depth)}{{.}} ${'{{/a}}'.repeat(depth)}"}},"size":${c.repeated('{{n}}', 20)}}`;
  return {
    template: c.chance(0.5) ? source : { query: { match: { s: c.repeated('{{a}}', 2000) } } },
    params: { a: c.list(80, String), n: 1 },
  };
}

export const SEARCHES: readonly ((c: Sizes) => CostRequest)[] = [
  (c) => ({
    method: 'POST',
    path: `${c.of(INDICES)}/_search${c.of(['', '', '?search_type=count', '?search_type=dfs_query_then_fetch', '?search_type=query_and_fetch', '?preference=_shards:0', '?routing=1,2,3'])}`,
    body: searchBody(c),
  }),
  (c) => ({ method: 'POST', path: '/c/_search', body: { size: 0, aggs: aggregations(c) } }),
  (c) => ({ method: 'POST', path: '/c/_search', body: { query: query(c, 4) } }),
];

export const OTHER_SEARCHES: readonly ((c: Sizes) => CostRequest)[] = [
  (c) => ({
    method: 'POST',
    path: '/_msearch',
    lines: c.list(60, () => [{ index: c.of(['c', 'al', 'w', 'nope', '*']) }, light(c)]).flat(),
  }),
  (c) => ({ method: 'POST', path: '/c/_msearch', lines: c.list(10, () => [{}, searchBody(c)]).flat() }),
  (c) => ({
    method: 'POST',
    path: `/c/_search?scroll=${c.of(['1m', '1s', '999d'])}${c.of(['', '&search_type=scan'])}`,
    body: { query: query(c, 1), size: c.of([1, 10, 1000]), ...c.maybe(0.5, 'sort', () => sort(c)) },
  }),
  (c) => ({
    method: 'POST',
    path: '/_search/scroll?scroll=1m',
    text: c.of([c.repeated('c2Nhbg==', 3000), 'x', c.repeated('=', 3000)]),
  }),
  (c) => ({ method: 'DELETE', path: '/_search/scroll', body: { scroll_id: c.list(3000, () => 'c2Nhbjs=') } }),
  (c) => ({ method: 'POST', path: '/c/_search/template', body: template(c) }),
  (c) => ({ method: 'POST', path: '/c/_suggest', body: suggest(c) }),
  (c) => ({ method: 'POST', path: '/c/_count', body: { query: query(c) } }),
  (c) => ({ method: 'POST', path: '/c/_search/exists', body: { query: query(c) } }),
  (c) => ({
    method: 'POST',
    path: '/c/_validate/query?explain=true&rewrite=true',
    body: { query: query(c) },
  }),
  (c) => ({ method: 'POST', path: `/c/t/${c.below(3000)}/_explain`, body: { query: query(c) } }),
  (c) => ({
    method: 'POST',
    path: `/c/t/${c.below(3000)}/_mlt?min_term_freq=1&min_doc_freq=1&max_query_terms=${c.extreme()}&search_size=${c.extreme()}`,
    body: searchBody(c),
  }),
  (c) => ({
    method: 'GET',
    path: `/c/_search?q=${encodeURIComponent(words(c, c.amount(500)))}&sort=${c.list(200, () => 'n:asc').join(',')}&fields=${c.list(300, () => 's').join(',')}`,
  }),
  (c) => ({
    method: 'GET',
    path: `/c/_search?size=${c.of(['9'.repeat(c.amount(40)), '1000'])}&_source_include=${c.list(300, () => '*a*').join(',')}`,
  }),
  (c) => ({ method: 'POST', path: '/c/_search', text: `{"query":${c.repeated('{"bool":{"must":', 60_000)}` }),
  (c) => ({
    method: 'POST',
    path: '/c/_search',
    text: c.repeated(
      c.of(['[', '{"a":', '{"query":{"filtered":{"query":', '"', '{"aggs":{"a":', '(', '1,', '\u0000']),
      200_000,
    ),
  }),
];
