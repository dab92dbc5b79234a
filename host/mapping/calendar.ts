/** The proleptic Gregorian calendar and time zones. Times are epoch milliseconds. */

import { ElasticsearchError } from '../errors.js';

export const DAY = 86_400_000;

/** A time zone: how far local time is ahead of UTC. */
export interface Zone {
  /** At a moment. */
  offsetAt(utc: number): number;
}

export const UTC: Zone = { offsetAt: () => 0 };

/** A time zone: an offset such as `+01:00` or `-2:30`, or a name. */
export function parseZone(text: string): Zone {
  const m = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(text);
  if (m !== null) {
    const offset = (Number(m[2]) * 60 + Number(m[3])) * (m[1] === '-' ? -60_000 : 60_000);
    return { offsetAt: () => offset };
  }
  if (text === 'UTC' || text === 'Z') return UTC;
  try {
    let zone = named.get(text);
    if (zone === undefined) {
      zone = namedZone(text);
      // Names differ in case, too.
      if (named.size >= MAX_NAMED) named.clear();
      named.set(text, zone);
    }
    return zone;
  } catch {
    throw new ElasticsearchError(
      'IllegalArgumentException',
      `The datetime zone id '${text}' is not recognised`,
      { status: 400 },
    );
  }
}

/** Zones that have been asked for: what is known of their changes is found by the zone. */
const named = new Map<string, Zone>();
const MAX_NAMED = 1000;

/** The last moment that JavaScript has a date for; zones stay as they are from there on. */
const LAST_DATE = 8.64e15;

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
    offsetAt(given) {
      const utc = Math.min(Math.max(given, -LAST_DATE), LAST_DATE);
      const parts = new Map(format.formatToParts(utc).map((part) => [part.type, Number(part.value)]));
      const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      const seconds = (get('hour') * 60 + get('minute')) * 60 + get('second');
      const local = daysOf(get('year'), get('month'), get('day')) * DAY + seconds * 1000;
      return local - Math.floor(utc / 1000) * 1000;
    },
  };
}

/** The moment at which a zone's clocks show a local time. */
export function toUtc(local: number, zone: Zone): number {
  const guess = local - zone.offsetAt(local);
  return local - zone.offsetAt(guess);
}

/** Days since the epoch of a date of the proleptic Gregorian calendar. */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

/** The date of a day, given in days since the epoch. */
export function civil(days: number): { year: number; month: number; day: number } {
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

export function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
