import { heapAllocZeroed } from '../../memory/heap';
import { LowerCased } from '../lowerCased';
import { nothing, Stage } from '../stage';
import { Token } from '../token';

/** Lucene's LowerCaseFilter. Arguments: none. */
export function makeLowercase(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<Stage>());
  if (at) changetype<Stage>(at).behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  if (!changetype<Stage>(at).pullInput() || !LowerCased.of(Token.ptr, Token.length)) return false;
  if (LowerCased.ptr == Token.ptr) return true;
  Token.length = 0;
  const buffer = Token.edit(LowerCased.length);
  if (!buffer) return false;
  memory.copy(buffer, LowerCased.ptr, LowerCased.length);
  Token.length = LowerCased.length;
  return true;
}
