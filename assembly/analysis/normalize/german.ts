import { setUnit, unitAt } from '../stem/word';

/** Whether an e that follows is part of an umlaut. */
const ORDINARY: u32 = 0;
const NO_UMLAUT: u32 = 1;
const UMLAUT: u32 = 2;

/**
 * Normalizes German spelling: ä, ae → a; ö, oe → o; ü, ue → u (the latter not after a vowel or q); ß → ss. Only lower
 * case. The word can grow to twice its length.
 */
export function normalizeGerman(s: usize, length: i32): i32 {
  let grown = 0;
  for (let i = 0; i < length; i++) if (unitAt(s, i) == 0xdf) ++grown;
  // What is read lies ahead of what is written by the units that are still to come.
  const from = s + ((grown as usize) << 1);
  if (grown) memory.copy(from, s, (length as usize) << 1);

  let out = 0;
  let state = ORDINARY;
  for (let i = 0; i < length; i++) {
    let unit = unitAt(from, i);
    switch (unit) {
      case 0x61: // a
      case 0x6f: // o
        state = UMLAUT;
        break;
      case 0x75: // u
        state = state == ORDINARY ? UMLAUT : NO_UMLAUT;
        break;
      case 0x65: {
        // e
        const umlaut = state == UMLAUT;
        state = NO_UMLAUT;
        if (umlaut) continue;
        break;
      }
      case 0x69: // i
      case 0x71: // q
      case 0x79: // y
        state = NO_UMLAUT;
        break;
      case 0xe4:
        unit = 0x61;
        state = NO_UMLAUT;
        break;
      case 0xf6:
        unit = 0x6f;
        state = NO_UMLAUT;
        break;
      case 0xfc:
        unit = 0x75;
        state = NO_UMLAUT;
        break;
      case 0xdf:
        setUnit(s, out++, 0x73);
        unit = 0x73;
        state = ORDINARY;
        break;
      default:
        state = ORDINARY;
    }
    setUnit(s, out++, unit);
  }
  return out;
}
