/**
 * Words as the stemmers see them: `n` UTF-16 units at `s`, changed in place. Parts of words are string literals, which
 * are read where the compiler laid them, and letters are sets of bits.
 *
 *     letter set    bits 0–25 a–z, bit 26 ă, bit 27 ı, bits 32–63 U+00E0–U+00FF
 */

/** The unit at index `i`. */
export function unitAt(s: usize, i: i32): u32 {
  return load<u16>(s + ((i as usize) << 1));
}

/** Whether the units [lowest, n) end with `part`. */
export function ends(s: usize, n: i32, part: string, lowest: i32 = 0): bool {
  const length = part.length;
  return n - length >= lowest && holds(s, n - length, part);
}

/** Whether the units [from, n) begin with `part`. */
export function begins(s: usize, from: i32, n: i32, part: string): bool {
  return n - from >= part.length && holds(s, from, part);
}

/** Whether the units from `at` on, which are as many, are those of `part`. */
function holds(s: usize, at: i32, part: string): bool {
  const word = s + ((at as usize) << 1);
  const text = changetype<usize>(part);
  for (let i: usize = (part.length as usize) << 1; i > 0; i -= 2) {
    if (load<u16>(word + i - 2) != load<u16>(text + i - 2)) return false;
  }
  return true;
}

/** Writes `part` from index `at` on, where the word then ends: its new length. */
export function put(s: usize, at: i32, part: string): i32 {
  memory.copy(s + ((at as usize) << 1), changetype<usize>(part), (part.length as usize) << 1);
  return at + part.length;
}

/** Replaces the units [from, to) of a word of `n` units by `part`: the word's new length. */
export function splice(s: usize, n: i32, from: i32, to: i32, part: string): i32 {
  const shift = part.length - (to - from);
  const tail = s + ((to as usize) << 1);
  if (shift != 0) memory.copy(tail + ((shift as usize) << 1), tail, ((n - to) as usize) << 1);
  put(s, from, part);
  return n + shift;
}

/** The set of these letters. */
export function letters(text: string): u64 {
  return lettersOf(changetype<usize>(text), text.length);
}

/** Calls itself: a loop would be copied to each of the forty sets that are made when the core starts. */
function lettersOf(units: usize, n: i32): u64 {
  if (n == 0) return 0;
  return ((1 as u64) << (bitOf(load<u16>(units) as u32) as u64)) | lettersOf(units + 2, n - 1);
}

/** The bit of a letter; 31, which no set has, of all others. */
function bitOf(unit: u32): u32 {
  if (unit - 0x61 < 26) return unit - 0x61;
  if (unit - 0xe0 < 32) return unit - 0xc0;
  if (unit == 0x103) return 26;
  return unit == 0x131 ? 27 : 31;
}

/** Whether `unit` is in a set of letters. */
export function isIn(set: u64, unit: u32): bool {
  return ((set >> (bitOf(unit) as u64)) & 1) != 0;
}

/** The index of the first unit in [from, n) that is in the set; n if there is none. */
export function seek(s: usize, from: i32, n: i32, set: u64): i32 {
  while (from < n && !isIn(set, unitAt(s, from))) from++;
  return from;
}

/** The index of the first unit in [from, n) that is not in the set; n if there is none. */
export function skip(s: usize, from: i32, n: i32, set: u64): i32 {
  while (from < n && isIn(set, unitAt(s, from))) from++;
  return from;
}

/** Where a region begins: after the first letter out of the set behind one in it, from `from` on; n if there is none. */
export function region(s: usize, from: i32, n: i32, set: u64): i32 {
  const at = skip(s, seek(s, from, n, set), n, set);
  return at < n ? at + 1 : n;
}

/** Whether the units [0, n) have one of the set. */
export function hasAny(s: usize, n: i32, set: u64): bool {
  return seek(s, 0, n, set) < n;
}

/** Puts `unit` at index `i`. */
export function setUnit(s: usize, i: i32, unit: u32): void {
  store<u16>(s + ((i as usize) << 1), unit);
}

/** Puts `to` in place of every `from`. */
export function replaceAll(s: usize, n: i32, from: u32, to: u32): void {
  for (let i = 0; i < n; i++) if (unitAt(s, i) == from) setUnit(s, i, to);
}

/**
 * Where the part of a Romance word begins in which verb endings are looked for: behind the third letter if only the second
 * is a vowel; else behind the next vowel if the second is a consonant, behind the next consonant if both are vowels.
 */
export function verbRegion(s: usize, n: i32, vowels: u64): i32 {
  if (n < 2) return n;
  let at = 2;
  if (!isIn(vowels, unitAt(s, 1))) at = seek(s, 2, n, vowels);
  else if (isIn(vowels, unitAt(s, 0))) at = skip(s, 2, n, vowels);
  return at < n ? at + 1 : n;
}

/** The length of a word of n units without `part` at its end if that begins at `lowest` or behind. */
export function without(s: usize, n: i32, part: string, lowest: i32): i32 {
  return ends(s, n, part, lowest) ? n - part.length : n;
}

/** Writes the letters `first` and `second` as capitals where they stand between two letters of the set. */
export function capitalizeBetween(s: usize, n: i32, set: u64, first: u32, second: u32): void {
  for (let i = 1; i + 1 < n; i++) {
    const unit = unitAt(s, i);
    if (unit != first && unit != second) continue;
    if (isIn(set, unitAt(s, i - 1)) && isIn(set, unitAt(s, i + 1))) setUnit(s, i, unit & 0x5f);
  }
}
