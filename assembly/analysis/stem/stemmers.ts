import { stemArmenian } from './armenian';
import { stemBasque } from './basque';
import { stemByHand } from './byHand';
import { stemCatalan } from './catalan';
import { stemDanish } from './danish';
import { stemDutch } from './dutch';
import { stemEnglish } from './english';
import { stemFinnish } from './finnish';
import { stemFrench } from './french';
import { stemGerman, stemGerman2 } from './german';
import { stemHungarian } from './hungarian';
import { stemIrish } from './irish';
import { stemItalian } from './italian';
import { stemKp } from './kp';
import { stemLovins } from './lovins';
import { stemNorwegian } from './norwegian';
import { stemPorter } from './porter';
import { stemPorterSnowball } from './porterSnowball';
import { stemPortuguese } from './portuguese';
import { stemRomanian } from './romanian';
import { stemRussian } from './russian';
import { stemSpanish } from './spanish';
import { stemSwedish } from './swedish';
import { stemTurkish } from './turkish';

/**
 * Stems the word of `length` UTF-16 units at `s` in place with the stemmer of that number (host/analysis/stemmers.ts):
 * its new length. The buffer has room for 32 units more, for `GERMAN` for twice the word and 32. An unknown number changes
 * nothing.
 */
export function stemUnits(id: u32, s: usize, length: i32): i32 {
  switch (id) {
    case 1:
      return stemPorter(s, length);
    case 2:
      return stemArmenian(s, length);
    case 3:
      return stemBasque(s, length);
    case 4:
      return stemCatalan(s, length);
    case 5:
      return stemDanish(s, length);
    case 6:
      return stemDutch(s, length);
    case 7:
      return stemEnglish(s, length);
    case 8:
      return stemFinnish(s, length);
    case 9:
      return stemFrench(s, length);
    case 10:
      return stemGerman(s, length);
    case 11:
      return stemGerman2(s, length);
    case 12:
      return stemHungarian(s, length);
    case 13:
      return stemIrish(s, length);
    case 14:
      return stemItalian(s, length);
    case 15:
      return stemKp(s, length);
    case 16:
      return stemLovins(s, length);
    case 17:
      return stemNorwegian(s, length);
    case 18:
      return stemPorterSnowball(s, length);
    case 19:
      return stemPortuguese(s, length);
    case 20:
      return stemRomanian(s, length);
    case 21:
      return stemRussian(s, length);
    case 22:
      return stemSpanish(s, length);
    case 23:
      return stemSwedish(s, length);
    case 24:
      return stemTurkish(s, length);
  }
  return id >= 80 ? stemByHand(id, s, length) : length;
}
