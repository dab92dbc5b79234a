/** Ranges of terms: their bytes and their text. */

import { RangeFlag } from '../core/abi/plan.js';
import type { PlanBytes } from '../core/planBytes.js';
import { termText } from './termText.js';

/** A range of terms in the order of their bytes; a bound that is undefined is open. */
export interface TermRange {
  lower?: Uint8Array | undefined;
  upper?: Uint8Array | undefined;
  includeLower: boolean;
  includeUpper: boolean;
}

const EMPTY = new Uint8Array();

export function writeRange(out: PlanBytes, bounds: TermRange): void {
  out.u8(
    (bounds.lower === undefined ? 0 : RangeFlag.lower) |
      (bounds.includeLower ? RangeFlag.lowerIncluded : 0) |
      (bounds.upper === undefined ? 0 : RangeFlag.upper) |
      (bounds.includeUpper ? RangeFlag.upperIncluded : 0),
  );
  out.term(bounds.lower ?? EMPTY);
  out.term(bounds.upper ?? EMPTY);
}

/** A range of texts. */
export function rangeText({ lower, upper, includeLower, includeUpper }: TermRange): string {
  return boundsText(
    lower === undefined ? undefined : termText(lower),
    upper === undefined ? undefined : termText(upper),
    includeLower,
    includeUpper,
  );
}

/** `[a TO b}`; an open bound is a star. */
export function boundsText(
  lower: string | undefined,
  upper: string | undefined,
  includeLower: boolean,
  includeUpper: boolean,
): string {
  const star = (text: string | undefined) => (text === '*' ? '\\*' : (text ?? '*'));
  return `${includeLower ? '[' : '{'}${star(lower)} TO ${star(upper)}${includeUpper ? ']' : '}'}`;
}
