import { setUnit, unitAt } from '../stem/word';

const NA: u32 = 0x928;
const VIRAMA: u32 = 0x94d;
const ANUSVARA: u32 = 0x902;

/** The unit that stands for a unit of Hindi spelling; 0 for what goes. */
function plain(unit: u32): u32 {
  if (unit == 0x200c || unit == 0x200d) return 0; // joiners
  if (unit - 0x901 > 0x972 - 0x901) return unit;
  switch (unit) {
    case 0x93c: // nukta
    case VIRAMA:
      return 0;
    case 0x901: // candrabindu
      return ANUSVARA;
    case 0x929:
    case 0x931:
    case 0x934:
      return unit - 1;
    // Letters with a nukta.
    case 0x958:
    case 0x959:
    case 0x95a:
      return unit - 0x43;
    case 0x95b:
      return 0x91c;
    case 0x95c:
    case 0x95d:
      return unit - 0x3b;
    case 0x95e:
      return 0x92b;
    case 0x95f:
      return 0x92f;
    // Candra and short vowels.
    case 0x945:
    case 0x946:
      return 0x947;
    case 0x949:
    case 0x94a:
      return 0x94b;
    case 0x90d:
    case 0x90e:
      return 0x90f;
    case 0x911:
    case 0x912:
      return 0x913;
    case 0x972:
      return 0x905;
    // Long vowels.
    case 0x906:
    case 0x908:
    case 0x90a:
    case 0x910:
    case 0x914:
    case 0x940:
    case 0x942:
    case 0x944:
    case 0x948:
    case 0x94c:
    case 0x963:
      return unit - 1;
    case 0x960:
      return 0x90b;
    case 0x961:
      return 0x90c;
    default:
      return unit;
  }
}

/** Normalizes Hindi spelling: vowel length, nuktas, viramas, joiners; n without a vowel becomes an anusvara. */
export function normalizeHindi(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    let unit = unitAt(s, i);
    if (unit == NA && i + 1 < length && unitAt(s, i + 1) == VIRAMA) {
      unit = ANUSVARA;
      ++i;
    } else {
      unit = plain(unit);
      if (unit == 0) continue;
    }
    setUnit(s, out++, unit);
  }
  return out;
}
