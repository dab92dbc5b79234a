import { expect, test } from 'vitest';
import { DecimalFormat } from '../../host/compat17/decimalFormat.js';

test.each([
  ['000000', 42, '000042'],
  ['#,##0.00', 1234567.891, '1,234,567.89'],
  ['#,##0.00', -0.005, '-0.01'],
  ['0.0', 0.25, '0.2'],
  ['0.0', 0.35, '0.3'],
  ['0.00', 1.005, '1.00'],
  ['0.00', 0.125, '0.12'],
  ['0', 2.5, '2'],
  ['0', 3.5, '4'],
  ['0', 0.5, '0'],
  ['#', 0, '0'],
  ['#.##', 0.5, '0.5'],
  ['.00', 0.5, '.50'],
  ['0.', 3, '3.'],
  ['0.######################', 0.1, '0.1'],
  ['#,##0', 1e21, '1,000,000,000,000,000,000,000'],
  ['0%', 0.256, '26%'],
  ['0.0\u2030', 0.0256, '25.6\u2030'],
  ["0'%'", 3, '3%'],
  ["yyyy'T'", -259200000, '-yyyyT259200000'],
  ["don''t 0", 1, "don't 1"],
  ['0;(0)', -3, '(3)'],
  ['0;(0)', 3, '3'],
  ['0 x;0 y', -3, '3 y'],
  ['0;0', -3, '-3'],
  ['0 \u00a4', 1, '1 \u00a4'],
  ['0.###E0', 12345, '1.234E4'],
  ['00.##E0', 0.00123, '12.3E-4'],
  ['##0.##E0', 12345, '12.345E3'],
  ['0.00E00', 0, '0.00E00'],
  ['#,##0.0', Number.NaN, 'NaN'],
  ['<0>', Number.NEGATIVE_INFINITY, '-<\u221e>'],
  ['', 1234.5, '1234.5'],
  ['9.99', 9.999, '910.99'],
])('%s of %d is what Java prints', (pattern, value, expected) => {
  expect(new DecimalFormat(pattern).print(value)).toBe(expected);
});

test.each([
  ['0.0.0', 'Multiple decimal separators in pattern "0.0.0"'],
  ['0#0', 'Unexpected \'0\' in pattern "0#0"'],
  ["'0", `Malformed pattern "'0"`],
  ['0,', 'Malformed pattern "0,"'],
  ['%0%', 'Too many percent/per mille characters in pattern "%0%"'],
  [';0', `Unquoted special character ';' in pattern ";0"`],
  ['0E', 'Malformed exponential pattern "0E"'],
])('%s is no pattern', (pattern, detail) => {
  expect(() => new DecimalFormat(pattern)).toThrow(detail);
});
