import { cut, isAmong, suffixOf } from './affixes';
import { hasOnlyLetters, lowerCaseWord } from './lowerCase';
import { begins, ends, put, setUnit, unitAt } from './word';

/** The second of two equal letters. */
const AGAIN: u32 = 0x2a;
// Tokens for letters that count as one.
const SCH: u32 = 0x24;
const CH: u32 = 0xa7;
const EI: u32 = 0x25;
const IE: u32 = 0x26;
const IG: u32 = 0x23;
const ST: u32 = 0x21;

/** Letters that tokens and ß have saved: the word's length is counted with them. */
let saved = 0;

/** The token for what stands at index `i`, 0 if there is none. */
function tokenAt(s: usize, i: i32, n: i32): u32 {
  if (begins(s, i, n, 'sch')) return SCH;
  if (begins(s, i, n, 'ch')) return CH;
  if (begins(s, i, n, 'ei')) return EI;
  if (begins(s, i, n, 'ie')) return IE;
  if (begins(s, i, n, 'ig')) return IG;
  return begins(s, i, n, 'st') ? ST : 0;
}

function withoutUmlaut(unit: u32): u32 {
  if (unit == 0xe4) return 0x61;
  if (unit == 0xf6) return 0x6f;
  return unit == 0xfc ? 0x75 : unit;
}

/** Puts tokens, plain vowels and ss; the new length. */
function substitute(s: usize, n: i32): i32 {
  let sharp = 0;
  for (let i = 0; i < n; i++) if (unitAt(s, i) == 0xdf) ++sharp;
  // What is read lies ahead of what is written by the units that are still to come.
  const from = s + ((sharp as usize) << 1);
  if (sharp) memory.copy(from, s, (n as usize) << 1);
  saved = sharp;
  let out = 0;
  for (let i = 0; i < n; i++) {
    const unit = unitAt(from, i);
    if (out > 0 && unit == unitAt(s, out - 1)) setUnit(s, out++, AGAIN);
    else if (unit == 0xdf) {
      setUnit(s, out++, 0x73);
      setUnit(s, out++, AGAIN);
    } else {
      const token = tokenAt(from, i, n);
      const size = token == 0 ? 1 : token == SCH ? 3 : 2;
      setUnit(s, out++, token == 0 ? withoutUmlaut(unit) : token);
      saved += size - 1;
      i += size - 1;
    }
  }
  return out;
}

/** Takes the seven endings that all others are made of. */
function strip(s: usize, n: i32): i32 {
  while (n > 3) {
    if (n + saved > 5 && ends(s, n, 'nd')) n -= 2;
    else if (n + saved > 4 && suffixOf(s, n, 'em er') > 0) n -= 2;
    else if (isAmong(unitAt(s, n - 1), 'esnt')) --n;
    else break;
  }
  return n;
}

/** Writes the letters of a token; the index behind them. */
function putToken(s: usize, at: i32, unit: u32): i32 {
  switch (unit) {
    case AGAIN:
      setUnit(s, at, unitAt(s, at - 1));
      return at + 1;
    case SCH:
      return put(s, at, 'sch');
    case CH:
      return put(s, at, 'ch');
    case EI:
      return put(s, at, 'ei');
    case IE:
      return put(s, at, 'ie');
    case IG:
      return put(s, at, 'ig');
    case ST:
      return put(s, at, 'st');
    default:
      setUnit(s, at, unit);
      return at + 1;
  }
}

function resubstitute(s: usize, n: i32): i32 {
  let more = 0;
  for (let i = 0; i < n; i++) {
    const unit = unitAt(s, i);
    if (unit == SCH) more += 2;
    else if (unit < 0x61 ? unit != AGAIN : unit == CH) ++more;
  }
  const from = s + ((more as usize) << 1);
  memory.copy(from, s, (n as usize) << 1);
  let out = 0;
  for (let i = 0; i < n; i++) out = putToken(s, out, unitAt(from, i));
  return out;
}

/** Takes ge- where it stands twice. */
function withoutParticle(s: usize, n: i32): i32 {
  if (n <= 4) return n;
  for (let i = 0; i < n - 3; i++) if (begins(s, i, n, 'gege')) return cut(s, n, i, 2);
  return n;
}

/** Stems German as Lucene's GermanStemFilter, the filter `german_stem`, does. The word can grow to twice its length. */
export function stemGermanOld(s: usize, length: i32): i32 {
  let n = lowerCaseWord(s, length);
  if (!hasOnlyLetters(s, n)) return n;
  n = strip(s, substitute(s, n));
  if (n > 5 && ends(s, n, 'erin*')) n = strip(s, n - 1);
  if (n > 0 && unitAt(s, n - 1) == 0x7a) setUnit(s, n - 1, 0x78);
  return withoutParticle(s, resubstitute(s, n));
}
