import { heapAllocZeroed } from '../../memory/heap';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';
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
  Token.increment = 1;
  Token.type = TYPE_WORD;
  Token.keyword = false;
  if (Analysis.offsets) {
    Token.start = Source.offset(0);
    Token.end = Source.offset(Source.length);
  }
  return true;
}
