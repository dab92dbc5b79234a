/** The registry of queries and filters: what there is, how it is read, and what it may tell of. */
import { common } from './fulltext/common.js';
import { all, bool, boosting, constantScore, disMax, filtered } from './compound/compound.js';
import type { FilterKind, QueryKind } from './context.js';
import { filterKinds } from './filters.js';
import { functionScore } from './compound/functionScore.js';
import { fuzzyLikeThis, fuzzyLikeThisField } from './fulltext/fuzzyLikeThis.js';
import { geoFilterKinds } from './geo/geoFilters.js';
import { geoShapeFilter, geoShapeQuery } from './geo/geoShape.js';
import { indices } from './compound/indices.js';
import { joinFilterKinds, joinQueryKinds } from './joining/parentChild.js';
import { match } from './fulltext/match.js';
import { moreLikeThis, moreLikeThisField } from './fulltext/moreLikeThis.js';
import { multiMatch } from './fulltext/multiMatch.js';
import { nested, nestedFilter } from './joining/nested.js';
import { fuzzy, prefix, regexp, wildcard } from './term/patterns.js';
import { queryString } from './fulltext/queryString.js';
import { range } from './term/range.js';
import { simpleQueryString } from './fulltext/simpleQueryString.js';
import { spanFirst, spanMask, spanMulti, spanNear, spanNot, spanOr, spanTerm } from './span/spans.js';
import { ids, term, terms } from './term/terms.js';
import { template, wrapper, wrapperFilter } from './compound/wrapped.js';

/** The queries. What stands inside one says for itself what it may tell of. */
export const QUERY_KINDS: readonly QueryKind[] = [
  {
    names: [
      'match',
      'match_phrase',
      'matchPhrase',
      'match_phrase_prefix',
      'matchPhrasePrefix',
      'match_fuzzy',
      'matchFuzzy',
      'fuzzy_match',
    ],
    read: match,
    reach: 'found',
    byField: true,
  },
  { names: ['multi_match', 'multiMatch'], read: multiMatch, reach: 'found' },
  { names: ['match_all', 'matchAll'], read: all, reach: 'found' },
  { names: ['bool'], read: bool, reach: 'found' },
  { names: ['filtered'], read: filtered, reach: 'found' },
  { names: ['constant_score', 'constantScore'], read: constantScore, reach: 'found' },
  { names: ['dis_max', 'disMax'], read: disMax, reach: 'found' },
  { names: ['boosting'], read: boosting, reach: 'found' },
  { names: ['term'], read: term, reach: 'found', byField: true },
  { names: ['terms', 'in'], read: terms, reach: 'found' },
  { names: ['prefix'], read: prefix, reach: 'found', byField: true },
  { names: ['wildcard'], read: wildcard, reach: 'found', byField: true },
  { names: ['regexp'], read: regexp, reach: 'found', byField: true },
  { names: ['fuzzy'], read: fuzzy, reach: 'found', byField: true },
  { names: ['range'], read: range, reach: 'found', byField: true },
  { names: ['ids'], read: ids, reach: 'found' },
  { names: ['query_string', 'queryString'], read: queryString, reach: 'found' },
  { names: ['simple_query_string', 'simpleQueryString'], read: simpleQueryString, reach: 'found' },
  { names: ['indices'], read: indices, reach: 'found' },
  { names: ['common'], read: common, reach: 'found', byField: true },
  { names: ['function_score', 'functionScore'], read: functionScore, reach: 'found' },
  // What documents are to be like may be documents.
  { names: ['more_like_this', 'moreLikeThis', 'mlt'], read: moreLikeThis, reach: 'named' },
  {
    names: ['more_like_this_field', 'moreLikeThisField', 'mlt_field'],
    read: moreLikeThisField,
    reach: 'found',
  },
  { names: ['fuzzy_like_this', 'fuzzyLikeThis', 'flt'], read: fuzzyLikeThis, reach: 'found' },
  {
    names: ['fuzzy_like_this_field', 'fuzzyLikeThisField', 'flt_field', 'fltField'],
    read: fuzzyLikeThisField,
    reach: 'found',
  },
  { names: ['span_term', 'spanTerm'], read: spanTerm, reach: 'found', byField: true },
  { names: ['span_near', 'spanNear'], read: spanNear, reach: 'found' },
  { names: ['span_or', 'spanOr'], read: spanOr, reach: 'found' },
  { names: ['span_not', 'spanNot'], read: spanNot, reach: 'found' },
  { names: ['span_first', 'spanFirst'], read: spanFirst, reach: 'found' },
  { names: ['span_multi', 'spanMulti'], read: spanMulti, reach: 'found' },
  { names: ['field_masking_span', 'fieldMaskingSpan'], read: spanMask, reach: 'found' },
  // The shape may be one that is indexed.
  { names: ['geo_shape', 'geoShape'], read: geoShapeQuery, reach: 'named' },
  { names: ['wrapper'], read: wrapper, reach: 'found' },
  { names: ['template'], read: template, reach: 'scripts' },
  { names: ['nested'], read: nested, reach: 'found' },
  ...joinQueryKinds,
];

/** The filters. */
export const FILTER_KINDS: readonly FilterKind[] = [
  ...filterKinds,
  { names: ['wrapper'], read: wrapperFilter, reach: 'found' },
  { names: ['nested'], read: nestedFilter, reach: 'found' },
  { names: ['geo_shape', 'geoShape'], read: geoShapeFilter, reach: 'named' },
  ...joinFilterKinds,
  ...geoFilterKinds,
];

const queries = byName(QUERY_KINDS);
const filters = byName(FILTER_KINDS);

function byName<K extends { names: readonly string[] }>(kinds: readonly K[]): ReadonlyMap<string, K> {
  return new Map(kinds.flatMap((kind) => kind.names.map((name) => [name, kind] as const)));
}

/** The kind of query of a name in JSON. */
export function queryKind(name: string): QueryKind | undefined {
  return queries.get(name);
}

/** The kind of filter of a name in JSON. */
export function filterKind(name: string): FilterKind | undefined {
  return filters.get(name);
}
