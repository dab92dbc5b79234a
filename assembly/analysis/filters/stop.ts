import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';
import { ERR_MEMORY } from '../../status';
import { LowerCased } from '../lowerCased';
import { WordSet } from '../wordSet';

/**
 * Lucene's StopFilter: drops words and leaves their positions as gaps. Arguments:
 *
 *     u8 flags: bit 0 compare lower-cased (the words are lower-cased already)
 *     word set
 */
@unmanaged
class StopStage extends Stage {
  words: WordSet;
  ignoreCase: bool;
}

export function makeStop(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const words = WordSet.make(args + 1, end);
  if (!words) return 0;
  const at = heapAllocZeroed(offsetof<StopStage>());
  if (!at) {
    words.free();
    Analysis.status = ERR_MEMORY;
    return 0;
  }
  const stage = changetype<StopStage>(at);
  stage.words = words;
  stage.ignoreCase = (load<u8>(args) & 1) != 0;
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
    if (!isStopWord(stage)) {
      Token.increment += skipped;
      return true;
    }
    skipped += Token.increment;
  }
  Token.rest += skipped;
  return false;
}

function isStopWord(stage: StopStage): bool {
  if (!stage.ignoreCase) return stage.words.has(Token.ptr, Token.length);
  return LowerCased.of(Token.ptr, Token.length) && stage.words.has(LowerCased.ptr, LowerCased.length);
}
