/** The proleptic Gregorian calendar and time zones. Times are epoch milliseconds. */

import { ElasticsearchError } from '../errors.js';
import { parseWhole } from '../json/values.js';

export const DAY = 86_400_000;

/** A time zone: how far local time is ahead of UTC. */
export interface Zone {
  /** At a moment. */
  offsetAt(utc: number): number;
}

export const UTC: Zone = { offsetAt: () => 0 };

/** A time zone: an offset such as `+01:00` or `-2:30`, or a name. */
export function parseZone(text: string): Zone {
  const colon = text.indexOf(':');
  if (colon >= 0)
    return fixedZone(whole(text.slice(text[0] === '+' ? 1 : 0, colon)), whole(text.slice(colon + 1)));
  if (/^[+-]/.test(text)) return offsetZone(text);
  if (text === 'UTC') return UTC;
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
    throw refused(`The datetime zone id '${text}' is not recognised`);
  }
}

/** A zone that is always that far ahead of UTC. */
export function fixedZone(hours: number, minutes: number): Zone {
  if (hours < -23 || hours > 23) throw refused(`Hours out of range: ${hours}`);
  if (minutes < -59 || minutes > 59) throw refused(`Minutes out of range: ${minutes}`);
  if (hours > 0 && minutes < 0) throw refused(`Positive hours must not have negative minutes: ${minutes}`);
  const offset = (hours * 60 + (hours < 0 ? -Math.abs(minutes) : minutes)) * 60_000;
  return { offsetAt: () => offset };
}

/** `+01`, `+0130` and so on: digits by twos, as Joda reads them. */
function offsetZone(text: string): Zone {
  const [read = '', sign, hours, minutes = '0', seconds = '0', fraction = '0'] =
    /^([+-])(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:[.,]?(\d{1,3}))?)?)?)?/.exec(text) ?? [];
  if (hours === undefined || read.length < text.length) {
    const rest = text.slice(read.length);
    const why = rest === '' ? 'is too short' : `is malformed at "${rest}"`;
    throw refused(`Invalid format: "${text}" ${why}`);
  }
  const offset =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
  return { offsetAt: () => (sign === '-' ? -offset : offset) };
}

function whole(text: string): number {
  return Number(parseWhole(text, -(2n ** 31n), 2n ** 31n - 1n));
}

function refused(detail: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', detail, { status: 400 });
}

/** Zones that have been asked for: what is known of their changes is found by the zone. */
const named = new Map<string, Zone>();
const MAX_NAMED = 1000;

/** The last moment that JavaScript has a date for; zones stay as they are from there on. */
const LAST_DATE = 8.64e15;

function namedZone(name: string): Zone {
  // JavaScript doesn't mind the case of names, which all have capitals, and those of cities small letters too.
  if (
    name === name.toLowerCase() ||
    (name.includes('/') && name === name.toUpperCase() && !name.startsWith('Etc'))
  )
    throw refused(name);
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
