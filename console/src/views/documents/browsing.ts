/** What is asked for when documents are looked through: filters, order, pages. */
import { isObject, type Json, type JsonObject } from '../../api/json';
import type { MappedField } from '../../api/mappingFields';

/** A value that a field has to have, or must not have. */
export interface FieldFilter {
  field: string;
  /** As JSON: a text, a number, a boolean. Without one it is about having any value. */
  value: string | undefined;
  isNot: boolean;
}

export interface Browsing {
  /** A query string; all documents without one. */
  words: string;
  filters: readonly FieldFilter[];
  /** A field, with `-` before it for the largest first; the order of the index without one. */
  sort: string;
  type: string;
  /** From 0. */
  page: number;
}

export const PAGE = 50;
/** `from` and `size` together: the pages behind cost the server as much as all before them. */
export const MAX_PAGED = 10_000;

/** What hits tell beside their sources. */
const META = ['_source', '_routing', '_parent', '_timestamp', '_ttl'];

/** The body of the search. */
export function bodyOf({ words, filters, sort, page }: Browsing): JsonObject {
  const query: JsonObject =
    words.trim() === '' ? { match_all: {} } : { query_string: { query: words, default_operator: 'and' } };
  const must = filters.filter(({ isNot }) => !isNot).map(clauseOf);
  const mustNot = filters.filter(({ isNot }) => isNot).map(clauseOf);
  const bool: JsonObject = {
    ...(must.length > 0 ? { must } : {}),
    ...(mustNot.length > 0 ? { must_not: mustNot } : {}),
  };
  return {
    query: filters.length === 0 ? query : { filtered: { query, filter: { bool } } },
    from: page * PAGE,
    size: PAGE,
    version: true,
    fields: META,
    ...(sort === '' ? {} : { sort: [sortOf(sort)] }),
  };
}

function clauseOf({ field, value }: FieldFilter): JsonObject {
  return value === undefined ? { exists: { field } } : { term: { [field]: jsonValue(value) } };
}

function sortOf(sort: string): JsonObject {
  const isDown = sort.startsWith('-');
  return { [isDown ? sort.slice(1) : sort]: { order: isDown ? 'desc' : 'asc', ignore_unmapped: true } };
}

/** Numbers of many digits are sent as texts, which `term` reads to the last digit. */
function jsonValue(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'number' && !Number.isSafeInteger(value) && !text.includes('.') ? text : value;
  } catch {
    return text;
  }
}

/** Filters as they stand in the address: one in a line, `field=value`, `!field=value`, `field` for any value. */
export function writeFilters(filters: readonly FieldFilter[]): string {
  return filters
    .map(
      ({ field, value, isNot }) =>
        `${isNot ? '!' : ''}${encodeURIComponent(field)}${value === undefined ? '' : `=${encodeURIComponent(value)}`}`,
    )
    .join('&');
}

export function readFilters(text: string): FieldFilter[] {
  return text
    .split('&')
    .filter((each) => each !== '')
    .map((each) => {
      const isNot = each.startsWith('!');
      const [field = '', value] = (isNot ? each.slice(1) : each).split('=', 2);
      return {
        field: decodeURIComponent(field),
        value: value === undefined ? undefined : decodeURIComponent(value),
        isNot,
      };
    });
}

/** What the documents can be sorted by: fields with one term a value, and those of numbers, dates, booleans. */
export function sortableFields(fields: readonly MappedField[]): MappedField[] {
  return fields.filter(
    ({ type, isAnalyzed, isIndexed, nested, mapping }) =>
      nested === undefined &&
      !isAnalyzed &&
      (isIndexed || mapping.doc_values === true) &&
      !['geo_point', 'geo_shape', 'completion', 'binary', 'murmur3'].includes(type),
  );
}

/** The field by which values of a column can be filtered: itself, or a form of it that is kept whole. */
export function filterField(column: string, fields: readonly MappedField[]): string | undefined {
  const own = fields.find(({ path }) => path === column);
  if (own === undefined || own.nested !== undefined) return undefined;
  if (!own.isAnalyzed)
    return own.isIndexed && !own.type.startsWith('geo') && own.type !== 'binary' ? column : undefined;
  return fields.find(
    ({ path, isMultiField, isAnalyzed, type }) =>
      isMultiField && !isAnalyzed && type === 'string' && path.startsWith(`${column}.`),
  )?.path;
}

/** The value of a document under a path with dots; lists along the way give all of theirs. */
export function valueAt(source: Json | undefined, path: string): Json | undefined {
  if (isObject(source)) {
    if (Object.hasOwn(source, path)) return source[path];
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const head = path.slice(0, dot);
      if (Object.hasOwn(source, head)) return valueAt(source[head], path.slice(dot + 1));
    }
    return undefined;
  }
  if (!Array.isArray(source)) return undefined;
  const values = source.map((each) => valueAt(each, path)).filter((each) => each !== undefined);
  return values.length === 0 ? undefined : (values as Json[]);
}

/** The columns that are shown at first: those that most of the documents have, short ones of the mapping. */
export function firstColumns(fields: readonly MappedField[], sources: readonly Json[]): string[] {
  const own = fields
    .filter(({ isMultiField, nested }) => !isMultiField && nested === undefined)
    .map(({ path }) => path);
  const counts = own.map((path) => ({
    path,
    count: sources.filter((source) => valueAt(source, path) !== undefined).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 6)
    .map(({ path }) => path);
}
