import { ERR_MEMORY } from '../../abi/status';
import { heapAllocZeroed, heapFree, heapRealloc } from '../../memory/heap';
import { countUnits } from '../source';
import { TermStage } from '../termStage';
import { Analysis, SavedToken, Token } from '../token';
import {
  TYPE_DOUBLE,
  TYPE_HANGUL,
  TYPE_HIRAGANA,
  TYPE_IDEOGRAPHIC,
  TYPE_KATAKANA,
  TYPE_SINGLE,
} from '../tokenTypes';
import { encodeUtf8, Utf8 } from '../utf8';

/** | u32 code point | u32 start offset | u32 end offset | */
const LETTER_BYTES: u32 = 12;
/** Letters read beyond this number are moved to the front. */
const COMPACT: u32 = 64;

const HAN: u32 = 1;
const HIRAGANA: u32 = 2;
const KATAKANA: u32 = 4;
const HANGUL: u32 = 8;
const UNIGRAMS: u32 = 16;

/**
 * Lucene's CJKBigramFilter: pairs of neighbouring letters of Chinese, Japanese and Korean tokens; a letter without
 * neighbours is a token of its own. Arguments:
 *
 *     u8 flags: bits 0–3 Han, Hiragana, Katakana, Hangul take part; bit 4 all letters also stand alone
 */
@unmanaged
class CjkBigramStage extends TermStage {
  flags: u32;
  letters: usize;
  lettersRoom: u32;
  count: u32;
  /** The letter that the next token begins with. */
  index: u32;
  /** The end of the last token that took part. */
  lastEnd: u32;
  /** A token read ahead. */
  lone: SavedToken;
  hasLone: bool;
  exhausted: bool;
  /** Where letters also stand alone: the pair is next. */
  pairIsNext: bool;

  @inline letter(i: u32): usize {
    return this.letters + i * LETTER_BYTES;
  }
}

export function makeCjkBigram(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const lone = SavedToken.make();
  const at = heapAllocZeroed(offsetof<CjkBigramStage>());
  if (!lone || !at) return 0;
  const stage = changetype<CjkBigramStage>(at);
  stage.flags = load<u8>(args);
  stage.lone = lone;
  // Letters pair where their offsets meet.
  stage.needsOffsets = true;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  const stage = changetype<CjkBigramStage>(at);
  stage.count = 0;
  stage.index = 0;
  stage.lastEnd = 0;
  stage.hasLone = false;
  stage.exhausted = false;
  stage.pairIsNext = false;
}

function drop(at: usize): void {
  const stage = changetype<CjkBigramStage>(at);
  stage.lone.free();
  heapFree(stage.letters);
  stage.release();
}

function pull(at: usize): bool {
  const stage = changetype<CjkBigramStage>(at);
  while (true) {
    if (stage.count - stage.index > 1) {
      if ((stage.flags & UNIGRAMS) == 0) return giveLetters(stage, 2);
      stage.pairIsNext = !stage.pairIsNext;
      if (!stage.pairIsNext) {
        if (!giveLetters(stage, 2)) return false;
        Token.increment = 0;
        return true;
      }
      if (!giveLetters(stage, 1)) return false;
      --stage.index;
      return true;
    }
    if (!nextToken(stage)) {
      if (!hasSingle(stage)) return false;
      return giveLetters(stage, 1);
    }
    const takesPart = (stage.flags & scriptOf(Token.type)) != 0;
    if (takesPart && Token.start == stage.lastEnd) {
      if (!takeLetters(stage)) return false;
      continue;
    }
    if (hasSingle(stage)) {
      if (!stage.lone.save()) return false;
      stage.hasLone = true;
      return giveLetters(stage, 1);
    }
    if (!takesPart) return true;
    stage.index = 0;
    stage.count = 0;
    if (!takeLetters(stage)) return false;
  }
}

function scriptOf(type: u8): u32 {
  switch (type as u32) {
    case TYPE_IDEOGRAPHIC as u32:
      return HAN;
    case TYPE_HIRAGANA as u32:
      return HIRAGANA;
    case TYPE_KATAKANA as u32:
      return KATAKANA;
    case TYPE_HANGUL as u32:
      return HANGUL;
    default:
      return 0;
  }
}

/** Whether a letter waits that has no neighbour so far. */
function hasSingle(stage: CjkBigramStage): bool {
  if (stage.flags & UNIGRAMS) return stage.count - stage.index == 1;
  return stage.count == 1 && stage.index == 0;
}

function nextToken(stage: CjkBigramStage): bool {
  if (stage.hasLone) {
    stage.hasLone = false;
    stage.lone.restore();
    return true;
  }
  if (stage.exhausted) return false;
  if (stage.pullInput()) return true;
  stage.exhausted = true;
  return false;
}

/** Makes the next one or two letters the token. */
function giveLetters(stage: CjkBigramStage, count: u32): bool {
  const term = stage.room(8);
  if (!term) return false;
  const first = stage.letter(stage.index);
  const last = stage.letter(stage.index + count - 1);
  let out = encodeUtf8(term, load<u32>(first));
  if (count == 2) out = encodeUtf8(out, load<u32>(last));
  Token.setTerm(term, (out - term) as u32);
  Token.start = load<u32>(first, 4);
  Token.end = load<u32>(last, 8);
  Token.increment = 1;
  Token.type = count == 2 ? TYPE_DOUBLE : TYPE_SINGLE;
  Token.keyword = false;
  ++stage.index;
  return true;
}

/** Adds the letters of the token. */
function takeLetters(stage: CjkBigramStage): bool {
  if (stage.count > COMPACT) {
    const last = stage.count - 1;
    memory.copy(stage.letters, stage.letter(last), LETTER_BYTES);
    stage.count = 1;
    stage.index -= last;
  }
  const units = countUnits(Token.ptr, Token.ptr + Token.length);
  const needed = stage.count + units;
  if (needed > stage.lettersRoom) {
    const room = max(needed + (needed >>> 1), COMPACT << 1);
    const moved: usize = room > 1 << 28 ? 0 : heapRealloc(stage.letters, room * LETTER_BYTES);
    if (!moved) {
      Analysis.status = ERR_MEMORY;
      return false;
    }
    stage.letters = moved;
    stage.lettersRoom = room;
  }
  stage.lastEnd = Token.end;
  // Terms as long as their place in the text have a place for each letter.
  const placed = Token.end - Token.start == units;
  let offset = Token.start;
  let p = Token.ptr;
  const end = p + Token.length;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    p += Utf8.bytes(decoded);
    const letter = stage.letter(stage.count);
    store<u32>(letter, c);
    store<u32>(letter, offset, 4);
    if (placed) offset += Utf8.units(c);
    store<u32>(letter, placed ? offset : Token.end, 8);
    ++stage.count;
  }
  return true;
}
