import { heapAllocZeroed } from '../../memory/heap';
import { Categories, loadCategories } from '../categories';
import { lowerCaseTerm } from '../lowerCased';
import { Source } from '../source';
import { Stage } from '../stage';
import { Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';
import { Utf8 } from '../utf8';
import { WordSet } from '../wordSet';

/**
 * Lucene's ChineseTokenizer and ChineseFilter: each letter without case is a token; so is each run of lower-cased letters
 * and digits that begins with a letter, if it is longer than a character and no English stop word. What is left out
 * leaves no gap. Arguments: none.
 */
@unmanaged
class ChineseStage extends Stage {
  at: usize;
  stopWords: WordSet;
}

/** UTF-16 units at which a run is cut. */
const MAX_UNITS: u32 = 255;
/** Categories: letters with case, decimal digits; other letters. */
const CASED: u32 = (1 << 1) | (1 << 2);
const RUN: u32 = CASED | (1 << 9);
const OTHER_LETTER: u32 = 1 << 5;

/** A word set: those of Lucene's English stop words that are longer than a character. */
// biome-ignore format: a table
const STOP_WORDS: usize = memory.data<u8>([
  31, 0, 0, 0, 0, 0, 0, 0, 3, 0, 97, 110, 100, 0, 0, 0, 0, 3, 0, 97, 114, 101, 0, 0, 0, 0,
  2, 0, 97, 115, 0, 0, 0, 0, 2, 0, 97, 116, 0, 0, 0, 0, 2, 0, 98, 101, 0, 0, 0, 0, 3, 0,
  98, 117, 116, 0, 0, 0, 0, 2, 0, 98, 121, 0, 0, 0, 0, 3, 0, 102, 111, 114, 0, 0, 0, 0, 2, 0,
  105, 102, 0, 0, 0, 0, 2, 0, 105, 110, 0, 0, 0, 0, 4, 0, 105, 110, 116, 111, 0, 0, 0, 0, 2, 0,
  105, 115, 0, 0, 0, 0, 2, 0, 105, 116, 0, 0, 0, 0, 2, 0, 110, 111, 0, 0, 0, 0, 3, 0, 110, 111,
  116, 0, 0, 0, 0, 2, 0, 111, 102, 0, 0, 0, 0, 2, 0, 111, 110, 0, 0, 0, 0, 2, 0, 111, 114, 0,
  0, 0, 0, 4, 0, 115, 117, 99, 104, 0, 0, 0, 0, 4, 0, 116, 104, 97, 116, 0, 0, 0, 0, 3, 0, 116,
  104, 101, 0, 0, 0, 0, 5, 0, 116, 104, 101, 105, 114, 0, 0, 0, 0, 4, 0, 116, 104, 101, 110, 0, 0, 0,
  0, 5, 0, 116, 104, 101, 114, 101, 0, 0, 0, 0, 5, 0, 116, 104, 101, 115, 101, 0, 0, 0, 0, 4, 0, 116,
  104, 101, 121, 0, 0, 0, 0, 4, 0, 116, 104, 105, 115, 0, 0, 0, 0, 2, 0, 116, 111, 0, 0, 0, 0, 3,
  0, 119, 97, 115, 0, 0, 0, 0, 4, 0, 119, 105, 108, 108, 0, 0, 0, 0, 4, 0, 119, 105, 116, 104,
]);
const STOP_WORDS_BYTES: u32 = 284;

export function makeChinese(_args: usize, _end: usize): usize {
  if (!loadCategories()) return 0;
  const stopWords = WordSet.make(STOP_WORDS, STOP_WORDS + STOP_WORDS_BYTES);
  if (!stopWords) return 0;
  const at = heapAllocZeroed(offsetof<ChineseStage>());
  if (!at) {
    stopWords.free();
    return 0;
  }
  changetype<ChineseStage>(at).stopWords = stopWords;
  changetype<ChineseStage>(at).behave(pull, start, drop);
  return at;
}

function drop(at: usize): void {
  changetype<ChineseStage>(at).stopWords.free();
}

function start(at: usize): void {
  changetype<ChineseStage>(at).at = Source.ptr;
}

/** Whether a character is in a set of categories; what takes two units is in none. */
function isIn(set: u32, c: u32): bool {
  return c < 0x10000 && Categories.has(set, c);
}

function pull(at: usize): bool {
  const stage = changetype<ChineseStage>(at);
  const end = Source.ptr + Source.length;
  let p = stage.at;
  while (p < end) {
    const first = p;
    let decoded = Utf8.decode(p, end);
    let c = Utf8.codePoint(decoded);
    p += Utf8.bytes(decoded);
    const single = isIn(OTHER_LETTER, c);
    if (!single && !isIn(RUN, c)) continue;
    const begins = isIn(CASED, c);
    let units: u32 = 1;
    while (!single && p < end && units < MAX_UNITS) {
      decoded = Utf8.decode(p, end);
      c = Utf8.codePoint(decoded);
      if (!isIn(RUN, c)) break;
      p += Utf8.bytes(decoded);
      ++units;
    }
    if (!single && (!begins || units == 1)) continue;
    Token.setTerm(first, (p - first) as u32);
    stage.at = p;
    if (!lowerCaseTerm()) return false;
    if (!single && stage.stopWords.has(Token.ptr, Token.length)) continue;
    Source.describe(first, p, TYPE_WORD);
    return true;
  }
  stage.at = end;
  return false;
}
