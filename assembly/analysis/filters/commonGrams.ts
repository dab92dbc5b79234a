import { heapAllocZeroed } from '../../memory/heap';
import { TermStage } from '../termStage';
import { SavedToken, Token } from '../token';
import { TYPE_GRAM } from '../tokenTypes';
import { WordList } from '../wordList';

const SEPARATOR: u32 = 0x5f;

/**
 * Lucene's CommonGramsFilter: puts pairs of neighbours, one of them a common word at least, on the position of the first
 * one. Arguments: a word list (wordList.ts).
 */
@unmanaged
class CommonGramsStage extends TermStage {
  words: WordList;
  /** The token after a pair, still to come. */
  saved: SavedToken;
  waiting: bool;
  /** Bytes of the token before and the separator, which stand in the room; 0 if there is none. */
  left: u32;
  leftStart: u32;
  leftIsCommon: bool;
}

export function makeCommonGrams(args: usize, end: usize): usize {
  const words = WordList.make(args, end);
  const saved = SavedToken.make();
  const at = heapAllocZeroed(offsetof<CommonGramsStage>());
  if (!words || !saved || !at) return 0;
  const stage = changetype<CommonGramsStage>(at);
  stage.words = words;
  stage.saved = saved;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  const stage = changetype<CommonGramsStage>(at);
  stage.waiting = false;
  stage.left = 0;
  stage.leftIsCommon = false;
  stage.shrink();
}

function drop(at: usize): void {
  const stage = changetype<CommonGramsStage>(at);
  stage.words.free();
  stage.saved.free();
  stage.release();
}

function pull(at: usize): bool {
  const stage = changetype<CommonGramsStage>(at);
  if (stage.waiting) {
    stage.waiting = false;
    stage.saved.restore();
    return becomeLeft(stage, stage.words.has(Token.ptr, Token.length));
  }
  if (!stage.pullInput()) return false;
  const isCommon = stage.words.has(Token.ptr, Token.length);
  if (!stage.leftIsCommon && !(isCommon && stage.left > 0)) return becomeLeft(stage, isCommon);
  if (!stage.saved.save()) return false;
  stage.waiting = true;
  const length = stage.left + Token.length;
  const pair = stage.room(length);
  if (!pair) return false;
  memory.copy(pair + stage.left, Token.ptr, Token.length);
  Token.setTerm(pair, length);
  Token.start = stage.leftStart;
  Token.increment = 0;
  Token.type = TYPE_GRAM;
  Token.keyword = false;
  stage.left = 0;
  return true;
}

/** The token goes on its way, and may be the left one of a pair. */
function becomeLeft(stage: CommonGramsStage, isCommon: bool): bool {
  const room = stage.room(Token.length + 1);
  if (!room) return false;
  memory.copy(room, Token.ptr, Token.length);
  store<u8>(room + Token.length, SEPARATOR);
  stage.left = Token.length + 1;
  stage.leftStart = Token.start;
  stage.leftIsCommon = isCommon;
  return true;
}
