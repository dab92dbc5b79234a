import { codePointAt, putCodePoint, toLowerCase } from './codePoints';

/** Lower case, vowels without accents, and one sigma for both. */
function plain(codePoint: u32): u32 {
  if (codePoint - 0x386 > 0x3ce - 0x386) return toLowerCase(codePoint);
  switch (codePoint) {
    case 0x3c2:
      return 0x3c3;
    case 0x386:
    case 0x3ac:
      return 0x3b1;
    case 0x388:
    case 0x3ad:
      return 0x3b5;
    case 0x389:
    case 0x3ae:
      return 0x3b7;
    case 0x38a:
    case 0x3aa:
    case 0x3af:
    case 0x3ca:
    case 0x390:
      return 0x3b9;
    case 0x38e:
    case 0x3ab:
    case 0x3cd:
    case 0x3cb:
    case 0x3b0:
      return 0x3c5;
    case 0x38c:
    case 0x3cc:
      return 0x3bf;
    case 0x38f:
    case 0x3ce:
      return 0x3c9;
    case 0x3a2: // No character: where a final sigma's capital letter would be.
      return 0x3c2;
    default:
      return toLowerCase(codePoint);
  }
}

/** Lower-cases Greek, without accents and final sigmas. */
export function lowerCaseGreek(s: usize, length: i32): i32 {
  for (let i = 0; i < length; ) i = putCodePoint(s, i, plain(codePointAt(s, length, i)));
  return length;
}
