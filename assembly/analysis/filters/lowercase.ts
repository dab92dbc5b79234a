import { heapAllocZeroed } from '../../memory/heap';
import { lowerCaseTerm } from '../lowerCased';
import { nothing, Stage } from '../stage';

/** Lucene's LowerCaseFilter. Arguments: none. */
export function makeLowercase(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<Stage>());
  if (at) changetype<Stage>(at).behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  return changetype<Stage>(at).pullInput() && lowerCaseTerm();
}
