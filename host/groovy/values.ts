/** Values of scripts: those that Groovy makes of JSON, of numbers and of texts. */
import { doubleText } from '../numbers/javaNumbers.js';
import { GroovyError } from './tokens.js';

/** A whole number of 32 bits. */
export class Int {
  readonly value: number;

  constructor(value: number) {
    this.value = value | 0;
  }
}

/** A whole number of any length. */
export class BigWhole {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** `unscaled` divided by ten `scale` times, as Java's BigDecimal: what `1.5` is in Groovy. */
export class Decimal {
  readonly unscaled: bigint;
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    this.unscaled = unscaled;
    this.scale = scale;
  }
}

/** Numbers from one to another. */
export class Range {
  readonly from: number;
  readonly to: number;

  constructor(from: number, to: number) {
    this.from = from;
    this.to = to;
  }

  get size(): number {
    return Math.abs(this.to - this.from) + 1;
  }

  at(i: number): Int {
    return new Int(this.to < this.from ? this.from - i : this.from + i);
  }
}

/** Something of the host's that scripts may read: members have values, methods are called. */
export abstract class HostObject {
  /** As Java calls it. */
  abstract readonly type: string;
  /** What it is in JSON: its class's name. */
  get json(): Value {
    return this.type;
  }
  /** Undefined where there is no such member. */
  abstract member(name: string): Value | undefined;
  /** Undefined where there is no such method. */
  call(_name: string, _operands: readonly Value[]): Value | undefined {
    return undefined;
  }
}

/** Calls a closure. */
export type Closure = (operands: readonly Value[]) => Value;

/** A number of JavaScript is a double, one of its bigints a long. */
export type Value =
  | (null | boolean | string | number | bigint)
  | (Int | BigWhole | Decimal | Range | HostObject)
  | Value[]
  | Map<string, Value>
  | Closure;
export type NumberValue = Int | bigint | BigWhole | Decimal | number;

export function isNumberValue(value: Value): value is NumberValue {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Int ||
    value instanceof BigWhole ||
    value instanceof Decimal
  );
}

export function isWhole(value: Value): value is Int | bigint | BigWhole {
  return typeof value === 'bigint' || value instanceof Int || value instanceof BigWhole;
}

/** The name of a value's class. */
export function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Int) return 'java.lang.Integer';
  if (value instanceof BigWhole) return 'java.math.BigInteger';
  if (value instanceof Decimal) return 'java.math.BigDecimal';
  if (value instanceof Range) return 'groovy.lang.IntRange';
  if (value instanceof Map) return 'java.util.HashMap';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (value instanceof HostObject) return value.type;
  switch (typeof value) {
    case 'boolean':
      return 'java.lang.Boolean';
    case 'string':
      return 'java.lang.String';
    case 'number':
      return 'java.lang.Double';
    case 'bigint':
      return 'java.lang.Long';
    default:
      return 'groovy.lang.Closure';
  }
}

/** What Groovy takes for true. */
export function isTrue(value: Value): boolean {
  if (value === null || typeof value === 'boolean') return value === true;
  if (typeof value === 'string') return value !== '';
  if (isNumberValue(value)) return toDouble(value) !== 0;
  if (Array.isArray(value)) return value.length > 0;
  return value instanceof Map ? value.size > 0 : true;
}

/** A whole number as a bigint. */
export function bigOf(value: Int | bigint | BigWhole): bigint {
  if (typeof value === 'bigint') return value;
  return BigInt(value.value);
}

export function toDouble(value: NumberValue): number {
  if (typeof value === 'number') return value;
  if (value instanceof Decimal) return Number(decimalText(value));
  return value instanceof Int ? value.value : Number(bigOf(value));
}

/** A number without its fraction. */
export function truncated(value: NumberValue): bigint {
  if (value instanceof Decimal) {
    const { unscaled, scale } = value;
    return scale >= 0 ? unscaled / 10n ** BigInt(scale) : unscaled * 10n ** BigInt(-scale);
  }
  if (typeof value !== 'number') return bigOf(value);
  if (Number.isNaN(value)) return 0n;
  const bounded = Math.min(Math.max(value, -(2 ** 63)), 2 ** 63);
  const whole = BigInt(Math.trunc(bounded));
  return whole === 1n << 63n ? whole - 1n : whole;
}

export function toInt(value: NumberValue): Int {
  if (typeof value === 'number') return new Int(Number(clamp(truncated(value), 31n)));
  return new Int(Number(BigInt.asIntN(32, truncated(value))));
}

export function toLongValue(value: NumberValue): bigint {
  return BigInt.asIntN(64, truncated(value));
}

function clamp(value: bigint, bits: bigint): bigint {
  const most = 1n << bits;
  return value >= most ? most - 1n : value < -most ? -most : value;
}

/** The smallest kind of whole number that holds a value. */
export function wholeOf(value: bigint): Int | bigint | BigWhole {
  if (BigInt.asIntN(32, value) === value) return new Int(Number(value));
  return BigInt.asIntN(64, value) === value ? value : new BigWhole(value);
}

/** Digits with a fraction or an exponent, as `new BigDecimal(text)` reads them. */
export function decimalOf(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  if (whole + fraction === '') throw new GroovyError('NumberFormatException', text);
  const power = Number(exponent);
  if (Math.abs(power) > MOST_DIGITS)
    throw new GroovyError('ArithmeticException', `the exponent of ${text} is too large`);
  const digits = BigInt(whole + fraction);
  return new Decimal(sign === '-' ? -digits : digits, fraction.length - power);
}

/** Numbers with more digits are refused. */
export const MOST_DIGITS = 1000;

/** As `BigDecimal.toString`. */
export function decimalText({ unscaled, scale }: Decimal): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString();
  if (scale === 0) return sign + digits;
  const exponent = digits.length - 1 - scale;
  if (scale >= 0 && exponent >= -6) {
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  }
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${sign}${mantissa}E${exponent >= 0 ? '+' : ''}${exponent}`;
}

/** Texts and lists deeper than this are refused. */
const MOST_DEPTH = 200;

/** A value as Groovy writes it into a text. */
export function textOf(value: Value, depth = 0): string {
  if (depth > MOST_DEPTH) throw new GroovyError('StackOverflowError', 'a value of too many levels');
  if (value === null) return 'null';
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Int) return String(value.value);
  if (value instanceof BigWhole) return value.value.toString();
  if (value instanceof Decimal) return decimalText(value);
  if (value instanceof Range) return `${value.from}..${value.to}`;
  if (Array.isArray(value)) return `[${value.map((each) => textOf(each, depth + 1)).join(', ')}]`;
  if (value instanceof Map) {
    if (value.size === 0) return '[:]';
    return `[${[...value].map(([key, each]) => `${key}:${textOf(each, depth + 1)}`).join(', ')}]`;
  }
  if (value instanceof HostObject || typeof value === 'function') return typeOf(value);
  return String(value);
}

/** The elements of what can be walked over. */
export function elementsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Range) return Array.from({ length: value.size }, (_, i) => value.at(i));
  return undefined;
}
