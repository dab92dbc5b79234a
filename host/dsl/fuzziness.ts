/** How far a fuzzy word may be off: a number of edits, a similarity below 1, or `AUTO`. */

import { numberFormat } from '../errors.js';
import { castTo, floatOf, textOf } from '../mapping/values.js';

export type Fuzziness = number | string;

const MAX_EDITS = 2;

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
  const amount = floatOf(fuzziness);
  if (amount >= 1) return Math.trunc(Math.min(amount, MAX_EDITS));
  if (amount === 0) return 0;
  return Math.min(Math.trunc((1 - amount) * length), MAX_EDITS);
}

/** As a similarity between 0 and 1 or a number of edits: what `query_string` keeps for `word~`. */
export function similarityOf(fuzziness: Fuzziness): number {
  return isAuto(fuzziness) ? 0.5 : floatOf(fuzziness);
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
