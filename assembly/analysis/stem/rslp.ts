/**
 * Rules of the kind that RSLP (Removedor de Sufixos da Língua Portuguesa) has, for Portuguese and Galician. A step is a
 * list of rules, of which the first that fits is applied.
 *
 *     rule    suffix least[=replacement][:exceptions]    with white space between rules, none inside
 *
 * The suffix goes, and the replacement comes, if at least `least` units stand before it and the word is (or ends with,
 * depending on the step) none of the exceptions, which have commas between them. A step is read when it is first used:
 *
 *     entry    u32 the rule's address | u16 last unit of the suffix | u8 units of the suffix | u8 least
 */
import { unitAt } from './word';

const ENTRY_SHIFT: usize = 3;
const ENTRIES_MAX: u32 = 1024;
const entries: usize = memory.data(1024 << 3, 16);
let count: u32 = 0;

const SPACE: u32 = 0x20;
const COMMA: u32 = 0x2c;
const COLON: u32 = 0x3a;
const EQUALS: u32 = 0x3d;
const ZERO: u32 = 0x30;

/** A step's rules as entries: the first of them, and in the upper 16 bits how many. */
export function readRules(text: string): u32 {
  const first = count;
  let p = changetype<usize>(text);
  const last = p + ((text.length as usize) << 1);
  while (p < last) {
    if (load<u16>(p) <= SPACE) {
      p += 2;
      continue;
    }
    let digit = p;
    while (load<u16>(digit) - ZERO > 9) digit += 2;
    if (count == ENTRIES_MAX) unreachable();
    const entry = entries + ((count++ as usize) << ENTRY_SHIFT);
    store<u32>(entry, p as u32);
    store<u16>(entry, load<u16>(digit - 2), 4);
    store<u8>(entry, ((digit - p) >> 1) as u8, 6);
    store<u8>(entry, (load<u16>(digit) - ZERO) as u8, 7);
    p = digit;
    while (p < last && load<u16>(p) > SPACE) p += 2;
  }
  return first | ((count - first) << 16);
}

function sameUnits(a: usize, b: usize, bytes: usize): bool {
  for (let i: usize = 0; i < bytes; i += 2) if (load<u16>(a + i) != load<u16>(b + i)) return false;
  return true;
}

/** Whether one of the exceptions from `p` on is the word, or with `suffixes` what the word ends with. */
function isException(s: usize, end: usize, p: usize, suffixes: bool): bool {
  while (load<u16>(p) > SPACE) {
    let next = p;
    while (load<u16>(next) > SPACE && load<u16>(next) != COMMA) next += 2;
    const bytes = next - p;
    const fits = suffixes ? end - s >= bytes : end - s == bytes;
    if (fits && sameUnits(end - bytes, p, bytes)) return true;
    p = load<u16>(next) == COMMA ? next + 2 : next;
  }
  return false;
}

/**
 * Applies the first rule of a step that fits: the word's new length. Every literal that rules stand in ends with white
 * space, so that the last exception does too.
 */
export function applyRules(step: u32, s: usize, length: i32, suffixes: bool): i32 {
  if (length == 0) return 0;
  const end = s + ((length as usize) << 1);
  const unit = unitAt(s, length - 1);
  let entry = entries + (((step & 0xffff) as usize) << ENTRY_SHIFT);
  for (let left = step >>> 16; left > 0; left--, entry += 8) {
    if ((load<u16>(entry, 4) as u32) != unit) continue;
    const size = load<u8>(entry, 6) as i32;
    if (length - size < (load<u8>(entry, 7) as i32)) continue;
    const rule = load<u32>(entry) as usize;
    const bytes = (size as usize) << 1;
    if (!sameUnits(end - bytes, rule, bytes)) continue;

    const replacement = rule + bytes + 4;
    let p = replacement - 2;
    if (load<u16>(p) == EQUALS) {
      p += 2;
      while (load<u16>(p) > SPACE && load<u16>(p) != COLON) p += 2;
    }
    if (load<u16>(p) == COLON && isException(s, end, p + 2, suffixes)) continue;
    if (load<u16>(replacement - 2) != EQUALS) return length - size;
    memory.copy(end - bytes, replacement, p - replacement);
    return length - size + (((p - replacement) >> 1) as i32);
  }
  return length;
}
