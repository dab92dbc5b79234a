import { stemByHand } from './byHand';
import { stemEnglish } from './english';
import { stemFrench } from './french';
import { stemGerman, stemGerman2 } from './german';
import { stemItalian } from './italian';
import { stemPorter } from './porter';
import { stemPorterSnowball } from './porterSnowball';
import { stemPortuguese } from './portuguese';
import { stemRussian } from './russian';
import { stemSpanish } from './spanish';

/**
 * Stems the word of `length` UTF-16 units at `s` in place with the stemmer of that number (host/analysis/stemmers.ts):
 * its new length. The buffer has room for 32 units more. An unknown number changes nothing.
 */
export function stemUnits(id: u32, s: usize, length: i32): i32 {
  switch (id) {
    case 1:
      return stemPorter(s, length);
    case 7:
      return stemEnglish(s, length);
    case 9:
      return stemFrench(s, length);
    case 10:
      return stemGerman(s, length);
    case 11:
      return stemGerman2(s, length);
    case 14:
      return stemItalian(s, length);
    case 18:
      return stemPorterSnowball(s, length);
    case 19:
      return stemPortuguese(s, length);
    case 21:
      return stemRussian(s, length);
    case 22:
      return stemSpanish(s, length);
  }
  return id >= 80 ? stemByHand(id, s, length) : length;
}
