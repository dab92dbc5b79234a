/** `_mlt`: documents like one that is there. */
import { ElasticsearchError } from '../../errors.js';
import { FieldValues } from '../../json/fieldValues.js';
import type { Engine } from '../../engine/engine.js';
import { isObject } from '../../json/values.js';
import { bodyText } from '../body.js';
import { findOne } from './documents.js';
import { flag, float, int, json, millis, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS } from '../endpoint.js';
import { list, readBody, readPlace, searchType } from '../search/searchCall.js';
import { HitWriter } from '../search/hitWriter.js';
import { runSearch } from '../search/search.js';

export const moreLikeThisEndpoints: EndpointGroup = {
  name: 'More like this',
  purpose: 'Searches for documents like one that is there.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ['/{index}/{type}/{id}/_mlt'],
      privilege: 'read',
      action: 'indices:data/read/mlt',
      pool: 'search',
      parameters: [
        'mlt_fields',
        'minimum_should_match',
        'percent_terms_to_match',
        'min_term_freq',
        'max_query_terms',
        'stop_words',
        'min_doc_freq',
        'max_doc_freq',
        'min_word_length',
        'max_word_length',
        'boost_terms',
        'include',
        'routing',
        'search_type',
        'search_indices',
        'search_types',
        'search_scroll',
        'search_size',
        'search_from',
        'search_source',
      ],
      ignored: ['search_query_hint', 'preference', 'scroll', ...INDICES_OPTIONS],
      readOnly: true,
      body: 'json',
      handler: moreLikeThis,
    },
  ],
};

async function moreLikeThis(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const options = optionsOf(query);
  const kind = searchType(query.get('search_type'));
  const [from, size] = [int(query, 'search_from') ?? 0, int(query, 'search_size') ?? 10];
  const scroll = millis(query, 'search_scroll');
  const [type, id] = [path.type!, path.id!];
  const like = {
    index: path.index!,
    type,
    id,
    routing: query.get('routing'),
    version: undefined,
    versionType: 'internal' as const,
    realtime: true,
  };
  // Other nodes may have written it just now.
  await engine.current(like.index);
  const { index, document } = await findOne(engine, like, request.limit);
  if (document === undefined) {
    throw new ElasticsearchError('DocumentMissingException', `[_na][_na] [${type}][${id}]: document missing`);
  }
  const wanted = query.has('mlt_fields') ? list(query.get('mlt_fields')) : undefined;
  const values = new FieldValues(document.source);
  const should: unknown[] = [];
  for (const field of index.model.type(type)?.root.leaves() ?? []) {
    if (field.number < 0 || field.sourcePath !== field.fullName) continue;
    if (wanted !== undefined && !wanted.includes(field.fullName) && !wanted.includes(field.shortName))
      continue;
    for (const text of values.leaves(field.fullName)) {
      const like = text.startsWith('"') ? (JSON.parse(text) as string) : text;
      // Those of fields that hold no words come to nothing, but there were fields.
      should.push({ more_like_this_field: { [field.fullName]: { ...options, like_text: like } } });
    }
  }
  if (should.length === 0)
    throw new ElasticsearchError('ElasticsearchException', "No fields found to fetch the 'likeText' from");
  const own = { ids: { type, values: [id] } };
  // Without a word that counts nothing is alike.
  const bool = flag(query, 'include') ? { should } : { should, must_not: [own], adjust_pure_negative: false };
  const text = bodyText(request) || (query.get('search_source') ?? '');
  const { body, unreadable } = readBody(text, {}, request.read);
  const over = { query: { bool }, from, size };
  const answer = await runSearch(
    engine,
    {
      ...readPlace({ index: query.get('search_indices') ?? path.index }, query),
      types: query.has('search_types') ? list(query.get('search_types')) : [type],
      routing: undefined,
      onlyShards: undefined,
      type: kind,
      scroll,
      body: { ...(isObject(body) ? body : {}), ...over },
      text,
      ...(unreadable === undefined ? {} : { unreadable }),
    },
    request.limit,
    HitWriter.of(engine.breakers, request),
  );
  return json(request, 200, answer.body);
}

const NUMBERS = ['min_term_freq', 'max_query_terms', 'min_doc_freq', 'max_doc_freq'];
const RENAMED: Record<string, string> = {
  min_word_length: 'min_word_length',
  min_word_len: 'min_word_length',
  max_word_length: 'max_word_length',
  max_word_len: 'max_word_length',
};

/** The options of the queries. */
function optionsOf(query: RoutedRequest['query']): Record<string, unknown> {
  const options: Record<string, unknown> = { fail_on_unsupported_field: false };
  for (const name of [...NUMBERS, ...Object.keys(RENAMED)]) {
    const value = int(query, name);
    if (value !== undefined && value >= 0) options[RENAMED[name] ?? name] = value;
  }
  const percent = float(query, 'percent_terms_to_match');
  options.minimum_should_match =
    percent === undefined ? (query.get('minimum_should_match') ?? '0') : `${Math.round(percent * 100)}%`;
  const boost = float(query, 'boost_terms');
  if (boost !== undefined && boost >= 0) options.boost_terms = boost;
  if (query.has('stop_words')) options.stop_words = list(query.get('stop_words'));
  return options;
}
