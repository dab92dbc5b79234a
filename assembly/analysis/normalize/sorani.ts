import { setUnit, unitAt } from '../stem/word';

const HEH: u32 = 0x647;
const AE: u32 = 0x6d5;
const REH: u32 = 0x631;
const RREH: u32 = 0x695;
const ZERO_WIDTH_NON_JOINER: u32 = 0x200c;

/** Format characters (Cf) of Unicode 6.2 up to U+FFFF. */
function isFormat(unit: u32): bool {
  if (unit < 0x600) return unit == 0xad;
  if (unit < 0x200b) {
    return (
      unit <= 0x605 || unit == 0x61c || unit == 0x6dd || unit == 0x70f || unit == 0x8e2 || unit == 0x180e
    );
  }
  return (
    unit <= 0x200f ||
    unit - 0x202a <= 4 ||
    (unit - 0x2060 <= 15 && unit != 0x2065) ||
    unit == 0xfeff ||
    unit - 0xfff9 <= 2
  );
}

/** The unit that stands for a unit of Sorani spelling wherever it is; 0 for what goes. */
function plain(unit: u32): u32 {
  switch (unit) {
    case 0x64a:
    case 0x649:
      return 0x6cc; // yeh
    case 0x643:
      return 0x6a9; // keheh
    case 0x629:
      return AE;
    case 0x6be:
      return HEH;
    case 0x692:
      return RREH;
    case 0x640: // tatweel
    case 0x64b: // vowel signs, up to sukun
    case 0x64c:
    case 0x64d:
    case 0x64e:
    case 0x64f:
    case 0x650:
    case 0x651:
    case 0x652:
      return 0;
    default:
      return isFormat(unit) ? 0 : unit;
  }
}

/** Normalizes Sorani spelling: one form for each letter, no vowel signs, no format characters. */
export function normalizeSorani(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    let unit = unitAt(s, i);
    if (unit == ZERO_WIDTH_NON_JOINER) {
      if (out > 0 && unitAt(s, out - 1) == HEH) setUnit(s, out - 1, AE);
      continue;
    }
    if (unit == HEH) {
      if (i == length - 1) unit = AE;
    } else if (unit == REH) {
      if (out == 0) unit = RREH;
    } else {
      unit = plain(unit);
      if (unit == 0) continue;
    }
    setUnit(s, out++, unit);
  }
  return out;
}
