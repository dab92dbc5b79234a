/** Dates in the dateOptionalTime format, and date math such as `2014-11-18||-1M/d`. Times are epoch milliseconds. */

import { ElasticsearchError, parseFailure } from '../errors.js';
import { parseWhole } from './values.js';

const FORMAT =
  /^([+-]?\d{1,9})(?:-(\d{1,2})(?:-(\d{1,2})(?:T(?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/;

const DAY = 86_400_000;

/** A time zone: how far local time is ahead of UTC. */
export interface Zone {
  /** At a moment. */
  offsetAt(utc: number): number;
}

export const UTC: Zone = { offsetAt: () => 0 };

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
  const m = FORMAT.exec(text);
  if (m === null) throw invalidDate(text);
  const [year, month, day] = [Number(m[1]), number(m[2], 1), number(m[3], 1)];
  const hour = number(m[4], roundUp ? 23 : 0);
  const minute = number(m[5], roundUp ? 59 : 0);
  const second = number(m[6], roundUp ? 59 : 0);
  const milli = m[7] === undefined ? (roundUp ? 999 : 0) : Number(`${m[7]}00`.slice(0, 3));
  check(text, year, 'year', -292_275_054, 292_278_993);
  check(text, month, 'monthOfYear', 1, 12);
  check(text, day, 'dayOfMonth', 1, daysOfMonth(year, month));
  check(text, hour, 'hourOfDay', 0, 23);
  check(text, minute, 'minuteOfHour', 0, 59);
  check(text, second, 'secondOfMinute', 0, 59);
  const local = daysOf(year, month, day) * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + milli;
  return m[8] === undefined ? toUtc(local, zone) : local - offsetOf(m[8]);
}

/** A date; one that is no date but a whole number is milliseconds since the epoch. */
export function parseDateOrMillis(text: string, zone: Zone = UTC, roundUp = false): number {
  try {
    return parseDate(text, zone, roundUp);
  } catch (error) {
    try {
      return Number(parseWhole(text, -(2n ** 63n), 2n ** 63n - 1n));
    } catch {
      throw error;
    }
  }
}

/** A date with math: `now` or `DATE||`, then any of `+1d`, `-1M`, `/d`. */
export function parseDateMath(text: string, roundUp: boolean, zone: Zone, now: number): number {
  if (text.startsWith('now')) return applyMath(text.slice(3), now, roundUp, zone);
  const bars = text.indexOf('||');
  const date = bars < 0 ? text : text.slice(0, bars);
  let time: number;
  try {
    time = parseDateOrMillis(date, zone, roundUp);
  } catch (error) {
    const detail = `failed to parse date field [${date}], tried both date format [dateOptionalTime], and timestamp number`;
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

/** A time zone: an offset such as `+01:00` or `-2:30`, or a name. */
export function parseZone(text: string): Zone {
  const m = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(text);
  if (m !== null) {
    const offset = (Number(m[2]) * 60 + Number(m[3])) * (m[1] === '-' ? -60_000 : 60_000);
    return { offsetAt: () => offset };
  }
  if (text === 'UTC' || text === 'Z') return UTC;
  try {
    return namedZone(text);
  } catch {
    throw new ElasticsearchError(
      'IllegalArgumentException',
      `The datetime zone id '${text}' is not recognised`,
      { status: 400 },
    );
  }
}

function namedZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return {
    offsetAt(utc) {
      const parts = new Map(format.formatToParts(utc).map((part) => [part.type, Number(part.value)]));
      const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      const seconds = (get('hour') * 60 + get('minute')) * 60 + get('second');
      const local = daysOf(get('year'), get('month'), get('day')) * DAY + seconds * 1000;
      return local - Math.floor(utc / 1000) * 1000;
    },
  };
}

function toUtc(local: number, zone: Zone): number {
  const guess = local - zone.offsetAt(local);
  return local - zone.offsetAt(guess);
}

function offsetOf(text: string): number {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', '') || 0)];
  return (hours * 60 + minutes) * (text.startsWith('-') ? -60_000 : 60_000);
}

function number(digits: string | undefined, fallback: number): number {
  return digits === undefined ? fallback : Number(digits);
}

function check(text: string, value: number, what: string, least: number, most: number): void {
  if (value >= least && value <= most) return;
  throw new ElasticsearchError(
    'IllegalFieldValueException',
    `Cannot parse "${text}": Value ${value} for ${what} must be in the range [${least},${most}]`,
    { status: 400 },
  );
}

/** Days since the epoch of a date of the proleptic Gregorian calendar. */
function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * m + 2) / 5) + 1;
  const month = m < 10 ? m + 3 : m - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const OWN_DETECTION = /^(\d+)\/(\d{1,2})\/(\d{1,2})(?: (\d{1,2}):(\d{1,2}):(\d{1,2}))?$/;

/**
 * The format of a text that dynamic mapping takes for a date, undefined if it takes it for a text: there must be more
 * than one of `:`, `-` or `/`, and all of it must parse.
 */
export function detectDateFormat(text: string): string | undefined {
  if (!several(text, ':') && !several(text, '-') && !several(text, '/')) return undefined;
  if (FORMAT.test(text)) {
    try {
      parseDate(text);
      return 'dateOptionalTime';
    } catch {
      return undefined;
    }
  }
  return OWN_DETECTION.test(text) ? SLASHES : undefined;
}

/** The second format of dynamic dates. */
export const SLASHES = 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd';

/** A date in {@link SLASHES}. */
export function parseSlashes(text: string): number {
  const m = OWN_DETECTION.exec(text);
  if (m === null) throw invalidDate(text);
  const time = m[4] === undefined ? '' : `T${m[4]}:${m[5]}:${m[6]}`;
  return parseDate(`${m[1]}-${m[2]}-${m[3]}${time}`);
}

function several(text: string, mark: string): boolean {
  const first = text.indexOf(mark);
  return first >= 0 && text.indexOf(mark, first + 1) >= 0;
}
