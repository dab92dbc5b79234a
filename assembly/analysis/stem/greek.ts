import { isAmong, isOneOf, suffixOf } from './affixes';
import { endings, lengthOf, longestEnding } from './endings';
import {
  ADES_ENDS,
  AGANE,
  AGE,
  AGE_ENDS,
  AME,
  ANE,
  EDES_ENDS,
  EOS,
  ESTE,
  ETE,
  ETE_ENDS,
  IESTE,
  IKA,
  IKE,
  IKE_ENDS,
  ISE,
  ISTE,
  NOT_AGE,
  OUDES_ENDS,
  OUME,
  OUNE,
  OUSA,
  OUSA_ENDS,
} from './greekWords';
import { ends, put, setUnit, unitAt } from './word';

const VOWELS = 'αεηιουω';
const VOWELS_BUT_Y = 'αεηιοω';

function endsWithOneOf(s: usize, n: i32, units: string): bool {
  return n > 0 && isAmong(unitAt(s, n - 1), units);
}

/** Words with stems of their own. */
function irregular(s: usize, n: i32): i32 {
  if (n > 9 && suffixOf(s, n, 'καθεστωτοσ καθεστωτων') > 0) return n - 4;
  if (n > 8 && suffixOf(s, n, 'γεγονοτοσ γεγονοτων') > 0) return n - 4;
  if (n > 8 && ends(s, n, 'καθεστωτα')) return n - 3;
  if (n > 7 && suffixOf(s, n, 'τατογιου τατογιων') > 0) return n - 4;
  if (n > 7 && ends(s, n, 'γεγονοτα')) return n - 3;
  if (n > 7 && ends(s, n, 'καθεστωσ')) return n - 2;
  if (suffixOf(s, n, 'σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων') > 0)
    return n - 4;
  if (n > 6 && ends(s, n, 'τατογια')) return n - 3;
  if (n > 6 && ends(s, n, 'γεγονοσ')) return n - 2;
  if (suffixOf(s, n, 'φαγιου φαγιων σογιου σογιων') > 0) return n - 4;
  if (suffixOf(s, n, 'σκαγια ολογια κρεατα περατα τερατα') > 0) return n - 3;
  if (suffixOf(s, n, 'φαγια σογια φωτοσ φωτων') > 0) return n - 3;
  if (suffixOf(s, n, 'κρεασ περασ τερασ') > 0) return n - 2;
  if (ends(s, n, 'φωτα')) return n - 2;
  return ends(s, n, 'φωσ') ? n - 1 : n;
}

/** Plurals in -αδεσ, -εδεσ, -ουδεσ and what ends with -εωσ. */
function withoutPlural(s: usize, n: i32): i32 {
  if (n > 4 && suffixOf(s, n, 'αδεσ αδων') > 0) n = suffixOf(s, n - 4, ADES_ENDS) > 0 ? n - 4 : n - 2;
  if (n > 4 && suffixOf(s, n, 'εδεσ εδων') > 0) n = suffixOf(s, n - 4, EDES_ENDS) > 0 ? n - 2 : n - 4;
  if (n > 5 && suffixOf(s, n, 'ουδεσ ουδων') > 0) n = suffixOf(s, n - 5, OUDES_ENDS) > 0 ? n - 2 : n - 5;
  if (n > 3 && suffixOf(s, n, 'εωσ εων') > 0) n = isOneOf(s, n - 3, EOS) ? n - 2 : n - 3;
  return n;
}

/** Endings with ι: -ια, -ικα and the like. */
function withoutIota(s: usize, n: i32): i32 {
  let size = n > 2 ? suffixOf(s, n, 'ια') : 0;
  if (size == 0 && n > 3) size = suffixOf(s, n, 'ιου ιων');
  if (size > 0) {
    n -= size;
    if (endsWithOneOf(s, n, VOWELS)) ++n;
  }
  size = n > 3 ? suffixOf(s, n, 'ικα ικο') : 0;
  if (size == 0 && n > 4) size = suffixOf(s, n, 'ικου ικων');
  if (size > 0) {
    n -= size;
    if (endsWithOneOf(s, n, VOWELS) || isOneOf(s, n, IKA)) n += 2;
  }
  return n;
}

/** Verbs of the first person plural. */
function withoutAme(s: usize, n: i32): i32 {
  if (n == 5 && ends(s, n, 'αγαμε')) return n - 1;
  if (n > 7 && ends(s, n, 'ηθηκαμε')) n -= 7;
  else if (n > 6 && ends(s, n, 'ουσαμε')) n -= 6;
  else if (n > 5 && suffixOf(s, n, 'αγαμε ησαμε ηκαμε') > 0) n -= 5;
  if (n > 3 && ends(s, n, 'αμε')) n = isOneOf(s, n - 3, AME) ? n - 1 : n - 3;
  return n;
}

/** Verbs of the third person plural; some of the limits hold for the first ending of a line only. */
function withoutAne(s: usize, n: i32): i32 {
  let size = n > 8 ? suffixOf(s, n, 'ιουντανε') : 0;
  if (size == 0) size = n > 7 ? suffixOf(s, n, 'ιοντανε ουντανε ηθηκανε') : suffixOf(s, n, 'ουντανε ηθηκανε');
  if (size == 0) size = n > 6 ? suffixOf(s, n, 'ιοτανε οντανε ουσανε') : suffixOf(s, n, 'οντανε ουσανε');
  if (size == 0)
    size = n > 5 ? suffixOf(s, n, 'αγανε ησανε οτανε ηκανε') : suffixOf(s, n, 'ησανε οτανε ηκανε');
  n -= size;
  if (size > 0 && isOneOf(s, n, AGANE)) n = put(s, n, 'αγαν');
  if (n > 3 && ends(s, n, 'ανε'))
    n = endsWithOneOf(s, n - 3, VOWELS_BUT_Y) || isOneOf(s, n - 3, ANE) ? n - 1 : n - 3;
  return n;
}

/** Verbs of the second person plural in -ετε, and participles in -οντασ. */
function withoutEte(s: usize, n: i32): i32 {
  if (n > 5 && ends(s, n, 'ησετε')) n -= 5;
  if (n > 3 && ends(s, n, 'ετε')) {
    n -= 3;
    if (isOneOf(s, n, ETE) || endsWithOneOf(s, n, VOWELS_BUT_Y) || suffixOf(s, n, ETE_ENDS) > 0) n += 2;
  }
  if (n > 5 && suffixOf(s, n, 'οντασ ωντασ') > 0) {
    n -= 5;
    if (n == 3 && ends(s, n, 'αρχ')) {
      setUnit(s, n, 0x3bf);
      n += 3;
    }
    if (ends(s, n, 'κρε')) {
      setUnit(s, n, 0x3c9);
      n += 3;
    }
  }
  return n;
}

/** Verbs in -ομαστε, -ιεστε and -εστε. */
function withoutEste(s: usize, n: i32): i32 {
  if (n > 6 && ends(s, n, 'ομαστε')) {
    n -= 6;
    if (n == 2 && ends(s, n, 'ον')) n += 5;
  } else if (n > 7 && ends(s, n, 'ιομαστε')) {
    n -= 7;
    if (n == 2 && ends(s, n, 'ον')) n = put(s, n, 'ομαστ');
  }
  if (n > 5 && ends(s, n, 'ιεστε')) n = isOneOf(s, n - 5, IESTE) ? n - 1 : n - 5;
  if (n > 4 && ends(s, n, 'εστε')) n = isOneOf(s, n - 4, ESTE) ? n - 1 : n - 4;
  return n;
}

/** Past tenses: -ηκα, -ουσα, -αγα, -ησα. */
function withoutPast(s: usize, n: i32): i32 {
  if (n > 6 && ends(s, n, 'ηθηκεσ')) n -= 6;
  else if (n > 5 && suffixOf(s, n, 'ηθηκα ηθηκε') > 0) n -= 5;
  let size = n > 4 ? suffixOf(s, n, 'ηκεσ') : 0;
  if (size == 0 && n > 3) size = suffixOf(s, n, 'ηκα ηκε');
  n -= size;
  if (size > 0 && (isOneOf(s, n, IKE) || suffixOf(s, n, IKE_ENDS) > 0)) n += 2;

  size = n > 5 ? suffixOf(s, n, 'ουσεσ') : 0;
  if (size == 0 && n > 4) size = suffixOf(s, n, 'ουσα ουσε');
  n -= size;
  if (size > 0 && (isOneOf(s, n, OUSA) || endsWithOneOf(s, n, VOWELS) || suffixOf(s, n, OUSA_ENDS) > 0))
    n += 3;

  size = n > 4 ? suffixOf(s, n, 'αγεσ') : 0;
  if (size == 0 && n > 3) size = suffixOf(s, n, 'αγα αγε');
  n -= size;
  if (size > 0 && (isOneOf(s, n, AGE) || suffixOf(s, n, AGE_ENDS) > 0)) {
    if (!isOneOf(s, n, NOT_AGE) && !ends(s, n, 'κολλ')) n += 2;
  }

  size = n > 4 ? suffixOf(s, n, 'ησου') : 0;
  if (size == 0 && n > 3) size = suffixOf(s, n, 'ησε ησα');
  n -= size;
  if (size > 0 && isOneOf(s, n, ISE)) n += 2;
  if (n > 4 && ends(s, n, 'ηστε')) n = isOneOf(s, n - 4, ISTE) ? n - 1 : n - 4;
  return n;
}

/** Verbs in -ουνε and -ουμε, and neuters in -ματα. */
function withoutOune(s: usize, n: i32): i32 {
  let size = n > 6 ? suffixOf(s, n, 'ησουνε ηθουνε') : 0;
  if (size == 0 && n > 4) size = suffixOf(s, n, 'ουνε');
  n -= size;
  if (size > 0 && isOneOf(s, n, OUNE)) n = put(s, n, 'ουν');

  size = n > 6 ? suffixOf(s, n, 'ησουμε ηθουμε') : 0;
  if (size == 0 && n > 4) size = suffixOf(s, n, 'ουμε');
  n -= size;
  if (size > 0 && isOneOf(s, n, OUME)) n = put(s, n, 'ουμ');

  if (n > 5 && suffixOf(s, n, 'ματων ματοσ') > 0) return n - 3;
  return n > 4 && ends(s, n, 'ματα') ? n - 2 : n;
}

/** The long list of endings, for words that no rule before has changed. */
const ENDINGS = `1: ιοντουσαν ιομασταν ιοσασταν ιουμαστε οντουσαν ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν
  ηθηκατε ομασταν οσασταν ουμαστε ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν
  ουσατε αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι
  ουσαν αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν αει εισ ηθω ησω
  ουν ουσ αν ασ αω ει εσ ησ οι οσ ου υσ ων α ε η ι ο υ ω`;
let list: u32 = 0;

/** Takes the longest of them if something stays. */
function withoutEnding(s: usize, n: i32): i32 {
  if (list == 0) list = endings(ENDINGS);
  return n - lengthOf(longestEnding(list, s, n, 1));
}

/** Stems Greek (lower case, without accents and final sigmas) as Lucene's GreekStemFilter does. */
export function stemGreek(s: usize, length: i32): i32 {
  if (length < 4) return length;
  let n = irregular(s, length);
  n = withoutPlural(s, n);
  n = withoutIota(s, n);
  n = withoutAme(s, n);
  n = withoutAne(s, n);
  n = withoutEte(s, n);
  n = withoutEste(s, n);
  n = withoutPast(s, n);
  n = withoutOune(s, n);
  if (n == length) n = withoutEnding(s, n);
  return n - suffixOf(s, n, 'εστερ εστατ οτερ οτατ υτερ υτατ ωτερ ωτατ');
}
