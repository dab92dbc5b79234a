import { heapAllocZeroed } from '../../memory/heap';
import { ERR_MEMORY } from '../../status';
import { LowerCased } from '../lowerCased';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';
import { WordSet } from '../wordSet';

/**
 * Lucene's SetKeywordMarkerFilter: stemmers leave these words alone. Arguments:
 *
 *     u8 flags: bit 0 compare lower-cased (the words are lower-cased already)
 *     word set
 */
@unmanaged
class KeywordMarkerStage extends Stage {
  words: WordSet;
  ignoreCase: bool;
}

export function makeKeywordMarker(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const words = WordSet.make(args + 1, end);
  if (!words) return 0;
  const at = heapAllocZeroed(offsetof<KeywordMarkerStage>());
  if (!at) {
    words.free();
    Analysis.status = ERR_MEMORY;
    return 0;
  }
  const stage = changetype<KeywordMarkerStage>(at);
  stage.words = words;
  stage.ignoreCase = (load<u8>(args) & 1) != 0;
  stage.behave(pull, nothing, drop);
  return at;
}

function drop(at: usize): void {
  changetype<KeywordMarkerStage>(at).words.free();
}

function pull(at: usize): bool {
  const stage = changetype<KeywordMarkerStage>(at);
  if (!stage.pullInput()) return false;
  if (!stage.ignoreCase) {
    if (stage.words.has(Token.ptr, Token.length)) Token.keyword = true;
    return true;
  }
  if (!LowerCased.of(Token.ptr, Token.length)) return false;
  if (stage.words.has(LowerCased.ptr, LowerCased.length)) Token.keyword = true;
  return true;
}
