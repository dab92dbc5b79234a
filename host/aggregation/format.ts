/** How values of a field are shown and read: as they are, as dates, as addresses, as numbers of a pattern. */

import { illegalArgument } from '../errors.js';
import { UTC } from '../mapping/calendar.js';
import { type DateFormat, dateFormat } from '../mapping/dateFormats.js';
import { parseDateMath, parseDateOrMillis } from '../mapping/dates.js';
import { addressOf, ipText } from '../mapping/ip.js';
import { doubleText } from '../mapping/javaNumbers.js';
import { parseFraction } from '../mapping/values.js';

export interface ValueFormat {
  /** Whether values are shown as they are. */
  readonly isRaw: boolean;
  print(value: number): string;
  /** Reads a bound; `now` is what the date math goes from. */
  parse(text: string, now: number): number;
}

export const RAW: ValueFormat = { isRaw: true, print: doubleText, parse: parseFraction };

/** Dates of a format. */
export function dateValues(format: DateFormat): ValueFormat {
  const read = (text: string, zone: typeof UTC, roundUp: boolean) =>
    parseDateOrMillis(text, zone, roundUp, (t, z, up) => format.parse(t, z, up));
  return {
    isRaw: false,
    // What is no number is the epoch, as in Java.
    print: (value) => format.print(Math.trunc(value) || 0, UTC),
    parse: (text, now) => parseDateMath(text, false, UTC, now, read, format.text),
  };
}

/** Dates in the format of that name or pattern. */
export function dateValuesOf(pattern: string): ValueFormat {
  return dateValues(dateFormat(pattern));
}

export const ADDRESS: ValueFormat = {
  isRaw: false,
  print: (value) => ipText(Math.trunc(value) || 0),
  parse: addressOf,
};

/** Numbers in a pattern of Java's DecimalFormat: `000000`, `#,##0.00`, with texts around it. */
export function numberValues(pattern: string): ValueFormat {
  const m = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?([^#0,.]*)$/.exec(pattern.split(';')[0] ?? '');
  if (m === null) throw illegalArgument(`Malformed pattern "${pattern}"`);
  const [, before = '', whole = '', fraction = '', after = ''] = m;
  const least = [...fraction].filter((c) => c === '0').length;
  const digits = [...whole].filter((c) => c === '0').length;
  const comma = whole.lastIndexOf(',');
  const group = comma < 0 ? 0 : whole.length - comma - 1;
  const percent = after.includes('%') || before.includes('%');
  const print = (value: number) => {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? '\uFFFD' : value > 0 ? '∞' : '-∞';
    const [front = '', back = ''] = halfEven(Math.abs(percent ? value * 100 : value), fraction.length).split(
      '.',
    );
    let int = (front === '0' && digits === 0 && fraction.length > 0 ? '' : front).padStart(digits, '0');
    if (group > 0) int = int.replace(new RegExp(`\\B(?=(\\d{${group}})+$)`, 'g'), ',');
    const rest = back.replace(/0+$/, '').padEnd(least, '0');
    return `${value < 0 ? '-' : ''}${before}${int}${rest === '' ? '' : `.${rest}`}${after}`;
  };
  return { isRaw: false, print, parse: parseFraction };
}

/** A number with so many digits behind the point; halves go to the even digit. */
function halfEven(value: number, digits: number): string {
  const text = value.toFixed(Math.min(digits, 100));
  if (!String(value).endsWith('5')) return text;
  const scale = 10 ** digits;
  const scaled = value * scale;
  if (Math.abs(scaled % 1) !== 0.5) return text;
  const floor = Math.floor(scaled);
  return ((floor % 2 === 0 ? floor : floor + 1) / scale).toFixed(digits);
}
