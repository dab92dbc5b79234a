/** Numbers as Java prints them. */

const SMALLEST_NORMAL = 2 ** -126;

/** The digits of a 32-bit float, as `Float.toString` of Java. */
export function floatText(value: number): string {
  const x = Math.fround(value);
  if (x === 0 || !Number.isFinite(x)) return special(x);
  // Six digits of a normal float always come back; a subnormal one may need fewer, Java writes two at least.
  const least = Math.abs(x) < SMALLEST_NORMAL ? 2 : 6;
  let text = '';
  for (let precision = least; precision <= 9; precision++) {
    text = Math.abs(x).toExponential(precision - 1);
    if (Math.fround(Number(text)) === Math.abs(x)) break;
  }
  return written(text, x < 0);
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

/** Digits with an exponent as Java writes them: without one from 0.001 up to ten million. */
function written(exponential: string, negative: boolean): string {
  const at = exponential.indexOf('e');
  const digits = exponential.slice(0, at).replace('.', '').replace(/0+$/, '');
  const exponent = Number(exponential.slice(at + 1));
  const sign = negative ? '-' : '';
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
