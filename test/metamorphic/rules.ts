/** What may depend on how documents lie in segments: every exception from equal answers, and why it is one. */
import type { Answer } from './built.js';
import { hasKey, type Json, type JsonObject } from './json.js';
import type { Layout } from './layouts.js';
import type { Request } from './request.js';

/** Answers to some requests are not compared in some layouts. */
export interface Rule {
  name: string;
  why: string;
  layouts: (layout: Layout) => boolean;
  requests: (request: Request) => boolean;
}

const deleted = (layout: Layout) => layout.deleted;
const sharded = (layout: Layout) => layout.shards > 1;
const either = (layout: Layout) => deleted(layout) || sharded(layout);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: Json | undefined): Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** The bodies of a request: several of a multi search, and what a template makes. */
const bodies = ({ uri, body, lines }: Request): Json[] =>
  lines ?? listOf(uri.includes('/template') && isObject(body) ? body.template : body);

const has = (
  request: Request,
  condition: (key: string, value: Json, object: JsonObject) => boolean,
): boolean => bodies(request).some((body) => hasKey(body, condition));

/** Whether the scores of a query go by nothing that is counted in the index. */
function isConstant(query: Json | undefined): boolean {
  if (query === undefined) return true;
  if (!isObject(query)) return false;
  return Object.entries(query).every(([kind, body]) => {
    if (kind === 'match_all' || kind === 'constant_score') return true;
    if (!isObject(body)) return false;
    if (kind === 'filtered') return isConstant(body.query);
    if (kind === 'bool') return [...listOf(body.must), ...listOf(body.should)].every(isConstant);
    if (kind === 'function_score') return isConstant(body.query);
    return false;
  });
}

/** Whether an order goes by scores; no order does as well. */
const byScore = (sort: Json | undefined): boolean =>
  sort === undefined || JSON.stringify(sort, plain).includes('_score');

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

function bodyShowsScores(body: Json): boolean {
  if (!isObject(body)) return false;
  const seen = (condition: (key: string, value: Json, object: JsonObject) => boolean) =>
    hasKey(body, condition);
  // A least score in a query, and the best children, decide on what is found.
  if (seen((key) => key === 'top_children')) return true;
  if (seen((key, _, object) => key === 'min_score' && object !== body && !isConstant(object.query)))
    return true;
  // What is inside hits has scores of its own.
  if (seen((key) => key === 'inner_hits')) return true;
  const rescored = listOf(body.rescore).some((each) => isObject(each));
  if (isConstant(body.query) && !rescored) return false;
  if (body.min_score !== undefined || body.track_scores === true) return true;
  if (
    seen(
      (key, value) =>
        key === 'top_hits' && isObject(value) && (byScore(value.sort) || value.explain === true),
    )
  )
    return true;
  if (seen((key, value) => key === 'script' && typeof value === 'string' && value.includes('_score')))
    return true;
  // Without hits there is a best score all the same, unless the page is at the very start.
  if (body.size === 0 && body.from === undefined) return false;
  return byScore(body.sort) || body.explain === true || rescored;
}

function showsScores(request: Request): boolean {
  if (/_explain|_mlt/.test(request.uri)) return true;
  if (/[?&]q=/.test(request.uri)) return /track_scores|explain/.test(request.uri);
  if (!/_m?search|_m?percolate/.test(request.uri))
    return has(request, (key) => key === 'top_children' || key === 'min_score');
  return bodies(request).some(bodyShowsScores);
}

/**
 * Queries whose words are chosen in each shard by itself, or whose scores are those of a search inside. A masked span query goes by the
 * statistics of the other field, and 1.7's shards send those of fields with words of the query alone: each has its own.
 */
const CHOSEN =
  /^(field_masking_span|fuzzy|fuzziness|fuzzy_like_this|fuzzy_like_this_field|rewrite|span_multi|query_string|simple_query_string|match_phrase_prefix|has_child|has_parent|top_children|inner_hits)$/;

/** Whether a request's scores are made of the statistics of all shards. */
const scoresByAll = (request: Request) =>
  request.uri.includes('search_type=dfs_query_then_fetch') &&
  !has(request, (key, value) => CHOSEN.test(key) || value === 'phrase_prefix');

/** Whether a request may look for words in _all, by its name or where no field is named. */
const mayAskAll = (request: Request) =>
  /[?&]q=/.test(request.uri) ||
  bodies(request).some((body) => /_all|query_string/.test(JSON.stringify(body, plain) ?? ''));

/** Whether a request shows explanations. */
const explains = (request: Request) =>
  /\/_explain|explain=true/.test(request.uri) ||
  has(request, (key, value) => key === 'explain' && value === true);

/** Parts of requests that choose by how often terms are there, and how. */
function choosesByFrequency(request: Request): boolean {
  if (/_suggest|suggest_field|_mlt|termvector|_field_stats|_validate/.test(request.uri)) return true;
  return has(
    request,
    (key, value) =>
      /^(common|cutoff_frequency|more_like_this|more_like_this_field|mlt|fuzzy_like_this|fuzzy_like_this_field|significant_terms|suggest|max_expansions|fuzzy_max_expansions)$/.test(
        key,
      ) ||
      (key === 'rewrite' && String(value).startsWith('top_terms')),
  );
}

const showsEmptyTerms = (request: Request) =>
  has(
    request,
    (key, value) =>
      key === 'terms' && isObject(value) && (value.min_doc_count === 0 || value.all_terms === true),
  );

/** Prefixes at the end of phrases that stand for few words, and fuzzy words that do. */
const expandsLittle = (request: Request) => has(request, (key) => key === 'max_expansions');

/** Suggestions that are completed. */
const completes = (request: Request) =>
  has(request, (key, value) => key === 'completion' && isObject(value) && 'field' in value);

/** Whether the last key of an order differs between any two documents. */
function isUnique(sort: Json | undefined): boolean {
  const last = listOf(sort).at(-1);
  return (
    last === 'seq' ||
    (isObject(last) && 'seq' in last && !has({ method: '', uri: '', body: last }, (key) => key === 'mode'))
  );
}

function goesByOrder(request: Request): boolean {
  if (/_m?percolate$|search_type=scan|[?&]explain=true/.test(request.uri)) return true;
  if (!/_search(\?|\/template|$)|_msearch/.test(request.uri) || request.uri.includes('q=')) return false;
  if (has(request, (key, value) => key === 'top_hits' && isObject(value) && !isUnique(value.sort)))
    return true;
  if (has(request, (key) => key === 'explain' || key === 'random_score')) return true;
  if (request.uri.includes('search_type=count')) return false;
  return bodies(request).some((body) => isObject(body) && body.size !== 0 && !isUnique(body.sort));
}

const sortsByNumber = (request: Request) =>
  has(request, (key, value) => key === 'sort' && JSON.stringify(value, plain).includes('_doc'));

/** What each shard does with so many documents of its own. */
const endsEarly = (request: Request) =>
  request.uri.includes('query_and_fetch') ||
  has(request, (key) => key === 'terminate_after' || key === 'limit');

/** Aggregations that shards answer with less than all they know, or in sums that depend on their order. */
function isApproximate(request: Request): boolean {
  return has(request, (key, value) => {
    if (key === 'terms' || key === 'geohash_grid' || key === 'terms_stats')
      return (
        isObject(value) &&
        ('field' in value || 'key_field' in value || 'fields' in value) &&
        (value.size !== 0 || 'shard_size' in value)
      );
    // A facet of distances tells their sum.
    if (key === 'geo_distance') return isObject(value) && 'ranges' in value && !('field' in value);
    if (/^(percentiles|percentile_ranks|extended_stats|statistical)$/.test(key)) return true;
    if (key === 'facets' && JSON.stringify(value, plain).includes('"huge"')) return true;
    return (
      /^(sum|avg|stats|terms_stats)$/.test(key) &&
      isObject(value) &&
      ([value.field, value.value_field].includes('huge') || String(value.script).includes('huge'))
    );
  });
}

export const RULES: readonly Rule[] = [
  {
    name: 'scores count deleted documents',
    why: 'docFreq and maxDoc, which idf is made of, include documents that are deleted but not merged away, as in Lucene',
    layouts: deleted,
    requests: showsScores,
  },
  {
    name: 'shards score by themselves',
    why: 'each shard knows the frequencies of its own documents only, unless it is told those of all',
    layouts: sharded,
    requests: (request) => showsScores(request) && !scoresByAll(request),
  },
  {
    name: 'frequencies choose',
    why: 'terms are chosen, expanded or suggested by frequencies that include deleted documents, and by shards one by one',
    layouts: either,
    requests: choosesByFrequency,
  },
  {
    name: 'prefixes of phrases choose',
    why: 'they stand for the first words of one segment after the other, as in Lucene; fuzzy words have the option too',
    layouts: ({ single }) => !single,
    requests: expandsLittle,
  },
  {
    name: 'boosts in deleted documents',
    why: 'words of _all score like spans once the mapping has noted a boost there, also of a document deleted since',
    layouts: ({ single }) => single,
    requests: (request) => showsScores(request) && mayAskAll(request),
  },
  {
    name: 'joins without documents in a segment',
    why: 'their weights have no scorer there, and a bool passes over such a clause when it is explained',
    layouts: ({ single }) => !single,
    requests: (request) => explains(request) && has(request, (key) => /^has_(child|parent)$/.test(key)),
  },
  {
    name: 'terms of deleted documents',
    why: 'buckets without documents are of all terms that segments have, also of documents deleted since',
    layouts: deleted,
    requests: showsEmptyTerms,
  },
  {
    name: 'ties go by shards',
    why: 'hits that are equal in order come shard by shard, and explanations name their shard; chance goes by the shard as well',
    layouts: sharded,
    requests: goesByOrder,
  },
  {
    name: 'numbers of documents',
    why: 'a document has a number in its shard, which counts deleted ones: an order by it shows them',
    layouts: either,
    requests: sortsByNumber,
  },
  {
    name: 'shards end by themselves',
    why: 'what ends after so many documents does so in each shard, and so does a page that each fetches by itself',
    layouts: sharded,
    requests: endsEarly,
  },
  {
    name: 'shards approximate',
    why: 'a shard gives its best buckets only; digests and inexact sums depend on the order in which they are merged',
    layouts: sharded,
    requests: isApproximate,
  },
];

/** Whether a request may change the mapping, and with it the answers to later ones. */
export const changesMapping = ({ uri }: Request): boolean => /\/_m?percolate/.test(uri);

/** Whether answers to a request must be equal in a layout. */
export function isCompared(request: Request, layout: Layout): boolean {
  return !RULES.some((rule) => rule.layouts(layout) && rule.requests(request));
}

/** What is always left out of an answer, and why. */
const LEFT_OUT: readonly (readonly [why: string, pattern: RegExp, instead: string])[] = [
  ['time', /"took":\d+/g, '"took":0'],
  ["a scroll's name is its own", /"_scroll_id":"[^"]*"/g, '"_scroll_id":""'],
  ['layouts differ in their shards', /"_shards":\{"total":\d+,"successful":\d+/g, '"_shards":{"total":0'],
  ['replaced documents were written more often', /"_version":\d+/g, '"_version":0'],
  ['a node has a name', /\[[\w-]{20,}\]\[i\]/g, '[node][i]'],
  ['a node has a name', /"_node":"[^"]*"/g, '"_node":""'],
  [
    'explanations name documents by their numbers in a segment',
    /\b(in |doc=|fieldWeight in |doesn't match id )\d+/g,
    '$1',
  ],
  [
    'spans without positions fail in the first segment that has one of their terms',
    /cannot run SpanTermQuery \(term=[^)]*\)/g,
    'cannot run SpanTermQuery',
  ],
  ['explanations name documents by their numbers in a segment', /doc range from \d+ to \d+/g, 'doc range'],
];

/** What is left out of answers of several segments, by a key of an object that has it. */
interface Leniency {
  name: string;
  why: string;
  requests: (request: Request) => boolean;
  leaves: (key: string, object: JsonObject) => boolean;
  /** What a value is compared as. */
  as?: (key: string, value: Json) => Json;
}

/** The options of completions without the order of equal ones, and without those that others might stand for. */
function withoutTies(value: Json): Json {
  const options = value as { text: string; score: number }[];
  const last = options.at(-1)?.score;
  const shown = options.map((option) => (option.score === last ? { ...option, text: '' } : option));
  return shown.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1)) as Json;
}

const LENIENCIES: readonly Leniency[] = [
  {
    name: 'completions of equal weight',
    why: 'each segment gives its best ones, in an order of its own, and Java reads them out of a hash table whose room is for all segments',
    requests: completes,
    leaves: () => false,
    // The names that they have in all requests.
    as: (key, value) =>
      (key === 'c' || key === 'x') && Array.isArray(value) && hasKey(value, (inner) => inner === 'options')
        ? (value.map((entry) =>
            isObject(entry) ? { ...entry, options: withoutTies(entry.options ?? []) } : entry,
          ) as Json)
        : value,
  },
  {
    name: 'phrases of several segments',
    why: "Lucene doesn't know how many terms several segments have, and the phrase suggester's smoothing counts them",
    requests: (request) =>
      has(request, (key, value) => key === 'phrase' && isObject(value) && 'field' in value),
    // The name that they have in all requests.
    leaves: (key, { p }) => key === 'p' && Array.isArray(p) && hasKey(p, (inner) => inner === 'options'),
  },
  {
    name: 'required clauses without words in a segment',
    why: "their weights have no scorer there, and a bool's explanation of such a clause has no details",
    requests: explains,
    leaves: (key, { description }) =>
      key === 'details' && String(description).startsWith('no match on required clause'),
  },
];

/** A comparable answer without what several segments may say otherwise. */
function lenient(request: Request, text: string): string {
  const left = LENIENCIES.filter(({ requests }) => requests(request));
  const known = (key: string, object: JsonObject) => !left.some(({ leaves }) => leaves(key, object));
  const reduced = (name: string, given: Json): Json => {
    const value = left.reduce((reducedSoFar, { as }) => as?.(name, reducedSoFar) ?? reducedSoFar, given);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => known(key, value)))
      : value;
  };
  // A status and one answer, or the pages of a scroll.
  const [status] = text.split(' ', 1) as [string];
  const pages = text
    .slice(status.length)
    .split('\n')
    .map((page) => JSON.stringify(JSON.parse(page), reduced));
  return [status, ...pages].join('\n');
}

/** An answer as it is compared. */
export function comparable({ status, text }: Answer): string {
  let out = text;
  for (const [, pattern, instead] of LEFT_OUT) out = out.replace(pattern, instead);
  return `${status} ${out}`;
}

/**
 * Whether a query may be a conjunction of three scored clauses and more, or the best of as many with a tie breaker. Their scores are
 * added in the order of the clauses' costs or documents, as Lucene does, and these are a segment's: the last bits of a score depend on
 * the segment.
 */
function addsInOrderOfCosts(request: Request): boolean {
  if (/\/_mlt|[?&]q=/.test(request.uri)) return true;
  return (
    showsScores(request) &&
    has(
      request,
      (key, value) =>
        (key === 'must' && listOf(value).length > 2) ||
        /^(tie_breaker|operator|default_operator|low_freq_operator|high_freq_operator|minimum_should_match)$/.test(
          key,
        ) ||
        /^(query_string|simple_query_string|more_like_this|more_like_this_field|common)$/.test(key),
    )
  );
}

/** Most that scores may differ by that were added in other orders. */
const LAST_BITS = 1e-5;

/** A shard fails by itself, with what it has: where one fails, others may answer. */
const failsSomewhere = ({ status, text }: Answer) => status >= 400 || /"error":|"failures":/.test(text);

/**
 * A phrase or a span without positions fails where a segment is begun that has its first words: before any value of a document is
 * looked at there, and maybe in none of several segments.
 */
const failsByTerms = ({ text }: Answer) => text.includes('was indexed without position data');

/** Whether an answer in a layout says what it should. */
export function areEqual(request: Request, layout: Layout, expected: Answer, actual: Answer): boolean {
  const [one, other] = [comparable(expected), comparable(actual)];
  if (one === other) return true;
  if (sharded(layout) && failsSomewhere(expected) && failsSomewhere(actual)) return true;
  // Whether any document exists doesn't tell of shards that fail.
  if (sharded(layout) && request.uri.includes('_search/exists') && expected.status === 404) return true;
  // A segment is not begun where it lacks what is required beside the words, or a document to be explained.
  if (!layout.single && failsByTerms(expected)) return true;
  // A word of a deleted document is in its segment until that is merged.
  if (layout.deleted && failsByTerms(actual)) return true;
  const areSame = (a: string, b: string) => a === b || (addsInOrderOfCosts(request) && areClose(a, b));
  if (areSame(one, other)) return true;
  if (layout.single || !LENIENCIES.some(({ requests }) => requests(request))) return false;
  return areSame(lenient(request, one), lenient(request, other));
}

/** Whether two answers are equal but for the last bits of fractions. */
function areClose(one: string, other: string): boolean {
  const number = /(-?\d+\.\d+(?:E-?\d+)?)/;
  const [parts, others] = [one.split(number), other.split(number)];
  return (
    parts.length === others.length &&
    parts.every((part, i) => {
      if (part === others[i]) return true;
      // Every second part is a number.
      return i % 2 === 1 && Math.abs(Number(part) - Number(others[i])) <= LAST_BITS * Math.abs(Number(part));
    })
  );
}
