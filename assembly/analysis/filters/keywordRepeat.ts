import { heapAllocZeroed } from '../../memory/heap';
import { Stage } from '../stage';
import { SavedToken, Token } from '../token';

/** Lucene's KeywordRepeatFilter: each token as a keyword, which stemmers leave alone, and once more as none. Arguments: none. */
@unmanaged
class KeywordRepeatStage extends Stage {
  saved: SavedToken;
  waiting: bool;
}

export function makeKeywordRepeat(_args: usize, _end: usize): usize {
  const saved = SavedToken.make();
  const at = heapAllocZeroed(offsetof<KeywordRepeatStage>());
  if (!saved || !at) return 0;
  const stage = changetype<KeywordRepeatStage>(at);
  stage.saved = saved;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  changetype<KeywordRepeatStage>(at).waiting = false;
}

function drop(at: usize): void {
  changetype<KeywordRepeatStage>(at).saved.free();
}

function pull(at: usize): bool {
  const stage = changetype<KeywordRepeatStage>(at);
  if (stage.waiting) {
    stage.waiting = false;
    stage.saved.restore();
    Token.increment = 0;
    Token.keyword = false;
    return true;
  }
  if (!stage.pullInput() || !stage.saved.save()) return false;
  stage.waiting = true;
  Token.keyword = true;
  return true;
}
