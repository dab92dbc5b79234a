/**
 * JSON values read the way Java and Elasticsearch 1.x read them: texts to numbers, anything to booleans, scalars to
 * text. Numbers that JSON.parse would spoil come as {@link RawNumber}, of which `jsonText.ts` says which those are.
 */

import { ElasticsearchError, jsonParse, numberFormat } from '../errors.js';
import { isFalse } from '../numbers/javaBooleans.js';
import { doubleText } from '../numbers/javaNumbers.js';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber)
  );
}

/** `camelCase` as `camel_case`: 1.7 takes either for the names of types and parameters. */
export function underscore(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at) => (at === 0 ? '' : '_') + letter.toLowerCase());
}

/** An object with the names of its parameters so. */
export function underscored(object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  if (!entries.some(([key]) => /[A-Z]/.test(key))) return object;
  return Object.fromEntries(entries.map(([key, value]) => [underscore(key), value]));
}

/** A number with its digits kept. */
export class RawNumber {
  /** How often one has been printed by `JSON.stringify`, which can't keep its digits. */
  static printed = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether it is written without fraction and exponent. */
  get isWhole(): boolean {
    return /^-?\d+$/.test(this.text);
  }

  toString(): string {
    return this.text;
  }

  /** For `JSON.stringify`; `jsonText` keeps the digits. */
  toJSON(): number {
    RawNumber.printed++;
    return Number(this.text);
  }
}

/** Whether a value is a number, with its digits kept or without. */
export function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === 'number' || value instanceof RawNumber;
}

/** Whether a value is an object or a list: what is no scalar, nor null. */
export function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof RawNumber);
}

/** Whether a unit is a letter or digit of ASCII, or a control character that is taken for one. */
export function isWordUnit(unit: number): boolean {
  const low = unit | 0x20;
  return (low >= 0x61 && low <= 0x7a) || (low >= 0x30 && low <= 0x39);
}

/** A scalar as text; undefined for null, objects and arrays. */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return value instanceof RawNumber ? value.text : undefined;
  }
}

/** A number as Java prints it: a long with its digits, a double as one. */
export function javaNumber(value: number | RawNumber): string {
  const isWhole = value instanceof RawNumber ? value.isWhole : Number.isInteger(value);
  if (!isWhole) return doubleText(Number(value));
  // A zero of Java's longs has no sign.
  return Number(value) === 0 ? '0' : String(value);
}

/** A scalar of a query as Java prints it; undefined for null, objects and arrays. */
export function javaScalar(value: unknown): string | undefined {
  return isNumber(value) ? javaNumber(value) : textOf(value);
}

/** A value of a mapping as Java prints maps and lists. */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (isNumber(value)) return javaNumber(value);
  if (!isObject(value)) return textOf(value) ?? String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}=${javaText(each)}`)
    .join(', ')}}`;
}

/** The class that a value of JSON has in Java; null has none. */
export function javaClass(value: unknown): string {
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (isObject(value)) return 'java.util.LinkedHashMap';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'string') return 'java.lang.String';
  const number = Number(textOf(value));
  const isWhole = value instanceof RawNumber ? value.isWhole : Number.isInteger(number);
  if (!isWhole) return 'java.lang.Double';
  if (Math.abs(number) > 2 ** 63) return 'java.math.BigInteger';
  return number === Math.trunc(number | 0) ? 'java.lang.Integer' : 'java.lang.Long';
}

/** A number as it was probably written: JavaScript and Java differ only in far exponents. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** `false`, `0`, `off`, `no`, `F` and the empty text are false, everything else is true. */
export function booleanOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return Math.trunc(Number(value)) !== 0;
  return !(value === '' || (typeof value === 'string' && isFalse(value)));
}

/** Long.parseLong within bounds: digits may be those of any script. */
export function parseWhole(given: string, least: bigint, most: bigint): number | bigint {
  const text = /^[+\-\d]*$/.test(given) ? given : given.replace(/\p{Nd}/gu, latinDigit);
  if (!/^[+-]?\d{1,19}$/.test(text)) throw numberFormat(given);
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value < least || value > most) throw numberFormat(given);
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Five sets of mathematical digits follow each other. */
const [FIRST_MATH, LAST_MATH] = [0x1d7ce, 0x1d7ff];

/** The value of a decimal digit: in Unicode the ten of a script follow each other. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code >= FIRST_MATH && code <= LAST_MATH) return String((code - FIRST_MATH) % 10);
  let first = code;
  while (code - first < 9 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String(code - first);
}

const FRACTION = /^[+-]?(?:NaN|Infinity|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

/** Double.parseDouble. */
export function parseFraction(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new ElasticsearchError('NumberFormatException', 'empty String', { status: 400 });
  }
  if (!FRACTION.test(trimmed)) throw numberFormat(text);
  return Number(trimmed.replace(/[fFdD]$/, ''));
}

/** A number, or the text of one. */
export function fractionOf(value: unknown): number {
  return isNumber(value) ? Number(value) : parseFraction(textOf(value) ?? '');
}

/** A value of settings or queries as a float; `fail` is told of what is none. */
export function floatOf(value: unknown): number {
  return Math.fround(fractionOf(value));
}

/** A double of a request body. */
export function strictFractionOf(value: unknown): number {
  refuseNoNumber(value);
  return fractionOf(value);
}

/** A float of a request body. */
export function strictFloatOf(value: unknown): number {
  refuseNoNumber(value);
  return floatOf(value);
}

/** Booleans of a request body and null are no numbers to its parser; those of mappings are texts. */
export function refuseNoNumber(value: unknown): void {
  if (typeof value !== 'boolean' && value !== null) return;
  const token = value === null ? 'VALUE_NULL' : value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  throw jsonParse(`Current token (${token}) not numeric, can not use numeric value accessors`);
}

/** An int of a request body: unlike those of mappings it is not cut to 32 bits but refused. */
export function strictIntOf(value: unknown): number {
  refuseNoNumber(value);
  if (!isNumber(value)) return intOf(value);
  const cut = Math.trunc(Number(value));
  if (cut >= -0x8000_0000 && cut <= 0x7fff_ffff) return cut;
  throw jsonParse(`Numeric value (${value}) out of range of int (-2147483648 - 2147483647)`);
}

const [LEAST_LONG, MOST_LONG] = [-(2n ** 63n), 2n ** 63n - 1n];

/** A long of a request body: fractions are cut, texts must be whole. */
export function longOf(value: unknown): bigint {
  if (typeof value === 'boolean') throw numberFormat(String(value));
  if (!isNumber(value)) return BigInt(parseWhole(textOf(value) ?? '', LEAST_LONG, MOST_LONG));
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  const long = wholeOf(value);
  if (long !== undefined && long >= LEAST_LONG && long <= MOST_LONG) return long;
  throw jsonParse(`Numeric value (${value}) out of range of long (${LEAST_LONG} - ${MOST_LONG})`);
}

/** A number without its fraction; undefined for infinities. */
function wholeOf(value: number | RawNumber): bigint | undefined {
  if (value instanceof RawNumber && value.isWhole) return BigInt(value.text);
  const number = Number(value);
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
}

/** A number as Java casts it: whole ones are cut to so many bits, doubles go to the nearest. */
export function castTo(bits: 8 | 16 | 32 | 64, value: number | RawNumber): bigint {
  const isLong = value instanceof RawNumber ? value.isWhole : Number.isSafeInteger(value);
  if (isLong) return BigInt.asIntN(bits, BigInt(String(value)));
  const number = Number(value);
  if (Number.isNaN(number)) return 0n;
  // A double becomes an int before it becomes a short or a byte.
  const limit = 2n ** (bits === 64 ? 63n : 31n);
  if (number >= Number(limit)) return BigInt.asIntN(bits, limit - 1n);
  return BigInt.asIntN(bits, number < -Number(limit) ? -limit : BigInt(Math.trunc(number)));
}

/** An int of mappings. */
export function intOf(value: unknown): number {
  if (isNumber(value)) return Number(castTo(32, value));
  return Number(parseWhole(textOf(value) ?? '', -0x8000_0000n, 0x7fff_ffffn));
}
