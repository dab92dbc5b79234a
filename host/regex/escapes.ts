/** Escapes that stand for one character. */
import { unsupported } from './errors.js';
import { code, END, isAsciiLetter, isDigit, type PatternReader, unquoted } from './patternReader.js';

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

const hex = (c: number): number => (c > 0 && c < 128 ? '0123456789abcdef'.indexOf(letter(c)) : -1);
const octal = (c: number): number => (c >= 48 && c <= 55 ? c - 48 : -1);
const letter = (c: number): string => String.fromCharCode(c).toLowerCase();

/** Reads the rest of an escape whose first character `c` was taken; a class may not have all of them. */
export function escapedCharacter(reader: PatternReader, c: number): number {
  if (c === END) throw reader.error('Unexpected internal error', reader.at - 1);
  switch (c) {
    case code('0'):
      return octalEscape(reader);
    case code('x'):
      return hexadecimalEscape(reader);
    case code('u'):
      return unicodeEscape(reader);
    case code('c'):
      if (reader.at >= reader.length) throw reader.error('Illegal control escape sequence', reader.at - 1);
      return unquoted(reader.take()) ^ 64;
    case code('N'):
      if (reader.peekRaw() === code('{')) throw unsupported(reader.pattern, 'characters by name');
      throw reader.error('Illegal character name escape sequence', reader.at);
  }
  const control = c < 128 ? CONTROLS[String.fromCharCode(c)] : undefined;
  if (control !== undefined) return control;
  if (isAsciiLetter(c) || isDigit(c)) {
    throw reader.error('Illegal/unsupported escape sequence', reader.at - 1);
  }
  return unquoted(c);
}

/** One to three digits, up to 0377. */
function octalEscape(reader: PatternReader): number {
  const first = octal(reader.peekRaw());
  if (first < 0) throw reader.error('Illegal octal escape sequence', reader.at);
  let value = first;
  reader.at++;
  for (let more = first <= 3 ? 2 : 1; more > 0; more--) {
    const next = octal(reader.peekRaw());
    if (next < 0) break;
    value = value * 8 + next;
    reader.at++;
  }
  return value;
}

/** Two digits, or as many as there are between braces. */
function hexadecimalEscape(reader: PatternReader): number {
  if (reader.peekRaw() !== code('{')) {
    return hexDigits(reader, 2, 'Illegal hexadecimal escape sequence');
  }
  reader.at++;
  let value = 0;
  if (hex(reader.peekRaw()) < 0) throw reader.error('Illegal hexadecimal escape sequence', reader.at - 1);
  for (let digit = hex(reader.peekRaw()); digit >= 0; digit = hex(reader.peekRaw())) {
    value = value * 16 + digit;
    if (value > 0x10ffff) throw reader.error('Hexadecimal codepoint is too big', reader.at);
    reader.at++;
  }
  if (reader.take() !== code('}')) {
    throw reader.error('Unclosed hexadecimal escape sequence', reader.at - 1);
  }
  return value;
}

/** Four digits, and four of another escape where the two are the halves of one character. */
function unicodeEscape(reader: PatternReader): number {
  const what = 'Illegal Unicode escape sequence';
  const high = hexDigits(reader, 4, what);
  if (high < 0xd800 || high > 0xdbff) return high;
  if (reader.peekRaw() !== code('\\') || reader.peekRaw(1) !== code('u')) return high;
  const back = reader.at;
  reader.at += 2;
  const low = hexDigits(reader, 4, what);
  if (low >= 0xdc00 && low <= 0xdfff) return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  reader.at = back;
  return high;
}

function hexDigits(reader: PatternReader, count: number, what: string): number {
  let value = 0;
  for (let i = 0; i < count; i++) {
    const digit = hex(reader.take());
    if (digit < 0) throw reader.error(what, reader.at - 1);
    value = value * 16 + digit;
  }
  return value;
}
