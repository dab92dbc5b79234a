/** Operators over values, as Groovy 2.4 carries them out: whole numbers stay whole but for division, which makes decimals. */

import type { BinaryOperator } from './syntax.js';
import { GroovyError } from './tokens.js';
import {
  BigWhole,
  bigOf,
  Decimal,
  decimalText,
  elementsOf,
  Int,
  isNumberValue,
  isWhole,
  MOST_DIGITS,
  type NumberValue,
  textOf,
  toDouble,
  truncated,
  typeOf,
  type Value,
  wholeOf,
} from './values.js';

type Arithmetic = '+' | '-' | '*' | '/' | '%' | '**';

/** Digits that a division has beyond those of its operands where it has no end, and behind the point at least. */
const EXTRA_DIGITS = 10;

export function missingMethod(name: string, object: Value, operands: readonly Value[]): GroovyError {
  const types = operands.map((each) => typeOf(each)).join(', ');
  const values = operands
    .map((each) => (typeof each === 'function' ? 'a closure' : textOf(each)).slice(0, 60))
    .join(', ');
  return new GroovyError(
    'MissingMethodException',
    `No signature of method: ${typeOf(object)}.${name}() is applicable for argument types: (${types}) values: [${values}]`,
  );
}

const METHODS: Readonly<Record<Arithmetic, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'multiply',
  '/': 'div',
  '%': 'mod',
  '**': 'power',
};

export function arithmetic(operator: Arithmetic, left: NumberValue, right: NumberValue): NumberValue {
  if (operator === '**') return power(left, right);
  if (typeof left === 'number' || typeof right === 'number')
    return doubles(operator, toDouble(left), toDouble(right));
  if (operator === '/') return divide(toDecimal(left), toDecimal(right));
  if (left instanceof Decimal || right instanceof Decimal)
    return decimals(operator, toDecimal(left), toDecimal(right));
  const [a, b] = [bigOf(left), bigOf(right)];
  if (operator === '%' && b === 0n) throw new GroovyError('ArithmeticException', '/ by zero');
  const value = operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : a % b;
  if (left instanceof BigWhole || right instanceof BigWhole) return bounded(value);
  // As in Java numbers that have become too large begin anew.
  if (typeof left === 'bigint' || typeof right === 'bigint') return BigInt.asIntN(64, value);
  return new Int(Number(BigInt.asIntN(32, value)));
}

function bounded(value: bigint): BigWhole {
  if (value.toString(16).length > MOST_DIGITS) throw tooLong();
  return new BigWhole(value);
}

function tooLong(): GroovyError {
  return new GroovyError('ArithmeticException', `a number of more than ${MOST_DIGITS} digits`);
}

function doubles(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return a % b;
  }
}

export function toDecimal(value: NumberValue): Decimal {
  if (value instanceof Decimal) return value;
  if (isWhole(value)) return new Decimal(bigOf(value), 0);
  throw new GroovyError('NumberFormatException', 'a double is no decimal');
}

/** Both with as many digits behind the point. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.unscaled * ten(scale - a.scale), b.unscaled * ten(scale - b.scale), scale];
}

function ten(power: number): bigint {
  if (power > MOST_DIGITS) throw tooLong();
  return 10n ** BigInt(power);
}

function decimals(operator: Arithmetic, a: Decimal, b: Decimal): Decimal {
  if (operator === '*') return checked(new Decimal(a.unscaled * b.unscaled, a.scale + b.scale));
  const [left, right, scale] = aligned(a, b);
  if (operator === '+') return checked(new Decimal(left + right, scale));
  if (operator === '-') return checked(new Decimal(left - right, scale));
  const detail = 'Cannot use mod() on this number type: java.math.BigDecimal';
  throw new GroovyError('UnsupportedOperationException', detail);
}

function checked(value: Decimal): Decimal {
  if (digitsOf(value.unscaled) > MOST_DIGITS) throw tooLong();
  return value;
}

function digitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}

/** The exact quotient where it has an end; else one of ten digits more than the operands have. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.unscaled === 0n) throw new GroovyError('ArithmeticException', 'Division by zero');
  const preferred = a.scale - b.scale;
  const exact = exactQuotient(a.unscaled, b.unscaled, preferred);
  if (exact !== undefined) return exact;
  const precision = Math.max(digitsOf(a.unscaled), digitsOf(b.unscaled)) + EXTRA_DIGITS;
  // One digit more than is wanted, and whether anything is left.
  let scale = precision + digitsOf(b.unscaled) - digitsOf(a.unscaled) + 1;
  let quotient = rounded(a.unscaled * ten(Math.max(0, scale)), b.unscaled * ten(Math.max(0, -scale)));
  const over = digitsOf(quotient) - precision;
  if (over > 0) {
    quotient = rounded(
      a.unscaled * ten(Math.max(0, scale - over)),
      b.unscaled * ten(Math.max(0, over - scale)),
    );
    scale -= over;
  }
  const result = new Decimal(quotient, scale + preferred);
  const most = Math.max(a.scale, b.scale, EXTRA_DIGITS);
  return result.scale > most ? setScale(result, most) : result;
}

function exactQuotient(a: bigint, b: bigint, preferred: number): Decimal | undefined {
  let divisor = b < 0n ? -b : b;
  const dividend = a < 0n ? -a : a;
  divisor /= gcd(dividend, divisor);
  let [twos, fives] = [0, 0];
  for (; divisor % 2n === 0n; divisor /= 2n) twos++;
  for (; divisor % 5n === 0n; divisor /= 5n) fives++;
  if (divisor !== 1n) return undefined;
  // So many digits are needed behind the point of the quotient.
  const digits = Math.max(twos, fives);
  let unscaled = (a * ten(digits)) / b;
  let scale = preferred + digits;
  for (; scale > preferred && unscaled % 10n === 0n; scale--) unscaled /= 10n;
  return new Decimal(unscaled, scale);
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** A quotient with its half away from zero. */
function rounded(a: bigint, b: bigint): bigint {
  const negative = a < 0n !== b < 0n;
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const value = (2n * x + y) / (2n * y);
  return negative ? -value : value;
}

/** A decimal with so many digits behind the point, half away from zero. */
export function setScale(value: Decimal, scale: number): Decimal {
  const less = value.scale - scale;
  if (less <= 0) return new Decimal(value.unscaled * ten(-less), scale);
  return new Decimal(rounded(value.unscaled, ten(less)), scale);
}

function power(base: NumberValue, exponent: NumberValue): NumberValue {
  const isExact = isWhole(exponent) && bigOf(exponent) >= 0n && typeof base !== 'number';
  if (!isExact) return narrowed(toDouble(base) ** toDouble(exponent), base, exponent);
  const times = bigOf(exponent);
  const digits = base instanceof Decimal ? digitsOf(base.unscaled) : digitsOf(bigOf(base));
  if (times * BigInt(digits) > BigInt(MOST_DIGITS)) throw tooLong();
  if (base instanceof Decimal) return new Decimal(base.unscaled ** times, base.scale * Number(times));
  return wholeOf(bigOf(base) ** times);
}

/** A power of whole numbers that is whole is one of them. */
function narrowed(value: number, base: NumberValue, exponent: NumberValue): NumberValue {
  if (typeof base === 'number' || typeof exponent === 'number' || !Number.isInteger(value)) return value;
  return Math.abs(value) < 2 ** 53 ? wholeOf(BigInt(value)) : value;
}

/** Less than 0, 0 or more; undefined where values can't be compared. */
function compared(left: Value, right: Value): number | undefined {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  if (isNumberValue(left) && isNumberValue(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  return undefined;
}

function compareNumbers(left: NumberValue, right: NumberValue): number {
  if (typeof left === 'number' || typeof right === 'number') {
    const [a, b] = [toDouble(left), toDouble(right)];
    // As Double.compare: no number is greater than all.
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const [a, b] = aligned(toDecimal(left), toDecimal(right));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of two values; refused where they have none. */
export function compare(left: Value, right: Value): number {
  const order = compared(left, right);
  if (order !== undefined) return order;
  throw new GroovyError(
    'IllegalArgumentException',
    `Cannot compare ${typeOf(left)} with value '${textOf(left).slice(0, 60)}' and ${typeOf(right)} with value '${textOf(right).slice(0, 60)}'`,
  );
}

/** What `==` says. */
export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left === null || right === null) return false;
  if (left instanceof Map && right instanceof Map)
    return (
      left.size === right.size &&
      [...left].every(([key, value]) => right.has(key) && isEqual(value, right.get(key)!))
    );
  const [a, b] = [elementsOf(left), elementsOf(right)];
  if (a !== undefined && b !== undefined)
    return a.length === b.length && a.every((each, i) => isEqual(each, b[i]!));
  return compared(left, right) === 0;
}

/** Whether the right value is in the left one, as `in` and `contains` say. */
export function holds(list: Value, value: Value): boolean {
  if (list === null) return value === null;
  if (list instanceof Map) return typeof value === 'string' && list.has(value);
  const elements = elementsOf(list);
  return elements === undefined ? isEqual(list, value) : elements.some((each) => isEqual(each, value));
}

/** An operator of two values. */
export function operate(operator: BinaryOperator, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return compare(left, right) < 0;
    case '<=':
      return compare(left, right) <= 0;
    case '>':
      return compare(left, right) > 0;
    case '>=':
      return compare(left, right) >= 0;
    case '<=>':
      return new Int(Math.sign(compare(left, right)));
    case 'in':
      return holds(right, left);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '**':
      if (left !== null && right !== null && isNumberValue(left) && isNumberValue(right))
        return arithmetic(operator, left, right);
      return other(operator, left, right);
    case '&':
    case '|':
    case '^':
      return bits(operator, left, right);
    default:
      return shift(operator as '<<' | '>>' | '>>>', left, right);
  }
}

/** Operators over texts, lists and maps. */
function other(operator: Arithmetic, left: Value, right: Value): Value {
  if (left === null)
    throw new GroovyError('NullPointerException', `Cannot execute null${operator}${textOf(right)}`);
  if (operator === '+') {
    if (typeof left === 'string') return left + textOf(right);
    const elements = elementsOf(left);
    if (elements !== undefined) return [...elements, ...(elementsOf(right) ?? [right])];
    if (left instanceof Map && right instanceof Map) return new Map([...left, ...right]);
    if (typeof right === 'string') return textOf(left) + right;
  } else if (operator === '-') {
    if (typeof left === 'string') {
      const gone = textOf(right);
      const at = left.indexOf(gone);
      return at < 0 ? left : left.slice(0, at) + left.slice(at + gone.length);
    }
    const elements = elementsOf(left);
    const taken = elementsOf(right) ?? [right];
    if (elements !== undefined) return elements.filter((each) => !taken.some((gone) => isEqual(each, gone)));
  } else if (operator === '*' && right !== null && isWhole(right)) {
    const times = Number(bigOf(right));
    if (times < 0)
      throw new GroovyError(
        'IllegalArgumentException',
        `multiply() should be called with a number of 0 or greater not: ${times}`,
      );
    if (typeof left === 'string' || Array.isArray(left)) return repeated(left, times);
  }
  throw missingMethod(METHODS[operator], left, [right]);
}

/** Most elements or letters that a value may be repeated to. */
const MOST_REPEATED = 100_000;

function repeated(value: string | Value[], times: number): Value {
  if (value.length * times > MOST_REPEATED)
    throw new GroovyError('OutOfMemoryError', 'a value is repeated too often');
  if (typeof value === 'string') return value.repeat(times);
  return Array.from({ length: times }, () => value).flat();
}

function bits(operator: '&' | '|' | '^', left: Value, right: Value): Value {
  if (typeof left === 'boolean' && typeof right === 'boolean')
    return operator === '&' ? left && right : operator === '|' ? left || right : left !== right;
  if (!isWhole(left) || !isWhole(right))
    throw missingMethod({ '&': 'and', '|': 'or', '^': 'xor' }[operator], left, [right]);
  const [a, b] = [bigOf(left), bigOf(right)];
  return sized(operator === '&' ? a & b : operator === '|' ? a | b : a ^ b, left, right);
}

/** A whole number of the kind that the wider operand is. */
function sized(value: bigint, left: Value, right: Value): Value {
  if (left instanceof BigWhole || right instanceof BigWhole) return bounded(value);
  if (typeof left === 'bigint' || typeof right === 'bigint') return BigInt.asIntN(64, value);
  return new Int(Number(BigInt.asIntN(32, value)));
}

function shift(operator: '<<' | '>>' | '>>>', left: Value, right: Value): Value {
  if (operator === '<<' && Array.isArray(left)) {
    left.push(right);
    return left;
  }
  if (operator === '<<' && typeof left === 'string') return left + textOf(right);
  if (!isWhole(left) || !isWhole(right) || left instanceof BigWhole)
    throw missingMethod(
      { '<<': 'leftShift', '>>': 'rightShift', '>>>': 'rightShiftUnsigned' }[operator],
      left,
      [right],
    );
  const width = left instanceof Int ? 32 : 64;
  const places = BigInt.asUintN(width === 32 ? 5 : 6, bigOf(right));
  const value = bigOf(left);
  const moved =
    operator === '<<'
      ? value << places
      : (operator === '>>' ? value : BigInt.asUintN(width, value)) >> places;
  return sized(moved, left, left);
}

/** What a sign makes of a number. */
export function negated(value: Value): Value {
  if (typeof value === 'number') return -value;
  if (value instanceof Decimal) return new Decimal(-value.unscaled, value.scale);
  if (isWhole(value)) return sized(-bigOf(value), value, value);
  throw missingMethod('negative', value, []);
}

/** A number whose bits are the other ones. */
export function inverted(value: Value): Value {
  if (isWhole(value)) return sized(~bigOf(value), value, value);
  throw missingMethod('bitwiseNegate', value, []);
}

/** A number rounded to a whole one, half up, as `Math.round`. */
export function roundedNumber(value: NumberValue): bigint {
  if (typeof value === 'number') return truncated(Math.floor(value + 0.5));
  return value instanceof Decimal ? BigInt(decimalText(setScale(value, 0))) : bigOf(value);
}
