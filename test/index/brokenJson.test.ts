/** The texts of errors of broken JSON, as Jackson 2.5's parser of UTF-8 bytes words and places them. */
import { describe, expect, it, vi } from 'vitest';
import { BrokenJson } from '../../host/json/brokenJson.js';
import { parseLax } from '../../host/json/laxJson.js';

function errorOf(text: string): string {
  try {
    parseLax(text);
  } catch (e) {
    if (e instanceof BrokenJson) return e.detail!.replace(/\[B@[0-9a-f]+/g, '[B');
    throw e;
  }
  return 'none';
}

const at = (column: number, line = 1) => `\n at [Source: [B; line: ${line}, column: ${column}]`;

describe('broken JSON', () => {
  it('is placed once, however many entries there are', () => {
    const encode = vi.spyOn(TextEncoder.prototype, 'encode');
    const entries = Array.from({ length: 500 }, (_, i) => `{"a":[${i}]}`);
    expect(errorOf(`{"a":[${entries.join(',')},`)).toContain('within/between ARRAY entries');
    expect(encode.mock.calls.length).toBeLessThan(10);
    encode.mockRestore();
  });

  it.each([
    ['{"a":[1,', `Unexpected end-of-input within/between ARRAY entries${at(17)}`],
    [
      '{"a":[}',
      `Unexpected close marker '}': expected ']' (for ARRAY starting at [Source: [B; line: 1, column: 1])${at(8)}`,
    ],
    [
      '{]',
      `Unexpected close marker ']': expected '}' (for OBJECT starting at [Source: [B; line: 1, column: 0])${at(3)}`,
    ],
    ['{"', `Unexpected end-of-input: was expecting closing '"' for name${at(5)}`],
    ['{"ab', `Unexpected end-of-input in field name${at(9)}`],
    ['{"a":"\\', `Unexpected end-of-input in character escape sequence${at(15)}`],
    ['{"a\\', `Unexpected end-of-input in character escape sequence${at(9)}`],
    [
      '{"a\tb":1}',
      `Illegal unquoted character ((CTRL-CHAR, code 9)): has to be escaped using backslash to be included in name${at(5)}`,
    ],
    [
      '{"a":\u0001}',
      `Illegal character ((CTRL-CHAR, code 1)): only regular white space (\\r, \\n, \\t) is allowed between tokens${at(7)}`,
    ],
    [
      '{"a":Infinity}',
      `Non-standard token 'Infinity': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow${at(14)}`,
    ],
    [
      '{"a":-Infinity}',
      `Non-standard token '-Infinity': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow${at(15)}`,
    ],
    [
      '{"a":+INF}',
      `Non-standard token '+INF': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow${at(10)}`,
    ],
    [
      '{"a":-x}',
      `Unexpected character ('x' (code 120)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value${at(8)}`,
    ],
    ['{"a":truex}', `Unrecognized token 'truex': was expecting 'null', 'true', 'false' or NaN${at(12)}`],
    ['{"a":yes}', `Unrecognized token 'yes': was expecting ('true', 'false' or 'null')${at(10)}`],
    ['{"a":yes', `Unrecognized token 'yes': was expecting ('true', 'false' or 'null')${at(17)}`],
    ['{"a":tru', `Unrecognized token 'tru': was expecting 'null', 'true', 'false' or NaN${at(25)}`],
    [
      '{"a":true',
      `Unexpected end-of-input: expected close marker for OBJECT (from [Source: [B; line: 1, column: 0])${at(28)}`,
    ],
    [
      '{"a":0',
      `Unexpected end-of-input: expected close marker for OBJECT (from [Source: [B; line: 1, column: 0])${at(25)}`,
    ],
    [
      '{"a":1.',
      `Unexpected character ('.' (code 46)) in numeric value: Decimal point not followed by a digit${at(15)}`,
    ],
    ['{"a":-', `Unexpected end-of-input in FIELD_NAME${at(13)}`],
    ['{"a":[1,2e', `Unexpected end-of-input in VALUE_NUMBER_INT${at(21)}`],
    [
      '{"a":1e+}',
      `Unexpected character ('}' (code 125)) in numeric value: Exponent indicator not followed by a digit${at(10)}`,
    ],
    [
      '{"a":/x',
      `Unexpected character ('x' (code 120)): was expecting either '*' or '/' for a comment${at(8)}`,
    ],
    ['{"a":/*', `Unexpected end-of-input in a comment${at(15)}`],
    [
      '# c',
      `Unexpected character ('#' (code 35)): expected a valid value (number, String, array, object, 'true', 'false' or 'null')${at(2)}`,
    ],
  ])('%j', (text, detail) => {
    expect(errorOf(text)).toBe(detail);
  });

  it('takes names without quotes, digits and signs among them, and comments of two kinds', () => {
    expect(parseLax('{1:2, #a: 3, b-c+d: 4, ä: 5 /* x */ } // y')).toEqual({
      1: 2,
      '#a': 3,
      'b-c+d': 4,
      ä: 5,
    });
  });
});
