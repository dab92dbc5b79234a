import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Float, floatText, Raw, writeJson, writeShort } from '../../host/rest/json.js';

const text = (...args: Parameters<typeof writeJson>) => new TextDecoder().decode(writeJson(...args));

describe('floats print as in Java', () => {
  it.each([
    [1, '1.0'],
    [0, '0.0'],
    [-0, '-0.0'],
    [1.0781991, '1.0781991'],
    [0.30685282, '0.30685282'],
    [0.1, '0.1'],
    [100, '100.0'],
    [1234567, '1234567.0'],
    [9999999, '9999999.0'],
    [1e7, '1.0E7'],
    [1.5e10, '1.5E10'],
    [0.001, '0.001'],
    [0.00012345, '1.2345E-4'],
    [3.4028235e38, '3.4028235E38'],
    [1.4e-45, '1.4E-45'],
    [-2.5, '-2.5'],
  ])('%d', (value, expected) => {
    expect(floatText(value)).toBe(expected);
    expect(Math.fround(Number(floatText(value)))).toBe(Math.fround(value));
  });

  it('every float comes back, from as few digits as can be', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const printed = floatText(value);
        expect(Math.fround(Number(printed))).toBe(value);
        const digits = printed.replace(/E.*|[-.]/g, '').replace(/^0+|0+$/g, '');
        for (let n = 2; n < digits.length && value !== 0; n++) {
          expect(Math.fround(Number(value.toPrecision(n)))).not.toBe(value);
        }
      }),
    );
  });
});

describe('JSON', () => {
  it('is short only if the pieces in it are, too', () => {
    const page = 64 * 1024;
    const json = (bytes: number) => writeShort({ piece: new Raw(new Uint8Array(bytes)) }, false, 2);
    expect(json(page)?.length).toBe(page + '{"piece":}'.length);
    expect(json(3 * page)).toBeUndefined();
    expect(writeShort('x'.repeat(3 * page), false, 2)).toBeUndefined();
  });

  const body = {
    a: 1,
    s: 'x"y',
    none: undefined,
    f: new Float(2),
    list: [{ b: true }, {}],
    empty: [],
    nil: null,
  };

  it('compact', () => {
    expect(text(body)).toBe('{"a":1,"s":"x\\"y","f":2.0,"list":[{"b":true},{}],"empty":[],"nil":null}');
  });

  it('pretty as 1.7 is', () => {
    expect(text(body, true)).toBe(
      '{\n  "a" : 1,\n  "s" : "x\\"y",\n  "f" : 2.0,\n  "list" : [ {\n    "b" : true\n  }, { } ],\n  "empty" : [ ],\n  "nil" : null\n}\n',
    );
  });

  it('splices raw bytes in as they are', () => {
    const raw = new Raw(new TextEncoder().encode('{ "a":1.0 }'));
    expect(text({ _id: 'é', _source: raw, n: 1 })).toBe('{"_id":"é","_source":{ "a":1.0 },"n":1}');
    expect(text({ _source: raw }, true)).toBe('{\n  "_source":{ "a":1.0 }\n}\n');
  });
});
