import { heapAllocZeroed } from '../../memory/heap';
import { findApostrophe } from '../apostrophes';
import { nothing, Stage } from '../stage';
import { Token } from '../token';

/** Lucene's ApostropheFilter: cuts a term at its first apostrophe. Arguments: none. */
export function makeApostrophe(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<Stage>());
  if (at) changetype<Stage>(at).behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  if (!changetype<Stage>(at).pullInput()) return false;
  Token.length = (findApostrophe(Token.ptr, Token.ptr + Token.length) - Token.ptr) as u32;
  return true;
}
