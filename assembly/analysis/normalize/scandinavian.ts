import { setUnit, unitAt } from '../stem/word';

/** Without bit 5, letters of Latin-1 have no case. */
const LOWER: u32 = 0x20;
const A: u32 = 0x41;
const E: u32 = 0x45;
const O: u32 = 0x4f;
const A_DIAERESIS: u32 = 0xc4;
const A_RING: u32 = 0xc5;
const AE: u32 = 0xc6;
const O_DIAERESIS: u32 = 0xd6;
const O_STROKE: u32 = 0xd8;

function isLatin(unit: u32): bool {
  return (unit - A < 0x3a && (unit & 0x1f) - 1 < 26) || unit - 0xc0 < 0x40;
}

/** The letter after index `i` as upper case, 0 if there is none. */
function letterAfter(s: usize, length: i32, i: i32): u32 {
  if (i + 1 >= length) return 0;
  const next = unitAt(s, i + 1);
  return isLatin(next) ? next & ~LOWER : 0;
}

/** The letters å, æ and ø for ä, ö and the pairs aa, ao, ae, oe, oo. */
export function normalizeScandinavian(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    let unit = unitAt(s, i);
    if (isLatin(unit)) {
      const letterCase = unit & LOWER;
      const letter = unit & ~LOWER;
      let written = letter;
      if (letter == A_DIAERESIS) written = AE;
      else if (letter == O_DIAERESIS) written = O_STROKE;
      else if (letter == A || letter == O) {
        const next = letterAfter(s, length, i);
        if (next == E) written = letter == A ? AE : O_STROKE;
        else if (next == O) written = letter == A ? A_RING : O_STROKE;
        else if (next == A && letter == A) written = A_RING;
        if (written != letter) ++i;
      }
      unit = written | letterCase;
    }
    setUnit(s, out++, unit);
  }
  return out;
}

/** The letters a and o for å, ä, æ, ö, ø and the pairs aa, ae, ao, oe, oo. */
export function foldScandinavian(s: usize, length: i32): i32 {
  let out = 0;
  for (let i = 0; i < length; i++) {
    let unit = unitAt(s, i);
    if (isLatin(unit)) {
      const letterCase = unit & LOWER;
      const letter = unit & ~LOWER;
      if (letter == A_RING || letter == A_DIAERESIS || letter == AE) unit = A | letterCase;
      else if (letter == O_DIAERESIS || letter == O_STROKE) unit = O | letterCase;
      else if (letter == A || letter == O) {
        const next = letterAfter(s, length, i);
        if (next == E || next == O || (next == A && letter == A)) ++i;
      }
    }
    setUnit(s, out++, unit);
  }
  return out;
}
