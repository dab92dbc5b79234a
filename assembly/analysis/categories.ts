/**
 * The general categories of Unicode 13, numbered as the constants of `java.lang.Character`: 0 unassigned, 1..5 letters,
 * 6..8 marks, 9..11 numbers, 12..14 separators, 15 control, 16 format, 18 private use, 19 surrogate, 20..24 and 29, 30
 * punctuation, 25..28 symbols. Sets of categories are bits of a u32.
 */
import { ERR_MEMORY } from '../abi/status';
import { heapAlloc } from '../memory/heap';
import { CATEGORIES_LIMIT, CATEGORY_RUNS } from './categoryRuns';
import { Analysis } from './token';

/** Upper, lower and title case, modifier and other letters. */
export const LETTERS: u32 = 0b111110;
/** Not a category: what `Character.isWhitespace` says yes to. */
export const WHITESPACE: u32 = 1 << 31;
const LINE_SEPARATORS: u32 = (1 << 13) | (1 << 14);
const SPACE_SEPARATOR: u32 = 12;

const FORMAT: u32 = 16;
const MARK: u32 = 6;
const PRIVATE_USE: u32 = 18;

/** A category per code point below CATEGORIES_LIMIT, made when first needed. */
let table: usize = 0;

/** To be called where a stage is made that asks for categories; false without memory. */
export function loadCategories(): bool {
  if (table) return true;
  table = heapAlloc(CATEGORIES_LIMIT);
  if (!table) {
    Analysis.status = ERR_MEMORY;
    return false;
  }
  const end = table + CATEGORIES_LIMIT;
  let runs = CATEGORY_RUNS;
  let out = table;
  while (out < end) {
    let run: u32 = 0;
    let shift: u32 = 0;
    let byte: u32 = 0x80;
    while (byte >= 0x80) {
      byte = load<u8>(runs);
      ++runs;
      run |= (byte & 0x7f) << shift;
      shift += 7;
    }
    memory.fill(out, (run & 31) as u8, run >>> 5);
    out += run >>> 5;
  }
  return true;
}

/** Questions about code points, once the categories are loaded. */
export class Categories {
  @inline static of(codePoint: u32): u32 {
    return codePoint < CATEGORIES_LIMIT ? load<u8>(table + codePoint) : distantCategory(codePoint);
  }

  /** Whether the code point belongs to a set of categories, which may include WHITESPACE. */
  @inline static has(set: u32, codePoint: u32): bool {
    return ((set >>> Categories.of(codePoint)) & 1) != 0 || (set >= WHITESPACE && isWhitespace(codePoint));
  }
}

function distantCategory(c: u32): u32 {
  if (c == 0xe0001 || (c >= 0xe0020 && c < 0xe0080)) return FORMAT;
  if (c >= 0xe0100 && c < 0xe01f0) return MARK;
  return c >= 0xf0000 && (c & 0xffff) < 0xfffe ? PRIVATE_USE : 0;
}

/** Java's `Character.isWhitespace`: separators that may break, tab to carriage return, file to unit separator. */
export function isWhitespace(c: u32): bool {
  if (c <= 0x20) return c == 0x20 || c - 9 < 5 || c - 0x1c < 4;
  if (c < 0x1680 || c == 0x2007 || c == 0x202f) return false;
  const category = Categories.of(c);
  return category == SPACE_SEPARATOR || ((LINE_SEPARATORS >>> category) & 1) != 0;
}
