/** The body of a search for what was typed and clicked. */
import { isObject, type Json, type JsonObject, parseExactJson } from '../../api/json';
import { fieldText, type SearchedField, type SearchState, type ValueFilter } from './searchState';

/** A search's body with the query in it. Throws `SyntaxError` where JSON was typed that is none. */
export function searchBody(state: SearchState): JsonObject {
  const body = typedBody(state);
  const filters = state.filters.map(filterOf);
  const query = filters.length === 0 ? body.query : filtered(body.query, state.filters);
  const sort = state.sort === '' ? body.sort : sortOf(state.sort);
  return {
    ...body,
    ...(query === undefined ? {} : { query }),
    ...(sort === undefined ? {} : { sort }),
    from: state.from > 0 ? state.from : (body.from ?? 0),
    size: body.size ?? state.size,
  };
}

/** What the view adds to show the hits: their explanations, versions, and highlights where none were asked for. */
export function shownBody(state: SearchState, body: JsonObject): JsonObject {
  return {
    explain: true,
    // A link to a document needs its routing.
    ...(body.fields === undefined ? { fields: ['_routing'], _source: body._source ?? true } : {}),
    ...(body.sort === undefined ? {} : { track_scores: true }),
    ...(body.highlight !== undefined || (state.mode === 'words' && state.words === '')
      ? {}
      : { highlight: highlightOf(state) }),
    ...body,
  };
}

/** What was typed, as JSON: by words the query alone. */
export function typedBody(state: SearchState): JsonObject {
  if (state.mode === 'words') return { query: wordsQuery(state) };
  if (state.json.trim() === '') return { query: { match_all: {} } };
  const body = parseExactJson(state.json);
  if (!isObject(body)) throw new SyntaxError('The body of a search is an object: {"query": …}.');
  return body;
}

function wordsQuery({ words, kind, fields }: SearchState): Json {
  if (words.trim() === '') return { match_all: {} };
  const names = fields.map(fieldText);
  switch (kind) {
    case 'query_string':
    case 'simple_query_string':
      return { [kind]: { query: words, ...(names.length === 0 ? {} : { fields: names }) } };
    case 'phrase':
      return matching(words, fields, 'phrase', {});
    case 'prefix':
      return matching(words, fields, 'phrase_prefix', {});
    default:
      return matching(words, fields, undefined, kind === 'all_words' ? { operator: 'and' } : {});
  }
}

/** A match query of one field, a multi_match query of several. */
function matching(
  words: string,
  fields: readonly SearchedField[],
  type: 'phrase' | 'phrase_prefix' | undefined,
  more: JsonObject,
): Json {
  const [first = { name: '_all', boost: '' }] = fields;
  if (fields.length > 1)
    return {
      multi_match: { query: words, fields: fields.map(fieldText), ...(type ? { type } : {}), ...more },
    };
  const boost = first.boost === '' || first.boost === '1' ? {} : { boost: Number(first.boost) };
  const own = { ...more, ...boost };
  const name = type === undefined ? 'match' : `match_${type}`;
  return { [name]: { [first.name]: Object.keys(own).length === 0 ? words : { query: words, ...own } } };
}

function filterOf({ field, value, isPhrase }: ValueFilter): Json {
  if (value === null) return { missing: { field } };
  return isPhrase ? { query: { match_phrase: { [field]: value } } } : { term: { [field]: value } };
}

function filtered(query: Json | undefined, filters: readonly ValueFilter[]): Json {
  const must = filters.filter(({ isExcluded }) => !isExcluded).map(filterOf);
  const mustNot = filters.filter(({ isExcluded }) => isExcluded).map(filterOf);
  return {
    filtered: {
      ...(query === undefined ? {} : { query }),
      filter: {
        bool: {
          ...(must.length === 0 ? {} : { must }),
          ...(mustNot.length === 0 ? {} : { must_not: mustNot }),
        },
      },
    },
  };
}

function sortOf(text: string): Json {
  const [field = '', order = 'asc'] = text.split(':');
  return [
    { [field]: { order, ...(field.startsWith('_') ? {} : { missing: '_last', unmapped_type: 'long' }) } },
  ];
}

/** Marks around highlights that no text has: they are characters for private use. */
export const MARKS = { before: '\ue000', after: '\ue001' } as const;

function highlightOf({ mode, fields }: SearchState): Json {
  // With _all every field may be why a document was found.
  const isOfFields = mode === 'words' && fields.length > 0;
  const names = isOfFields ? fields.map(({ name }) => name) : ['*'];
  return {
    pre_tags: [MARKS.before],
    post_tags: [MARKS.after],
    number_of_fragments: 3,
    fragment_size: 160,
    require_field_match: isOfFields,
    fields: Object.fromEntries(names.map((name) => [name, {}])),
  };
}
