import { setUnit, unitAt } from '../stem/word';

/** The Arabic letter for a Persian form; 0 for hamza above, which goes. */
function plain(unit: u32): u32 {
  if (unit - 0x654 > 0x6d2 - 0x654) return unit;
  switch (unit) {
    case 0x6cc:
    case 0x6d2:
      return 0x64a;
    case 0x6a9:
      return 0x643;
    case 0x6c0:
    case 0x6c1:
      return 0x647;
    case 0x654:
      return 0;
    default:
      return unit;
  }
}

/** Normalizes Persian spelling to the Arabic forms of yeh, kaf and heh. */
export function normalizePersian(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    const unit = plain(unitAt(s, i));
    if (unit) setUnit(s, out++, unit);
  }
  return out;
}
