import { setUnit, unitAt } from './word';

/** Takes the plural from English words as Lucene's EnglishMinimalStemFilter does. */
export function stemEnglishMinimal(s: usize, length: i32): i32 {
  if (length < 3 || unitAt(s, length - 1) != 0x73) return length;
  const before = unitAt(s, length - 2);
  if (before == 0x75 || before == 0x73) return length; // us, ss
  if (before != 0x65) return length - 1;

  // es
  const third = unitAt(s, length - 3);
  if (third == 0x69 && length > 3) {
    const fourth = unitAt(s, length - 4);
    if (fourth != 0x61 && fourth != 0x65) {
      setUnit(s, length - 3, 0x79); // ies → y, but not aies and eies
      return length - 2;
    }
  }
  return third == 0x69 || third == 0x61 || third == 0x6f || third == 0x65 ? length : length - 1;
}

/** Takes 's from the end as Lucene's EnglishPossessiveFilter does, with any of three apostrophes. */
export function stemEnglishPossessive(s: usize, length: i32): i32 {
  if (length < 2) return length;
  const last = unitAt(s, length - 1);
  if (last != 0x73 && last != 0x53) return length;
  const before = unitAt(s, length - 2);
  return before == 0x27 || before == 0x2019 || before == 0xff07 ? length - 2 : length;
}
