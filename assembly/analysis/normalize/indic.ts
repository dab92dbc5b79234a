import { setUnit, unitAt } from '../stem/word';

// One script per block of 128 code points from U+0900 on; its bit in a row of the table below.
const DEVANAGARI: u16 = 1;
const BENGALI: u16 = 2;
const GURMUKHI: u16 = 4;
const GUJARATI: u16 = 8;
const ORIYA: u16 = 16;
const TAMIL: u16 = 32;
const TELUGU: u16 = 64;
const KANNADA: u16 = 128;
const MALAYALAM: u16 = 256;

const SCRIPTS: u32 = 9;
const NONE: u16 = 0xffff;
/** Stands for the zero-width joiner, which is in no script. */
const JOINER: u16 = 0xff;

/**
 * Sequences and the letter that looks the same, by first letter; the first row that matches counts.
 *
 *     u16 first, second, third or NONE, letter: offsets in the block; u16 scripts
 */
const ROW_BYTES: usize = 10;
// biome-ignore format: a row a line
const ROWS = memory.data<u16>([
  0x05, 0x3e, 0x45, 0x11, DEVANAGARI | GUJARATI,
  0x05, 0x3e, 0x46, 0x12, DEVANAGARI,
  0x05, 0x3e, 0x47, 0x13, DEVANAGARI | GUJARATI,
  0x05, 0x3e, 0x48, 0x14, DEVANAGARI | GUJARATI,
  0x05, 0x3e, NONE, 0x06, DEVANAGARI | BENGALI | GURMUKHI | GUJARATI | ORIYA,
  0x05, 0x45, NONE, 0x72, DEVANAGARI,
  0x05, 0x45, NONE, 0x0d, GUJARATI,
  0x05, 0x46, NONE, 0x04, DEVANAGARI,
  0x05, 0x47, NONE, 0x0f, GUJARATI,
  0x05, 0x48, NONE, 0x10, GURMUKHI | GUJARATI,
  0x05, 0x49, NONE, 0x11, DEVANAGARI | GUJARATI,
  0x05, 0x4a, NONE, 0x12, DEVANAGARI,
  0x05, 0x4b, NONE, 0x13, DEVANAGARI | GUJARATI,
  0x05, 0x4c, NONE, 0x14, DEVANAGARI | GURMUKHI | GUJARATI,
  0x06, 0x45, NONE, 0x11, DEVANAGARI | GUJARATI,
  0x06, 0x46, NONE, 0x12, DEVANAGARI,
  0x06, 0x47, NONE, 0x13, DEVANAGARI | GUJARATI,
  0x06, 0x48, NONE, 0x14, DEVANAGARI | GUJARATI,
  0x07, 0x57, NONE, 0x08, MALAYALAM,
  0x09, 0x41, NONE, 0x0a, DEVANAGARI,
  0x09, 0x57, NONE, 0x0a, TAMIL | MALAYALAM,
  0x0e, 0x46, NONE, 0x10, MALAYALAM,
  0x0f, 0x45, NONE, 0x0d, DEVANAGARI,
  0x0f, 0x46, NONE, 0x0e, DEVANAGARI,
  0x0f, 0x47, NONE, 0x10, DEVANAGARI,
  0x0f, 0x57, NONE, 0x10, ORIYA,
  0x12, 0x3e, NONE, 0x13, MALAYALAM,
  0x12, 0x4c, NONE, 0x14, TELUGU | KANNADA,
  0x12, 0x55, NONE, 0x13, TELUGU,
  0x12, 0x57, NONE, 0x14, TAMIL | MALAYALAM,
  0x13, 0x57, NONE, 0x14, ORIYA,
  0x15, 0x3c, NONE, 0x58, DEVANAGARI,
  0x16, 0x3c, NONE, 0x59, DEVANAGARI | GURMUKHI,
  0x17, 0x3c, NONE, 0x5a, DEVANAGARI | GURMUKHI,
  0x1c, 0x3c, NONE, 0x5b, DEVANAGARI | GURMUKHI,
  0x21, 0x3c, NONE, 0x5c, DEVANAGARI | BENGALI | ORIYA,
  0x22, 0x3c, NONE, 0x5d, DEVANAGARI | BENGALI | ORIYA,
  0x23, 0x4d, JOINER, 0x7a, MALAYALAM,
  0x24, 0x4d, JOINER, 0x4e, BENGALI,
  0x28, 0x3c, NONE, 0x29, DEVANAGARI,
  0x28, 0x4d, JOINER, 0x7b, MALAYALAM,
  0x2b, 0x3c, NONE, 0x5e, DEVANAGARI | GURMUKHI,
  0x2c, 0x41, 0x41, 0x0b, TELUGU,
  0x2f, 0x3c, NONE, 0x5f, DEVANAGARI | BENGALI,
  0x30, 0x3c, NONE, 0x31, DEVANAGARI,
  0x30, 0x4d, JOINER, 0x7c, MALAYALAM,
  0x32, 0x4d, JOINER, 0x7d, MALAYALAM,
  0x33, 0x3c, NONE, 0x34, DEVANAGARI,
  0x33, 0x4d, JOINER, 0x7e, MALAYALAM,
  0x35, 0x41, NONE, 0x2e, TELUGU,
  0x3e, 0x45, NONE, 0x49, DEVANAGARI | GUJARATI,
  0x3e, 0x46, NONE, 0x4a, DEVANAGARI,
  0x3e, 0x47, NONE, 0x4b, DEVANAGARI | GUJARATI,
  0x3e, 0x48, NONE, 0x4c, DEVANAGARI | GUJARATI,
  0x3f, 0x55, NONE, 0x40, KANNADA,
  0x41, 0x41, NONE, 0x42, GURMUKHI,
  0x46, 0x3e, NONE, 0x4a, TAMIL | MALAYALAM,
  0x46, 0x42, 0x55, 0x4b, KANNADA,
  0x46, 0x42, NONE, 0x4a, KANNADA,
  0x46, 0x46, NONE, 0x48, MALAYALAM,
  0x46, 0x55, NONE, 0x47, TELUGU | KANNADA,
  0x46, 0x56, NONE, 0x48, TELUGU | KANNADA,
  0x46, 0x57, NONE, 0x4c, TAMIL | MALAYALAM,
  0x47, 0x3e, NONE, 0x4b, BENGALI | ORIYA | TAMIL | MALAYALAM,
  0x47, 0x57, NONE, 0x4c, BENGALI | ORIYA,
  0x4a, 0x55, NONE, 0x4b, KANNADA,
  0x72, 0x3f, NONE, 0x07, GURMUKHI,
  0x72, 0x40, NONE, 0x08, GURMUKHI,
  0x72, 0x47, NONE, 0x0f, GURMUKHI,
  0x73, 0x41, NONE, 0x09, GURMUKHI,
  0x73, 0x42, NONE, 0x0a, GURMUKHI,
  0x73, 0x4b, NONE, 0x13, GURMUKHI,
]);
const ROWS_END = ROWS + 72 * ROW_BYTES;

/** The row for the letters from `i` on, 0 if there is none. */
function rowFor(s: usize, length: i32, i: i32): usize {
  const unit = unitAt(s, i);
  const script = (unit - 0x900) >> 7;
  if (script >= SCRIPTS || i + 1 >= length) return 0;
  const base = 0x900 + (script << 7);
  const second = unitAt(s, i + 1) - base;
  if (second >= 0x80) return 0;
  let third: u32 = NONE;
  if (i + 2 < length) {
    const next = unitAt(s, i + 2);
    if (next == 0x200d) third = JOINER;
    else if (next - base < 0x80) third = next - base;
  }
  const first = unit - base;
  for (let row = ROWS; row < ROWS_END && load<u16>(row) <= first; row += ROW_BYTES) {
    if (load<u16>(row) != first || load<u16>(row, 2) != second) continue;
    if (((load<u16>(row, 8) >> script) & 1) == 0) continue;
    if (load<u16>(row, 4) == NONE || load<u16>(row, 4) == third) return row;
  }
  return 0;
}

/** Writes the letters of nine scripts of India with one code point where there is one. */
export function normalizeIndic(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    const row = rowFor(s, length, i);
    let unit = unitAt(s, i);
    if (row) {
      unit = (unit & ~0x7f) | load<u16>(row, 6);
      i += load<u16>(row, 4) == NONE ? 1 : 2;
    }
    setUnit(s, out++, unit);
  }
  return out;
}
