import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDate } from '../../host/time/dates.js';
import { doubleTerm, longTerm } from '../../host/mapping/terms.js';

function compare(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < 8; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

const sign = (value: number) => Math.sign(value) + 0;

describe('terms of numbers stand in the order of the numbers', () => {
  test('whole numbers', () => {
    const whole = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt(-300n, 300n));
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        expect(sign(compare(longTerm(a), longTerm(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test('a whole number has one term, as number or as bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (a) => {
        expect(longTerm(a)).toEqual(longTerm(BigInt(a)));
      }),
    );
  });

  test('fractions', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.float({ noNaN: true }));
    fc.assert(
      fc.property(number, number, (a, b) => {
        const expected = a === b ? (Object.is(a, b) ? 0 : Object.is(a, -0) ? -1 : 1) : a < b ? -1 : 1;
        expect(sign(compare(doubleTerm(a), doubleTerm(b)))).toBe(expected);
      }),
    );
  });

  test('known bytes', () => {
    expect([...longTerm(0)]).toEqual([0x80, 0, 0, 0, 0, 0, 0, 0]);
    expect([...longTerm(-1)]).toEqual([0x7f, 255, 255, 255, 255, 255, 255, 255]);
    expect([...longTerm(2 ** 40 + 5)]).toEqual([0x80, 0, 1, 0, 0, 0, 0, 5]);
    expect([...doubleTerm(1)]).toEqual([0xbf, 0xf0, 0, 0, 0, 0, 0, 0]);
    expect([...doubleTerm(-1)]).toEqual([0x40, 0x0f, 255, 255, 255, 255, 255, 255]);
  });

  test('dates', () => {
    const date = fc.date({ min: new Date(-8e15), max: new Date(8e15), noInvalidDate: true });
    fc.assert(
      fc.property(date, date, (a, b) => {
        const term = (each: Date) => longTerm(parseDate(each.toISOString()));
        expect(sign(compare(term(a), term(b)))).toBe(sign(a.getTime() - b.getTime()));
      }),
    );
  });
});
