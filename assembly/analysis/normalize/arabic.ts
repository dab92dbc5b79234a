import { setUnit, unitAt } from '../stem/word';

/** What stands for a unit of Arabic script: alef without hamza, yeh with dots, heh for teh marbuta; 0 for what goes. */
function plain(unit: u32): u32 {
  if (unit - 0x622 > 0x652 - 0x622) return unit;
  switch (unit) {
    case 0x622:
    case 0x623:
    case 0x625:
      return 0x627;
    case 0x649:
      return 0x64a;
    case 0x629:
      return 0x647;
    case 0x640:
      return 0;
    default:
      return unit >= 0x64b ? 0 : unit;
  }
}

/** Normalizes Arabic spelling: hamza seats, final letters, no tatweel and no vowel signs. */
export function normalizeArabic(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    const unit = plain(unitAt(s, i));
    if (unit) setUnit(s, out++, unit);
  }
  return out;
}
