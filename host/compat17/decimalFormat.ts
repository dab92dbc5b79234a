/** Numbers as Java's DecimalFormat prints them, without a locale. */

import { type DecimalPattern, decimalPattern } from './decimalPattern.js';

/** The digits of a number, 0.d1d2d3… times a power of ten. Without digits it is zero. */
interface Decimal {
  digits: string;
  power: number;
}

export class DecimalFormat {
  readonly #pattern: DecimalPattern;

  /** Throws Java's IllegalArgumentException for what is no pattern. */
  constructor(pattern: string) {
    this.#pattern = decimalPattern(pattern);
  }

  /** A long is a bigint, which has all its digits. */
  print(given: number | bigint): string {
    if (Number.isNaN(given)) return 'NaN';
    const { positive, negative, multiplier, minExponent, maxInteger, maxFraction } = this.#pattern;
    const value = typeof given === 'bigint' ? given * BigInt(multiplier) : given * multiplier;
    const { prefix, suffix } = value < 0 || Object.is(value, -0) ? negative : positive;
    const size = value < 0 ? -value : value;
    if (size === Number.POSITIVE_INFINITY) return `${prefix}\u221e${suffix}`;
    const decimal = typeof size === 'bigint' ? digitsOf(size) : shortest(size);
    const body =
      minExponent > 0
        ? this.#scientific(rounded(decimal, maxInteger + maxFraction, size))
        : this.#plain(rounded(decimal, decimal.power + maxFraction, size));
    return prefix + body + suffix;
  }

  #plain({ digits, power }: Decimal): string {
    const { minInteger, minFraction, grouping, alwaysPoint } = this.#pattern;
    const whole = power > 0 ? digits.slice(0, power).padEnd(power, '0') : '';
    const fraction = power > 0 ? digits.slice(power) : digits === '' ? '' : '0'.repeat(-power) + digits;
    let front = grouped(whole.padStart(minInteger, '0'), grouping);
    const back = fraction.padEnd(minFraction, '0');
    if (front === '' && back === '') front = '0';
    return front + (back !== '' || alwaysPoint ? `.${back}` : '');
  }

  #scientific({ digits, power }: Decimal): string {
    const { minInteger, maxInteger, minFraction, minExponent, alwaysPoint } = this.#pattern;
    const repeats = maxInteger > 1 && maxInteger > minInteger;
    const zero = digits === '';
    let exponent = zero ? 0 : power - minInteger;
    if (repeats && !zero)
      exponent = Math.trunc((power >= 1 ? power - 1 : power - maxInteger) / maxInteger) * maxInteger;
    const whole = zero ? (repeats ? 1 : minInteger) : power - exponent;
    const shown = digits.padEnd(Math.max(minInteger + minFraction, whole), '0');
    const fraction = shown.slice(whole);
    const point = fraction !== '' || alwaysPoint ? '.' : '';
    const size = String(Math.abs(exponent)).padStart(minExponent, '0');
    return `${shown.slice(0, whole)}${point}${fraction}E${exponent < 0 ? '-' : ''}${size}`;
  }
}

function digitsOf(size: bigint): Decimal {
  const text = String(size);
  return trimmed(text, text.length);
}

/** The fewest digits that mean this number. */
function shortest(size: number): Decimal {
  if (size === 0) return { digits: '', power: 0 };
  const [mantissa = '', exponent = ''] = size.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), power: Number(exponent) + 1 };
}

/** So many digits of a number; half of the last one goes to the even digit, where it is a half to the last bit. */
function rounded({ digits, power }: Decimal, most: number, size: number | bigint): Decimal {
  if (most >= digits.length) return { digits, power };
  if (most < 0 || !roundsUp(digits, most, size)) return trimmed(digits.slice(0, Math.max(most, 0)), power);
  const up = String(BigInt(`0${digits.slice(0, most)}`) + 1n).padStart(most, '0');
  return trimmed(up, up.length > most ? power + 1 : power);
}

function roundsUp(digits: string, most: number, size: number | bigint): boolean {
  const next = digits.charCodeAt(most) - 48;
  if (next !== 5 || digits.length > most + 1) return next >= 5;
  // The shortest digits end in the five: the number itself may lie beside them.
  const exact = BigInt(
    (typeof size === 'bigint' ? digits : size.toPrecision(100))
      .replace(/e.*$/, '')
      .replace(/^[0.]+|\./g, '')
      .padEnd(100, '0'),
  );
  const half = BigInt(digits.padEnd(100, '0'));
  if (exact !== half) return exact > half;
  return most > 0 && digits.charCodeAt(most - 1) % 2 !== 0;
}

function trimmed(digits: string, power: number): Decimal {
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? { digits: '', power: 0 } : { digits: kept, power };
}

function grouped(whole: string, size: number): string {
  if (size === 0) return whole;
  let out = '';
  for (let i = 0; i < whole.length; i++) {
    if (i > 0 && (whole.length - i) % size === 0) out += ',';
    out += whole[i];
  }
  return out;
}
