/** Documents read from their bytes become the very operations that JSON.parse and the mapping make of them. */
import { allParts } from '../../host/latePart.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { parseRepeating } from '../../host/json/laxJson.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import type { MappingModel } from '../../host/mapping/model.js';
import { gathered, mayRepeatKeys } from '../../host/json/repeatedKeys.js';
import { modelOf as modelOfTypes } from '../model/support.js';

await allParts();

const utf8 = new TextEncoder();
const NOW = { timestamp: undefined, ttl: undefined, now: 1e12 };

const PROPERTIES = {
  text: { type: 'string' },
  raw: { type: 'string', index: 'not_analyzed', ignore_above: 12 },
  both: { type: 'string', fields: { raw: { type: 'string', index: 'not_analyzed' } } },
  stopped: { type: 'string', analyzer: 'stop' },
  filled: { type: 'string', null_value: 'nothing' },
  boosted: { type: 'string', boost: 2 },
  unseen: { type: 'string', index: 'no' },
  whole: { type: 'integer' },
  fraction: { type: 'double' },
  date: { type: 'date' },
  flag: { type: 'boolean' },
  ip: { type: 'ip' },
  point: { type: 'geo_point' },
  copied: { type: 'string', copy_to: ['text'] },
  'é"\\': { type: 'string' },
  '1': { type: 'string' },
  inner: { properties: { text: { type: 'string' }, deep: { properties: { whole: { type: 'long' } } } } },
  many: { type: 'nested', include_in_parent: true, properties: { text: { type: 'string' } } },
  off: { type: 'object', enabled: false },
};

function modelOf(all: boolean): MappingModel {
  return modelOfTypes({ t: { _all: { enabled: all }, dynamic: 'false', properties: PROPERTIES } });
}

/** Of documents that change nothing in them, with `_all` and without. */
const [WITH_ALL, WITHOUT_ALL] = [modelOf(true), modelOf(false)];

/** The operations of the old way; undefined where the document is refused. */
function parsed(all: boolean, text: string): Uint8Array | undefined {
  const batch = new BatchWriter(64);
  try {
    const source = JSON.parse(text);
    if (mayRepeatKeys(text, source) && gathered(parseRepeating(text)) !== undefined) return undefined;
    new DocumentParser(all ? WITH_ALL : WITHOUT_ALL).parse(batch, 5, {
      type: 't',
      id: 'x',
      source,
      raw: text,
      times: NOW,
    });
  } catch {
    return undefined;
  }
  return batch.bytes();
}

/** Those that are read from bytes; undefined where they are left to the old way. */
function streamed(all: boolean, bytes: Uint8Array): Uint8Array | undefined {
  const batch = new BatchWriter(64);
  const document = { type: 't', id: 'x', times: NOW };
  const done = new DocumentParser(all ? WITH_ALL : WITHOUT_ALL).parseBytes(batch, 5, document, bytes);
  if (done === undefined) expect(batch.length).toBe(0);
  return done === undefined ? undefined : batch.bytes();
}

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '2014-01-02',
    '\ud800',
    'a\ud83d',
    '\u{1f600} !',
    '\ufeffx',
    '\0',
    '1.5',
    '"\\/\b\f\n\r\t',
  ),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constantFrom(null, -0, 1e300, 2 ** 60, 0.1, 999_999_999_999_999, '1.2.3.4'),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  fc.array(scalar, { maxLength: 4 }),
  fc.constantFrom([], {}, [[1], ['a', []]], { lat: 1, lon: 2.5 }, [1, 2], { value: 'x', boost: 3 }),
);
const texts = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant(null));
/** What fields take, and once in a while something else. */
const FITTING: Record<string, fc.Arbitrary<unknown>> = {
  text: texts,
  raw: texts,
  both: texts,
  stopped: texts,
  filled: texts,
  boosted: texts,
  unseen: texts,
  whole: fc.integer({ min: -1e9, max: 1e9 }),
  fraction: fc.double({ noNaN: true, noDefaultInfinity: true }),
  date: fc.constantFrom('2014-01-02', '2014-01-02T03:04:05.678Z', 1e12),
  flag: fc.boolean(),
  ip: fc.constantFrom('1.2.3.4', ['10.0.0.1']),
  point: fc.constantFrom({ lat: 1, lon: 2.5 }, [1, 2], '1,2'),
};
const [some, rare] = [12, 1];
const field = fc
  .constantFrom(...Object.keys(FITTING))
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof({ weight: 30, arbitrary: FITTING[name]! }, { weight: rare, arbitrary: value }),
    ),
  );
const oddField = fc.tuple(
  fc.oneof(fc.constantFrom(...Object.keys(PROPERTIES)), fc.string({ maxLength: 3 })),
  value,
);
const anyField = fc.oneof({ weight: 5 * some, arbitrary: field }, { weight: rare, arbitrary: oddField });
const objectOf = (maxLength: number) =>
  fc.array(anyField, { maxLength }).map((fields) => Object.fromEntries<unknown>(fields));
const object = texts.map((text): Record<string, unknown> => ({ text }));
const document = fc
  .tuple(objectOf(8), object, fc.array(object, { maxLength: 3 }), objectOf(2))
  .chain(([fields, inner, objects, odd]) =>
    fc.oneof(
      {
        weight: some,
        arbitrary: fc.constantFrom<unknown>(
          fields,
          { ...fields, inner },
          { ...fields, many: objects, off: inner },
          { ...fields, inner: { ...inner, deep: [{ whole: 3 }] }, many: inner },
          { ...fields, inner: objects },
        ),
      },
      {
        weight: rare,
        arbitrary: fc.constantFrom<unknown>({ ...fields, inner: odd }, { ...fields, _id: 'x' }, odd),
      },
    ),
  );

/** JSON with blanks and with escapes where none are needed. */
function printed(value: unknown, indent: number, ascii: boolean): string {
  const json = JSON.stringify(value, null, indent);
  return ascii
    ? json.replace(/[^ -~\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
}

describe('documents read from their bytes', () => {
  it('become the same operations', () => {
    let direct = 0;
    fc.assert(
      fc.property(document, fc.nat(2), fc.boolean(), fc.boolean(), (source, indent, ascii, all) => {
        const json = printed(source, indent, ascii);
        const found = streamed(all, utf8.encode(json));
        if (found === undefined) return;
        direct++;
        expect(found).toEqual(parsed(all, json));
      }),
      { numRuns: 1000, seed: 1 },
    );
    expect(direct).toBeGreaterThan(300);
  });

  it('are left to others where bytes are damaged, or become what these make of them', () => {
    const place = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('set', 'insert', 'delete', 'end'));
    fc.assert(
      fc.property(document, fc.array(place, { minLength: 1, maxLength: 3 }), (source, places) => {
        let bytes = [...utf8.encode(JSON.stringify(source))];
        for (const [at, byte, how] of places) {
          const i = at % (bytes.length + 1);
          if (how === 'set') bytes[i] = byte;
          else if (how === 'insert') bytes.splice(i, 0, byte);
          else if (how === 'delete') bytes.splice(i, 1);
          else bytes = bytes.slice(0, i);
        }
        const found = streamed(false, Uint8Array.from(bytes));
        if (found === undefined) return;
        expect(found).toEqual(parsed(false, new TextDecoder().decode(Uint8Array.from(bytes))));
      }),
      { numRuns: 1500, seed: 2 },
    );
  });

  it('need no other way in the ordinary case', () => {
    const source = {
      text: 'Ein "Text" mit Zeilen\nund Wörtern 😀',
      both: ['eins', 'zwei', ''],
      raw: null,
      whole: -12,
      fraction: 1.5e3,
      date: '2014-01-02T03:04:05Z',
      flag: true,
      ip: '10.0.0.1',
      inner: { text: ['x'], deep: { whole: 5 } },
      many: [{ text: 'a' }, null, { text: 'b' }],
      point: { lat: 1, lon: 2 },
      off: { a: [{ b: 1 }] },
    };
    for (const all of [true, false]) {
      const json = JSON.stringify(source);
      const found = streamed(all, utf8.encode(json));
      expect(found).toBeDefined();
      expect(found).toEqual(parsed(all, json));
    }
  });

  it('take values of keys that stand there twice from elsewhere', () => {
    for (const json of [
      '{"text":"a","text":"b"}',
      '{"inner":{"text":1,"text":2}}',
      '{"point":{"lat":1,"lon":2,"lat":3}}',
    ])
      expect(streamed(false, utf8.encode(json))).toBeUndefined();
    expect(streamed(false, utf8.encode('{"many":[{"text":"a"},{"text":"a"}]}'))).toBeDefined();
  });

  it('follow the mapping as it changes', () => {
    const model = modelOf(false);
    const parser = new DocumentParser(model);
    const batch = new BatchWriter();
    const document = { type: 't', id: 'x', times: NOW };
    const long = utf8.encode('{"raw":"longer than twelve"}');
    expect(parser.parseBytes(batch, 1, document, long)).toBeDefined();
    const without = batch.length;
    model.putMapping('t', {
      properties: { raw: { type: 'string', index: 'not_analyzed', ignore_above: 40 } },
    });
    expect(parser.parseBytes(batch, 2, document, long)).toBeDefined();
    expect(batch.length).toBeGreaterThan(2 * without);
  });

  it('are tried again after others could not be read so', () => {
    const parser = new DocumentParser(modelOf(false));
    const batch = new BatchWriter();
    const document = { type: 't', id: 'x', times: NOW };
    const attempt = (json: string) => parser.parseBytes(batch, 1, document, utf8.encode(json)) !== undefined;
    for (let i = 0; i < 2000; i++) attempt('{"unknown":1}');
    let needed = 0;
    while (!attempt('{"whole":1}')) needed++;
    expect(needed).toBeLessThanOrEqual(256);
    expect(attempt('{"whole":1}')).toBe(true);
  });
});
