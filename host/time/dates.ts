/** Dates in the dateOptionalTime format, and date math such as `2014-11-18||-1M/d`. Times are epoch milliseconds. */

import { ElasticsearchError, parseFailure } from '../errors.js';
import { civil, DAY, daysOf, daysOfMonth, toUtc, UTC, type Zone } from './calendar.js';
import { parseWhole } from '../json/values.js';

/** A day by its month, by its week or by its number in the year. */
const DAY_FORM =
  /^(?<year>[+-]?\d{1,9})(?:-(?:W(?<week>\d{1,2})(?:-(?<weekday>\d))?|(?<ordinal>\d{3})|(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?))?/;
/** A time, whose last part may have a fraction, and an offset. */
const TIME_FORM =
  /(?:T(?:(?<hour>\d{1,2})(?:[.,](?<ofHour>\d+)|:(?<minute>\d{1,2})(?:[.,](?<ofMinute>\d+)|:(?<second>\d{1,2})(?:[.,](?<ofSecond>\d+))?)?)?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const FORMAT = new RegExp(DAY_FORM.source + TIME_FORM.source);

/** Joda's complaint about a text that is no date. */
export function invalidDate(text: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', `Invalid format: "${text}"${malformedAt(text)}`, {
    status: 400,
  });
}

/** Where a text stops being a date, in Joda's words. */
function malformedAt(text: string): string {
  for (let end = text.length - 1; end > 0; end--) {
    if (FORMAT.test(text.slice(0, end))) return ` is malformed at "${text.slice(end)}"`;
  }
  return '';
}

/**
 * A date. Of the parts that are left out, month and day are the first; the time is the first of the day or, rounding
 * up, the last.
 */
export function parseDate(text: string, zone: Zone = UTC, roundUp = false): number {
  if (zone === UTC && !roundUp) {
    const time = plainTime(text);
    if (time !== undefined) return time;
  }
  const parts = FORMAT.exec(text)?.groups;
  if (parts === undefined) throw invalidDate(text);
  const local = dayOf(text, parts, roundUp) * DAY + timeOf(text, parts, roundUp);
  return parts.offset === undefined ? toUtc(local, zone) : local - offsetOf(parts.offset);
}

type Parts = Readonly<Record<string, string | undefined>>;

/** The day of a text, in days since the epoch. */
function dayOf(text: string, parts: Parts, roundUp: boolean): number {
  const year = Number(parts.year);
  checkedField(text, year, parts.week === undefined ? 'year' : 'weekyear', -292_275_054, 292_278_993);
  if (parts.week !== undefined) {
    // The first week of a year has its fourth of January. Rounding up leaves the weekday of the epoch, a Thursday.
    const [week, weekday] = [Number(parts.week), number(parts.weekday, roundUp ? 4 : 1)];
    const monday = mondayOf(daysOf(year, 1, 4));
    checkedField(text, week, 'weekOfWeekyear', 1, (mondayOf(daysOf(year + 1, 1, 4)) - monday) / 7);
    checkedField(text, weekday, 'dayOfWeek', 1, 7);
    return monday + (week - 1) * 7 + weekday - 1;
  }
  if (parts.ordinal !== undefined) {
    const ordinal = Number(parts.ordinal);
    checkedField(text, ordinal, 'dayOfYear', 1, daysOf(year + 1, 1, 1) - daysOf(year, 1, 1));
    return daysOf(year, 1, 1) + ordinal - 1;
  }
  const [month, day] = [number(parts.month, 1), number(parts.day, 1)];
  checkedField(text, month, 'monthOfYear', 1, 12);
  checkedField(text, day, 'dayOfMonth', 1, daysOfMonth(year, month));
  return daysOf(year, month, day);
}

/** The Monday of the week that a day is in. */
function mondayOf(days: number): number {
  return days - ((((days + 3) % 7) + 7) % 7);
}

/** The milliseconds of a text's time. */
function timeOf(text: string, parts: Parts, roundUp: boolean): number {
  const hour = number(parts.hour, roundUp ? 23 : 0);
  checkedField(text, hour, 'hourOfDay', 0, 23);
  if (parts.ofHour !== undefined) return hour * 3_600_000 + fractionOf(parts.ofHour, 3_600_000);
  const minute = number(parts.minute, roundUp ? 59 : 0);
  checkedField(text, minute, 'minuteOfHour', 0, 59);
  const minutes = (hour * 60 + minute) * 60_000;
  if (parts.ofMinute !== undefined) return minutes + fractionOf(parts.ofMinute, 60_000);
  const second = number(parts.second, roundUp ? 59 : 0);
  checkedField(text, second, 'secondOfMinute', 0, 59);
  const milli = parts.ofSecond === undefined ? (roundUp ? 999 : 0) : fractionOf(parts.ofSecond, 1000);
  return minutes + second * 1000 + milli;
}

/** The milliseconds of the digits of a fraction, digit by digit as Joda cuts them. */
function fractionOf(digits: string, unit: number): number {
  let step = unit * 10;
  let sum = 0;
  for (const digit of digits.slice(0, 9)) {
    step = Math.floor(step / 10);
    sum += Number(digit) * step;
  }
  return Math.floor(sum / 10);
}

/** The commonest forms: `2014-11-18`, also with `T14:27:12`, `.123` and `Z` behind it. Undefined for every other text. */
function plainTime(text: string): number | undefined {
  const { length } = text;
  if ((length !== 10 && (length < 19 || length > 24)) || text[4] !== '-' || text[7] !== '-') return undefined;
  const [century, rest, month, day] = [two(text, 0), two(text, 2), two(text, 5), two(text, 8)];
  if (century < 0 || rest < 0 || month < 1 || month > 12 || day < 1) return undefined;
  const year = 100 * century + rest;
  if (day > daysOfMonth(year, month)) return undefined;
  const date = daysOf(year, month, day) * DAY;
  if (length === 10) return date;
  if (text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return undefined;
  const [hour, minute, second] = [two(text, 11), two(text, 14), two(text, 17)];
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return undefined;
  let milli = 0;
  let end = 19;
  if (text[end] === '.') {
    const [tens, last] = [two(text, 20), two(text, 21)];
    if (tens < 0 || last < 0) return undefined;
    milli = 10 * tens + (last % 10);
    end = 23;
  }
  if (end < length && text[end] === 'Z') end++;
  if (end !== length) return undefined;
  return date + ((hour * 60 + minute) * 60 + second) * 1000 + milli;
}

/** Two digits of a text; -1 if they are none. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : -1;
}

/** A date; one that is no date but a whole number is that many times `scale` milliseconds since the epoch. */
export function parseDateOrMillis(
  text: string,
  zone: Zone = UTC,
  roundUp = false,
  read: DateReader = parseDate,
  scale = 1,
): number {
  try {
    return read(text, zone, roundUp);
  } catch (error) {
    try {
      return Number(parseWhole(text, -(2n ** 63n), 2n ** 63n - 1n)) * scale;
    } catch {
      throw error;
    }
  }
}

/** Reads a date in some format; see {@link parseDate}. */
export type DateReader = (text: string, zone: Zone, roundUp: boolean) => number;

/** A date with math: `now` or `DATE||`, then any of `+1d`, `-1M`, `/d`. `read` reads dates in the format of that name. */
export function parseDateMath(
  text: string,
  roundUp: boolean,
  zone: Zone,
  now: number,
  read: DateReader = parseDateOrMillis,
  format = 'dateOptionalTime',
): number {
  if (text.startsWith('now')) return applyMath(text.slice(3), now, roundUp, zone);
  const bars = text.indexOf('||');
  const date = bars < 0 ? text : text.slice(0, bars);
  let time: number;
  try {
    time = read(date, zone, roundUp);
  } catch (error) {
    const detail = `failed to parse date field [${date}], tried both date format [${format}], and timestamp number`;
    throw parseFailure(detail, error instanceof ElasticsearchError ? error : undefined);
  }
  return bars < 0 ? time : applyMath(text.slice(bars + 2), time, roundUp, zone);
}

const STEP = /([+-]\d*|\/1?)([yMwdhHms])/y;

function applyMath(math: string, start: number, roundUp: boolean, zone: Zone): number {
  let time = start;
  STEP.lastIndex = 0;
  let end = 0;
  for (let m = STEP.exec(math); m !== null; m = STEP.exec(math)) {
    const [, operation = '', unit = ''] = m;
    end = STEP.lastIndex;
    if (operation.startsWith('/')) {
      const floor = floorTo(time, unit, zone);
      if (!roundUp) time = floor;
      else time = (floor === time ? floor : plus(floor, 1, unit, zone)) - 1;
    } else {
      time = plus(time, Number(operation.length === 1 ? `${operation}1` : operation), unit, zone);
    }
  }
  if (end !== math.length) {
    const unit = /^(?:[+-]\d*|\/1?)(.)/.exec(math.slice(end))?.[1];
    if (unit !== undefined) throw parseFailure(`unit [${unit}] not supported for date math [${math}]`);
    throw parseFailure(
      /^[+/-]/.test(math.slice(end))
        ? `truncated date math [${math}]`
        : `operator not supported for date math [${math}]`,
    );
  }
  if (!Number.isSafeInteger(time)) throw parseFailure(`date math [${math}] leaves the range of dates`);
  return time;
}

function plus(time: number, amount: number, unit: string, zone: Zone): number {
  switch (unit) {
    case 's':
      return time + amount * 1000;
    case 'm':
      return time + amount * 60_000;
    case 'h':
    case 'H':
      return time + amount * 3_600_000;
    case 'd':
    case 'w':
      return toUtc(time + zone.offsetAt(time) + amount * (unit === 'w' ? 7 : 1) * DAY, zone);
  }
  const local = time + zone.offsetAt(time);
  const days = Math.floor(local / DAY);
  const { year, month, day } = civil(days);
  const months = year * 12 + (month - 1) + amount * (unit === 'y' ? 12 : 1);
  const [newYear, newMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  const newDay = Math.min(day, daysOfMonth(newYear, newMonth));
  return toUtc(daysOf(newYear, newMonth, newDay) * DAY + (local - days * DAY), zone);
}

function floorTo(time: number, unit: string, zone: Zone): number {
  const local = time + zone.offsetAt(time);
  const days = Math.floor(local / DAY);
  const { year, month } = civil(days);
  switch (unit) {
    case 'y':
      return toUtc(daysOf(year, 1, 1) * DAY, zone);
    case 'M':
      return toUtc(daysOf(year, month, 1) * DAY, zone);
    case 'w':
      return toUtc(mondayOf(days) * DAY, zone);
    case 'd':
      return toUtc(days * DAY, zone);
    case 's':
      return Math.floor(local / 1000) * 1000 - (local - time);
    case 'm':
      return Math.floor(local / 60_000) * 60_000 - (local - time);
    default:
      return Math.floor(local / 3_600_000) * 3_600_000 - (local - time);
  }
}

function offsetOf(text: string): number {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', '') || 0)];
  return (hours * 60 + minutes) * (text.startsWith('-') ? -60_000 : 60_000);
}

function number(digits: string | undefined, fallback: number): number {
  return digits === undefined ? fallback : Number(digits);
}

/** Joda's complaint about a part of a date that is out of its range. */
export function checkedField(text: string, value: number, what: string, least: number, most: number): void {
  if (value >= least && value <= most) return;
  throw new ElasticsearchError(
    'IllegalFieldValueException',
    `Cannot parse "${text}": Value ${value} for ${what} must be in the range [${least},${most}]`,
    { status: 400 },
  );
}

/** Whether a text has more than one of `:`, `-` or `/`, without which dynamic mapping doesn't look for a date. */
export function maybeDate(text: string): boolean {
  return several(text, ':') || several(text, '-') || several(text, '/');
}

function several(text: string, mark: string): boolean {
  const first = text.indexOf(mark);
  return first >= 0 && text.indexOf(mark, first + 1) >= 0;
}
