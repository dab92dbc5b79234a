/**
 * Patterns of Joda-Time, such as `yyyy-MM-dd HH:mm`: reading and printing dates part by part. Letters mean what they mean in
 * `DateTimeFormat.forPattern`; numbers may have fewer digits than the pattern when they are read.
 */

import { ElasticsearchError } from '../errors.js';
import { civil, DAY, daysOf, daysOfMonth, toUtc, type Zone } from './calendar.js';
import { checkedField } from './dates.js';
import { toLong } from '../numbers/javaNumbers.js';
import { type DateNames, ENGLISH } from './locales.js';

/** 400, with Joda's words. */
export function illegalFormat(detail: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', detail, { status: 400 });
}

function illegalPattern(given: string, component: string): ElasticsearchError {
  const nested = illegalFormat(`Illegal pattern component: ${component}`);
  return new ElasticsearchError('IllegalArgumentException', `Invalid format: [${given}]: ${nested.detail}`, {
    status: 400,
    nested,
  });
}

/** What a text says of a date; the rest is undefined. */
interface Fields {
  era?: number;
  year?: number;
  month?: number;
  day?: number;
  dayOfYear?: number;
  weekYear?: number;
  week?: number;
  dayOfWeek?: number;
  hour?: number;
  /** Of half a day, from 0. */
  halfHour?: number;
  afternoon?: boolean;
  minute?: number;
  second?: number;
  milli?: number;
  offset?: number;
}

/** A part of a pattern: reads from a place in a text and returns where it ended, -1 if the text doesn't fit. */
interface Part {
  read(text: string, at: number, into: Fields): number;
  print(local: Local): string;
}

/** A moment as a zone's clocks show it. */
interface Local {
  year: number;
  month: number;
  day: number;
  dayOfYear: number;
  /** 1 is Monday. */
  dayOfWeek: number;
  week: number;
  weekYear: number;
  milliOfDay: number;
  offset: number;
}

/** A compiled pattern; `text` is what the user called it. */
export class DatePattern {
  readonly text: string;
  readonly #parts: readonly Part[];

  constructor(text: string, pattern: string, names = ENGLISH) {
    this.text = text;
    this.#parts = parse(pattern, text, names);
  }

  parse(text: string, zone: Zone, roundUp = false): number {
    const fields: Fields = {};
    let at = 0;
    for (const part of this.#parts) {
      const end = part.read(text, at, fields);
      if (end < 0) throw malformed(text, at);
      at = end;
    }
    if (at < text.length) throw malformed(text, at);
    return moment(text, fields, zone, roundUp);
  }

  print(time: number, zone: Zone): string {
    const local = localOf(time, zone);
    return this.#parts.map((part) => part.print(local)).join('');
  }
}

function malformed(text: string, at: number): ElasticsearchError {
  if (at === 0) return illegalFormat(`Invalid format: "${text}"`);
  if (at >= text.length) return illegalFormat(`Invalid format: "${text}" is too short`);
  return illegalFormat(`Invalid format: "${text}" is malformed at "${text.slice(at)}"`);
}

/** The parts of a pattern; `given` is what the user called it. */
function parse(pattern: string, given: string, names: DateNames): Part[] {
  const tokens = [...pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g)].map((m) => ({
    letter: m[2],
    length: m[0].length,
    literal: m[1] === undefined ? m[0] : m[1] === '' ? "'" : m[1].replaceAll("''", "'"),
  }));
  return tokens.map((token, i) => {
    if (token.letter === undefined) return literal(token.literal);
    const next = tokens[i + 1];
    const adjacent = next?.letter !== undefined && isNumeric(next.letter, next.length);
    return part(token.letter, token.length, adjacent, given, names);
  });
}

function isNumeric(letter: string, length: number): boolean {
  return 'CYyxwdeDFHhmsSkK'.includes(letter) || (letter === 'M' && length <= 2);
}

function literal(text: string): Part {
  return {
    print: () => text,
    read: (from, at) =>
      from.slice(at, at + text.length).toLowerCase() === text.toLowerCase() ? at + text.length : -1,
  };
}

/** Digits, at most so many, with a sign where one is allowed. */
function digits(
  length: number,
  most: number,
  signed: boolean,
  set: (into: Fields, value: number, count: number) => void,
  get: (local: Local) => number,
): Part {
  return {
    read(text, at, into) {
      let end = at;
      const sign = signed && (text[at] === '-' || text[at] === '+') ? text[at] : '';
      if (sign !== '') end++;
      const first = end;
      while (end < text.length && end - first < most && text[end]! >= '0' && text[end]! <= '9') end++;
      if (end === first) return -1;
      const value = Number(text.slice(first, end));
      set(into, sign === '-' ? -value : value, end - first);
      return end;
    },
    print: (local) => pad(get(local), length),
  };
}

function pad(value: number, length: number): string {
  const text = String(Math.abs(value)).padStart(length, '0');
  return value < 0 ? `-${text}` : text;
}

/** One of these words, in any case, in full or short. */
function word(
  words: readonly string[],
  shorts: readonly string[],
  short: boolean,
  set: (into: Fields, index: number) => void,
  get: (local: Local) => number,
): Part {
  return {
    read(text, at, into) {
      const rest = text.slice(at).toLowerCase();
      let longest = 0;
      for (const list of [words, shorts]) {
        for (const [index, each] of list.entries()) {
          if (each.length <= longest || !rest.startsWith(each.toLowerCase())) continue;
          longest = each.length;
          set(into, index);
        }
      }
      return longest > 0 ? at + longest : -1;
    },
    print: (local) => (short ? shorts : words)[get(local)]!,
  };
}

function part(letter: string, length: number, adjacent: boolean, given: string, names: DateNames): Part {
  const two = adjacent ? length : Math.max(2, length);
  const year = (name: 'year' | 'weekYear') => {
    if (length !== 2) {
      return digits(
        length,
        adjacent ? length : 9,
        true,
        (into, value) => {
          into[name] = value;
        },
        (local) => local[name],
      );
    }
    const set = (into: Fields, value: number, count: number) => {
      into[name] = count === 2 ? pivot(value) : value;
    };
    return digits(2, adjacent ? 2 : 9, true, set, (local) => ((local[name] % 100) + 100) % 100);
  };
  const hour = (local: Local) => Math.floor(local.milliOfDay / 3_600_000);
  switch (letter) {
    case 'y':
    case 'Y':
      return year('year');
    case 'x':
      return year('weekYear');
    case 'M':
      if (length > 2) {
        return word(
          names.months,
          names.shortMonths,
          length === 3,
          (into, i) => {
            into.month = i + 1;
          },
          (local) => local.month - 1,
        );
      }
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.month = value;
        },
        (local) => local.month,
      );
    case 'd':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.day = value;
        },
        (local) => local.day,
      );
    case 'D':
      return digits(
        length,
        adjacent ? length : 3,
        false,
        (into, value) => {
          into.dayOfYear = value;
        },
        (local) => local.dayOfYear,
      );
    case 'w':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.week = value;
        },
        (local) => local.week,
      );
    case 'e':
      return digits(
        length,
        adjacent ? length : 1,
        false,
        (into, value) => {
          into.dayOfWeek = value;
        },
        (local) => local.dayOfWeek,
      );
    case 'E':
      return word(
        names.days,
        names.shortDays,
        length <= 3,
        (into, i) => {
          into.dayOfWeek = i + 1;
        },
        (local) => local.dayOfWeek - 1,
      );
    case 'a':
      return word(
        names.halves,
        names.halves,
        false,
        (into, i) => {
          into.afternoon = i === 1;
        },
        (local) => (hour(local) < 12 ? 0 : 1),
      );
    case 'H':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.hour = value;
        },
        hour,
      );
    case 'k':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.hour = value % 24;
        },
        (local) => hour(local) || 24,
      );
    case 'h':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.halfHour = value % 12;
        },
        (local) => hour(local) % 12 || 12,
      );
    case 'K':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.halfHour = value;
        },
        (local) => hour(local) % 12,
      );
    case 'm':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.minute = value;
        },
        (local) => Math.floor(local.milliOfDay / 60_000) % 60,
      );
    case 's':
      return digits(
        length,
        two,
        false,
        (into, value) => {
          into.second = value;
        },
        (local) => Math.floor(local.milliOfDay / 1000) % 60,
      );
    case 'S':
      return fraction(length);
    case 'Z':
      return offset(length);
    case 'z':
      return { ...offset(2), print: () => 'UTC' };
    case 'G':
      return word(
        ['BC', 'AD'],
        ['BC', 'AD'],
        false,
        (into, i) => {
          into.era = i;
        },
        (local) => (local.year > 0 ? 1 : 0),
      );
    default:
      throw illegalPattern(given, letter.repeat(length));
  }
}

/** Two digits of a year mean the one closest to 2000, from 1970 on. */
function pivot(value: number): number {
  return value < 70 ? 2000 + value : 1900 + value;
}

/** A fraction of a second: more digits than milliseconds have are read over. */
function fraction(length: number): Part {
  return {
    read(text, at, into) {
      let end = at;
      while (end < text.length && end - at < Math.max(length, 9) && text[end]! >= '0' && text[end]! <= '9')
        end++;
      if (end === at) return -1;
      into.milli = Number(`${text.slice(at, end)}00`.slice(0, 3));
      return end;
    },
    print: (local) =>
      `${pad(local.milliOfDay % 1000, 3)}${'0'.repeat(Math.max(0, length - 3))}`.slice(0, length),
  };
}

/** An offset such as `Z`, `+01:00` or `+0100`. */
function offset(length: number): Part {
  const form = /([+-])(\d{2})(?::?(\d{2}))?(?::?(\d{2}))?/y;
  return {
    read(text, at, into) {
      if (text[at] === 'Z' || text[at] === 'z') {
        into.offset = 0;
        return at + 1;
      }
      form.lastIndex = at;
      const m = form.exec(text);
      if (m === null) return -1;
      const seconds = (Number(m[2]) * 60 + Number(m[3] ?? 0)) * 60 + Number(m[4] ?? 0);
      into.offset = (m[1] === '-' ? -1000 : 1000) * seconds;
      return form.lastIndex;
    },
    print({ offset: ahead }) {
      if (ahead === 0 && length !== 1) return length > 2 ? 'UTC' : 'Z';
      const minutes = Math.floor(Math.abs(ahead) / 60_000);
      const colon = length === 1 ? '' : ':';
      return `${ahead < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${colon}${pad(minutes % 60, 2)}`;
    },
  };
}

/** The moment that the fields of a text mean. */
function moment(text: string, fields: Fields, zone: Zone, roundUp: boolean): number {
  const hour =
    fields.hour ??
    (fields.halfHour === undefined
      ? roundUp
        ? 23
        : 0
      : fields.halfHour + (fields.afternoon === true ? 12 : 0));
  const minute = fields.minute ?? (roundUp ? 59 : 0);
  const second = fields.second ?? (roundUp ? 59 : 0);
  const milli = fields.milli ?? (roundUp ? 999 : 0);
  checkedField(text, hour, 'hourOfDay', 0, 23);
  checkedField(text, minute, 'minuteOfHour', 0, 59);
  checkedField(text, second, 'secondOfMinute', 0, 59);
  const local = dayOf(text, fields) * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + milli;
  return fields.offset === undefined ? toUtc(local, zone) : local - fields.offset;
}

/** Days since the epoch. */
function dayOf(text: string, fields: Fields): number {
  if (fields.weekYear !== undefined || fields.week !== undefined) {
    const year = fields.weekYear ?? 1970;
    const first = firstWeek(year);
    const { week = 1, dayOfWeek = 1 } = fields;
    checkedField(text, week, 'weekOfWeekyear', 1, Math.round((firstWeek(year + 1) - first) / 7));
    checkedField(text, dayOfWeek, 'dayOfWeek', 1, 7);
    return first + (week - 1) * 7 + dayOfWeek - 1;
  }
  const given = fields.year ?? 1970;
  const year = fields.era === 0 ? 1 - given : given;
  if (fields.dayOfYear !== undefined) {
    const length = daysOf(year + 1, 1, 1) - daysOf(year, 1, 1);
    checkedField(text, fields.dayOfYear, 'dayOfYear', 1, length);
    return daysOf(year, 1, 1) + fields.dayOfYear - 1;
  }
  const { month = 1, day = 1 } = fields;
  checkedField(text, year, 'year', -292_275_054, 292_278_993);
  checkedField(text, month, 'monthOfYear', 1, 12);
  checkedField(text, day, 'dayOfMonth', 1, daysOfMonth(year, month));
  return daysOf(year, month, day);
}

/** The Monday with which a week year begins: its week has the year's first Thursday. */
function firstWeek(year: number): number {
  const fourth = daysOf(year, 1, 4);
  return fourth - weekday(fourth);
}

/** 0 is Monday. */
function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** A zone's clocks at a moment; beyond the longs, which are Java's times, it is the first or the last of them. */
function localOf(time: number, zone: Zone): Local {
  const ahead = zone.offsetAt(time);
  const [days, milliOfDay] = Number.isSafeInteger(time) ? split(time + ahead) : splitExactly(time, ahead);
  const date = civil(days);
  let weekYear = date.year + 1;
  while (firstWeek(weekYear) > days) weekYear--;
  return {
    ...date,
    dayOfYear: days - daysOf(date.year, 1, 1) + 1,
    dayOfWeek: weekday(days) + 1,
    weekYear,
    week: Math.floor((days - firstWeek(weekYear)) / 7) + 1,
    milliOfDay,
    offset: ahead,
  };
}

/** Days, and milliseconds of the last of them. */
function split(local: number): [days: number, milliOfDay: number] {
  const days = Math.floor(local / DAY);
  return [days, local - days * DAY];
}

/** The same of a time that doubles are too coarse for. */
function splitExactly(time: number, ahead: number): [days: number, milliOfDay: number] {
  const local = toLong(time) + BigInt(ahead);
  const milliOfDay = ((local % DAY_EXACTLY) + DAY_EXACTLY) % DAY_EXACTLY;
  return [Number((local - milliOfDay) / DAY_EXACTLY), Number(milliOfDay)];
}

const DAY_EXACTLY = BigInt(DAY);
