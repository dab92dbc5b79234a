import { describe, expect, test } from 'vitest';
import { ElasticsearchError } from '../../host/errors.js';
import { Column } from '../../host/mapping/field.js';
import { MappingModel } from '../../host/mapping/model.js';
import { modelOf, naiveRegistry } from '../model/support.js';

/** The text of the error that something throws. */
function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ElasticsearchError) return `${error.status} ${error.render()}`;
    throw error;
  }
  return 'no error';
}

/** What GET _mapping shows of mappings. */
function shown(mappings: Parameters<typeof modelOf>[0]): unknown {
  return JSON.parse(JSON.stringify(modelOf(mappings).toJSON()));
}

/** What the conflicts of one field's mappings are called. */
function conflictsOf(name: string, before: object, after: object): string {
  const model = modelOf({ t: { properties: { [name]: before } } });
  return errorOf(() => model.putMapping('t', { properties: { [name]: after } })).replace(
    /^.*failures (.*)]$/,
    '$1',
  );
}

describe('GET _mapping shows what differs from the defaults', () => {
  test('strings', () => {
    const properties = {
      a: { type: 'string', norms: { enabled: false } },
      a2: { type: 'string', omit_norms: true },
      b: { type: 'string', index_options: 'docs' },
      d: { type: 'string', boost: 3.5 },
      e2: { type: 'string', store: 'yes' },
      h: { type: 'string', index: 'no' },
      i: { type: 'string', term_vector: 'with_positions_offsets' },
      j: { type: 'string', doc_values: true, index: 'not_analyzed' },
      k: { type: 'string', position_offset_gap: 50 },
      l: { type: 'string', search_analyzer: 'keyword', index_analyzer: 'standard' },
      m: { type: 'string', analyzer: 'standard' },
      o: { type: 'string', fielddata: { format: 'disabled' } },
      p: { type: 'string', index: 'not_analyzed', norms: { enabled: true }, index_options: 'positions' },
      q: { type: 'string', null_value: 'NONE', ignore_above: 20, colour: 'red' },
    };
    expect(shown({ t: { properties } })).toEqual({
      t: {
        properties: {
          ...properties,
          a2: { type: 'string', norms: { enabled: false } },
          e2: { type: 'string', store: true },
          q: { type: 'string', null_value: 'NONE', ignore_above: 20 },
        },
      },
    });
  });

  test('how any field is to be kept, whether or not that means anything to its type', () => {
    const properties = {
      n: { type: 'long', index: 'analyzed', norms: { loading: 'eager' }, similarity: 'BM25' },
      i: { type: 'integer', precision_step: 32 },
      j: { type: 'integer', precision_step: 8 },
      b: { type: 'boolean', storeTermVectors: true, store_term_vector_offsets: true, boost: 1.5 },
      d: { type: 'date', boost: 2 },
      g: { type: 'geo_point', index_options: 'freqs', boost: 2 },
      s: { type: 'string', fielddata: { format: 'doc_values', filter: { frequency: { min: 0.25 } } } },
      p: { type: 'string', postings_format: 'memory', similarity: 'nobody', path: 'just_name', fields: {} },
      o: { path: 'just_name', properties: { x: { type: 'binary', index: 'not_analyzed' } } },
    };
    properties.s = { ...properties.s, ...{ index: 'not_analyzed' } };
    expect(shown({ t: { properties } })).toEqual({
      t: {
        properties: {
          n: properties.n,
          i: { type: 'integer', precision_step: 2147483647 },
          j: { type: 'integer' },
          b: { type: 'boolean', term_vector: 'with_offsets', boost: 1.5 },
          d: { type: 'date', boost: 2, norms: { enabled: true }, format: 'dateOptionalTime' },
          g: { type: 'geo_point', index_options: 'freqs' },
          s: {
            type: 'string',
            index: 'not_analyzed',
            doc_values: true,
            fielddata: { format: 'doc_values', 'filter.frequency.min': '0.25' },
          },
          p: { type: 'string', postings_format: 'memory', path: 'just_name' },
          o: properties.o,
        },
      },
    });
  });

  test('conflicts name the field with all that is around it', () => {
    const raw = (index: string) => ({ type: 'string', fields: { raw: { type: 'string', index } } });
    expect(conflictsOf('f', raw('no'), { type: 'string', fields: { raw: { type: 'date' } } })).toBe(
      '{[mapper [f.raw] of different type, current_type [string], merged_type [date]]}',
    );
    const object = (type: string) => ({ properties: { f: { type } } });
    expect(conflictsOf('o', object('long'), object('geo_point'))).toBe(
      '{[mapper [o.f] of different type, current_type [long], merged_type [geo_point]]}',
    );
  });

  test('numbers and points conflict in how they are kept, too', () => {
    const after = {
      type: 'long',
      precision_step: 8,
      boost: 2,
      index: 'analyzed',
      index_name: 'x',
      similarity: 'BM25',
    };
    expect(conflictsOf('f', { type: 'long' }, after)).toBe(
      '{[mapper [f] has different index values, mapper [f] cannot enable norms (`norms.enabled`), mapper [f] has different tokenize values, mapper [f] has different index_analyzer, mapper [f] has different index_name, mapper [f] has different similarity]}',
    );
    expect(conflictsOf('g', { type: 'geo_point' }, { type: 'geo_point', precision_step: 4 })).toBe(
      '{[mapper [g] has different precision_step]}',
    );
    expect(conflictsOf('d', { type: 'date' }, { type: 'date', format: 'yyyy', ignore_malformed: true })).toBe(
      'no error',
    );
  });

  // Recorded from Elasticsearch 1.7.3.
  test('what a type says of its `_all`, in names of its own', () => {
    const all = (section: object) => modelOf({ t: { _all: section } }).toJSON().t;
    expect(all({ enabled: true, norms: { enabled: false } })).toEqual({
      _all: { enabled: true, omit_norms: true },
      properties: {},
    });
    expect(all({ term_vector: 'with_positions_offsets', store: true, index_options: 'docs' })).toEqual({
      _all: {
        store: true,
        store_term_vectors: true,
        store_term_vector_offsets: true,
        store_term_vector_positions: true,
      },
      properties: {},
    });
  });

  // Recorded from Elasticsearch 1.7.3.
  test('whether values join `_all` at each field that can say so, as the object around it does', () => {
    const s = { type: 'string' };
    const model = modelOf({
      t: {
        include_in_all: false,
        properties: {
          s: { ...s, fields: { raw: { type: 'string', index: 'not_analyzed' } } },
          n: { type: 'integer' },
          b: { type: 'boolean', include_in_all: true },
          o: { include_in_all: true, properties: { s } },
          p: { properties: { s } },
        },
      },
    });
    model.putMapping('t', { properties: { later: s } });
    expect(model.toJSON().t).toEqual({
      include_in_all: false,
      properties: {
        b: { type: 'boolean' },
        later: { type: 'string', include_in_all: false },
        n: { type: 'integer', include_in_all: false },
        o: { include_in_all: true, properties: { s: { type: 'string', include_in_all: true } } },
        p: { include_in_all: false, properties: { s: { type: 'string', include_in_all: false } } },
        s: {
          type: 'string',
          include_in_all: false,
          fields: { raw: { type: 'string', index: 'not_analyzed' } },
        },
      },
    });
  });

  // Recorded from Elasticsearch 1.7.3.
  test('neither the default analyzer nor the usual step, which terms of 32 bits have at least', () => {
    const properties = {
      a: { type: 'string', analyzer: 'default' },
      b: { type: 'byte', precision_step: 16 },
      m: { type: 'short' },
      n: { type: 'short', precision_step: 16 },
      o: { type: 'short', precision_step: 32 },
    };
    expect((modelOf({ t: { properties } }).toJSON().t as { properties: unknown }).properties).toEqual({
      a: { type: 'string' },
      b: { type: 'byte', precision_step: 16 },
      m: { type: 'short' },
      n: { type: 'short', precision_step: 16 },
      o: { type: 'short', precision_step: 0x7fff_ffff },
    });
  });

  test('other types, objects and multi-fields, sorted by name', () => {
    const model = modelOf({
      t: {
        dynamic: false,
        _all: { enabled: false },
        properties: {
          z: { type: 'date' },
          y: { type: 'long', precision_step: 8, doc_values: true },
          o: { dynamic: 'strict', properties: { in: { type: 'boolean', null_value: 'true' } } },
          e: { type: 'object' },
          off: { type: 'object', enabled: false },
          f: {
            type: 'string',
            fields: { raw: { type: 'string', index: 'not_analyzed' }, n: { type: 'long' } },
          },
        },
      },
    });
    const t = model.toJSON().t as Record<string, unknown>;
    expect(t).toEqual({
      dynamic: 'false',
      _all: { enabled: false },
      properties: {
        e: { type: 'object' },
        f: {
          type: 'string',
          fields: { n: { type: 'long' }, raw: { type: 'string', index: 'not_analyzed' } },
        },
        o: { dynamic: 'strict', properties: { in: { type: 'boolean', null_value: true } } },
        off: { type: 'object', enabled: false },
        y: { type: 'long', precision_step: 8, doc_values: true },
        z: { type: 'date', format: 'dateOptionalTime' },
      },
    });
    expect(Object.keys(t.properties as object)).toEqual(['e', 'f', 'o', 'off', 'y', 'z']);
  });
});

describe('mappings that are refused', () => {
  const put = (definition: unknown) =>
    errorOf(() => new MappingModel(naiveRegistry()).putMapping('t', definition));
  const field = (definition: unknown) => put({ properties: { f: definition } });

  test.each([
    [{ type: 'nosuch' }, '400 MapperParsingException[No handler for type [nosuch] declared on field [f]]'],
    [{ type: 5 }, '400 MapperParsingException[No handler for type [5] declared on field [f]]'],
    [{ type: null }, '400 MapperParsingException[No type specified for property [f]]'],
    [{ index: 'no' }, '400 MapperParsingException[No type specified for property [f]]'],
    [
      { type: 'string', index: 'sometimes' },
      '400 MapperParsingException[Wrong value for index [sometimes] for field [f]]',
    ],
    [
      { type: 'string', analyzer: 'nosuch' },
      '400 MapperParsingException[Analyzer [nosuch] not found for field [f]]',
    ],
    [{ type: 'string', boost: 'big' }, '400 NumberFormatException[For input string: "big"]'],
    [
      { type: 'integer', index: 'sometimes' },
      '400 MapperParsingException[Wrong value for index [sometimes] for field [f]]',
    ],
    [
      { type: 'date', analyzer: 'nosuch' },
      '400 MapperParsingException[Analyzer [nosuch] not found for field [f]]',
    ],
    [
      { type: 'boolean', norms: false },
      '400 ElasticsearchParseException[norms should be a hash but was of type: class java.lang.Boolean]',
    ],
    [
      { type: 'string', norms: { loading: 'often' } },
      '400 MapperParsingException[Unknown [loading] value: [often]]',
    ],
    [
      { type: 'string', fielddata: 7 },
      '400 ElasticsearchParseException[fielddata should be a hash but was of type: class java.lang.Integer]',
    ],
    [
      { type: 'string', omit_term_freq_and_positions: false },
      "400 ElasticsearchParseException['omit_term_freq_and_positions' is not supported anymore - use ['index_options' : 'docs']  instead]",
    ],
    [
      { type: 'string', doc_values: true },
      '400 MapperParsingException[Field [f] cannot be analyzed and have doc values]',
    ],
    [{ type: 'long', null_value: null }, '400 MapperParsingException[Property [null_value] cannot be null.]'],
    [{ type: 'long', null_value: 'few' }, '400 NumberFormatException[For input string: "few"]'],
    [
      { type: 'ip', null_value: 'here' },
      '400 ElasticsearchIllegalArgumentException[failed to parse ip [here], not a valid ip address]',
    ],
    [
      { type: 'string', fields: 'raw' },
      '400 MapperParsingException[Expected map for property [fields] on field [raw] or [fields] but got a class java.lang.String]',
    ],
    [
      { type: 'string', fields: { raw: 'string' } },
      '400 MapperParsingException[Illegal field [raw], only fields can be specified inside fields]',
    ],
    [
      { type: 'object', path: 'short' },
      '400 MapperParsingException[Wrong value for pathType [short] for object [f]]',
    ],
    [{ type: 'completion', store: true }, '400 MapperParsingException[Unknown field [store]]'],
    [
      { type: 'string', index_options: 'all' },
      '400 ElasticsearchParseException[Failed to parse index option [all]]',
    ],
    [
      { type: 'string', term_vector: 'much' },
      '400 MapperParsingException[Wrong value for termVector [much] for field [f]]',
    ],
    [
      5,
      '400 MapperParsingException[Expected map for property [fields] on field [f] but got a class java.lang.String]',
    ],
    [
      { type: 'geo_shape', tree: 'oak' },
      '400 ElasticsearchIllegalArgumentException[Unknown prefix tree type [oak]]',
    ],
  ])('%j', (definition, error) => {
    expect(field(definition)).toBe(error);
  });

  test('at the root', () => {
    expect(put({})).toBe('400 MapperParsingException[malformed mapping no root object found]');
    expect(put({ propertys: { a: { type: 'string' } } })).toBe(
      '400 MapperParsingException[Root type mapping not empty after parsing! Remaining fields:   [propertys : {a={type=string}}]]',
    );
    expect(put({ type: 'string' })).toBe(
      '400 MapperParsingException[Root type mapping not empty after parsing! Remaining fields:   [type : string]]',
    );
    expect(put({ _all: 'on' })).toBe(
      "500 ClassCastException[class java.lang.String cannot be cast to class java.util.Map (java.lang.String and java.util.Map are in module java.base of loader 'bootstrap')]",
    );
    expect(put({ dynamic_templates: {} })).toBe(
      "500 ClassCastException[class java.util.LinkedHashMap cannot be cast to class java.util.List (java.util.LinkedHashMap and java.util.List are in module java.base of loader 'bootstrap')]",
    );
    expect(put({ transform: 3 })).toBe(
      '400 MapperParsingException[Transform must be an object or an array but was:  3]',
    );
    const model = new MappingModel(naiveRegistry());
    expect(errorOf(() => model.putMapping('_x', { properties: {} }))).toBe(
      "400 InvalidTypeNameException[mapping type name [_x] can't start with '_']",
    );
    expect(errorOf(() => model.ensureType('a,b'))).toBe(
      "400 InvalidTypeNameException[mapping type name [a,b] should not include ',' in it]",
    );
    expect(model.typeNames()).toEqual([]);
  });
});

describe('merging', () => {
  const start = () =>
    modelOf({
      t: {
        properties: {
          a: { type: 'string' },
          b: { type: 'long' },
          o: { properties: { x: { type: 'date' } } },
        },
      },
    });

  test('adds fields and multi-fields', () => {
    const model = start();
    model.putMapping('t', {
      properties: {
        a: { type: 'string', fields: { raw: { type: 'string', index: 'not_analyzed' } } },
        c: { type: 'double' },
      },
    });
    expect(model.toJSON().t).toMatchObject({
      properties: { a: { fields: { raw: {} } }, b: {}, c: { type: 'double' } },
    });
    expect(model.find('a.raw')?.field.number).toBeGreaterThan(0);
  });

  test('names all conflicts and changes nothing', () => {
    const model = start();
    const before = JSON.stringify(model.save());
    const change = {
      properties: { a: { type: 'long' }, b: { type: 'string' }, c: { type: 'date' }, o: { type: 'string' } },
    };
    expect(errorOf(() => model.putMapping('t', change))).toBe(
      '400 MergeMappingException[Merge failed with failures {[mapper [a] of different type, current_type [string], ' +
        'merged_type [long], mapper [b] of different type, current_type [long], merged_type [string], ' +
        "Can't merge a non object mapping [o] with an object mapping [o]]}]",
    );
    expect(JSON.stringify(model.save())).toBe(before);
    model.putMapping('t', change, { ignoreConflicts: true });
    expect(model.toJSON().t).toMatchObject({ properties: { a: { type: 'string' }, c: { type: 'date' } } });
  });

  test('index and analyzer can not change', () => {
    const model = start();
    expect(
      errorOf(() => model.putMapping('t', { properties: { a: { type: 'string', index: 'not_analyzed' } } })),
    ).toContain(
      '{[mapper [a] has different index values, mapper [a] has different tokenize values, mapper [a] has different index_analyzer]}',
    );
    const word = { type: 'string', index: 'not_analyzed', doc_values: true };
    model.putMapping('t', { properties: { w: word } });
    model.putMapping('t', { properties: { w: { ...word, doc_values: false } } });
    const text = { type: 'string', term_vector: 'with_positions_offsets' };
    expect(errorOf(() => model.putMapping('t', { properties: { w: text } }))).toContain(
      '{[mapper [w] has different index values, mapper [w] cannot enable norms (`norms.enabled`), mapper [w] has different tokenize values, mapper [w] has different store_term_vector values, mapper [w] has different store_term_vector_offsets values, mapper [w] has different store_term_vector_positions values, mapper [w] has different index_analyzer]}',
    );
    expect(
      errorOf(() => model.putMapping('t', { properties: { w: { type: 'string', index: 'no' } } })),
    ).toContain('mapper [w] has different index values');
    expect(
      errorOf(() => model.putMapping('t', { properties: { a: { type: 'string', analyzer: 'keyword' } } })),
    ).toContain('mapper [a] has different index_analyzer');
  });
});

describe('fields of the core', () => {
  test('are numbered in order of appearance, shared by types whatever they make of their texts', () => {
    const model = modelOf({
      a: {
        properties: {
          k: { type: 'string', index: 'not_analyzed' },
          s: { type: 'string' },
          no: { type: 'string', index: 'no' },
        },
      },
      b: { properties: { k: { type: 'string', index: 'not_analyzed' }, s: { type: 'string', boost: 2 } } },
    });
    expect(model.fieldDefinitions()).toEqual([
      { field: 0, name: '_type', flags: 0, analyzer: '', boost: 1, positionGap: 0 },
      { field: 1, name: '_field_names', flags: 0, analyzer: '', boost: 1, positionGap: 0 },
      { field: 2, name: '_all', flags: 7, analyzer: 'default', boost: 1, positionGap: 0 },
      { field: 3, name: 'k', flags: Column.ordinal, analyzer: '', boost: 1, positionGap: 0 },
      { field: 4, name: 's', flags: 7, analyzer: 'default', boost: 1, positionGap: 0 },
    ]);
  });

  test('keep their numbers when the model is saved and loaded', () => {
    const model = modelOf({
      t: { properties: { z: { type: 'string' }, a: { type: 'long', null_value: 3 } } },
    });
    model.putMapping('t', { properties: { b: { type: 'string', index: 'not_analyzed', boost: 2 } } });
    const saved = JSON.parse(JSON.stringify(model.save()));
    const loaded = new MappingModel(naiveRegistry(), saved);
    expect(loaded.fieldDefinitions()).toEqual(model.fieldDefinitions());
    expect(loaded.toJSON()).toEqual(model.toJSON());
    expect(loaded.find('b')?.field.number).toBe(model.find('b')?.field.number);
  });

  test('are found again where a model was saved with numbers of analyzers', () => {
    const properties = {
      s: { type: 'string' },
      t: { type: 'string', analyzer: 'standard' },
      n: { type: 'long' },
    };
    const model = modelOf({ t: { properties } });
    const saved = JSON.parse(JSON.stringify(model.save()));
    for (const field of saved.fields) field.analyzer = field.analyzer === '' ? 0 : 1;
    const loaded = new MappingModel(naiveRegistry(), saved);
    expect(loaded.fieldDefinitions()).toHaveLength(model.fieldDefinitions().length);
    expect(loaded.coreFields()).toEqual(model.coreFields());
  });

  test('get the columns that a saved model lacks', () => {
    const model = modelOf({
      t: { properties: { n: { type: 'long' }, d: { type: 'double' }, s: { type: 'string' } } },
    });
    const saved = JSON.parse(JSON.stringify(model.save()));
    for (const field of saved.fields) field.flags &= 7;
    const loaded = new MappingModel(naiveRegistry(), saved);
    expect(loaded.fieldDefinitions()).toEqual(model.fieldDefinitions());
    expect(loaded.fieldDefinitions().map(({ flags }) => flags)).toEqual([
      0,
      0,
      7,
      Column.long,
      Column.double,
      7,
    ]);
  });

  test('are found by full name, by last part, with the type in front, and by pattern', () => {
    const model = modelOf({
      t: { properties: { o: { properties: { name: { type: 'string' } } }, title: { type: 'string' } } },
    });
    expect(model.find('o.name')?.field.fullName).toBe('o.name');
    expect(model.find('name')?.field.fullName).toBe('o.name');
    expect(model.find('t.title')).toMatchObject({ type: 't' });
    expect(model.find('nosuch')).toBeUndefined();
    expect(model.names('*a*e')).toEqual(['o.name']);
    expect(model.names('t*')).toEqual(['title']);
  });
});

test('a new type starts from _default_', () => {
  const model = modelOf({ _default_: { dynamic: 'strict', properties: { a: { type: 'long' } } } });
  model.ensureType('t');
  expect(model.toJSON().t).toEqual({ dynamic: 'strict', properties: { a: { type: 'long' } } });
  expect(model.typeNames()).toEqual(['t']);
});
