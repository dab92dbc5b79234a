/** Patterns of Java's DecimalFormat, such as `#,##0.00;(#)`: what they say of numbers. */

import { ElasticsearchError } from '../errors.js';

/** What stands before and behind the digits. */
export interface Affixes {
  prefix: string;
  suffix: string;
}

export interface DecimalPattern {
  positive: Affixes;
  negative: Affixes;
  minInteger: number;
  maxInteger: number;
  minFraction: number;
  maxFraction: number;
  /** Digits of a group; 0: there are none. */
  grouping: number;
  multiplier: number;
  /** Whether the point is shown where no fraction is. */
  alwaysPoint: boolean;
  /** Digits of an exponent at least; 0: there is none. */
  minExponent: number;
}

/** More digits no double has. */
const MANY = 1000;
/** Digits that Java prints of a double at most, before the point and behind it. */
const INTEGER_DIGITS = 309;
const FRACTION_DIGITS = 340;
const DIGITS = '#0,.';
const MULTIPLIERS: Record<string, number | undefined> = { '%': 100, '\u2030': 1000 };

/** 400, in Java's words. */
function refused(what: string, pattern: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', `${what} in pattern "${pattern}"`, {
    status: 400,
  });
}

function malformed(pattern: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', `Malformed pattern "${pattern}"`, {
    status: 400,
  });
}

/** How the digits of a pattern are counted. */
interface Counted {
  /** `#` before the first `0`. */
  left: number;
  zeros: number;
  /** `#` behind the last `0`. */
  right: number;
  /** Where the point is among them; -1: nowhere. */
  point: number;
  /** Digits behind the last comma; -1: there is none. */
  grouping: number;
  minExponent: number;
}

/** Reads a pattern as `DecimalFormat.applyPattern` does; throws what that throws. */
export function decimalPattern(pattern: string): DecimalPattern {
  if (pattern === '') {
    return shaped(
      { prefix: '', suffix: '', multiplier: 1 },
      undefined,
      { left: MANY, zeros: 0, right: 0, point: -1, grouping: -1, minExponent: 0 },
      MANY,
    );
  }
  const reader = new Reader(pattern);
  const positive = reader.affixes(true);
  const negative = reader.hasMore ? reader.affixes(false) : undefined;
  return shaped(positive, negative, reader.counted);
}

function shaped(
  { prefix, suffix, multiplier }: Affixes & { multiplier: number },
  given: Affixes | undefined,
  { left, zeros, right, point, grouping, minExponent }: Counted,
  fraction = 0,
): DecimalPattern {
  const total = left + zeros + right;
  const minInteger = (point >= 0 ? point : total) - left;
  const same = given === undefined || (given.prefix === prefix && given.suffix === suffix);
  return {
    positive: { prefix, suffix },
    negative: same ? { prefix: `-${prefix}`, suffix } : given,
    minInteger: Math.min(minInteger, INTEGER_DIGITS),
    maxInteger: minExponent > 0 ? left + minInteger : MANY,
    minFraction: point >= 0 ? Math.min(left + zeros - point, FRACTION_DIGITS) : 0,
    maxFraction: point >= 0 ? total - point : fraction,
    grouping: Math.max(grouping, 0),
    multiplier,
    alwaysPoint: point === 0 || point === total,
    minExponent,
  };
}

class Reader {
  readonly #pattern: string;
  #at = 0;
  counted: Counted = { left: 0, zeros: 0, right: 0, point: -1, grouping: -1, minExponent: 0 };
  /** Whether a second pattern follows. */
  hasMore = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** One of the two patterns: the first counts digits, the second says only what stands around them. */
  affixes(isFirst: boolean): Affixes & { multiplier: number } {
    let multiplier = 1;
    const times = (by: number) => {
      if (multiplier !== 1) throw refused('Too many percent/per mille characters', this.#pattern);
      multiplier = by;
    };
    this.hasMore = false;
    const prefix = this.#affix(isFirst, false, times);
    let suffix = '';
    // Digits go on behind other text.
    while (this.#at < this.#pattern.length && !this.hasMore) {
      if (isFirst) this.#digits();
      else this.#passDigits();
      suffix += this.#affix(isFirst, true, times);
    }
    if (isFirst) this.#check();
    return { prefix, suffix, multiplier };
  }

  /** Text up to the digits, or up to what separates the patterns. */
  #affix(isFirst: boolean, behind: boolean, times: (by: number) => void): string {
    const pattern = this.#pattern;
    let text = '';
    let quoted = false;
    while (this.#at < pattern.length) {
      const c = pattern[this.#at]!;
      if (c === "'") {
        const twice = pattern[this.#at + 1] === "'";
        if (twice) text += c;
        else quoted = !quoted;
        this.#at += twice ? 2 : 1;
        continue;
      }
      if (!quoted && DIGITS.includes(c)) return text;
      this.#at++;
      if (!quoted && c === ';') {
        if (!behind || !isFirst) throw refused(`Unquoted special character '${c}'`, pattern);
        this.hasMore = this.#at < pattern.length;
        return text;
      }
      const by = quoted ? undefined : MULTIPLIERS[c];
      if (by !== undefined) times(by);
      if (!quoted && c === '\u00a4' && pattern[this.#at] === c) {
        this.#at++;
        text += 'XXX';
      } else text += c;
    }
    if (quoted) throw malformed(pattern);
    return text;
  }

  #passDigits(): void {
    while (this.#at < this.#pattern.length && `${DIGITS}E`.includes(this.#pattern[this.#at]!)) this.#at++;
  }

  #digits(): void {
    const pattern = this.#pattern;
    const counted = this.counted;
    for (; this.#at < pattern.length; this.#at++) {
      const c = pattern[this.#at]!;
      if (c === '#' || c === '0') {
        if (c === '0') {
          if (counted.right > 0) throw refused("Unexpected '0'", pattern);
          counted.zeros++;
        } else if (counted.zeros > 0) counted.right++;
        else counted.left++;
        if (counted.grouping >= 0 && counted.point < 0) counted.grouping++;
      } else if (c === ',') counted.grouping = 0;
      else if (c === '.') {
        if (counted.point >= 0) throw refused('Multiple decimal separators', pattern);
        counted.point = counted.left + counted.zeros + counted.right;
      } else {
        if (c === 'E') this.#exponent();
        return;
      }
    }
  }

  #exponent(): void {
    if (this.counted.minExponent > 0) throw refused('Multiple exponential symbols', this.#pattern);
    const zeros = /E(0*)/y;
    zeros.lastIndex = this.#at;
    const found = zeros.exec(this.#pattern)![1]!.length;
    if (this.counted.left + this.counted.zeros < 1 || found < 1)
      throw new ElasticsearchError(
        'IllegalArgumentException',
        `Malformed exponential pattern "${this.#pattern}"`,
        { status: 400 },
      );
    this.counted.minExponent = found;
    this.#at += 1 + found;
  }

  #check(): void {
    const counted = this.counted;
    if (counted.zeros === 0 && counted.left > 0 && counted.point >= 0) {
      // "#.#" means "0.#", and ".#" means ".0".
      const n = Math.max(counted.point, 1);
      counted.right = counted.left - n;
      counted.left = n - 1;
      counted.zeros = 1;
    }
    const { left, zeros, right, point, grouping } = counted;
    const misplaced = point < 0 ? right > 0 : point < left || point > left + zeros;
    if (misplaced || grouping === 0) throw malformed(this.#pattern);
  }
}
