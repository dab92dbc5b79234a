import { stemArabic } from './arabic';
import { stemBulgarian } from './bulgarian';
import { stemCzech } from './czech';
import { stemEnglishMinimal, stemEnglishPossessive } from './englishMinimal';
import { stemHindi } from './hindi';
import { stemLatvian } from './latvian';
import { stemSorani } from './sorani';

/**
 * The stemmers of Lucene that are not made with Snowball, by number, from 80 on: see `stemUnits`. A number without a
 * stemmer leaves the word as it is.
 */
export function stemByHand(id: u32, s: usize, length: i32): i32 {
  switch (id) {
    case 80:
      return stemArabic(s, length);
    case 82:
      return stemBulgarian(s, length);
    case 83:
      return stemCzech(s, length);
    case 84:
      return stemEnglishMinimal(s, length);
    case 85:
      return stemEnglishPossessive(s, length);
    case 94:
      return stemHindi(s, length);
    case 98:
      return stemLatvian(s, length);
    case 107:
      return stemSorani(s, length);
    default:
      return length;
  }
}
