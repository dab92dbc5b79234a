/** The `analyze` call: a text's tokens with UTF-16 offsets, in the layout of assembly/README.md, *Tokens*. */
import { requestAlloc } from '../memory/arena';
import { setResult } from '../result';
import { ERR_ARGUMENT, ERR_LIMIT, ERR_MEMORY, OK } from '../status';
import {
  TYPE_WORD,
  tokenEndByte,
  tokenLength,
  tokenNext,
  tokenPositionIncrement,
  tokenPtr,
  tokenStart,
  tokenStartByte,
  tokenType,
} from './standard';
import { Utf8 } from './utf8';

export const ANALYZER_NONE: u32 = 0;
export const ANALYZER_STANDARD: u32 = 1;

/** Bytes before a token's term. */
const TOKEN_HEADER: u32 = 16;
/** The longest term that the layout can hold. */
const MAX_TERM: u32 = 0xffff;

function tokenSize(length: u32): u32 {
  return TOKEN_HEADER + ((length + 3) & ~3);
}

/** UTF-16 units of the bytes from `p` to `until`, of a text that ends at `end`. */
function countUnits(p: usize, until: usize, end: usize): u32 {
  let units: u32 = 0;
  while (p < until) {
    const decoded = Utf8.decode(p, end);
    units += Utf8.units(Utf8.codePoint(decoded));
    p += Utf8.bytes(decoded);
  }
  return units;
}

function writeToken(
  at: usize,
  start: u32,
  end: u32,
  position: u32,
  type: u8,
  term: usize,
  length: u32,
): usize {
  store<u32>(at, start);
  store<u32>(at, end, 4);
  store<u32>(at, position, 8);
  store<u8>(at, type, 12);
  store<u8>(at, 0, 13);
  store<u16>(at, length as u16, 14);
  const size = tokenSize(length);
  if (length & 3) store<u32>(at + size - 4, 0);
  memory.copy(at + TOKEN_HEADER, term, length);
  return at + size;
}

/** Analyzer none: the whole value is one term. */
function analyzeWhole(ptr: usize, length: u32): i32 {
  if (length > MAX_TERM) return ERR_LIMIT;
  const bytes = 4 + tokenSize(length);
  const result = requestAlloc(bytes);
  if (!result) return ERR_MEMORY;
  store<u32>(result, 1);
  const end = ptr + length;
  writeToken(result + 4, 0, countUnits(ptr, end, end), 1, TYPE_WORD, ptr, length);
  setResult(result, bytes);
  return OK;
}

/** Fills the result with the tokens of `length` bytes of UTF-8 at `ptr`; the result is in the request arena. */
export function analyzeText(analyzer: u32, ptr: usize, length: u32): i32 {
  setResult(0, 0);
  if (analyzer == ANALYZER_NONE) return analyzeWhole(ptr, length);
  if (analyzer != ANALYZER_STANDARD) return ERR_ARGUMENT;

  let count: u32 = 0;
  let bytes: u64 = 4;
  tokenStart(ptr, length);
  while (tokenNext()) {
    ++count;
    bytes += tokenSize(tokenLength);
  }
  if (bytes > 0xffffff00) return ERR_LIMIT;
  const result = requestAlloc(bytes as u32);
  if (!result) return ERR_MEMORY;

  store<u32>(result, count);
  let at = result + 4;
  let position: u32 = 0;
  let units: u32 = 0;
  let counted = ptr;
  const end = ptr + length;
  tokenStart(ptr, length);
  while (tokenNext()) {
    units += countUnits(counted, ptr + tokenStartByte, end);
    const start = units;
    counted = ptr + tokenEndByte;
    units += countUnits(ptr + tokenStartByte, counted, end);
    position += tokenPositionIncrement;
    at = writeToken(at, start, units, position, tokenType, tokenPtr, tokenLength);
  }
  setResult(result, bytes as u32);
  return OK;
}
