import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseZone, UTC } from '../../host/time/calendar.js';
import { detectDateFormat } from '../../host/time/dateFormats.js';
import { parseDate, parseDateMath, parseDateOrMillis } from '../../host/time/dates.js';

const iso = (time: number) => new Date(time).toISOString();
const NOW = Date.parse('2015-06-10T12:30:45.678Z');
const math = (text: string, up = false, zone = UTC) => iso(parseDateMath(text, up, zone, NOW));

describe('dates', () => {
  test.each([
    ['2014', '2014-01-01T00:00:00.000Z'],
    ['2014-02', '2014-02-01T00:00:00.000Z'],
    ['2014-2-3', '2014-02-03T00:00:00.000Z'],
    ['2014-02-03T', '2014-02-03T00:00:00.000Z'],
    ['2014-02-03T04', '2014-02-03T04:00:00.000Z'],
    ['2014-02-03T04:05:06.7', '2014-02-03T04:05:06.700Z'],
    ['2014-02-03T04:05:06,78901Z', '2014-02-03T04:05:06.789Z'],
    ['2014-02-03T04:05+01:00', '2014-02-03T03:05:00.000Z'],
    ['2014-02-03T04:05-0230', '2014-02-03T06:35:00.000Z'],
    ['-44-03-15', '-000044-03-15T00:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(iso(parseDate(text))).toBe(expected);
  });

  test('common forms are read as all others are', () => {
    const slowly = { ...UTC, offsetAt: () => 0 };
    const read = (text: string, zone = UTC) => {
      try {
        return parseDate(text, zone);
      } catch (e) {
        return String((e as Error).message);
      }
    };
    const part = fc.constantFrom(
      '00',
      '01',
      '09',
      '12',
      '13',
      '23',
      '24',
      '28',
      '29',
      '31',
      '59',
      '60',
      '1',
      'x1',
    );
    const mark = (common: string) => fc.constantFrom(common, common, common, common, '-', ':', '', '.');
    const text = fc
      .tuple(
        fc.constantFrom('2014', '2000', '1900', '0000', '9999', '201', '-200'),
        ...['-', '-', 'T', ':', ':'].flatMap((common) => [mark(common), part]),
        fc.constantFrom('', 'Z', '.123', '.123Z', ',123Z', '.1', '.1234Z', '+01:00', 'z'),
        fc.integer({ min: 3, max: 12 }),
      )
      .map((parts) => {
        const [end, length] = [parts.at(-2), parts.at(-1) as number];
        return parts.slice(0, length).join('') + (length < 11 ? '' : end);
      });
    fc.assert(
      fc.property(text, (text) => {
        expect(read(text)).toEqual(read(text, slowly));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  test('every moment reads back', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(-62e12), max: new Date(253e12), noInvalidDate: true }), (date) => {
        expect(parseDate(date.toISOString())).toBe(date.getTime());
      }),
    );
  });

  test('rounding up fills the time, not month and day', () => {
    expect(iso(parseDate('2014', UTC, true))).toBe('2014-01-01T23:59:59.999Z');
    expect(iso(parseDate('2014-05-06T07', UTC, true))).toBe('2014-05-06T07:59:59.999Z');
  });

  test.each([
    ['x', 'IllegalArgumentException[Invalid format: "x"]'],
    [
      '2014-01-01 10:00',
      'IllegalArgumentException[Invalid format: "2014-01-01 10:00" is malformed at " 10:00"]',
    ],
    [
      '2014-13-01',
      'IllegalFieldValueException[Cannot parse "2014-13-01": Value 13 for monthOfYear must be in the range [1,12]]',
    ],
    [
      '2015-02-29',
      'IllegalFieldValueException[Cannot parse "2015-02-29": Value 29 for dayOfMonth must be in the range [1,28]]',
    ],
  ])('%s is no date', (text, error) => {
    expect(() => parseDate(text)).toThrow(expect.objectContaining({ message: error }));
  });

  test('what is no date but a whole number is milliseconds', () => {
    expect(parseDateOrMillis('1391385600000')).toBe(1391385600000);
    expect(iso(parseDateOrMillis('2014'))).toBe('2014-01-01T00:00:00.000Z');
  });
});

describe('date math', () => {
  test.each([
    ['now', false, '2015-06-10T12:30:45.678Z'],
    ['now-1d', false, '2015-06-09T12:30:45.678Z'],
    ['now/d', false, '2015-06-10T00:00:00.000Z'],
    ['now/d', true, '2015-06-10T23:59:59.999Z'],
    ['now/w', false, '2015-06-08T00:00:00.000Z'],
    ['now/M-1h', false, '2015-05-31T23:00:00.000Z'],
    ['now/y', true, '2015-12-31T23:59:59.999Z'],
    ['now+10m/h', false, '2015-06-10T12:00:00.000Z'],
    ['2014-01-31||+1M', false, '2014-02-28T00:00:00.000Z'],
    ['2012-02-29||+1y', false, '2013-02-28T00:00:00.000Z'],
    ['2014-11-18||-1M/d', false, '2014-10-18T00:00:00.000Z'],
    ['2014-01-01||/d', true, '2014-01-01T23:59:59.999Z'],
  ])('%s, rounding up: %s', (text, up, expected) => {
    expect(math(text, up)).toBe(expected);
  });

  test('in a time zone', () => {
    expect(math('now/d', false, parseZone('+05:00'))).toBe('2015-06-09T19:00:00.000Z');
    expect(math('2014-07-01', false, parseZone('Europe/Prague'))).toBe('2014-06-30T22:00:00.000Z');
    expect(math('2014-12-01||/M', false, parseZone('Europe/Prague'))).toBe('2014-11-30T23:00:00.000Z');
  });

  test('errors', () => {
    expect(() => math('now+1x')).toThrow('date math');
    expect(() => parseZone('nowhere')).toThrow("The datetime zone id 'nowhere' is not recognised");
  });
});

test('texts that dynamic mapping takes for dates', () => {
  const detected = ['2014-01-01', '2014-01-01T10:11:12Z', '2014/01/01', '2014/01/01 10:11:12'];
  expect(detected.map((text) => detectDateFormat(text))).toEqual([
    'dateOptionalTime',
    'dateOptionalTime',
    'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd',
    'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd',
  ]);
  for (const text of ['2014', '2014-05', '2014-01-01 10:00:00', '10:11:12', 'a-b-c', '12']) {
    expect(detectDateFormat(text)).toBeUndefined();
  }
});
