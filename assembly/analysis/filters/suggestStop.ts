import { heapAllocZeroed } from '../../memory/heap';
import { Source } from '../source';
import { Stage } from '../stage';
import { SavedToken, Token } from '../token';
import { WordList } from '../wordList';

/**
 * Lucene's SuggestStopFilter: drops words, but not one that the text ends with, which might only be the beginning of
 * another; that one becomes a keyword. Arguments: a word list (wordList.ts).
 */
@unmanaged
class SuggestStopStage extends Stage {
  words: WordList;
  saved: SavedToken;
  ended: bool;
}

export function makeSuggestStop(args: usize, end: usize): usize {
  const words = WordList.make(args, end);
  const saved = SavedToken.make();
  const at = heapAllocZeroed(offsetof<SuggestStopStage>());
  if (!words || !saved || !at) return 0;
  const stage = changetype<SuggestStopStage>(at);
  stage.words = words;
  stage.saved = saved;
  stage.needsOffsets = true;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  changetype<SuggestStopStage>(at).ended = false;
}

function drop(at: usize): void {
  const stage = changetype<SuggestStopStage>(at);
  stage.words.free();
  stage.saved.free();
}

function pull(at: usize): bool {
  const stage = changetype<SuggestStopStage>(at);
  if (stage.ended || !stage.pullInput()) return false;
  const saved = stage.saved;
  let skipped: u32 = 0;
  while (stage.words.has(Token.ptr, Token.length)) {
    if (!saved.save()) return false;
    if (stage.pullInput()) {
      skipped += saved.increment;
      continue;
    }
    stage.ended = true;
    // Where more text follows, it was a word of its own.
    if (Source.endOffset() > saved.end) return false;
    saved.restore();
    Token.keyword = true;
    break;
  }
  Token.increment += skipped;
  return true;
}
