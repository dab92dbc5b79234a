/** How values of a field are shown and read: as they are, as dates, as addresses, as numbers of a pattern. */

import { illegalArgument } from '../errors.js';
import { UTC } from '../time/calendar.js';
import { type DateFormat, dateFormat } from '../time/dateFormats.js';
import { parseDateMath, parseDateOrMillis } from '../time/dates.js';
import { addressOf, ipText } from '../mapping/ip.js';
import { doubleText } from '../numbers/javaNumbers.js';
import { parseFraction } from '../json/values.js';
import { DecimalFormat } from '../compat17/decimalFormat.js';

export interface ValueFormat {
  /** Whether values are shown as they are. */
  readonly isRaw: boolean;
  print(value: number | bigint): string;
  /** Reads a bound; `now` is what the date math goes from. */
  parse(text: string, now: number): number;
}

export const RAW: ValueFormat = {
  isRaw: true,
  print: (value) => doubleText(Number(value)),
  parse: parseFraction,
};

/** Dates of a format. */
export function dateValues(format: DateFormat): ValueFormat {
  const read = (text: string, zone: typeof UTC, roundUp: boolean) =>
    parseDateOrMillis(text, zone, roundUp, (t, z, up) => format.parse(t, z, up));
  return {
    isRaw: false,
    // What is no number is the epoch, as in Java.
    print: (value) => format.print(Math.trunc(Number(value)) || 0, UTC),
    parse: (text, now) => parseDateMath(text, false, UTC, now, read, format.text),
  };
}

/** Longer patterns are refused: every bucket prints by them. */
const MAX_PATTERN = 1000;

/** The pattern; 400 if it is too long. */
function checked(pattern: string): string {
  if (pattern.length <= MAX_PATTERN) return pattern;
  throw illegalArgument(`a format has at most ${MAX_PATTERN} characters, this one has ${pattern.length}`);
}

/** Dates in the format of that name or pattern. */
export function dateValuesOf(pattern: string): ValueFormat {
  return dateValues(dateFormat(checked(pattern)));
}

export const ADDRESS: ValueFormat = {
  isRaw: false,
  print: (value) => ipText(Math.trunc(Number(value)) || 0),
  parse: addressOf,
};

/** Numbers in a pattern of Java's DecimalFormat: `000000`, `#,##0.00`, with texts around it. */
export function numberValues(pattern: string): ValueFormat {
  const format = new DecimalFormat(checked(pattern));
  return { isRaw: false, print: (value) => format.print(value), parse: parseFraction };
}
