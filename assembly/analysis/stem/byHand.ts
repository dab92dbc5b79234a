import { stemArabic } from './arabic';
import { stemBrazilian } from './brazilian';
import { stemBulgarian } from './bulgarian';
import { stemCzech } from './czech';
import { stemDutchOld } from './dutchOld';
import { stemEnglishMinimal, stemEnglishPossessive } from './englishMinimal';
import { stemFinnishLight } from './finnishLight';
import { stemFrenchLight, stemFrenchMinimal } from './frenchLight';
import { stemFrenchOld } from './frenchOld';
import { stemGalician, stemGalicianMinimal } from './galician';
import { stemGermanLight, stemGermanMinimal } from './germanLight';
import { stemGermanOld } from './germanOld';
import { stemGreek } from './greek';
import { stemHindi } from './hindi';
import { stemHungarianLight } from './hungarianLight';
import { stemIndonesian } from './indonesian';
import { stemItalianLight } from './italianLight';
import { stemKStem } from './kstem';
import { stemLatvian } from './latvian';
import { stemNorwegianLight, stemNorwegianMinimal } from './norwegianLight';
import { stemPortugueseLight } from './portugueseLight';
import { stemPortugueseMinimal, stemPortugueseRslp } from './portugueseRslp';
import { stemRussianLight } from './russianLight';
import { stemSorani } from './sorani';
import { stemSpanishLight } from './spanishLight';
import { stemSwedishLight } from './swedishLight';

export const ENGLISH_POSSESSIVE: u32 = 85;
/** The stemmer that needs a dictionary. */
export const KSTEM: u32 = 110;
/** The stemmer that can double a word. */
export const GERMAN: u32 = 113;

/**
 * The stemmers of Lucene that are not made with Snowball, by number, from 80 on: see `stemUnits`. A number without a
 * stemmer leaves the word as it is.
 */
export function stemByHand(id: u32, s: usize, length: i32): i32 {
  switch (id) {
    case 80:
      return stemArabic(s, length);
    case 81:
      return stemBrazilian(s, length);
    case 82:
      return stemBulgarian(s, length);
    case 83:
      return stemCzech(s, length);
    case 84:
      return stemEnglishMinimal(s, length);
    case 85:
      return stemEnglishPossessive(s, length);
    case 86:
      return stemFinnishLight(s, length);
    case 87:
      return stemFrenchLight(s, length);
    case 88:
      return stemFrenchMinimal(s, length);
    case 89:
      return stemGermanLight(s, length);
    case 90:
      return stemGermanMinimal(s, length);
    case 91:
      return stemGalician(s, length);
    case 92:
      return stemGalicianMinimal(s, length);
    case 93:
      return stemGreek(s, length);
    case 94:
      return stemHindi(s, length);
    case 95:
      return stemHungarianLight(s, length);
    case 96:
      return stemIndonesian(s, length);
    case 97:
      return stemItalianLight(s, length);
    case 98:
      return stemLatvian(s, length);
    case 99:
      return stemNorwegianLight(s, length, false);
    case 100:
      return stemNorwegianMinimal(s, length, false);
    case 101:
      return stemNorwegianLight(s, length, true);
    case 102:
      return stemNorwegianMinimal(s, length, true);
    case 103:
      return stemPortugueseLight(s, length);
    case 104:
      return stemPortugueseMinimal(s, length);
    case 105:
      return stemPortugueseRslp(s, length);
    case 106:
      return stemRussianLight(s, length);
    case 107:
      return stemSorani(s, length);
    case 108:
      return stemSpanishLight(s, length);
    case 109:
      return stemSwedishLight(s, length);
    case 110:
      return stemKStem(s, length);
    case 111:
      return stemDutchOld(s, length);
    case 112:
      return stemFrenchOld(s, length);
    case 113:
      return stemGermanOld(s, length);
    default:
      return length;
  }
}
