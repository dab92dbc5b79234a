import { KIND_WHITESPACE } from '../../abi/stages';
import { heapAllocZeroed } from '../../memory/heap';
import { Categories, LETTERS, loadCategories, WHITESPACE } from '../categories';
import { lowerCaseTerm } from '../lowerCased';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';
import { Utf8 } from '../utf8';

/** UTF-16 units at which a token is cut. */
const MAX_UNITS: u32 = 255;

/** What a byte says of its character. */
const SEPARATES: u32 = 0;
const BELONGS: u32 = 1;
const DECODE: u32 = 2;

/**
 * Lucene's tokenizers that take runs of characters: without whitespace, or of letters, also lower-cased. A run is cut
 * after the character that brings it to 255 UTF-16 units. Its PatternAnalyzer takes runs of letters uncut, but only of
 * those that are one unit. Arguments:
 *
 *     u8 flags: bit 0 lower-case, bit 1 as PatternAnalyzer
 */
@unmanaged
class CharactersStage extends Stage {
  /** The categories that separate tokens, or those that make them up. */
  set: u32;
  /** Whether the set separates. */
  separates: bool;
  lowerCase: bool;
  /** Most units of a token, and the last code point that may belong to one. */
  maxUnits: u32;
  lastCharacter: u32;
  at: usize;
}

/** Behind the stage, in its block: a u8 per byte, SEPARATES, BELONGS or DECODE. */
const TABLE: usize = offsetof<CharactersStage>();

export function makeCharacters(kind: u32, args: usize, end: usize): usize {
  if (args >= end || !loadCategories()) return 0;
  const at = heapAllocZeroed((TABLE + 256) as u32);
  if (!at) return 0;
  const stage = changetype<CharactersStage>(at);
  stage.separates = kind == KIND_WHITESPACE;
  stage.set = stage.separates ? WHITESPACE : LETTERS;
  stage.lowerCase = (load<u8>(args) & 1) != 0;
  const uncut = (load<u8>(args) & 2) != 0;
  stage.maxUnits = uncut ? 0xffffffff : MAX_UNITS;
  stage.lastCharacter = uncut ? 0xffff : 0x10ffff;
  for (let c: u32 = 0; c < 256; c++) {
    const belongs = u32(Categories.has(stage.set, c) != stage.separates);
    store<u8>(at + TABLE + c, c < 0x80 ? belongs : DECODE);
  }
  stage.behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  changetype<CharactersStage>(at).at = Source.ptr;
}

/** Whether a character belongs to tokens. */
function belongsTo(stage: CharactersStage, c: u32): bool {
  return Categories.has(stage.set, c) != stage.separates && c <= stage.lastCharacter;
}

function pull(at: usize): bool {
  const stage = changetype<CharactersStage>(at);
  const table = at + TABLE;
  const end = Source.ptr + Source.length;
  let p = stage.at;
  let bytes: u32 = 0;
  // To the first character of the token.
  while (p < end) {
    let what = load<u8>(table + load<u8>(p)) as u32;
    bytes = 1;
    if (what == DECODE) {
      const decoded = Utf8.decode(p, end);
      bytes = Utf8.bytes(decoded);
      what = u32(belongsTo(stage, Utf8.codePoint(decoded)));
    }
    if (what == BELONGS) break;
    p += bytes;
  }
  if (p >= end) {
    stage.at = end;
    return false;
  }
  const first = p;
  let units: u32 = 0;
  while (p < end && units < stage.maxUnits) {
    const what = load<u8>(table + load<u8>(p)) as u32;
    if (what == BELONGS) {
      ++p;
      ++units;
      continue;
    }
    if (what == SEPARATES) break;
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    if (!belongsTo(stage, c)) break;
    p += Utf8.bytes(decoded);
    units += Utf8.units(c);
  }
  stage.at = p;
  Token.setTerm(first, (p - first) as u32);
  Source.describe(first, p, TYPE_WORD);
  return !stage.lowerCase || lowerCaseTerm();
}
