/** What the values of settings may be, with the words in which 1.7 refuses others. */

import { parseTime } from '../time/durations.js';
import { isFalse, isTrue } from '../numbers/javaBooleans.js';
import { parseSize } from './sizes.js';
import { wildcard } from '../text/wildcard.js';

/** Why a value can't be meant; undefined for a good one. */
export type Check = (value: string, key: string) => string | undefined;

/** Settings that can be changed, by their names or patterns of them. */
export type DynamicSettings = readonly (readonly [pattern: string, check: Check])[];

const INTEGER = /^[+-]?\d{1,10}$/;
const DECIMAL = /^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?[fd]?\s*$/i;
const MAX_INTEGER = 2_147_483_647;

export const any: Check = () => undefined;

export const integer: Check = (value) =>
  INTEGER.test(value) && Math.abs(Number(value)) <= MAX_INTEGER
    ? undefined
    : `cannot parse value [${value}] as an integer`;

const integerOf =
  (least: number, what: string): Check =>
  (value, key) =>
    integer(value, key) ??
    (Number(value) < least ? `the value of the setting ${key} must be ${what}` : undefined);

export const nonNegative = integerOf(0, 'a non negative integer');
export const positive = integerOf(1, 'a positive integer');
export const twoOrMore = integerOf(2, '>= 2');

export const float: Check = (value) =>
  DECIMAL.test(value) ? undefined : `cannot parse value [${value}] as a float`;

export const double: Check = (value) =>
  DECIMAL.test(value) ? undefined : `cannot parse value [${value}] as a double`;

const doubleOf =
  (least: number, what: string): Check =>
  (value, key) =>
    double(value, key) ??
    (Number.parseFloat(value) < least ? `the value of the setting ${key} must be ${what}` : undefined);

export const nonNegativeFloat = doubleOf(0, 'a non negative float');
export const nonNegativeDouble = doubleOf(0, 'a non negative double');
export const doubleTwoOrMore = doubleOf(2, '>= 2.0');

export const boolean: Check = (value) =>
  isTrue(value) || isFalse(value) ? undefined : `cannot parse value [${value}] as a boolean`;

export const time: Check = (value) => {
  try {
    parseTime(value);
    return undefined;
  } catch {
    return `cannot parse value [${value}] as time`;
  }
};

export const nonNegativeTime: Check = (value, key) =>
  time(value, key) ??
  (parseTime(value) < 0 ? `cannot parse value [${value}] as non negative time` : undefined);

export const bytes: Check = (value) =>
  value.trim().endsWith('%') || parseSize(value, 0) === undefined ? `Failed to parse [${value}]` : undefined;

export const memory: Check = (value, key) => {
  if (!value.endsWith('%')) return bytes(value, key);
  const share = value.slice(0, -1);
  if (!DECIMAL.test(share)) return `Failed to parse [${share}] as a double`;
  const percent = Number.parseFloat(share);
  return percent < 0 || percent > 100 ? `Percentage should be in [0-100], got [${share}]` : undefined;
};

/** The check of a setting; undefined for one that can't be changed. */
export function checkOf(settings: DynamicSettings, key: string): Check | undefined {
  return settings.find(([pattern]) =>
    pattern.includes('*') ? wildcard(pattern)(key) : pattern === key,
  )?.[1];
}
