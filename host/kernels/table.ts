/** What was measured, as a table of text. */
import type { Measured } from './measure.js';

const NAME = 40;
const WIDTH = 14;

/** The line above the cases of a question. */
export function titleLine({ question, item }: Measured): string {
  const columns = [`ns/${item}`, `${item}s/s`, 'bytes/s', 'margin'];
  return `${question.padEnd(NAME)}${columns.map((name) => name.padStart(WIDTH)).join('')}`;
}

/** The line of a case. */
export function caseLine({
  case: name,
  nanoseconds,
  itemsPerSecond,
  bytesPerSecond,
  margin,
}: Measured): string {
  const columns = [
    digits(nanoseconds),
    scaled(itemsPerSecond),
    bytesPerSecond === null ? '-' : `${scaled(bytesPerSecond)}B`,
    `±${margin.toFixed(1)} %`,
  ];
  return `  ${name.padEnd(NAME - 2)}${columns.map((text) => text.padStart(WIDTH)).join('')}`;
}

const PREFIXES = ['', 'k', 'M', 'G', 'T'];

/** A number with three digits and a prefix for thousands: `3.21 G`. */
export function scaled(value: number): string {
  let [at, left] = [0, value];
  while (left >= 999.5 && at < PREFIXES.length - 1) {
    left /= 1000;
    at++;
  }
  return `${digits(left)} ${PREFIXES[at]}`;
}

/** A number with three digits, or all those before its point. */
export function digits(value: number): string {
  if (!(value > 0)) return '0';
  const whole = Math.floor(Math.log10(Number(value.toPrecision(3)))) + 1;
  return value.toFixed(Math.max(0, Math.min(6, 3 - whole)));
}
