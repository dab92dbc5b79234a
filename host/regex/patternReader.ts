/** A pattern's code points, one after the other, as the parser needs them. */
import { syntaxError } from './errors.js';
import { Flag } from './flags.js';

/** Set on what stands between `\Q` and `\E`: such a code point is no syntax. */
const QUOTED = 1 << 24;
/** What is read behind the end. */
export const END = -1;

export const code = (text: string): number => text.codePointAt(0)!;

/** The code point of a literal, quoted or not. */
export const unquoted = (c: number): number => c & ~QUOTED;

export const isAsciiLetter = (c: number): boolean => (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
export const isDigit = (c: number): boolean => c >= 48 && c <= 57;

/** A cursor over a pattern. */
export class PatternReader {
  readonly pattern: string;
  readonly #codes: readonly number[];
  /** Which flags hold here: the reader skips blanks and comments where COMMENTS does. */
  flags: number;
  /** The index, in code points, of what comes next. */
  at = 0;

  constructor(pattern: string, flags: number) {
    this.pattern = pattern;
    this.flags = flags;
    this.#codes = (flags & Flag.literal) !== 0 ? allQuoted(pattern) : withoutQuotes(pattern);
  }

  get length(): number {
    return this.#codes.length;
  }

  /** What comes next, or {@link END}, after blanks and comments where they don't count. */
  peek(): number {
    if ((this.flags & Flag.comments) !== 0) this.#skipBlanks();
    return this.#codes[this.at] ?? END;
  }

  /** What stands right here plus so many places, blank or not. */
  peekRaw(ahead = 0): number {
    return this.#codes[this.at + ahead] ?? END;
  }

  /** Takes what stands right here, blank or not; the cursor goes on even at the end. */
  take(): number {
    return this.#codes[this.at++] ?? END;
  }

  /** Takes `wanted` if it comes next. */
  accept(wanted: string): boolean {
    if (this.peek() !== code(wanted)) return false;
    this.at++;
    return true;
  }

  /** The text of `first..end`, for names. */
  text(first: number, end: number): string {
    return this.#codes
      .slice(first, end)
      .map((c) => String.fromCodePoint(unquoted(c)))
      .join('');
  }

  /** The error that something is wrong at an index. */
  error(what: string, index: number) {
    return syntaxError(this.pattern, what, index);
  }

  #skipBlanks(): void {
    for (;;) {
      const c = this.#codes[this.at] ?? END;
      if (c === 32 || (c >= 9 && c <= 13)) {
        this.at++;
      } else if (c === code('#')) {
        while (this.at < this.#codes.length && !this.#endsLine(this.#codes[this.at]!)) this.at++;
      } else {
        return;
      }
    }
  }

  #endsLine(c: number): boolean {
    if ((this.flags & Flag.unixLines) !== 0) return c === 10;
    return c === 10 || c === 13 || c === 0x85 || c === 0x2028 || c === 0x2029;
  }
}

function allQuoted(text: string): number[] {
  return Array.from(text, (c) => code(c) | QUOTED);
}

/** The code points without `\Q` and `\E`, what stood between them marked. */
function withoutQuotes(pattern: string): number[] {
  const out: number[] = [];
  for (let at = 0; at < pattern.length; ) {
    if (pattern.startsWith('\\Q', at)) {
      const end = pattern.indexOf('\\E', at + 2);
      out.push(...allQuoted(pattern.slice(at + 2, end < 0 ? pattern.length : end)));
      at = end < 0 ? pattern.length : end + 2;
      continue;
    }
    // What stands after a backslash is no second backslash.
    for (let left = pattern[at] === '\\' ? 2 : 1; left > 0 && at < pattern.length; left--) {
      const c = pattern.codePointAt(at)!;
      out.push(c);
      at += c > 0xffff ? 2 : 1;
    }
  }
  return out;
}
