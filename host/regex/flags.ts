/** The flags of Java's Pattern. */
import { illegalArgument } from '../errors.js';
import { ownValue } from '../ownNames.js';

/** Java's bits. */
export const Flag = {
  unixLines: 0x01,
  caseInsensitive: 0x02,
  comments: 0x04,
  multiline: 0x08,
  literal: 0x10,
  dotAll: 0x20,
  unicodeCase: 0x40,
  canonEq: 0x80,
  unicodeCharacterClass: 0x100,
} as const;

const BY_NAME: Readonly<Record<string, number>> = {
  CASE_INSENSITIVE: Flag.caseInsensitive,
  MULTILINE: Flag.multiline,
  DOTALL: Flag.dotAll,
  UNICODE_CASE: Flag.unicodeCase,
  CANON_EQ: Flag.canonEq,
  UNIX_LINES: Flag.unixLines,
  LITERAL: Flag.literal,
  COMMENTS: Flag.comments,
  UNICODE_CHAR_CLASS: Flag.unicodeCharacterClass,
  UNICODE_CHARACTER_CLASS: Flag.unicodeCharacterClass,
};

/** The flags of settings and requests: names with `|` between them, such as `CASE_INSENSITIVE|DOTALL`. */
export function flagsFromNames(names: string): number {
  let flags = 0;
  for (const each of names.split('|')) {
    if (each === '') continue;
    const name = each.toUpperCase();
    const flag = ownValue(BY_NAME, name);
    if (flag === undefined) throw illegalArgument(`Unknown regex flag [${name}]`);
    flags |= flag;
  }
  return flags;
}

/** The letters within a pattern, as in `(?i)`. */
export const INLINE: Readonly<Record<string, number>> = {
  i: Flag.caseInsensitive,
  m: Flag.multiline,
  s: Flag.dotAll,
  d: Flag.unixLines,
  u: Flag.unicodeCase,
  c: Flag.canonEq,
  x: Flag.comments,
  U: Flag.unicodeCharacterClass | Flag.unicodeCase,
};
