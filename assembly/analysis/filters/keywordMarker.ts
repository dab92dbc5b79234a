import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { WordList } from '../wordList';

/** Lucene's SetKeywordMarkerFilter: stemmers leave these words alone. Arguments: a word list (wordList.ts). */
@unmanaged
class KeywordMarkerStage extends Stage {
  words: WordList;
}

export function makeKeywordMarker(args: usize, end: usize): usize {
  const words = WordList.make(args, end);
  if (!words) return 0;
  const at = heapAllocZeroed(offsetof<KeywordMarkerStage>());
  if (!at) return 0;
  const stage = changetype<KeywordMarkerStage>(at);
  stage.words = words;
  stage.behave(pull, nothing, drop);
  return at;
}

function drop(at: usize): void {
  changetype<KeywordMarkerStage>(at).words.free();
}

function pull(at: usize): bool {
  const stage = changetype<KeywordMarkerStage>(at);
  if (!stage.pullInput()) return false;
  if (stage.words.has(Token.ptr, Token.length)) Token.keyword = true;
  return true;
}
