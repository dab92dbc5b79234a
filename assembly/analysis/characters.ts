import {
  FOLD_BLOCKS,
  FOLD_INDEX,
  FOLDINGS,
  UPPER_BEYOND,
  UPPER_BEYOND_COUNT,
  UPPER_BLOCKS,
  UPPER_DISTANCE,
  UPPER_INDEX,
} from './characterTables';

/** The entry of a table of two stages for a code point below U+10000. */
function entry(index: usize, blocks: usize, c: u32): u32 {
  return load<u8>(blocks + (((load<u8>(index + (c >>> 6)) as u32) << 6) | (c & 63)));
}

/** The upper-case letter of a code point, as Java's `Character.toUpperCase(int)`; itself if it has none. */
export function upperCaseOf(c: u32): u32 {
  if (c < 0x10000) return c + load<u32>(UPPER_DISTANCE + (entry(UPPER_INDEX, UPPER_BLOCKS, c) << 2));
  for (let i: u32 = 0; i < UPPER_BEYOND_COUNT; i++) {
    const range = UPPER_BEYOND + i * 12;
    if (c <= load<u32>(range, 4)) return c < load<u32>(range) ? c : c + load<u32>(range, 8);
  }
  return c;
}

/** The ASCII characters that stand for a code point, one to four, the first one in the lowest byte; 0 if it stays as it is. */
export function asciiFolding(c: u32): u32 {
  return c < 0x10000 ? load<u32>(FOLDINGS + (entry(FOLD_INDEX, FOLD_BLOCKS, c) << 2)) : 0;
}
