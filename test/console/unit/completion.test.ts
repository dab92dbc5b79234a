/** What may stand at a place of a request, from the generated tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../console/src/api/mappingFields.js';
import { type Known, offersAt } from '../../../console/src/dsl/bodyCompletion.js';
import { jsonCursor } from '../../../console/src/dsl/jsonCursor.js';
import { jsonProblem } from '../../../console/src/dsl/jsonProblem.js';
import type { DslTables } from '../../../console/src/dsl/tables.js';
import { pathOffers } from '../../../console/src/views/requests/requestPath.js';

const tables = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../console/src/dsl/tables.generated.json'), 'utf8'),
) as DslTables;

const known: Known = {
  tables,
  fields: fieldsOf({
    books: {
      mappings: {
        book: {
          properties: {
            title: { type: 'string', fields: { raw: { type: 'string', index: 'not_analyzed' } } },
            year: { type: 'integer' },
          },
        },
      },
    },
  }),
  types: ['book', 'review'],
  analyzers: ['folded'],
};

/** What is offered at the `|` of a body. */
function offers(text: string, path = '/books/_search'): string[] {
  const at = text.indexOf('|');
  return offersAt(jsonCursor(text.replace('|', ''), at), path, known).map((offer) => offer.text);
}

describe('within a body', () => {
  it.each([
    ['{ "|', ['query', 'aggs', 'highlight', 'sort', '_source']],
    ['{"query": {"|', ['match', 'bool', 'function_score', 'more_like_this']],
    ['{"query": {"match": {"|', ['title', 'title.raw', 'year']],
    ['{"query": {"match": {"title": {"|', ['query', 'operator', 'analyzer', 'fuzziness']],
    ['{"query": {"match": {"title": {"operator": "|', ['and', 'or']],
    ['{"query": {"match": {"title": {"analyzer": "|', ['folded', 'english']],
    ['{"query": {"bool": {"must": [{"match_all": {}}, {"|', ['match', 'term']],
    ['{"query": {"filtered": {"filter": {"|', ['term', 'geo_distance', 'exists']],
    ['{"query": {"filtered": {"filter": {"and": [{"|', ['term', 'range']],
    ['{"query": {"filtered": {"filter": {"range": {"year": {"|', ['gte', 'lt']],
    ['{"query": {"multi_match": {"fields": ["|', ['title', 'year']],
    ['{"query": {"function_score": {"functions": [{"|', ['weight', 'filter', 'field_value_factor', 'gauss']],
    ['{"query": {"function_score": {"functions": [{"gauss": {"year": {"|', ['origin', 'scale', 'decay']],
    ['{"query": {"has_child": {"type": "|', ['book', 'review']],
    ['{"aggs": {"a": {"|', ['terms', 'date_histogram', 'aggs']],
    ['{"aggs": {"a": {"terms": {"|', ['field', 'size', 'order', 'collect_mode']],
    ['{"aggs": {"a": {"terms": {"field": "|', ['title.raw', 'year']],
    ['{"aggs": {"a": {"terms": {}, "aggs": {"b": {"filter": {"|', ['term', 'exists']],
    ['{"sort": [{"|', ['_score', '_geo_distance', 'year']],
    ['{"highlight": {"fields": {"title": {"|', ['fragment_size', 'number_of_fragments', 'type']],
    ['{"suggest": {"s": {"phrase": {"direct_generator": [{"|', ['field', 'suggest_mode']],
    ['{"query": {\n  # words\n  "|', ['match']],
  ])('%s', (text, expected) => {
    expect(offers(text)).toEqual(expect.arrayContaining(expected));
  });

  it('offers no name twice, and nothing where nobody knows', () => {
    expect(offers('{"query": {}, "|')).not.toContain('query');
    expect(offers('{"|', '/books/book/1')).toEqual([]);
    expect(offers('{"query": {"match": {"title": "|')).toEqual([]);
  });

  it('offers fields with their types', () => {
    const text = '{"query": {"match": {"';
    const found = offersAt(jsonCursor(text, text.length), '/books/_search', known);
    expect(found).toContainEqual(
      expect.objectContaining({ text: 'title.raw', detail: 'string, not analyzed' }),
    );
  });
});

describe('in the first line', () => {
  const names = { indices: ['books'], aliases: ['library'], types: ['book'] };
  const at = (line: string) => pathOffers(line, tables, names)?.offers.map(({ text }) => text);

  it.each([
    ['G', ['GET', 'POST']],
    ['GET /', ['books', 'library', '_search', '_cat', '_cluster']],
    ['GET /books/', ['_search', '_mapping', 'book']],
    ['GET /_cat/', ['indices', 'health']],
    ['GET books/book/_se', ['_search']],
    ['GET /books/_search?', ['search_type', 'size', 'pretty']],
    ['GET /books/_search?size=5&', ['from']],
  ])('%s', (line, expected) => {
    expect(at(line)).toEqual(expect.arrayContaining(expected));
  });

  it('offers what the method has', () => {
    expect(at('DELETE /_')).not.toContain('_search_shards');
    expect(at('GET /books/_search?size=5&')).not.toContain('size');
  });
});

describe('the first place that is no JSON', () => {
  it.each([
    ['{"a": 1}', undefined],
    ['[1, -2.5e3, "x\\u00e9", {"a": [true, null]}]', undefined],
    ['{"a": 1 "b": 2}', 8],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['{"a": }', 6],
    ['{"a": "x}', 6],
    ['{"a": [1, 2}', 11],
    ['{"a": 1} x', 9],
    ['{"a": 01}', 7],
    ['', 0],
  ])('%s', (text, offset) => {
    expect(jsonProblem(text)?.offset).toBe(offset);
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    expect(isJson).toBe(offset === undefined);
  });
});
