/** Numbers out of texts, as Java reads them. */
import { GroovyError } from './tokens.js';
import { Int, type Value } from './values.js';

export function wholeFrom(value: string, bits: number): Value {
  const trimmed = value.trim();
  if (!/^[-+]?\d{1,19}$/.test(trimmed)) throw notNumber(value);
  const found = BigInt(trimmed);
  if (BigInt.asIntN(bits, found) !== found) throw notNumber(value);
  return bits === 32 ? new Int(Number(found)) : found;
}

export function doubleFrom(value: string): number {
  const trimmed = value.trim();
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(trimmed)) throw notNumber(value);
  return Number(trimmed);
}

function notNumber(value: string): GroovyError {
  return new GroovyError('NumberFormatException', `For input string: "${value}"`);
}
