/** Dates in the dateOptionalTime format, and date math such as `2014-11-18||-1M/d`. Times are epoch milliseconds. */

import { ElasticsearchError, parseFailure } from '../errors.js';
import { civil, DAY, daysOf, daysOfMonth, toUtc, UTC, type Zone } from './calendar.js';
import { parseWhole } from './values.js';

const FORMAT =
  /^([+-]?\d{1,9})(?:-(\d{1,2})(?:-(\d{1,2})(?:T(?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/;

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
  const m = FORMAT.exec(text);
  if (m === null) throw invalidDate(text);
  const [year, month, day] = [Number(m[1]), number(m[2], 1), number(m[3], 1)];
  const hour = number(m[4], roundUp ? 23 : 0);
  const minute = number(m[5], roundUp ? 59 : 0);
  const second = number(m[6], roundUp ? 59 : 0);
  const milli = m[7] === undefined ? (roundUp ? 999 : 0) : Number(`${m[7]}00`.slice(0, 3));
  checkedField(text, year, 'year', -292_275_054, 292_278_993);
  checkedField(text, month, 'monthOfYear', 1, 12);
  checkedField(text, day, 'dayOfMonth', 1, daysOfMonth(year, month));
  checkedField(text, hour, 'hourOfDay', 0, 23);
  checkedField(text, minute, 'minuteOfHour', 0, 59);
  checkedField(text, second, 'secondOfMinute', 0, 59);
  const local = daysOf(year, month, day) * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + milli;
  return m[8] === undefined ? toUtc(local, zone) : local - offsetOf(m[8]);
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
      return toUtc((days - ((((days + 3) % 7) + 7) % 7)) * DAY, zone);
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
