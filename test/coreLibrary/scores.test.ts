import { describe, expect, it } from 'vitest';
import type { Similarity } from '../../host/coreLibrary/definitions.js';
import {
  all,
  bool,
  boosted,
  constant,
  demoting,
  disMax,
  exists,
  filtered,
  functionScore,
  fuzzy,
  match,
  phrase,
  prefix,
  type Query,
  range,
  regexp,
  spanFirst,
  spanNear,
  spanNot,
  spanOr,
  spanTerm,
  term,
  terms,
  wildcard,
} from '../../host/coreLibrary/queries.js';
import { createEngine } from '../../host/index.js';
import { documents, FIELDS, shardOf } from './made.js';

const DOCUMENTS = documents(400);

/** The same query for the core and for the engine. */
const QUERIES: Record<string, [Query, object]> = {
  all: [boosted(all(), 2), { match_all: { boost: 2 } }],
  term: [term('title', 'rose'), { term: { title: 'rose' } }],
  'a keyword': [term('tag', 'tag3'), { term: { tag: 'tag3' } }],
  'a number': [term('year', DOCUMENTS[0]!.year), { term: { year: DOCUMENTS[0]!.year } }],
  terms: [
    terms('tag', ['tag1', 'tag2']),
    { constant_score: { filter: { terms: { tag: ['tag1', 'tag2'] } } } },
  ],
  match: [match('title', 'The ROSE garden'), { match: { title: 'The ROSE garden' } }],
  'all words': [
    match('title', 'the rose', { operator: 'and' }),
    { match: { title: { query: 'the rose', operator: 'and' } } },
  ],
  'two of three': [
    match('title', 'rose time war', { minimum: 2 }),
    { match: { title: { query: 'rose time war', minimum_should_match: 2 } } },
  ],
  phrase: [phrase('title', 'the rose'), { match_phrase: { title: 'the rose' } }],
  prefix: [prefix('title', 'r'), { prefix: { title: 'r' } }],
  'a prefix that scores': [
    prefix('title', 'ru', { rewrite: 'scoring' }),
    { prefix: { title: { value: 'ru', rewrite: 'scoring_boolean' } } },
  ],
  wildcard: [wildcard('title', 'r*n?'), { wildcard: { title: 'r*n?' } }],
  regexp: [regexp('title', 'r[au]n.*'), { regexp: { title: 'r[au]n.*' } }],
  fuzzy: [fuzzy('title', 'rase', { edits: 1 }), { fuzzy: { title: { value: 'rase', fuzziness: 1 } } }],
  range: [range('year', { gte: 1900, lt: 1950 }), { range: { year: { gte: 1900, lt: 1950 } } }],
  'a range of fractions': [range('weight', { gt: 12.5 }), { range: { weight: { gt: 12.5 } } }],
  'a range of words': [
    range('title', { gt: 'o', lte: 'rose' }),
    { range: { title: { gt: 'o', lte: 'rose' } } },
  ],
  exists: [exists('tag'), { constant_score: { filter: { exists: { field: 'tag' } } } }],
  bool: [
    bool({
      must: [term('title', 'the')],
      should: [boosted(term('title', 'rose'), 3), phrase('title', 'time machine')],
      mustNot: [term('tag', 'tag0')],
    }),
    {
      bool: {
        must: { term: { title: 'the' } },
        should: [
          { term: { title: { value: 'rose', boost: 3 } } },
          { match_phrase: { title: 'time machine' } },
        ],
        must_not: { term: { tag: 'tag0' } },
      },
    },
  ],
  'no coord': [
    bool({ should: [term('title', 'rose'), term('title', 'war')], coord: false, minimum: 1 }),
    {
      bool: {
        should: [{ term: { title: 'rose' } }, { term: { title: 'war' } }],
        disable_coord: true,
        minimum_should_match: 1,
      },
    },
  ],
  constant: [
    boosted(constant(term('title', 'war')), 4),
    { constant_score: { filter: { term: { title: 'war' } }, boost: 4 } },
  ],
  filtered: [
    filtered(term('title', 'rose'), bool({ must: [range('year', { gte: 1900 }), term('tag', 'tag1')] })),
    {
      filtered: {
        query: { term: { title: 'rose' } },
        filter: { bool: { must: [{ range: { year: { gte: 1900 } } }, { term: { tag: 'tag1' } }] } },
      },
    },
  ],
  disMax: [
    disMax([term('title', 'rose'), term('title', 'war')], 0.3),
    { dis_max: { queries: [{ term: { title: 'rose' } }, { term: { title: 'war' } }], tie_breaker: 0.3 } },
  ],
  'demoting, boosted': [
    boosted(demoting(term('title', 'rose'), term('title', 'the'), 0.2), 2),
    {
      boosting: {
        positive: { term: { title: { value: 'rose', boost: 2 } } },
        negative: { term: { title: 'the' } },
        negative_boost: 0.2,
      },
    },
  ],
  functions: [
    functionScore(
      term('title', 'rose'),
      [
        { field: 'year', factor: 0.01, modifier: 'ln1p' },
        { filter: term('tag', 'tag1'), weight: 3 },
        { script: "sqrt(doc['weight'].value) + 1" },
      ],
      { scoreMode: 'sum', boostMode: 'multiply' },
    ),
    {
      function_score: {
        query: { term: { title: 'rose' } },
        functions: [
          { field_value_factor: { field: 'year', factor: 0.01, modifier: 'ln1p' } },
          { filter: { term: { tag: 'tag1' } }, weight: 3 },
          { script_score: { script: "sqrt(doc['weight'].value) + 1", lang: 'expression' } },
        ],
        score_mode: 'sum',
        boost_mode: 'multiply',
      },
    },
  ],
  script: [
    functionScore(term('title', 'rose'), [{ script: "_score * ln(doc['year'].value)" }], {
      boostMode: 'replace',
    }),
    {
      function_score: {
        query: { term: { title: 'rose' } },
        script_score: { script: "_score * ln(doc['year'].value)", lang: 'expression' },
        boost_mode: 'replace',
      },
    },
  ],
  'spans in order': [
    spanNear([spanTerm('title', 'rose'), spanOr([spanTerm('title', 'of'), spanTerm('title', 'the')])], {
      slop: 1,
    }),
    {
      span_near: {
        clauses: [
          { span_term: { title: 'rose' } },
          { span_or: { clauses: [{ span_term: { title: 'of' } }, { span_term: { title: 'the' } }] } },
        ],
        slop: 1,
        in_order: true,
      },
    },
  ],
  'spans at the beginning': [
    spanFirst(spanNot(spanTerm('title', 'the'), spanTerm('title', 'rose')), 3),
    {
      span_first: {
        match: {
          span_not: { include: { span_term: { title: 'the' } }, exclude: { span_term: { title: 'rose' } } },
        },
        end: 3,
      },
    },
  ],
};
const SIMILARITIES: Record<string, [Similarity, Record<string, unknown>]> = {
  'TF-IDF': [{ type: 'TF-IDF' }, { type: 'default' }],
  BM25: [
    { type: 'BM25', k1: 1.5, b: 0.4 },
    { type: 'BM25', k1: 1.5, b: 0.4 },
  ],
  DFR: [
    { type: 'DFR', basicModel: 'g', afterEffect: 'l', normalization: 'h2', parameter: 3 },
    { type: 'DFR', basic_model: 'g', after_effect: 'l', normalization: 'h2', 'normalization.h2.c': 3 },
  ],
  IB: [
    { type: 'IB', distribution: 'spl', lambda: 'ttf', normalization: 'z' },
    { type: 'IB', distribution: 'spl', lambda: 'ttf', normalization: 'z' },
  ],
  LMDirichlet: [
    { type: 'LMDirichlet', mu: 500 },
    { type: 'LMDirichlet', mu: 500 },
  ],
  LMJelinekMercer: [
    { type: 'LMJelinekMercer', lambda: 0.4 },
    { type: 'LMJelinekMercer', lambda: 0.4 },
  ],
};

describe.each(Object.entries(SIMILARITIES))('scored by %s', async (_name, [similarity, settings]) => {
  const shard = await shardOf(DOCUMENTS, { fields: FIELDS, similarity });
  const resilin = await createEngine();
  await resilin.request('PUT', '/books', {
    settings: { number_of_shards: 1, index: { similarity: { default: settings } } },
    mappings: {
      book: {
        properties: {
          title: { type: 'string' },
          tag: { type: 'string', index: 'not_analyzed', norms: { enabled: false }, index_options: 'docs' },
          year: { type: 'long' },
          weight: { type: 'double' },
        },
      },
    },
  });
  await resilin.bulk(
    DOCUMENTS.flatMap((book, i) => [{ index: { _index: 'books', _type: 'book', _id: String(i + 1) } }, book]),
    {
      refresh: true,
    },
  );
  await resilin.request('POST', '/books/_optimize?max_num_segments=1');

  it.each(Object.entries(QUERIES))('%s', async (_kind, [query, body]) => {
    const expected = await resilin.search('books', { query: body, size: 400 });
    const found = shard.search(query, { hits: 400 });
    expect(found.hits.map(({ key, score }) => [String(key), Math.fround(score)])).toEqual(
      expected.hits.hits.map(({ _id, _score }) => [_id, Math.fround(_score!)]),
    );
    expect([found.total, found.maxScore === null ? null : Math.fround(found.maxScore)]).toEqual([
      expected.hits.total,
      expected.hits.max_score === null ? null : Math.fround(expected.hits.max_score),
    ]);
    expect(found.total).toBeGreaterThan(0);
    const best = found.hits[0]!;
    const explained = await resilin.request<{ explanation: object }>(
      'POST',
      `/books/book/${best.key}/_explain`,
      { query: body },
    );
    const told = await shard.explain(query, best.key);
    expect(told?.matched).toBe(true);
    // A JSON answer has the float's shortest text.
    expect(Math.fround(told!.value)).toBe(
      Math.fround((explained.body.explanation as { value: number }).value),
    );
  });
});
