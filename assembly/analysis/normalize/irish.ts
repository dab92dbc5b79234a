import { setUnit, unitAt } from '../stem/word';
import { toLowerCase } from './codePoints';

function isUpperVowel(unit: u32): bool {
  switch (unit) {
    case 0x41: // A
    case 0x45: // E
    case 0x49: // I
    case 0x4f: // O
    case 0x55: // U
    case 0xc1: // Á
    case 0xc9: // É
    case 0xcd: // Í
    case 0xd3: // Ó
    case 0xda: // Ú
      return true;
    default:
      return false;
  }
}

/** Lower-cases Irish: the n and t that grammar puts before a capital vowel get a hyphen, nAthair → n-athair. */
export function lowerCaseIrish(s: usize, length: i32): i32 {
  let from = 0;
  if (length > 1 && (unitAt(s, 0) == 0x6e || unitAt(s, 0) == 0x74) && isUpperVowel(unitAt(s, 1))) {
    memory.copy(s + 4, s + 2, ((length - 1) as usize) << 1);
    setUnit(s, 1, 0x2d);
    ++length;
    from = 2;
  }
  for (let i = from; i < length; i++) setUnit(s, i, toLowerCase(unitAt(s, i)));
  return length;
}
