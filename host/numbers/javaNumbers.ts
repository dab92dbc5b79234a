/** Numbers as Java prints them. */

const SMALLEST_NORMAL = 2 ** -126;

/** A 32-bit float; prints its shortest digits, always with a fraction: `1.0`, `1.0781991`. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toJSON(): number {
    return this.value;
  }
}

/** A 64-bit float; prints as a Java double does, always with a fraction: `1.0`, `1.0E10`. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toJSON(): number {
    return this.value;
  }
}

/** The digits of a 32-bit float, as `Float.toString` of Java. */
export function floatText(value: number): string {
  const x = Math.fround(value);
  if (x === 0 || !Number.isFinite(x)) return special(x);
  const size = Math.abs(x);
  if (size >= 0.001 && size < 1e7) {
    const plain = plainText(size);
    if (plain !== undefined) return x < 0 ? `-${plain}` : plain;
  }
  // Six digits of a normal float always come back; a subnormal one may need fewer, Java writes two at least.
  let text = '';
  for (let precision = size < SMALLEST_NORMAL ? 2 : 6; precision <= 9; precision++) {
    text = size.toExponential(precision - 1);
    if (Math.fround(Number(text)) === size) break;
  }
  return written(text, x < 0);
}

/** The most bytes that {@link writeFloat} writes. */
export const MAX_FLOAT_TEXT = 24;
const POINT = 0x2e;
const MINUS = 0x2d;

/** Writes the digits of a 32-bit float, as {@link floatText} gives them; returns where they end, -1 for those that it must give. */
export function writeFloat(value: number, into: Uint8Array, at: number): number {
  const x = Math.fround(value);
  const size = Math.abs(x);
  if (!(size >= 0.001 && size < 1e7) || !findDigits(size)) return -1;
  let { whole, fraction, places } = digits;
  let end = at;
  if (x < 0) into[end++] = MINUS;
  let power = 1;
  while (whole >= power * 10) power *= 10;
  for (; power >= 1; power /= 10) {
    const digit = Math.floor(whole / power);
    into[end++] = ZERO + digit;
    whole -= digit * power;
  }
  into[end++] = POINT;
  end += places;
  for (let i = end; places > 0; places--) {
    const rest = Math.floor(fraction / 10);
    into[--i] = ZERO + (fraction - rest * 10);
    fraction = rest;
  }
  return end;
}

/** What {@link findDigits} finds: the whole part, the digits behind the point as a number, and how many they are. */
const digits = { whole: 0, fraction: 0, places: 1 };

const bits = new Float32Array(1);
const word = new Uint32Array(bits.buffer);
const MANTISSA = 0x7f_ffff;
const POWERS = Array.from({ length: 13 }, (_, i) => 10 ** i);
/** A product nearer than this to the middle between two integers may be on either side of it. */
const UNSURE = 1e-5;

/**
 * Sets {@link digits} to those of a float that is written without an exponent; false where it takes more care. Of a float that is as far
 * from the next smaller one as from the next larger one, as all but the powers of two are, more digits come back where fewer do; most
 * need eight.
 */
function findDigits(size: number): boolean {
  // No other number of so few digits is as near.
  if (Number.isInteger(size)) {
    digits.whole = size;
    digits.fraction = 0;
    digits.places = 1;
    return true;
  }
  bits[0] = size;
  if ((word[0]! & MANTISSA) === 0) return false;
  let places = 7;
  for (let power = 1; power <= 6 && size >= POWERS[power]!; power++) places--;
  for (let below = 1; size * below < 1; below *= 10) places++;
  let number = 0;
  let kept = -1;
  for (let tried = places; tried >= places - 2; tried--) {
    const next = nearest(size, POWERS[tried]!);
    if (next < 0) return false;
    if (Math.fround(next / POWERS[tried]!) !== size) break;
    number = next;
    kept = tried;
  }
  if (kept < 0) {
    kept = places + 1;
    number = nearest(size, POWERS[kept]!);
    if (number < 0) return false;
  }
  while (number % 10 === 0) {
    number /= 10;
    kept--;
  }
  digits.whole = Math.floor(number / POWERS[kept]!);
  digits.fraction = number - digits.whole * POWERS[kept]!;
  digits.places = kept;
  return true;
}

function plainText(size: number): string | undefined {
  if (!findDigits(size)) return undefined;
  const { whole, fraction, places } = digits;
  return `${whole}.${String(fraction).padStart(places, '0')}`;
}

/** A product, rounded; -1 where that can't be told from the product as it comes. */
function nearest(size: number, power: number): number {
  const product = size * power;
  const number = Math.round(product);
  return Math.abs(Math.abs(product - number) - 0.5) < UNSURE ? -1 : number;
}

/** The digits of a 64-bit float, as `Double.toString` of Java. */
export function doubleText(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return special(value);
  return written(Math.abs(value).toExponential(), value < 0);
}

function special(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

const ZERO = 0x30;

/** Digits with an exponent as Java writes them: without one from 0.001 up to ten million. */
function written(exponential: string, negative: boolean): string {
  const at = exponential.indexOf('e');
  let end = at;
  while (end > 1 && exponential.charCodeAt(end - 1) === ZERO) end--;
  const digits = exponential[0]! + exponential.slice(2, end);
  const exponent = Number(exponential.slice(at + 1));
  const sign = negative ? '-' : '';
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length > exponent + 1)
    return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.0`;
}

/** `(long)` of Java: without the fraction, bounded, no number is 0. */
export function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 2n ** 63n - 1n;
  if (value <= -(2 ** 63)) return -(2n ** 63n);
  return BigInt(Math.trunc(value));
}
