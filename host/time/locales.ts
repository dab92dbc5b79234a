/** Locales of date formats, as mappings name them: `de`, `de_DE`, `ROOT`. */

import { illegalArgument } from '../errors.js';

/** The names that a locale gives months, days and halves of the day, in lists that begin with January and Monday. */
export interface DateNames {
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  readonly halves: readonly string[];
}

/** A locale's name as Java prints it; that of the root is empty. */
export function localeName(given: string): string {
  const parts = given.split('_');
  if (parts.length > 3) throw illegalArgument(`Can't parse locale: [${given}]`);
  const [language = '', country = '', variant = ''] = parts;
  if (parts.length === 1 && language.toUpperCase() === 'ROOT') return '';
  const named = [language.toLowerCase(), country.toUpperCase()];
  if (variant !== '') named.push(variant);
  return named.join('_').replace(/_+$/, '');
}

const MONTHS = 'January February March April May June July August September October November December';
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday';

/** The names of the root locale. */
export const ENGLISH: DateNames = {
  months: MONTHS.split(' '),
  shortMonths: MONTHS.split(' ').map((name) => name.slice(0, 3)),
  days: DAYS.split(' '),
  shortDays: DAYS.split(' ').map((name) => name.slice(0, 3)),
  halves: ['AM', 'PM'],
};

const known = new Map<string, DateNames>();
/** Mappings may name whatever they like. */
const MAX_KNOWN = 200;

/** The names of a locale; those of one that nobody knows are English. */
export function dateNames(locale: string): DateNames {
  if (locale === '') return ENGLISH;
  let names = known.get(locale);
  if (names === undefined) {
    names = makeNames(locale);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(locale, names);
  }
  return names;
}

/** 2001 began on a Monday. */
const MONDAY = Date.UTC(2001, 0, 1, 12);
const DAY = 86_400_000;

function makeNames(locale: string): DateNames {
  const tag = supported(locale);
  const list = (count: number, at: (i: number) => number, options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', calendar: 'gregory', ...options });
    const kind = Object.keys(options).find((key) => key !== 'day' && key !== 'hour12') ?? '';
    const wanted = kind === 'hour' ? 'dayPeriod' : kind;
    return Array.from(
      { length: count },
      (_, i) => format.formatToParts(at(i)).find(({ type }) => type === wanted)?.value ?? '',
    );
  };
  const month = (i: number) => Date.UTC(2001, i, 1, 12);
  const day = (i: number) => MONDAY + i * DAY;
  return {
    // Beside a day, months have the form that dates are written with.
    months: list(12, month, { month: 'long', day: 'numeric' }),
    shortMonths: shortened(list(12, month, { month: 'short', day: 'numeric' })),
    days: list(7, day, { weekday: 'long' }),
    shortDays: shortened(list(7, day, { weekday: 'short' })),
    halves: list(2, (i) => MONDAY + (i - 1) * (DAY / 4), { hour: 'numeric', hour12: true }),
  };
}

/** Java's own short names end without a full stop. */
function shortened(names: readonly string[]): string[] {
  return names.map((name) => name.replace(/\.$/, ''));
}

function supported(locale: string): string {
  const tag = locale.replaceAll('_', '-');
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
