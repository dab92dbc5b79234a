import { heapAllocZeroed } from '../../memory/heap';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';

/** The whole text as one token. */
@unmanaged
class KeywordStage extends Stage {
  done: bool;
}

/** Arguments: none. */
export function makeKeyword(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<KeywordStage>());
  if (at) changetype<KeywordStage>(at).behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  changetype<KeywordStage>(at).done = false;
}

function pull(at: usize): bool {
  const stage = changetype<KeywordStage>(at);
  if (stage.done) return false;
  stage.done = true;
  Token.setTerm(Source.ptr, Source.length);
  Source.describe(Source.ptr, Source.ptr + Source.length, TYPE_WORD);
  return true;
}
