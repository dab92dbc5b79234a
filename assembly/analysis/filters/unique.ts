import { OK } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { Stage } from '../stage';
import { TermSet } from '../termSet';
import { Analysis, Token } from '../token';

/**
 * Elasticsearch's UniqueTokenFilter: each term once, in the text or in a position; the positions of the others go with
 * them. Arguments:
 *
 *     u8 flags: bit 0 only terms at one position are compared
 */
@unmanaged
class UniqueStage extends Stage {
  seen: TermSet;
  samePosition: bool;
}

export function makeUnique(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const seen = TermSet.make();
  const at = heapAllocZeroed(offsetof<UniqueStage>());
  if (!seen || !at) return 0;
  const stage = changetype<UniqueStage>(at);
  stage.seen = seen;
  stage.samePosition = (load<u8>(args) & 1) != 0;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  changetype<UniqueStage>(at).seen.clear();
}

function drop(at: usize): void {
  changetype<UniqueStage>(at).seen.free();
}

function pull(at: usize): bool {
  const stage = changetype<UniqueStage>(at);
  while (stage.pullInput()) {
    if (stage.samePosition && Token.increment > 0) stage.seen.clear();
    if (stage.seen.add(Token.ptr, Token.length)) return true;
    if (Analysis.status != OK) return false;
  }
  return false;
}
