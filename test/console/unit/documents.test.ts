/** Looking through documents: searches, filters in the address, values; documents as they were written; mappings in words. */
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../console/src/api/json.js';
import { fieldsOf } from '../../../console/src/api/mappingFields.js';
import {
  bodyOf,
  filterField,
  firstColumns,
  readFilters,
  sortableFields,
  valueAt,
  writeFilters,
} from '../../../console/src/views/documents/browsing.js';
import {
  documentPath,
  readDocument,
  sourceIn,
  withParameters,
} from '../../../console/src/views/documents/documentAnswer.js';
import { fieldNodes, leaves, typeFacts } from '../../../console/src/views/mappings/mappingTree.js';
import { addingBody, isForm, NOT_ANALYZED } from '../../../console/src/views/mappings/newField.js';

const PROPERTIES = {
  title: {
    type: 'string',
    analyzer: 'folded',
    fields: { raw: { type: 'string', index: 'not_analyzed', doc_values: true } },
  },
  year: { type: 'integer' },
  place: { type: 'geo_point' },
  author: { properties: { name: { type: 'string', index: 'not_analyzed' } } },
  comments: { type: 'nested', properties: { stars: { type: 'short' } } },
  hidden: { type: 'string', index: 'no' },
};
const fields = fieldsOf({ books: { mappings: { book: { properties: PROPERTIES } } } });

describe('looking through documents', () => {
  const browsing = { words: '', filters: [], sort: '', type: '', page: 0 };

  it('asks for a page of all of them', () => {
    expect(bodyOf({ ...browsing, page: 2 })).toMatchObject({ query: { match_all: {} }, from: 100, size: 50 });
  });

  it('narrows by words and values, with all digits', () => {
    const body = bodyOf({
      ...browsing,
      words: 'time',
      sort: '-year',
      filters: [
        { field: 'isbn', value: '9007199254740993001', isNot: false },
        { field: 'year', value: '1895', isNot: true },
        { field: 'place', value: undefined, isNot: false },
      ],
    });
    expect(body.query).toEqual({
      filtered: {
        query: { query_string: { query: 'time', default_operator: 'and' } },
        filter: {
          bool: {
            must: [{ term: { isbn: '9007199254740993001' } }, { exists: { field: 'place' } }],
            must_not: [{ term: { year: 1895 } }],
          },
        },
      },
    });
    expect(body.sort).toEqual([{ year: { order: 'desc', ignore_unmapped: true } }]);
  });

  it('keeps filters in the address', () => {
    const filters = [
      { field: 'a.b', value: 'x=y&!z', isNot: true },
      { field: 'c', value: undefined, isNot: false },
    ];
    expect(readFilters(writeFilters(filters))).toEqual(filters);
  });

  it('sorts and filters by what is kept whole', () => {
    expect(sortableFields(fields).map(({ path }) => path)).toEqual(['author.name', 'title.raw', 'year']);
    expect(filterField('title', fields)).toBe('title.raw');
    expect(filterField('author.name', fields)).toBe('author.name');
    expect(filterField('place', fields)).toBeUndefined();
    expect(filterField('hidden', fields)).toBeUndefined();
    expect(filterField('comments.stars', fields)).toBeUndefined();
  });

  it('finds values by their paths', () => {
    const source = { a: { 'b.c': 1 }, l: [{ x: 1 }, { x: 2 }, {}], 'p.q': 3 };
    expect(valueAt(source, 'a.b.c')).toBe(1);
    expect(valueAt(source, 'l.x')).toEqual([1, 2]);
    expect(valueAt(source, 'p.q')).toBe(3);
    expect(valueAt(source, 'a.nothing')).toBeUndefined();
    expect(firstColumns(fields, [{ year: 1, title: 'x' }, { title: 'y' }])).toEqual(['title', 'year']);
  });
});

describe('a document', () => {
  const text =
    '{"_index":"b","_type":"t","_id":"1","_version":9007199254740993,"found":true,' +
    '"_source":{"_source":{"n":1},"n":9007199254740993001, "f": 1.0,"s":"a } \\" b"},"fields":{"_routing":"r"}}';

  it('is read with its source untouched', () => {
    expect(sourceIn(text)).toBe('{"_source":{"n":1},"n":9007199254740993001, "f": 1.0,"s":"a } \\" b"}');
    expect(readDocument(parseJson(text), text)).toMatchObject({
      version: '9007199254740993',
      routing: 'r',
      id: '1',
    });
    expect(readDocument({ found: false }, '{"found":false}')).toBeUndefined();
  });

  it('has a path for any name', () => {
    expect(
      withParameters(documentPath({ index: 'a', type: 't', id: 'x/y?z' }), { routing: 'a b', version: '' }),
    ).toBe('/a/t/x%2Fy%3Fz?routing=a%20b');
  });
});

describe('a mapping', () => {
  const nodes = fieldNodes(PROPERTIES);

  it('is told in words', () => {
    const facts = (path: string) => leaves(nodes).find((node) => node.path === path)!.facts;
    expect(facts('title')).toEqual(['analyzer folded']);
    expect(facts('title.raw')).toEqual(['one term, not analyzed', 'doc values']);
    expect(facts('hidden')).toEqual(['not indexed, can’t be searched']);
    expect(leaves(nodes).find(({ path }) => path === 'comments.stars')!.nested).toBe('comments');
    expect(typeFacts({ _parent: { type: 'book' }, _all: { enabled: false }, properties: {} })).toEqual([
      { name: '_parent', value: 'documents of type book' },
      { name: '_all', value: '{"enabled":false}' },
    ]);
  });

  it('gets fields, within objects and as forms of others', () => {
    const field = { type: 'string', analyzer: NOT_ANALYZED, more: '' };
    expect(addingBody('book', { ...field, path: 'isbn', type: 'long' }, nodes)).toEqual({
      book: { properties: { isbn: { type: 'long' } } },
    });
    expect(addingBody('book', { ...field, path: 'comments.name' }, nodes)).toEqual({
      book: {
        properties: {
          comments: { type: 'nested', properties: { name: { type: 'string', index: 'not_analyzed' } } },
        },
      },
    });
    // Leaving out what is said of documents would change it, which is refused.
    expect(
      addingBody('book', { ...field, path: 'x' }, nodes, {
        _timestamp: { enabled: true },
        dynamic: 'strict',
      }),
    ).toEqual({
      book: {
        _timestamp: { enabled: true },
        properties: { x: { type: 'string', index: 'not_analyzed' } },
      },
    });
    expect(isForm('title.sort', nodes)).toBe(true);
    expect(isForm('author.born', nodes)).toBe(false);
    expect(addingBody('book', { ...field, path: 'title.sort', more: '{"doc_values": true}' }, nodes)).toEqual(
      {
        book: {
          properties: {
            title: {
              type: 'string',
              analyzer: 'folded',
              fields: {
                raw: PROPERTIES.title.fields.raw,
                sort: { type: 'string', index: 'not_analyzed', doc_values: true },
              },
            },
          },
        },
      },
    );
    expect(() => addingBody('book', { ...field, path: 'x', more: '[1]' }, nodes)).toThrow(SyntaxError);
  });
});
