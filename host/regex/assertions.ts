/** What holds at a position of a text. */
import type { CodePointSet } from './codePointSet.js';
import { boundaryWord, unicodeWord } from './properties.js';
import { Assertion } from './tree.js';
import { unicodeSet } from './unicode.js';

const LF = 10;
const CR = 13;

const isTerminator = (unit: number): boolean =>
  unit === LF || unit === CR || unit === 0x85 || unit === 0x2028 || unit === 0x2029;

/** The positions of one text, in UTF-16 code units. */
export class Positions {
  readonly #text: string;
  /** Where the search began, or the match before it ended. */
  searchStart = 0;
  /** The last run of marks that was looked at, and whether there is a letter or digit before it. */
  #marks = { start: 0, end: 0, onBase: false };

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether an assertion holds before the code unit at a position. */
  holds(assertion: Assertion, at: number): boolean {
    const text = this.#text;
    const end = text.length;
    switch (assertion) {
      case Assertion.textStart:
        return at === 0;
      case Assertion.textEnd:
        return at === end;
      case Assertion.lastLineEnd:
        return at === end || (this.#endsLine(at) && at + this.#terminatorLength(at) === end);
      case Assertion.lastUnixLineEnd:
        return at === end || (at === end - 1 && text.charCodeAt(at) === LF);
      case Assertion.lineStart: {
        if (at === end) return false;
        if (at === 0) return true;
        const before = text.charCodeAt(at - 1);
        return isTerminator(before) && !(before === CR && text.charCodeAt(at) === LF);
      }
      case Assertion.unixLineStart:
        return at < end && (at === 0 || text.charCodeAt(at - 1) === LF);
      case Assertion.lineEnd:
        return at === end || this.#endsLine(at);
      case Assertion.unixLineEnd:
        return at === end || text.charCodeAt(at) === LF;
      case Assertion.wordBoundary:
        return this.#isBoundary(at, asciiWord, boundaryWord);
      case Assertion.notWordBoundary:
        return !this.#isBoundary(at, asciiWord, boundaryWord);
      case Assertion.unicodeWordBoundary:
        return this.#isBoundary(at, asciiWord, unicodeWord);
      case Assertion.notUnicodeWordBoundary:
        return !this.#isBoundary(at, asciiWord, unicodeWord);
      case Assertion.searchStart:
        return at === this.searchStart;
    }
  }

  /** Whether a line terminator begins here; `\r\n` is one. */
  #endsLine(at: number): boolean {
    const unit = this.#text.charCodeAt(at);
    return isTerminator(unit) && !(unit === LF && at > 0 && this.#text.charCodeAt(at - 1) === CR);
  }

  #terminatorLength(at: number): number {
    return this.#text.charCodeAt(at) === CR && this.#text.charCodeAt(at + 1) === LF ? 2 : 1;
  }

  #isBoundary(at: number, ascii: Uint8Array, others: () => CodePointSet): boolean {
    const text = this.#text;
    const isWord = (from: number): boolean => {
      const c = text.codePointAt(from)!;
      if (c < 128) return ascii[c] === 1;
      return cached(others).has(c) || (cached(marks).has(c) && this.#isOnBase(from));
    };
    const left = at > 0 && isWord(previous(text, at));
    const right = at < text.length && isWord(at);
    return left !== right;
  }

  /** Whether the mark there, with those before it, stands on a letter or a digit. */
  #isOnBase(at: number): boolean {
    if (at >= this.#marks.start && at < this.#marks.end) return this.#marks.onBase;
    const text = this.#text;
    let start = at;
    while (start > 0) {
      // What is known of the marks before is not found out once more: a text of marks would be gone over for each.
      if (start === this.#marks.end) {
        start = this.#marks.start;
        break;
      }
      const before = previous(text, start);
      if (!cached(marks).has(text.codePointAt(before)!)) break;
      start = before;
    }
    const base = start > 0 ? text.codePointAt(previous(text, start))! : 0x5f;
    this.#marks = { start, end: at + 1, onBase: base !== 0x5f && cached(boundaryWord).has(base) };
    return this.#marks.onBase;
  }
}

/** Where the code point before a position begins. */
export function previous(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  if (low < 0xdc00 || low > 0xdfff || at < 2) return at - 1;
  const high = text.charCodeAt(at - 2);
  return high >= 0xd800 && high <= 0xdbff ? at - 2 : at - 1;
}

const asciiWord = Uint8Array.from({ length: 128 }, (_, c) => (/\w/.test(String.fromCharCode(c)) ? 1 : 0));

const marks = (): CodePointSet => unicodeSet('Mn');

const kept = new Map<() => CodePointSet, CodePointSet>();
function cached(make: () => CodePointSet): CodePointSet {
  let set = kept.get(make);
  if (set === undefined) {
    set = make();
    kept.set(make, set);
  }
  return set;
}
