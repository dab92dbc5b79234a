/** The names that Java's `\p{...}` takes, and the classes that have a letter of their own, such as `\w`. */
import { blockNamed } from './blocks.js';
import { CodePointSet } from './codePointSet.js';
import { Flag } from './flags.js';
import { isUnicodeProperty, unicodeSet } from './unicode.js';
import { ownValue } from '../ownNames.js';

const of = CodePointSet.of;
const minus = (a: CodePointSet, b: CodePointSet) => a.intersection(b.complement());

const LOWER = of(0x61, 0x7a);
const UPPER = of(0x41, 0x5a);
const DIGIT = of(0x30, 0x39);
const ALPHA = LOWER.union(UPPER);
const ALNUM = ALPHA.union(DIGIT);
const SPACE = of(9, 13, 32, 32);
const BLANK = of(9, 9, 32, 32);
const WORD = ALNUM.union(of(0x5f, 0x5f));
const CONTROL = of(0, 0x1f, 0x7f, 0x7f);
export const HORIZONTAL_SPACE = of(
  ...[9, 9, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x180e, 0x180e],
  ...[0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
);
export const VERTICAL_SPACE = of(10, 13, 0x85, 0x85, 0x2028, 0x2029);

/** The names of POSIX, of ASCII alone, and others without a prefix. */
const PLAIN: Readonly<Record<string, CodePointSet>> = {
  ASCII: of(0, 0x7f),
  Alnum: ALNUM,
  Alpha: ALPHA,
  Blank: BLANK,
  Cntrl: CONTROL,
  Digit: DIGIT,
  Graph: of(0x21, 0x7e),
  Lower: LOWER,
  Print: of(0x20, 0x7e),
  Punct: of(0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e),
  Space: SPACE,
  Upper: UPPER,
  XDigit: of(0x30, 0x39, 0x41, 0x46, 0x61, 0x66),
  L1: of(0, 0xff),
  all: CodePointSet.all,
};

/** A general category, or a group of them, by its one or two letters; `LD` is Java's own. */
function category(name: string): CodePointSet | undefined {
  if (name === 'LD') return unicodeSet('L').union(unicodeSet('Nd'));
  const known = /^(L[Cultmo]?|M[nec]?|N[dlo]?|Z[slp]?|C[cfosn]?|P[dseciof]?|S[mcko]?)$/.test(name);
  return known ? unicodeSet(name) : undefined;
}

const unassigned = () => unicodeSet('Cn');
const white = () => unicodeSet('White_Space');
const alphabetic = () => unicodeSet('Alphabetic');
const blank = () => minus(minus(white(), of(10, 13, 0x85, 0x85)), unicodeSet('Zl').union(unicodeSet('Zp')));
const graph = () => white().union(unicodeSet('Cc'), unicodeSet('Cs'), unassigned()).complement();

/** Unicode's binary properties by Java's names for them after `Is`, in upper case. */
const BINARY: Readonly<Record<string, () => CodePointSet>> = {
  ALPHABETIC: alphabetic,
  LETTER: () => unicodeSet('L'),
  IDEOGRAPHIC: () => unicodeSet('Ideographic'),
  LOWERCASE: () => unicodeSet('Lowercase'),
  UPPERCASE: () => unicodeSet('Uppercase'),
  TITLECASE: () => unicodeSet('Lt'),
  WHITE_SPACE: white,
  CONTROL: () => unicodeSet('Cc'),
  PUNCTUATION: () => unicodeSet('P'),
  HEX_DIGIT: () =>
    unicodeSet('Nd').union(of(0x41, 0x46, 0x61, 0x66, 0xff10, 0xff19, 0xff21, 0xff26, 0xff41, 0xff46)),
  ASSIGNED: () => unassigned().complement(),
  NONCHARACTER_CODE_POINT: () => unicodeSet('Noncharacter_Code_Point'),
  DIGIT: () => unicodeSet('Nd'),
  ALNUM: () => alphabetic().union(unicodeSet('Nd')),
  BLANK: blank,
  GRAPH: graph,
  PRINT: () => minus(graph().union(blank()), unicodeSet('Cc')),
  WORD: () => unicodeWord(),
  JOIN_CONTROL: () => unicodeSet('Join_Control'),
};
const BINARY_ALIASES: Readonly<Record<string, string>> = {
  WHITESPACE: 'WHITE_SPACE',
  HEXDIGIT: 'HEX_DIGIT',
  NONCHARACTERCODEPOINT: 'NONCHARACTER_CODE_POINT',
  JOINCONTROL: 'JOIN_CONTROL',
};

/** POSIX names with the flag UNICODE_CHARACTER_CLASS. */
const UNICODE_POSIX: Readonly<Record<string, string>> = {
  ALPHA: 'ALPHABETIC',
  LOWER: 'LOWERCASE',
  UPPER: 'UPPERCASE',
  SPACE: 'WHITE_SPACE',
  PUNCT: 'PUNCTUATION',
  XDIGIT: 'HEX_DIGIT',
  ALNUM: 'ALNUM',
  CNTRL: 'CONTROL',
  DIGIT: 'DIGIT',
  BLANK: 'BLANK',
  GRAPH: 'GRAPH',
  PRINT: 'PRINT',
};

const ignorable = () => of(0, 8, 14, 27, 0x7f, 0x9f).union(unicodeSet('Cf'));
const javaStart = () => unicodeSet('L').union(unicodeSet('Nl'), unicodeSet('Sc'), unicodeSet('Pc'));
const unicodeStart = () => unicodeSet('ID_Start');

/** The methods of java.lang.Character, after `java`. */
const CHARACTER_METHODS: Readonly<Record<string, () => CodePointSet>> = {
  LowerCase: () => unicodeSet('Lowercase'),
  UpperCase: () => unicodeSet('Uppercase'),
  Alphabetic: alphabetic,
  Ideographic: () => unicodeSet('Ideographic'),
  TitleCase: () => unicodeSet('Lt'),
  Digit: () => unicodeSet('Nd'),
  Defined: () => unassigned().complement(),
  Letter: () => unicodeSet('L'),
  LetterOrDigit: () => unicodeSet('L').union(unicodeSet('Nd')),
  JavaIdentifierStart: javaStart,
  JavaIdentifierPart: () =>
    javaStart().union(unicodeSet('Nd'), unicodeSet('Mn'), unicodeSet('Mc'), ignorable()),
  UnicodeIdentifierStart: unicodeStart,
  UnicodeIdentifierPart: () => unicodeSet('ID_Continue').union(ignorable()),
  IdentifierIgnorable: ignorable,
  SpaceChar: () => unicodeSet('Z'),
  Whitespace: () =>
    minus(unicodeSet('Z'), of(0xa0, 0xa0, 0x2007, 0x2007, 0x202f, 0x202f)).union(of(9, 13, 28, 31)),
  ISOControl: () => of(0, 0x1f, 0x7f, 0x9f),
  Mirrored: () => unicodeSet('Bidi_Mirrored'),
};

/** Names whose sets tell cases apart: where the case doesn't matter, each stands for the three of them. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  Lu: ['Lu', 'Ll', 'Lt'],
  Ll: ['Lu', 'Ll', 'Lt'],
  Lt: ['Lu', 'Ll', 'Lt'],
  LOWERCASE: ['LOWERCASE', 'UPPERCASE', 'TITLECASE'],
  UPPERCASE: ['LOWERCASE', 'UPPERCASE', 'TITLECASE'],
  TITLECASE: ['LOWERCASE', 'UPPERCASE', 'TITLECASE'],
  LowerCase: ['LowerCase', 'UpperCase', 'TitleCase'],
  UpperCase: ['LowerCase', 'UpperCase', 'TitleCase'],
  TitleCase: ['LowerCase', 'UpperCase', 'TitleCase'],
  Lower: ['Lower', 'Upper'],
  Upper: ['Lower', 'Upper'],
};

function named(
  name: string,
  flags: number,
  lookUp: (name: string) => CodePointSet | undefined,
): CodePointSet | undefined {
  const names = (flags & Flag.caseInsensitive) !== 0 ? (ownValue(CASES, name) ?? [name]) : [name];
  const sets = names.map(lookUp);
  return sets.every((set) => set !== undefined) ? CodePointSet.empty.union(...sets) : undefined;
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function binary(name: string, flags: number): CodePointSet | undefined {
  const upper = name.toUpperCase();
  return named(ownValue(BINARY_ALIASES, upper) ?? upper, flags, (each) => own(BINARY, each)?.());
}

function script(name: string): CodePointSet | undefined {
  const words = name.toLowerCase().split('_');
  const titled = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('_');
  for (const each of [titled, titled === 'Signwriting' ? 'SignWriting' : titled]) {
    if (isUnicodeProperty(`Script=${each}`)) return unicodeSet(`Script=${each}`);
  }
  return undefined;
}

/** The set of a name of `\p{name}`; undefined where Java has none. */
export function propertySet(name: string, flags: number): CodePointSet | undefined {
  const categoryOf = (given: string) => named(given, flags, category);
  const equals = name.indexOf('=');
  if (equals >= 0) {
    const value = name.slice(equals + 1);
    switch (name.slice(0, equals).toLowerCase()) {
      case 'sc':
      case 'script':
        return script(value);
      case 'blk':
      case 'block':
        return blockNamed(value);
      case 'gc':
      case 'general_category':
        return categoryOf(value);
      default:
        return undefined;
    }
  }
  if (name.startsWith('In')) return blockNamed(name.slice(2));
  if (name.startsWith('Is')) {
    const rest = name.slice(2);
    const posix = own(UNICODE_POSIX, rest.toUpperCase());
    return (
      binary(rest, flags) ??
      (posix === undefined ? undefined : binary(posix, flags)) ??
      categoryOf(rest) ??
      named(rest, flags, (each) => own(PLAIN, each)) ??
      script(rest)
    );
  }
  if ((flags & Flag.unicodeCharacterClass) !== 0) {
    const posix = own(UNICODE_POSIX, name.toUpperCase());
    if (posix !== undefined) return binary(posix, flags);
  }
  if (name.startsWith('java')) {
    return named(name.slice(4), flags, (each) => own(CHARACTER_METHODS, each)?.());
  }
  return named(name, flags, (each) => own(PLAIN, each)) ?? categoryOf(name);
}

/** `\d`, `\s`, `\w`, `\h`, `\v` and their opposites by their letters; undefined for others. */
export function letterClass(letter: string, flags: number): CodePointSet | undefined {
  const unicode = (flags & Flag.unicodeCharacterClass) !== 0;
  const set = (() => {
    switch (letter.toLowerCase()) {
      case 'd':
        return unicode ? unicodeSet('Nd') : DIGIT;
      case 's':
        return unicode ? white() : SPACE;
      case 'w':
        return unicode ? unicodeWord() : WORD;
      case 'h':
        return HORIZONTAL_SPACE;
      case 'v':
        return VERTICAL_SPACE;
      default:
        return undefined;
    }
  })();
  return set === undefined || letter === letter.toLowerCase() ? set : set.complement();
}

/** What a word is of with UNICODE_CHARACTER_CLASS. */
export function unicodeWord(): CodePointSet {
  return alphabetic().union(...['M', 'Nd', 'Pc', 'Join_Control'].map((property) => unicodeSet(property)));
}

/** What a word is of for `\b` without that flag: `_`, letters and digits of all scripts. */
export function boundaryWord(): CodePointSet {
  return unicodeSet('L').union(unicodeSet('Nd'), of(0x5f, 0x5f));
}
