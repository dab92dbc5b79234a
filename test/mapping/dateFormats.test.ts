import { describe, expect, test } from 'vitest';
import { parseZone, UTC } from '../../host/time/calendar.js';
import { dateFormat } from '../../host/time/dateFormats.js';

const read = (format: string, text: string, up = false, zone = UTC) =>
  new Date(dateFormat(format).parse(text, zone, up)).toISOString();

describe('a date format', () => {
  test.each([
    ['yyyy-MM-dd HH:mm:ss', '2014-02-03 4:05:06', '2014-02-03T04:05:06.000Z'],
    ['dd.MM.yyyy', '3.2.2014', '2014-02-03T00:00:00.000Z'],
    ['yyyyMMdd', '20140203', '2014-02-03T00:00:00.000Z'],
    ['basic_date_time', '20140203T040506.789+0100', '2014-02-03T03:05:06.789Z'],
    ['date_time', '2014-02-03T04:05:06.789Z', '2014-02-03T04:05:06.789Z'],
    ['dateTimeNoMillis', '2014-02-03T04:05:06-02:30', '2014-02-03T06:35:06.000Z'],
    ['week_date', '2014-W06-1', '2014-02-03T00:00:00.000Z'],
    ['weekyear_week', '2015-W01', '2014-12-29T00:00:00.000Z'],
    ['weekyear', '2015', '2014-12-29T00:00:00.000Z'],
    ['ordinal_date', '2014-034', '2014-02-03T00:00:00.000Z'],
    ['year_month', '2014-02', '2014-02-01T00:00:00.000Z'],
    ['hour_minute', '04:05', '1970-01-01T04:05:00.000Z'],
    ['EEE, d MMM yyyy', 'Mon, 3 feb 2014', '2014-02-03T00:00:00.000Z'],
    ["MMMM d, yy 'at' h a", 'February 3, 14 at 4 PM', '2014-02-03T16:00:00.000Z'],
    ['yyyy/MM/dd HH:mm:ss||yyyy/MM/dd', '2014/02/03', '2014-02-03T00:00:00.000Z'],
    ['date_optional_time', '2014-02-03T04', '2014-02-03T04:00:00.000Z'],
  ])('%s reads %s', (format, text, expected) => expect(read(format, text)).toBe(expected));

  test('fills what is missing of the time with the last values if asked to', () => {
    expect(read('yyyy-MM-dd', '2014-02-03', true)).toBe('2014-02-03T23:59:59.999Z');
    expect(read('yyyy', '2014', true)).toBe('2014-01-01T23:59:59.999Z');
  });

  test('takes the zone that it is given, but not over one in the text', () => {
    expect(read('yyyy-MM-dd', '2014-02-03', false, parseZone('+02:00'))).toBe('2014-02-02T22:00:00.000Z');
    expect(read('date_time_no_millis', '2014-02-03T00:00:00Z', false, parseZone('+02:00'))).toBe(
      '2014-02-03T00:00:00.000Z',
    );
  });

  test.each([
    ['yyyy-MM-dd', '2014-02-03 ', 'Invalid format: "2014-02-03 " is malformed at " "'],
    ['yyyy-MM-dd', '2014-02', 'Invalid format: "2014-02" is too short'],
    ['yyyy-MM-dd', 'x', 'Invalid format: "x"'],
    [
      'yyyy-MM-dd',
      '2014-13-01',
      'Cannot parse "2014-13-01": Value 13 for monthOfYear must be in the range [1,12]',
    ],
    [
      'yyyy-MM-dd',
      '2014-02-29',
      'Cannot parse "2014-02-29": Value 29 for dayOfMonth must be in the range [1,28]',
    ],
  ])('%s refuses %s', (format, text, expected) => expect(() => read(format, text)).toThrow(expected));

  test('is refused if it has letters that mean nothing', () => {
    expect(() => dateFormat('yyyy-MM-dd bbb')).toThrow(
      'Invalid format: [yyyy-MM-dd bbb]: Illegal pattern component: b',
    );
  });

  test.each([
    ['yyyy-MM-dd HH:mm:ss.SSS', '2014-02-03 04:05:06.007'],
    ['dateOptionalTime', '2014-02-03T04:05:06.007Z'],
    ['basic_week_date', '2014W061'],
    ['ordinal_date', '2014-034'],
    ["EEEE d MMM yy, K 'h' a", 'Monday 3 Feb 14, 4 h AM'],
    ['date_time', '2014-02-03T04:05:06.007Z'],
  ])('%s prints', (format, expected) => {
    expect(dateFormat(format).print(Date.UTC(2014, 1, 3, 4, 5, 6, 7), UTC)).toBe(expected);
  });

  test.each([
    [3.08e26, '292278994-08-17T07:12:55.807Z'],
    [-1e300, '-292275055-05-16T16:47:04.192Z'],
    [2 ** 62, '146140482-04-24T15:36:27.904Z'],
    [Number.NaN, '1970-01-01T00:00:00.000Z'],
  ])('%d prints as the long that Java makes of it', (time, expected) => {
    expect(dateFormat('dateOptionalTime').print(time, UTC)).toBe(expected);
  });

  test('a moment beyond all dates prints in a zone with a name', () => {
    const printed = dateFormat('yyyy').print(1e300, parseZone('Europe/Berlin'));
    expect(printed).toBe('292278994');
  });
});
