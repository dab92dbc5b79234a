import { ERR_ARGUMENT } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';

/** Tokens that were made elsewhere: the text is not a text but tokens as `analyze` gives them (assembly/README.md, *Tokens*). */
@unmanaged
class GivenStage extends Stage {
  at: usize;
  end: usize;
  left: u32;
  position: u32;
}

const HEADER: u32 = 8;
const TOKEN_HEADER: u32 = 20;

/** Arguments: none. */
export function makeGiven(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<GivenStage>());
  if (at) changetype<GivenStage>(at).behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  const stage = changetype<GivenStage>(at);
  stage.left = 0;
  stage.position = 0;
  Source.setEndOffset(0);
  if (Source.length < HEADER) {
    Analysis.status = ERR_ARGUMENT;
    return;
  }
  stage.left = load<u32>(Source.ptr);
  stage.at = Source.ptr + HEADER;
  stage.end = Source.ptr + Source.length;
}

function pull(at: usize): bool {
  const stage = changetype<GivenStage>(at);
  if (!stage.left) {
    if (stage.at) Token.rest += load<u32>(Source.ptr, 4);
    stage.at = 0;
    return false;
  }
  const p = stage.at;
  const room = stage.end - p;
  if (room < TOKEN_HEADER || <usize>load<u32>(p, 16) > room - TOKEN_HEADER) {
    Analysis.status = ERR_ARGUMENT;
    return false;
  }
  const length = load<u32>(p, 16);
  Token.start = load<u32>(p);
  Token.end = load<u32>(p, 4);
  Source.setEndOffset(Token.end);
  const position = load<u32>(p, 8);
  Token.increment = position - stage.position;
  stage.position = position;
  Token.type = load<u8>(p, 12);
  Token.keyword = load<u8>(p, 13) != 0;
  Token.setTerm(p + TOKEN_HEADER, length);
  --stage.left;
  stage.at = min(p + TOKEN_HEADER + ((<usize>length + 3) & ~3), stage.end);
  return true;
}
