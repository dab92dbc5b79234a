import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { ElasticsearchError } from '../../host/errors.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import { readBatch } from '../model/naiveDocuments.js';
import { termText } from '../model/planReader.js';
import { modelOf } from '../model/support.js';
import { parseKeepingDigits } from '../../host/json/jsonText.js';

/** The values that a source is indexed as, such as `title=x`. */
function valuesOf(properties: Record<string, unknown>, source: unknown, type = {}): string[] {
  const model = modelOf({ t: { _all: { enabled: false }, ...type, properties } });
  const batch = new BatchWriter(16);
  const raw = typeof source === 'string' ? source : JSON.stringify(source);
  new DocumentParser(model).parse(batch, 7, { type: 't', id: '1', source: JSON.parse(raw), raw });
  const [operation] = readBatch(batch.bytes());
  if (operation === undefined || !('index' in operation)) throw new Error('no document');
  expect(operation.index).toBe(7);
  const names = model.fieldDefinitions().map((definition) => definition.name);
  const values = operation.values.map(({ field, bytes }) => `${names[field]}=${termText(bytes)}`);
  expect(values.shift()).toBe('_type=t');
  return values;
}

function errorOf(properties: Record<string, unknown>, source: unknown, type = {}): string {
  try {
    valuesOf(properties, source, type);
  } catch (error) {
    if (error instanceof ElasticsearchError) return error.render();
    throw error;
  }
  return 'no error';
}

const MANY = {
  s: { type: 'string' },
  k: { type: 'string', index: 'not_analyzed', ignore_above: 5, null_value: 'NONE' },
  n: { type: 'integer', null_value: -1 },
  x: { type: 'double' },
  f: { type: 'float' },
  d: { type: 'date' },
  b: { type: 'boolean' },
  o: { properties: { a: { type: 'string', index: 'not_analyzed' } } },
  m: { type: 'string', fields: { raw: { type: 'string', index: 'not_analyzed' } } },
};

describe('values', () => {
  test.each([
    [{ s: 'Some Text' }, ['s=Some Text']],
    [{ s: ['a', ['b', null]] }, ['s=a', 's=b']],
    [{ s: 12, k: true }, ['s=12', 'k=true']],
    [{ s: '' }, ['s=', '_field_names=s']],
    [{ s: '—' }, ['s=—', '_field_names=s']],
    [{ k: ['short', 'longer', null, ''] }, ['k=short', 'k=NONE', 'k=']],
    [{ n: null }, ['n=0x7fffffffffffffff']],
    [
      { n: [1, '2', 3.9, -3.9] },
      ['n=0x8000000000000001', 'n=0x8000000000000002', 'n=0x8000000000000003', 'n=0x7ffffffffffffffd'],
    ],
    [{ n: '' }, ['n=0x7fffffffffffffff']],
    [{ x: 1, f: '2.5' }, ['x=0xbff0000000000000', 'f=0xc004000000000000']],
    [
      { d: ['1970-01-01T00:00:01', 5, '7000000000'] },
      ['d=0x80000000000003e8', 'd=0x8000000000000005', 'd=0x80000001a13b8600'],
    ],
    [{ b: [true, 'false', 'off', 0, 'x', 2.5] }, ['b=T', 'b=F', 'b=F', 'b=F', 'b=T', 'b=T']],
    [{ o: [{ a: 'x' }, { a: ['y'] }, null] }, ['o.a=x', 'o.a=y']],
    [{ m: 'Two words' }, ['m=Two words', 'm.raw=Two words']],
    [{ s: { value: 'inner' } }, ['s=inner']],
    [{ _routing: 'x', s: null }, []],
  ])('%j', (source, values) => {
    expect(valuesOf(MANY, source)).toEqual(values);
  });

  test('digits that JSON.parse loses are kept', () => {
    expect(
      valuesOf(
        { l: { type: 'long' }, s: { type: 'string' } },
        '{"l":9007199254740993,"s":[1.50,"1.50\\u0000#2"]}',
      ),
    ).toEqual(['l=0x8020000000000001', 's=1.50', expect.stringMatching(/^s=/)]);
  });

  test('parsing with digits kept is parsing', () => {
    const plain = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (_, v) => (v?.constructor?.name === 'RawNumber' ? Number(v.text) : v)),
      );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(plain(parseKeepingDigits(json))).toEqual(JSON.parse(json));
      }),
    );
  });
});

describe('documents that are refused', () => {
  test.each([
    [
      { n: 'abc' },
      'MapperParsingException[failed to parse [n]]; nested: NumberFormatException[For input string: "abc"]; ',
    ],
    [
      { n: 3000000000 },
      'MapperParsingException[failed to parse [n]]; nested: JsonParseException[Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)]; ',
    ],
    [
      { n: true },
      'MapperParsingException[failed to parse [n]]; nested: JsonParseException[Current token (VALUE_TRUE) not numeric, can not use numeric value accessors]; ',
    ],
    [
      { s: { x: 1 } },
      'MapperParsingException[failed to parse [s]]; nested: ElasticsearchIllegalArgumentException[unknown property [x]]; ',
    ],
    [
      { o: 'text' },
      'MapperParsingException[object mapping for [t] tried to parse field [o] as object, but got EOF, has a concrete value been provided to it?]',
    ],
    [
      { o: [{ a: 'x' }, 'text'] },
      'MapperParsingException[object mapping [o] trying to serialize a value with no field associated with it, current value [text]]',
    ],
    [
      { d: 'word' },
      'MapperParsingException[failed to parse [d]]; nested: MapperParsingException[failed to parse date field [word], tried both date format [dateOptionalTime], and timestamp number with locale []]; nested: IllegalArgumentException[Invalid format: "word"]; ',
    ],
    [
      { _id: 2 },
      'MapperParsingException[failed to parse [_id]]; nested: MapperParsingException[Provided id [1] does not match the content one [2]]; ',
    ],
    [
      [1, 2],
      'MapperParsingException[failed to parse]; nested: ElasticsearchParseException[Failed to derive xcontent]; ',
    ],
  ])('%j', (source, error) => {
    expect(errorOf(MANY, source)).toBe(error);
  });

  test('an immense term', () => {
    const error = errorOf({ k: { type: 'string', index: 'not_analyzed' } }, { k: 'x'.repeat(32767) });
    expect(error).toContain(
      'Document contains at least one immense term in field="k" (whose UTF8 encoding is longer than the max length 32766)',
    );
    expect(error).toContain(
      'nested: MaxBytesLengthExceededException[bytes can be at most 32766 in length; got 32767]; ',
    );
    expect(errorOf({ k: { type: 'string', index: 'not_analyzed' } }, { k: 'x'.repeat(32766) })).toBe(
      'no error',
    );
  });

  test('leave the batch as it was', () => {
    const model = modelOf({ t: { properties: MANY } });
    const batch = new BatchWriter();
    const parser = new DocumentParser(model);
    parser.parse(batch, 1, { type: 't', id: '1', source: { s: 'a' } });
    const before = batch.bytes().slice();
    expect(() => parser.parse(batch, 2, { type: 't', id: '2', source: { s: 'b', n: 'x' } })).toThrow();
    expect(batch.bytes()).toEqual(before);
    expect(batch.operations).toBe(1);
  });
});

describe('dynamic mapping', () => {
  const learned = (source: string, type: Record<string, unknown> = {}) => {
    const model = modelOf({ t: { ...type, properties: {} } });
    new DocumentParser(model).parse(new BatchWriter(), 1, {
      type: 't',
      id: '1',
      source: JSON.parse(source),
      raw: source,
    });
    return (model.toJSON().t as { properties: unknown }).properties;
  };

  test('the type each JSON value gets', () => {
    const source =
      '{"s":"text","l":1,"neg":-5,"big":9007199254740993,"d":1.0,"e":1e3,"t":true,"f":false,"n":null,"es":"","ea":[],"eo":{},"as":["x"],"al":[1,2],"ad":[1,2.5],"o":{"i":{"j":"k"}},"ao":[{"a":1},{"b":"x"}],"an":[null,1],"at":"2014-01-01"}';
    expect(learned(source)).toEqual({
      ad: { type: 'long' },
      al: { type: 'long' },
      an: { type: 'long' },
      ao: { properties: { a: { type: 'long' }, b: { type: 'string' } } },
      as: { type: 'string' },
      at: { type: 'date', format: 'dateOptionalTime' },
      big: { type: 'long' },
      d: { type: 'double' },
      e: { type: 'double' },
      eo: { type: 'object' },
      es: { type: 'string' },
      f: { type: 'boolean' },
      l: { type: 'long' },
      neg: { type: 'long' },
      o: { properties: { i: { properties: { j: { type: 'string' } } } } },
      s: { type: 'string' },
      t: { type: 'boolean' },
    });
  });

  test('numeric detection', () => {
    expect(
      learned(
        '{"a":"12","b":"-3.5","c":"1e3","d":"x1","e":"007","f":"2014-01-01","g":"12345678901234567890","h":" 5"}',
        { numeric_detection: true },
      ),
    ).toEqual({
      a: { type: 'long' },
      b: { type: 'double' },
      c: { type: 'double' },
      d: { type: 'string' },
      e: { type: 'long' },
      f: { type: 'date', format: 'dateOptionalTime' },
      g: { type: 'double' },
      h: { type: 'double' },
    });
  });

  test('false ignores, strict refuses, objects have their own', () => {
    expect(valuesOf({ s: { type: 'string' } }, { s: 'a', x: 'b', y: { z: 1 } }, { dynamic: false })).toEqual([
      's=a',
    ]);
    const strict =
      'StrictDynamicMappingException[mapping set to strict, dynamic introduction of [x] within [t] is not allowed]';
    expect(errorOf({}, { x: 1 }, { dynamic: 'strict' })).toBe(strict);
    expect(errorOf({}, { x: {} }, { dynamic: 'strict' })).toBe(strict);
    expect(errorOf({}, { x: null }, { dynamic: 'strict' })).toBe('no error');
    expect(errorOf({ pin: { dynamic: 'strict', properties: {} } }, { a: 1, pin: { x: 1 } })).toBe(
      'StrictDynamicMappingException[mapping set to strict, dynamic introduction of [x] within [pin] is not allowed]',
    );
  });

  test('new objects below an object with a setting show it', () => {
    const model = modelOf({
      t: { dynamic: 'strict', properties: { free: { type: 'object', dynamic: true } } },
    });
    const source = { free: { anything: 'goes', deeper: { yet: 'more' } } };
    new DocumentParser(model).parse(new BatchWriter(), 1, { type: 't', id: '1', source });
    expect(model.toJSON().t).toEqual({
      dynamic: 'strict',
      properties: {
        free: {
          dynamic: 'true',
          properties: {
            anything: { type: 'string' },
            deeper: { dynamic: 'true', properties: { yet: { type: 'string' } } },
          },
        },
      },
    });
  });

  test('what a failed document brought stays, as in 1.7', () => {
    const model = modelOf({ t: { properties: {} } });
    const parser = new DocumentParser(model);
    const before = model.version;
    expect(() =>
      parser.parse(new BatchWriter(), 1, { type: 't', id: '1', source: { a: [1, 'two'] } }),
    ).toThrow('failed to parse [a]');
    expect(model.version).toBeGreaterThan(before);
    expect(model.toJSON().t).toEqual({ properties: { a: { type: 'long' } } });
  });
});

describe('_all', () => {
  const all = { _all: { enabled: true } };
  const joined = (properties: Record<string, unknown>, source: unknown, type = {}) =>
    valuesOf(properties, source, { ...all, ...type }).filter((value) => value.startsWith('_all='));

  test('holds the texts of all fields, in the order of the document', () => {
    expect(joined(MANY, { s: ['One', 'two'], n: 3, x: '4.5', o: { a: 'five' } })).toEqual([
      '_all=One two 3 4.5 five',
    ]);
    expect(joined({ b: { type: 'boolean' } }, { b: true })).toEqual([]);
    expect(joined({}, { new: 'word', date: '2014-01-01' })).toEqual(['_all=word 2014-01-01']);
  });

  test('leaves out what is not indexed, and what says so', () => {
    const no = { type: 'string', index: 'no' };
    expect(joined({ a: no, b: { ...no, include_in_all: true } }, { a: 'x', b: 'y' })).toEqual(['_all=y']);
    const out = { type: 'string', include_in_all: false };
    expect(joined({ a: out, b: { type: 'string' } }, { a: 'x', b: 'y' })).toEqual(['_all=y']);
    expect(
      joined(
        {
          o: {
            include_in_all: false,
            properties: { a: { type: 'string' }, b: { type: 'string', include_in_all: true } },
          },
        },
        { o: { a: 'x', b: 'y' } },
      ),
    ).toEqual(['_all=y']);
    expect(joined({}, { a: 'x' }, { include_in_all: false })).toEqual([]);
  });

  test('has each value once, however often it is indexed', () => {
    const multi = {
      type: 'string',
      copy_to: 'c',
      fields: { raw: { type: 'string', index: 'not_analyzed' } },
    };
    expect(joined({ m: multi }, { m: 'x y' })).toEqual(['_all=x y']);
  });
});

describe('copy_to', () => {
  test('gives values to other fields, which are made if need be', () => {
    const properties = {
      a: { type: 'string', copy_to: ['b', 'n', 'o.c'] },
      b: { type: 'string', copy_to: 'd' },
      d: { type: 'string' },
      o: { properties: { c: { type: 'string' } } },
    };
    expect(valuesOf(properties, { a: ['1', '2'] })).toEqual([
      'a=1',
      'b=1',
      'n=1',
      'o.c=1',
      'a=2',
      'b=2',
      'n=2',
      'o.c=2',
    ]);
    expect(errorOf({ a: { type: 'string', copy_to: 'nosuch.b' } }, { a: '1' })).toContain(
      'attempt to copy value to non-existing object [nosuch.b]',
    );
  });

  // Recorded from Elasticsearch 1.7.3.
  test('of null needs the other field to be there, and of an empty array nothing', () => {
    const properties = { a: { type: 'string', copy_to: 'everything' } };
    const noType =
      "MapperParsingException[failed to parse]; nested: ElasticsearchIllegalStateException[Can't handle serializing a dynamic type " +
      'with content token [VALUE_NULL] and field name [everything]]; ';
    for (const a of [null, [null]]) expect(errorOf(properties, { a })).toBe(noType);
    const strict = { dynamic: 'strict' };
    expect(valuesOf(properties, { a: [] }, strict)).toEqual([]);
    for (const a of [null, 'x'])
      expect(errorOf(properties, { a }, strict)).toBe(
        'StrictDynamicMappingException[mapping set to strict, dynamic introduction of [everything] within [t] is not allowed]',
      );
    expect(valuesOf(properties, { a: null }, { dynamic: false })).toEqual([]);
    const nulls = { a: { type: 'string', copy_to: 'b' }, b: { type: 'string', null_value: 'none' } };
    expect(valuesOf(nulls, { a: null })).toEqual(['b=none']);
  });

  test('gives values to multi-fields by their full names', () => {
    const fields = { raw: { type: 'string', index: 'not_analyzed' } };
    const properties = { a: { type: 'string', copy_to: 'b.raw' }, b: { type: 'string', fields } };
    expect(valuesOf(properties, { a: 'x' })).toEqual(['a=x', 'b.raw=x']);
  });
});

// Recorded from Elasticsearch 1.7.3.
describe('boosts that no norm could hold', () => {
  const refusal = (field: string) =>
    `MapperParsingException[failed to parse [${field}]]; nested: IllegalArgumentException[You cannot set an index-time boost on ` +
    'an unindexed field, or one that omits norms]; ';

  test('are refused with the document', () => {
    const s = { type: 'string', norms: { enabled: false }, boost: 2 };
    expect(errorOf({ flag: { type: 'boolean', boost: 2 } }, { flag: true })).toBe(refusal('flag'));
    expect(errorOf({ s }, { s: 'quick' })).toBe(refusal('s'));
    expect(errorOf({ o: { type: 'string', fields: { s } } }, { o: 'quick' })).toBe(refusal('o.s'));
    expect(errorOf({ s: { type: 'string', index: 'no', store: true, boost: 2 } }, { s: 'x' })).toBe(
      refusal('s'),
    );
  });

  test('are no matter where nothing is kept, or norms are', () => {
    expect(valuesOf({ s: { type: 'string', index: 'no', boost: 2 } }, { s: 'x' })).toEqual([]);
    expect(valuesOf({ n: { type: 'long', boost: 2 } }, { n: 1 })).toHaveLength(1);
    expect(valuesOf({ s: { type: 'string', index: 'not_analyzed', boost: 2 } }, { s: 'x' })).toEqual(['s=x']);
  });
});

// Recorded from Elasticsearch 1.7.3.
test('behind a completion that is neither text nor object 1.7 reads on', () => {
  const title = { type: 'string', fields: { sug: { type: 'completion' } } };
  for (const given of [null, 1.5])
    expect(errorOf({ title }, { title: given, tag: 'x' })).toBe(
      'MapperParsingException[failed to parse]; nested: ElasticsearchIllegalArgumentException[Unknown field name[tag], must be one of ' +
        '[output, context, input, weight, payload]]; ',
    );
  expect(errorOf({ title }, { title: true })).toBe(
    'MapperParsingException[object mapping for [t] tried to parse field [title] as object, but got EOF, has a concrete value been ' +
      'provided to it?]',
  );
});

describe('dynamic templates', () => {
  const mappingOf = (templates: unknown, source: unknown) => {
    const model = modelOf({ t: { dynamic_templates: templates } });
    new DocumentParser(model).parse(new BatchWriter(), 1, { type: 't', id: '1', source });
    return (model.toJSON().t as { properties: unknown }).properties;
  };

  test('map new fields by name, path and type', () => {
    const templates = [
      { keys: { match: '*_key', mapping: { type: 'string', index: 'not_analyzed' } } },
      { whole: { match_mapping_type: 'long', mapping: { type: 'integer' } } },
      { inner: { path_match: 'o.*', unmatch: 'x*', mapping: { type: '{dynamic_type}', store: true } } },
      { re: { match: '^v\\d+$', match_pattern: 'regex', mapping: { type: 'double' } } },
    ];
    expect(mappingOf(templates, { a_key: 'A', n: 1, d: 1.5, v1: '2', o: { s: 't', x1: 'u' } })).toEqual({
      a_key: { type: 'string', index: 'not_analyzed' },
      n: { type: 'integer' },
      d: { type: 'double' },
      v1: { type: 'double' },
      o: { properties: { s: { type: 'string', store: true }, x1: { type: 'string' } } },
    });
  });

  // Recorded from Elasticsearch 1.7.3.
  test('take a text for what it is before it is looked at, unless they are for a type', () => {
    const templates = [
      { x: { match: 'dyn_*', mapping: { type: '{dynamic_type}', store: true } } },
      { y: { match: '*_any', mapping: { store: true } } },
      { z: { match: '*_day', match_mapping_type: 'date', mapping: { store: true } } },
    ];
    const day = '2014-03-04';
    expect(mappingOf(templates, { dyn_d: day, x_any: day, a_day: day, d: day })).toEqual({
      a_day: { type: 'date', store: true, format: 'dateOptionalTime' },
      d: { type: 'date', format: 'dateOptionalTime' },
      dyn_d: { type: 'string', store: true },
      x_any: { type: 'string', store: true },
    });
  });

  test('for objects make points of arrays', () => {
    const templates = [{ places: { match: 'at*', mapping: { type: 'geo_point' } } }];
    expect(mappingOf(templates, { at1: [13, 52], at2: [[13, 52]] })).toEqual({
      at1: { type: 'geo_point' },
      at2: { type: 'geo_point' },
    });
  });

  test('need something to match and a mapping', () => {
    expect(() => mappingOf([{ t: { mapping: {} } }], {})).toThrow('template must have match');
    expect(() => mappingOf([{ t: { match: '*' } }], {})).toThrow('template must have mapping set');
  });
});

describe('addresses, counts and old multi-fields', () => {
  const SIX = {
    i: { type: 'ip', null_value: '0.0.0.1' },
    c: { type: 'token_count', analyzer: 'standard' },
    b: { type: 'binary', store: true },
    m: {
      type: 'multi_field',
      fields: { m: { type: 'string' }, raw: { type: 'string', index: 'not_analyzed' } },
    },
  };
  test.each([
    [{ i: '10.0.0.1' }, ['i=0x800000000a000001']],
    [{ i: [null, '255.255.255.255'] }, ['i=0x8000000000000001', 'i=0x80000000ffffffff']],
    [{ c: 'three little words' }, ['c=0x8000000000000003']],
    [{ c: ['—', 'b'] }, ['c=0x8000000000000000', 'c=0x8000000000000001']],
    [{ b: 'AAEC' }, ['_field_names=b']],
    [{ m: 'a b' }, ['m=a b', 'm.raw=a b']],
  ])('%j', (source, values) => {
    expect(valuesOf(SIX, source)).toEqual(values);
  });

  test.each(['1.2.3', '1.2.3.256', 'x', '1.2.3.4.5', ''])('%j is no address', (i) => {
    expect(errorOf(SIX, { i })).toBe(
      `MapperParsingException[failed to parse [i]]; nested: ElasticsearchIllegalArgumentException[failed to parse ip [${i}], not a valid ip address]; `,
    );
  });
});

describe('what a limit refuses', () => {
  const deep = (levels: number): object => (levels === 0 ? { x: 1 } : { o: deep(levels - 1) });
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]));

  test.each([
    ['objects that are too deep', { first: 1, o: deep(64) }, 'more than 64 levels deep'],
    ['objects that are too deep in lists', { first: [1], o: [[deep(64)]] }, 'more than 64 levels deep'],
    ['too many fields', { first: 1, ...many(65_600) }, "an index can't have more than 65535 fields"],
  ])('adds no field of %s', (_name, source, message) => {
    const model = modelOf({ t: { properties: { known: { type: 'string' } } } });
    const [before, fields] = [JSON.stringify(model), model.fieldDefinitions().length];
    const parser = new DocumentParser(model);
    const parse = (given: object) => {
      const raw = JSON.stringify(given);
      parser.parse(new BatchWriter(16), 7, { type: 't', id: '1', source: JSON.parse(raw), raw });
    };
    expect(() => parse(source)).toThrow(message);
    expect(JSON.stringify(model)).toBe(before);
    expect(model.fieldDefinitions()).toHaveLength(fields);
    parse({ first: 1 });
    expect(model.fieldDefinitions()).toHaveLength(fields + 1);
  });

  test('is not what nothing looks into', () => {
    const disabled = { off: { type: 'object', enabled: false }, still: { type: 'object', dynamic: 'false' } };
    expect(valuesOf(disabled, { off: deep(100), still: deep(100), x: 'y' })).toEqual(['x=y']);
  });
});
