/**
 * JSON values read the way Java and Elasticsearch 1.x read them: texts to numbers, anything to booleans, scalars to
 * text. Numbers that JSON.parse would spoil come as {@link RawNumber}.
 */

import { ElasticsearchError, jsonParse, numberFormat } from '../errors.js';
import { isFalse } from './javaBooleans.js';

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

/** A number of a document with its digits kept. */
export class RawNumber {
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
}

/** Parses JSON that is known to be well-formed and keeps the digits of its numbers. */
export function parseKeepingDigits(json: string): unknown {
  // A number can't stand inside a string here: strings are matched first.
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"')
      ? token.startsWith('"\\u0000#')
        ? `"\\u0000${token.slice(1)}`
        : token
      : `"\\u0000#${token}"`,
  );
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string' || value.charCodeAt(0) !== 0) return value;
    if (value.startsWith('\0#')) return new RawNumber(value.slice(2));
    return value.startsWith('\0\0#') ? value.slice(1) : value;
  });
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

/** A value of a mapping as Java prints maps and lists. */
export function javaText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
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
  if (!Number.isInteger(number)) return 'java.lang.Double';
  return number === Math.trunc(number | 0) ? 'java.lang.Integer' : 'java.lang.Long';
}

/** A number as it was probably written: JavaScript and Java differ only in far exponents. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** `false`, `0`, `off`, `no`, `F` and the empty text are false, everything else is true. */
export function booleanOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Math.trunc(value) !== 0;
  if (value instanceof RawNumber) return Math.trunc(Number(value.text)) !== 0;
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

const FRACTION = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

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
  if (typeof value === 'number') return value;
  return value instanceof RawNumber ? Number(value.text) : parseFraction(textOf(value) ?? '');
}

/** A value of settings or queries as a float; `fail` is told of what is none. */
export function floatOf(value: unknown): number {
  return Math.fround(typeof value === 'number' ? value : parseFraction(textOf(value) ?? ''));
}

/** A float of a request body. */
export function strictFloatOf(value: unknown): number {
  refuseBoolean(value);
  return floatOf(value);
}

/** A boolean of a request body is no number to its parser; those of mappings are texts. */
export function refuseBoolean(value: unknown): void {
  if (typeof value !== 'boolean') return;
  const token = value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  throw jsonParse(`Current token (${token}) not numeric, can not use numeric value accessors`);
}

/** An int of a request body: unlike those of mappings it is not cut to 32 bits but refused. */
export function strictIntOf(value: unknown): number {
  refuseBoolean(value);
  if (typeof value === 'number' && !(Math.abs(Math.trunc(value)) <= 0x7fff_ffff)) {
    throw jsonParse(`Numeric value (${value}) out of range of int (-2147483648 - 2147483647)`);
  }
  return intOf(value);
}

/** A long of a request body: fractions are cut, texts must be whole. */
export function longOf(value: unknown): bigint {
  if (typeof value === 'boolean') throw numberFormat(String(value));
  if (typeof value === 'number') return BigInt(Math.trunc(value));
  if (value instanceof RawNumber && !value.isWhole) return BigInt(Math.trunc(Number(value.text)));
  return BigInt(parseWhole(textOf(value) ?? '', -(2n ** 63n), 2n ** 63n - 1n));
}

/** An int of mappings. */
export function intOf(value: unknown): number {
  if (typeof value === 'number') return Math.trunc(value) | 0;
  return Number(parseWhole(textOf(value) ?? '', -0x8000_0000n, 0x7fff_ffffn));
}
