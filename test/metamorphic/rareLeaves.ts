/** Random queries and filters of the kinds that few requests have. */
import { place, TAGS, fieldValue, text, WORDS } from './fields.js';
import { type JsonObject, toJson } from './json.js';
import { INDEX } from './layouts.js';
import { anyField, boost, type Maker, minimum, phrase, term } from './leaves.js';
import { shape } from './world.js';

const encoded = (value: JsonObject): string => Buffer.from(toJson(value)).toString('base64');

const one = (fields: readonly string[], or: string): string => fields[0] ?? or;

/** A document as it is given, and one that there may be. */
const likeDocuments: Maker = (c, scope) => ({
  more_like_this: {
    fields: c.many(1, 3, () => c.of(scope.text)),
    docs: [
      c.chance(0.6)
        ? { _type: 'item', _id: String(c.below(40)) }
        : { _type: 'item', doc: { title: text(c, 5), body: text(c, 9), obj: { note: phrase(c) } } },
    ],
    min_term_freq: 1,
    min_doc_freq: 1,
    ...c.maybe(0.3, 'minimum_should_match', () => c.of(['30%', '2', '80%'])),
    ...c.maybe(0.3, 'ignore_like', () => [text(c, 2)]),
    ...c.maybe(0.2, 'stop_words', () => ['the', 'of']),
    ...c.maybe(0.2, 'boost_terms', () => 2),
    ...c.maybe(0.2, 'max_word_length', () => 4),
    ...c.maybe(0.2, 'max_doc_freq', () => 20),
  },
});

/** All kinds of queries. */
export const RARE: readonly Maker[] = [
  likeDocuments,
  (c, scope) => ({
    more_like_this_field: {
      [c.of(scope.text)]: { like_text: text(c, 6), min_term_freq: 1, min_doc_freq: 1 },
    },
  }),
  (c, scope) => ({
    fuzzy_like_this_field: {
      [c.of(scope.text)]: {
        like_text: phrase(c),
        max_query_terms: c.between(1, 12),
        ...c.maybe(0.3, 'ignore_tf', () => true),
        ...c.maybe(0.3, 'fuzziness', () => c.of([1, 2, 0.6])),
        ...c.maybe(0.3, 'prefix_length', () => 1),
      },
    },
  }),
  (c, scope) => {
    const [field, other] = [c.of(scope.text), c.of(scope.text)];
    return {
      span_near: {
        clauses: [
          { span_term: { [field]: c.early(WORDS) } },
          { field_masking_span: { query: { span_term: { [other]: c.early(WORDS) } }, field } },
        ],
        slop: c.between(0, 6),
        in_order: c.chance(0.5),
        ...c.maybe(0.3, 'collect_payloads', () => false),
      },
    };
  },
  (c, scope) => {
    const field = c.of(scope.text);
    const word = c.early(WORDS);
    const match = c.of<() => JsonObject>([
      () => ({ fuzzy: { [field]: { value: word, fuzziness: 1 } } }),
      () => ({ wildcard: { [field]: `${word.slice(0, 1)}*` } }),
      () => ({ regexp: { [field]: `${word.slice(0, 2)}.*` } }),
      () => ({ range: { [field]: { gte: word.slice(0, 1) } } }),
    ])();
    return { span_first: { match: { span_multi: { match } }, end: c.between(1, 6) } };
  },
  (c, scope) => ({
    span_not: {
      include: { span_term: { [scope.text[0]!]: c.early(WORDS) } },
      exclude: { span_term: { [scope.text[0]!]: c.early(WORDS) } },
      ...c.maybe(0.4, 'pre', () => c.between(0, 2)),
      ...c.maybe(0.4, 'post', () => c.between(0, 2)),
      ...c.maybe(0.2, 'dist', () => 1),
    },
  }),
  (c, scope) => ({ wrapper: { query: encoded(term(c, scope, 0)) } }),
  (c, scope) => ({
    template: {
      query: c.of<() => JsonObject>([
        () => ({ match: { [c.of(scope.text)]: '{{words}}' } }),
        () => ({ term: { [one(scope.word, 'tag')]: '{{tag}}' } }),
      ])(),
      params: { words: phrase(c), tag: c.early(TAGS) },
    },
  }),
  (c, scope) => ({
    indices: {
      indices: [c.of([INDEX, 'other'])],
      query: term(c, scope, 0),
      ...c.maybe(0.6, 'no_match_query', () => c.of<JsonObject | string>(['none', 'all', { match_all: {} }])),
    },
  }),
  (c) => ({ geo_shape: { area: { shape: shape(c), ...boost(c) } } }),
  (c, scope) => ({
    match: {
      [c.of(scope.text)]: {
        query: text(c, 4),
        type: c.of(['phrase', 'phrase_prefix', 'boolean']),
        ...c.maybe(0.3, 'slop', () => c.between(0, 3)),
        ...c.maybe(0.3, 'rewrite', () => c.of(['constant_score_auto', 'top_terms_5'])),
        ...c.maybe(0.3, 'fuzzy_rewrite', () => 'constant_score_boolean'),
        ...c.maybe(0.2, 'max_expansions', () => 2),
        ...c.maybe(0.2, '_name', () => 'named'),
        ...minimum(c),
      },
    },
  }),
  (c, scope) => ({
    query_string: {
      query: c.of([
        `${c.early(WORDS).slice(0, 1)}?${c.early(WORDS).slice(-1)} ${phrase(c)}`,
        `/${c.early(WORDS).slice(0, 2)}.*/ OR ${c.early(WORDS)}~1`,
        `_missing_:${anyField(c, scope)} ${c.early(WORDS)}`,
        `${c.of(scope.text)}:(${phrase(c).replaceAll(',', '')}) AND NOT ${c.early(WORDS)}`,
        `*:* -${c.early(WORDS)}`,
        `obj.\\*:${c.early(WORDS)}`,
      ]),
      default_field: c.of(scope.text),
      ...c.maybe(0.3, 'analyze_wildcard', () => true),
      ...c.maybe(0.3, 'auto_generate_phrase_queries', () => true),
      ...c.maybe(0.2, 'phrase_slop', () => 2),
      ...c.maybe(0.2, 'lowercase_expanded_terms', () => false),
      ...c.maybe(0.2, 'rewrite', () => c.of(['scoring_boolean', 'top_terms_2', 'constant_score_filter'])),
      ...c.maybe(0.2, 'fuzzy_max_expansions', () => 2),
      ...c.maybe(0.2, 'tie_breaker', () => 0.5),
      ...c.maybe(0.2, 'allow_leading_wildcard', () => false),
    },
  }),
  (c, scope) => ({
    simple_query_string: {
      query: `${c.early(WORDS)} +${c.early(WORDS).slice(0, 2)}* | "${phrase(c)}"`,
      fields: ['_all', `${c.of(scope.text)}^3`],
      ...c.maybe(0.4, 'flags', () => c.of(['AND|PREFIX', 'NONE', 'OR|PHRASE|FUZZY'])),
      ...c.maybe(0.3, 'minimum_should_match', () => '2'),
      ...c.maybe(0.2, 'lowercase_expanded_terms', () => false),
    },
  }),
  (c, scope) => ({
    range: {
      [one(scope.date, 'when')]: {
        gte: c.of(['2014-01-31||/M', '2014-03-30 +1h', 'now-1y/d', '01/2014']),
        ...c.maybe(0.4, 'time_zone', () => c.of(['+03:00', 'Europe/Berlin'])),
        ...c.maybe(0.3, 'format', () => c.of(['yyyy-MM-dd||dateOptionalTime', 'MM/yyyy'])),
        ...c.maybe(0.4, 'lt', () => '2015'),
        ...boost(c),
      },
    },
  }),
];

/** All kinds of filters. */
export const RARE_FILTERS: readonly Maker[] = [
  (c, scope) => ({
    numeric_range: {
      [c.of(scope.number.length > 0 ? scope.number : ['n'])]: {
        ...c.maybe(0.6, 'gte', () => fieldValue(c, 'n')),
        ...c.maybe(0.6, 'lt', () => fieldValue(c, 'n')),
      },
    },
  }),
  (c) => ({
    script: {
      script: c.of(['doc["n"].value > 2', 'doc["seq"].value % 3', 'doc["d"].value * 2 - doc["n"].value']),
      lang: 'expression',
      ...c.maybe(0.3, '_cache', () => true),
    },
  }),
  (c) => ({ limit: { value: c.of([1, 5, 1000]) } }),
  (c, scope) => ({ wrapper: { filter: encoded(term(c, scope, 0)) } }),
  (c, scope) => ({ or: [term(c, scope, 0), { not: { filter: term(c, scope, 0) } }] }),
  (c, scope) => ({
    geohash_cell: { [one(scope.geo, 'spot')]: 'u33', precision: c.of(['100km', '20m', 3]), neighbors: true },
  }),
  (c, scope) => {
    const { lat, lon } = place(c);
    return {
      geo_bbox: {
        [one(scope.geo, 'spot')]: { top: lat + 20, left: lon - 30, bottom: lat - 20, right: lon + 30 },
        ...c.maybe(0.3, 'normalize', () => true),
      },
    };
  },
  (c, scope) => ({
    geo_distance_range: {
      [one(scope.geo, 'spot')]: place(c),
      gt: c.of([10, 500]),
      lte: c.of([800, 9000]),
      unit: c.of(['mi', 'km', 'nmi']),
    },
  }),
];
