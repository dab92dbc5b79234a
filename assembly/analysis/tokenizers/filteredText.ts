import { heapAllocZeroed } from '../../memory/heap';
import { Corrections, correctOffset, lastCorrections } from '../corrections';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';

/**
 * For the host, where one of its parts follows a char filter: the filtered text as the first token, then an empty token for
 * each place from which its offsets count anew, `start` in the filtered text and `end` in the text before it.
 */
@unmanaged
class FilteredTextStage extends Stage {
  /** Tokens so far. */
  given: u32;
  map: Corrections | null;
}

/** Arguments: none. */
export function makeFilteredText(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<FilteredTextStage>());
  if (at) changetype<FilteredTextStage>(at).behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  const stage = changetype<FilteredTextStage>(at);
  stage.given = 0;
  stage.map = lastCorrections();
}

function pull(at: usize): bool {
  const stage = changetype<FilteredTextStage>(at);
  const map = stage.map;
  const places: u32 = map === null ? 0 : map.size;
  if (stage.given > places) return false;
  Token.increment = 1;
  Token.type = TYPE_WORD;
  Token.keyword = false;
  if (stage.given == 0) {
    Token.setTerm(Source.ptr, Source.length);
    Token.start = Token.end = 0;
  } else {
    Token.setTerm(Source.ptr, 0);
    Token.start = map!.offsetAt(stage.given - 1);
    Token.end = correctOffset(Token.start);
  }
  ++stage.given;
  return true;
}
