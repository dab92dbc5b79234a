/**
 * Date formats as Elasticsearch 1.7 has them: names such as `date_time`, patterns of Joda-Time such as
 * `yyyy-MM-dd HH:mm`, and several of them separated by `||`, of which the first that fits a text reads it and the first
 * of all prints.
 */

import { UTC, type Zone } from './calendar.js';
import { DatePattern, illegalFormat } from './datePattern.js';
import { maybeDate, parseDate } from './dates.js';
import { type DateNames, dateNames } from './locales.js';
import { ownValue } from '../ownNames.js';

/** Reads and prints dates. */
export interface DateFormat {
  /** As it was given. */
  readonly text: string;
  /**
   * The moment that a text means. Of the parts that are left out, month and day are the first; the time is the first of
   * the day or, rounding up, the last. Throws where the text doesn't fit.
   */
  parse(text: string, zone: Zone, roundUp?: boolean): number;
  /** The text of a moment. */
  print(time: number, zone: Zone): string;
}

const DATE = 'yyyy-MM-dd';
const ORDINAL = 'yyyy-DDD';
const WEEK = "xxxx-'W'ww-e";
const TIME = 'HH:mm:ss.SSS';
const SECONDS = 'HH:mm:ss';

/** Names in snake case; they answer to camel case too. */
const NAMED: Readonly<Record<string, string>> = {
  basic_date: 'yyyyMMdd',
  basic_date_time: "yyyyMMdd'T'HHmmss.SSSZ",
  basic_date_time_no_millis: "yyyyMMdd'T'HHmmssZ",
  basic_ordinal_date: 'yyyyDDD',
  basic_ordinal_date_time: "yyyyDDD'T'HHmmss.SSSZ",
  basic_ordinal_date_time_no_millis: "yyyyDDD'T'HHmmssZ",
  basic_time: 'HHmmss.SSSZ',
  basic_time_no_millis: 'HHmmssZ',
  basic_t_time: "'T'HHmmss.SSSZ",
  basic_t_time_no_millis: "'T'HHmmssZ",
  basic_week_date: "xxxx'W'wwe",
  basic_week_date_time: "xxxx'W'wwe'T'HHmmss.SSSZ",
  basic_week_date_time_no_millis: "xxxx'W'wwe'T'HHmmssZ",
  date: DATE,
  date_hour: `${DATE}'T'HH`,
  date_hour_minute: `${DATE}'T'HH:mm`,
  date_hour_minute_second: `${DATE}'T'${SECONDS}`,
  date_hour_minute_second_fraction: `${DATE}'T'${TIME}`,
  date_hour_minute_second_millis: `${DATE}'T'${TIME}`,
  date_time: `${DATE}'T'${TIME}ZZ`,
  date_time_no_millis: `${DATE}'T'${SECONDS}ZZ`,
  hour: 'HH',
  hour_minute: 'HH:mm',
  hour_minute_second: SECONDS,
  hour_minute_second_fraction: TIME,
  hour_minute_second_millis: TIME,
  ordinal_date: ORDINAL,
  ordinal_date_time: `${ORDINAL}'T'${TIME}ZZ`,
  ordinal_date_time_no_millis: `${ORDINAL}'T'${SECONDS}ZZ`,
  time: `${TIME}ZZ`,
  time_no_millis: `${SECONDS}ZZ`,
  t_time: `'T'${TIME}ZZ`,
  t_time_no_millis: `'T'${SECONDS}ZZ`,
  week_date: WEEK,
  week_date_time: `${WEEK}'T'${TIME}ZZ`,
  week_date_time_no_millis: `${WEEK}'T'${SECONDS}ZZ`,
  week_year: 'xxxx',
  weekyear: 'xxxx',
  weekyear_week: "xxxx-'W'ww",
  weekyear_week_day: WEEK,
  year: 'yyyy',
  year_month: 'yyyy-MM',
  year_month_day: DATE,
};

const OPTIONAL_TIME = ['dateOptionalTime', 'date_optional_time'];

/** The formats in which dynamic mapping looks for dates, unless a type says otherwise. */
export const DYNAMIC_FORMATS: readonly string[] = ['dateOptionalTime', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd'];

/** The first of these formats that reads a text; undefined if the text is none that dynamic mapping takes for a date. */
export function detectDateFormat(
  text: string,
  formats: readonly string[] = DYNAMIC_FORMATS,
): string | undefined {
  if (!maybeDate(text)) return undefined;
  return formats.find((format) => {
    try {
      dateFormat(format).parse(text, UTC);
      return true;
    } catch {
      return false;
    }
  });
}

const known = new Map<string, DateFormat>();
/** Queries may bring whatever formats they like. */
const MAX_KNOWN = 1000;

/**
 * The format of a name, a pattern, or several with `||`, in a locale of {@link dateNames}; throws an
 * IllegalArgumentException for what is none.
 */
export function dateFormat(text: string, locale = ''): DateFormat {
  const key = `${locale}|${text}`;
  let format = known.get(key);
  if (format === undefined) {
    format = compile(text, dateNames(locale));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, format);
  }
  return format;
}

/** Characters of a format, with all that it has of patterns. */
const MAX_FORMAT = 4096;

function compile(text: string, names: DateNames): DateFormat {
  if (text.length > MAX_FORMAT)
    throw illegalFormat(
      `a date format may have at most ${MAX_FORMAT} characters, this one has ${text.length}`,
    );
  const parts = text.split('||').filter((part) => part !== '');
  const formats = parts.map((part) => single(part.trim(), names));
  const first = formats[0];
  if (first === undefined) throw illegalFormat(`Invalid format: [${text}]: No date pattern provided`);
  return {
    text,
    print: (time, zone) => first.print(time, zone),
    parse: (given, zone, roundUp) => {
      for (const format of formats.slice(0, -1)) {
        try {
          return format.parse(given, zone, roundUp);
        } catch {
          // The next one may do.
        }
      }
      return formats.at(-1)!.parse(given, zone, roundUp);
    },
  };
}

/** The years 1 to 9999, which JavaScript prints as the format does. */
const FIRST_ISO = Date.parse('0001-01-01T00:00:00Z');
const LAST_ISO = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function single(text: string, names: DateNames): DateFormat {
  const printer = () => new DatePattern(text, NAMED.date_time!);
  if (OPTIONAL_TIME.includes(text)) {
    const iso = printer();
    return {
      text,
      parse: parseDate,
      print: (time, zone) =>
        zone === UTC && time >= FIRST_ISO && time <= LAST_ISO
          ? new Date(time).toISOString()
          : iso.print(time, zone),
    };
  }
  const snake = text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new DatePattern(text, ownValue(NAMED, text) ?? ownValue(NAMED, snake) ?? text, names);
}
