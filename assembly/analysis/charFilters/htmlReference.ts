/** Character references, `&amp;` and the like, as Lucene's HTMLStripCharFilter reads them. */
import { WordSet } from '../wordSet';
import { LONGEST_REFERENCE, REFERENCES, REFERENCES_BYTES } from './htmlTables';

const SEMICOLON: u32 = 0x3b;
const AMPERSAND: u32 = 0x26;
const HASH: u32 = 0x23;
const REPLACEMENT: u32 = 0xfffd;

let names: WordSet | null = null;

/** To be called before a reference is read; false without memory. */
export function loadReferences(): bool {
  if (names === null) names = WordSet.make(REFERENCES, REFERENCES + REFERENCES_BYTES);
  return names !== null;
}

export class Reference {
  /** The address behind what was read; if it is no reference, it stays as it is up to there. */
  static end: usize = 0;
  /** The code point that it stands for; -1 if it is none. */
  static codePoint: i32 = -1;

  /** Reads the reference at `p`, an ampersand. */
  static read(p: usize, end: usize): void {
    ++p;
    if (p < end && load<u8>(p) == HASH) {
      readNumber(p + 1, end);
      return;
    }
    // The longest name that fits.
    let length = min((end - p) as u32, LONGEST_REFERENCE);
    for (; length > 1; length--) {
      const entry = (names as WordSet).find(p, length);
      if (entry) {
        finish(p + length, end, load<u32>(entry));
        return;
      }
    }
    Reference.end = p;
    Reference.codePoint = -1;
  }
}

/** Demands the semicolon, which may be missing at the end of the text. */
function finish(p: usize, end: usize, codePoint: i32): void {
  const closed = p < end && load<u8>(p) == SEMICOLON;
  Reference.codePoint = closed || p == end ? codePoint : -1;
  Reference.end = closed ? p + 1 : p;
}

function hexDigit(byte: u32): u32 {
  if (byte - 0x30 < 10) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : 16;
}

/** Where a number of digits ended, and its value as far as it fits. */
let digitsEnd: usize = 0;
let digitsValue: u32 = 0;

function readDigits(p: usize, end: usize, base: u32): void {
  let value: u32 = 0;
  while (p < end) {
    const digit = hexDigit(load<u8>(p));
    if (digit >= base) break;
    value = min(value * base + digit, 0xffffff);
    ++p;
  }
  digitsEnd = p;
  digitsValue = value;
}

/** What comes behind `&#`. */
function readNumber(p: usize, end: usize): void {
  const hexadecimal = p < end && (load<u8>(p) | 0x20) == 0x78;
  const first = hexadecimal ? p + 1 : p;
  readDigits(first, end, hexadecimal ? 16 : 10);
  const count = (digitsEnd - first) as u32;
  let value = digitsValue;
  let at = digitsEnd;
  if (count == 0) {
    Reference.end = p;
    Reference.codePoint = -1;
    return;
  }
  // Lucene counts the x as one of at most six; at most seven digits that are decimal.
  if (count > (hexadecimal ? <u32>5 : <u32>7) || value > 0x10ffff) {
    Reference.end = at;
    Reference.codePoint = -1;
    return;
  }
  const half = hexadecimal ? <u32>4 : <u32>5;
  if (value >= 0xd800 && value < 0xdc00 && count == half && lowSurrogate(at, end)) {
    Reference.codePoint = (((value - 0xd7c0) << 10) | (digitsValue & 0x3ff)) as i32;
    Reference.end = digitsEnd + 1;
    return;
  }
  if (value >= 0xd800 && value < 0xe000) value = REPLACEMENT;
  finish(at, end, value as i32);
}

/** Whether the second half of a pair of surrogates comes at `p`: `;&#`, the digits and a semicolon. */
function lowSurrogate(p: usize, end: usize): bool {
  if (end - p < 3 || load<u8>(p) != SEMICOLON || load<u8>(p, 1) != AMPERSAND || load<u8>(p, 2) != HASH) {
    return false;
  }
  p += 3;
  const hexadecimal = p < end && (load<u8>(p) | 0x20) == 0x78;
  const first = hexadecimal ? p + 1 : p;
  readDigits(first, end, hexadecimal ? 16 : 10);
  return (
    digitsEnd - first == (hexadecimal ? 4 : 5) &&
    digitsValue >= 0xdc00 &&
    digitsValue < 0xe000 &&
    digitsEnd < end &&
    load<u8>(digitsEnd) == SEMICOLON
  );
}
