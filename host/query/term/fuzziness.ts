/** How far a fuzzy word may be off: a number of edits, a similarity below 1, or `AUTO`. */

import { illegalArgument, numberFormat } from '../../errors.js';
import { castTo, floatOf, textOf } from '../../json/values.js';

export type Fuzziness = number | string;

const MAX_EDITS = 2;
/** What edits are edits of, where no word is at hand. */
const AVERAGE_LENGTH = 5;

/** The value of a `fuzziness` option: a number, or a text that is read when a word is at hand. */
export function readFuzziness(value: unknown): Fuzziness {
  return typeof value === 'number' ? value : (textOf(value) ?? '');
}

function isAuto(fuzziness: Fuzziness): boolean {
  return typeof fuzziness === 'string' && fuzziness.toUpperCase() === 'AUTO';
}

/** The edits that a word of text may have. */
export function editsOf(fuzziness: Fuzziness, word: string): number {
  const length = [...word].length;
  if (isAuto(fuzziness)) return length <= 2 ? 0 : length <= 5 ? 1 : 2;
  const amount = Math.fround(floatOf(fuzziness));
  if (amount >= 1) return Math.trunc(Math.min(amount, MAX_EDITS));
  if (amount === 0) return 0;
  return Math.min(Math.trunc((1 - amount) * length), MAX_EDITS);
}

/** As a similarity below 1, where no word is at hand: edits are those of a word of average length. */
export function similarityOf(fuzziness: Fuzziness): number {
  if (isAuto(fuzziness)) return Math.fround(0.66);
  const text = String(fuzziness);
  if (/^\+?0*[012]$/.test(text)) {
    return Math.min(Math.fround(0.999), Math.fround(1 - Math.fround(Number(text) / AVERAGE_LENGTH)));
  }
  const value = Math.fround(floatOf(text));
  if (value >= 0 && value < 1) return value;
  throw illegalArgument(`Can't get similarity from fuzziness [${text}]`);
}

/** As an amount that a long may be off by. */
export function longAmountOf(fuzziness: Fuzziness): bigint {
  const text = String(fuzziness);
  return /^[+-]?\d{1,18}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : castTo(64, amountOf(fuzziness));
}

/** As an amount that a number may be off by. */
export function amountOf(fuzziness: Fuzziness): number {
  if (isAuto(fuzziness)) return 1;
  const text = String(fuzziness);
  const amount = Number(text.trim());
  if (text.trim() === '' || Number.isNaN(amount)) throw numberFormat(text);
  return amount;
}
