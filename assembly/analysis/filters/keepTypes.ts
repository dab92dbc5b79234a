import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';

/**
 * Lucene's TypeTokenFilter: keeps tokens of some types and leaves the positions of the others as gaps. Arguments:
 *
 *     u32 types: bit n for type n of tokenTypes.ts
 */
@unmanaged
class KeepTypesStage extends Stage {
  types: u32;
}

export function makeKeepTypes(args: usize, end: usize): usize {
  if (end - args < 4) return 0;
  const at = heapAllocZeroed(offsetof<KeepTypesStage>());
  if (!at) return 0;
  const stage = changetype<KeepTypesStage>(at);
  stage.types = load<u32>(args);
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<KeepTypesStage>(at);
  let skipped: u32 = 0;
  while (stage.pullInput()) {
    if ((stage.types >>> (Token.type as u32)) & 1) {
      Token.increment += skipped;
      return true;
    }
    skipped += Token.increment;
  }
  Token.rest += skipped;
  return false;
}
