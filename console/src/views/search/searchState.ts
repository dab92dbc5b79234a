/** What is searched for, as it stands in the address of the page. */
import { isObject, type Json, parseExactJson, writeJson } from '../../api/json';

/** How words become a query. */
export type QueryKind = 'match' | 'all_words' | 'phrase' | 'prefix' | 'query_string' | 'simple_query_string';

export const QUERY_KINDS: readonly { name: QueryKind; title: string }[] = [
  { name: 'match', title: 'any word' },
  { name: 'all_words', title: 'all words' },
  { name: 'phrase', title: 'phrase' },
  { name: 'prefix', title: 'phrase, last word begun' },
  { name: 'query_string', title: 'query string' },
  { name: 'simple_query_string', title: 'simple query string' },
];

/** Hits on a page that can be chosen. */
export const SIZES: readonly number[] = [5, 10, 20, 50];
const DEFAULT_SIZE = 10;

/** A field that is searched, with its boost. */
export interface SearchedField {
  name: string;
  /** As it was typed; empty for 1. */
  boost: string;
}

/** A value that hits must have. */
export interface ValueFilter {
  field: string;
  value: Json;
  /** Analyzed fields are searched for a phrase, the others for the term. */
  isPhrase: boolean;
  /** Hits must not have it. */
  isExcluded: boolean;
}

/** What is searched for. */
export interface SearchState {
  /** By words, or a search's body as JSON. */
  mode: 'words' | 'json';
  words: string;
  kind: QueryKind;
  /** None: `_all`. */
  fields: readonly SearchedField[];
  /** The body as it was typed. */
  json: string;
  filters: readonly ValueFilter[];
  /** `year:desc`; empty by score. */
  sort: string;
  from: number;
  size: number;
  /** Statistics of all shards: `dfs_query_then_fetch`. */
  isDfs: boolean;
}

/** Names of the parameters; those of the second query end with a 2. */
const NAMES = ['by', 'q', 'kind', 'fields', 'json', 'filters', 'sort', 'from', 'size', 'dfs'] as const;

/** @param suffix `2` for the query that the first one is compared with */
export function readSearch(params: URLSearchParams, suffix: '' | '2' = ''): SearchState {
  const get = (name: (typeof NAMES)[number]) => params.get(name + suffix) ?? '';
  const kind = QUERY_KINDS.find(({ name }) => name === get('kind'))?.name ?? 'match';
  const size = Number(get('size'));
  const from = Number(get('from'));
  return {
    mode: get('by') === 'json' ? 'json' : 'words',
    words: get('q'),
    kind,
    fields: readFields(get('fields')),
    json: get('json'),
    filters: readFilters(get('filters')),
    sort: get('sort'),
    from: Number.isSafeInteger(from) && from > 0 ? from : 0,
    size: SIZES.includes(size) ? size : DEFAULT_SIZE,
    isDfs: get('dfs') === 'true',
  };
}

/** Parameters for {@link readSearch}; what is as by default is left out. */
export function searchParams(state: SearchState, suffix: '' | '2' = ''): Record<string, string> {
  const all: Record<(typeof NAMES)[number], string> = {
    by: state.mode === 'json' ? 'json' : '',
    q: state.words,
    kind: state.kind === 'match' ? '' : state.kind,
    fields: state.fields.map(fieldText).join(','),
    json: state.json,
    filters: state.filters.length === 0 ? '' : writeJson(state.filters.map(filterList)),
    sort: state.sort,
    from: state.from === 0 ? '' : String(state.from),
    size: state.size === DEFAULT_SIZE ? '' : String(state.size),
    dfs: state.isDfs ? 'true' : '',
  };
  return Object.fromEntries(NAMES.map((name) => [name + suffix, all[name]]));
}

/** A field as queries name it: `title^2`. */
export function fieldText({ name, boost }: SearchedField): string {
  return boost === '' || boost === '1' ? name : `${name}^${boost}`;
}

function readFields(text: string): SearchedField[] {
  return text
    .split(',')
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', boost = ''] = each.split('^');
      return { name, boost };
    });
}

function filterList({ field, value, isPhrase, isExcluded }: ValueFilter): Json {
  return [field, value, (isPhrase ? 1 : 0) + (isExcluded ? 2 : 0)];
}

function readFilters(text: string): ValueFilter[] {
  if (text === '') return [];
  try {
    const list = parseExactJson(text);
    if (!Array.isArray(list)) return [];
    return list.flatMap((each) => {
      if (!Array.isArray(each) || typeof each[0] !== 'string' || isObject(each[1])) return [];
      const flags = Number(each[2] ?? 0);
      return [
        {
          field: each[0],
          value: each[1] ?? null,
          isPhrase: (flags & 1) !== 0,
          isExcluded: (flags & 2) !== 0,
        },
      ];
    });
  } catch {
    return [];
  }
}
