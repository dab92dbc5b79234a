import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { WordList } from '../wordList';

/**
 * Lucene's StopFilter and KeepWordFilter: drops words, or all others, and leaves their positions as gaps. Arguments:
 *
 *     word list (wordList.ts), flags: bit 1 keeps its words and drops the others
 */
@unmanaged
class StopStage extends Stage {
  words: WordList;
  /** What a word has to be, in the list or not, to be kept. */
  kept: bool;
}

export function makeStop(args: usize, end: usize): usize {
  const words = WordList.make(args, end);
  if (!words) return 0;
  const at = heapAllocZeroed(offsetof<StopStage>());
  if (!at) return 0;
  const stage = changetype<StopStage>(at);
  stage.words = words;
  stage.kept = (words.flags & 2) != 0;
  stage.behave(pull, nothing, drop);
  return at;
}

function drop(at: usize): void {
  changetype<StopStage>(at).words.free();
}

function pull(at: usize): bool {
  const stage = changetype<StopStage>(at);
  let skipped: u32 = 0;
  while (stage.pullInput()) {
    if (stage.words.has(Token.ptr, Token.length) == stage.kept) {
      Token.increment += skipped;
      return true;
    }
    skipped += Token.increment;
  }
  Token.rest += skipped;
  return false;
}
