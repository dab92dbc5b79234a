import { heapAllocZeroed } from '../../memory/heap';
import { countUnits } from '../source';
import { nothing, Stage } from '../stage';
import { Token } from '../token';

/**
 * Lucene's LengthFilter: drops terms of fewer or more UTF-16 units and leaves their positions as gaps. Arguments:
 *
 *     u32 fewest units | u32 most units
 */
@unmanaged
class LengthStage extends Stage {
  fewest: u32;
  most: u32;
}

export function makeLength(args: usize, end: usize): usize {
  if (end - args < 8) return 0;
  const at = heapAllocZeroed(offsetof<LengthStage>());
  if (!at) return 0;
  const stage = changetype<LengthStage>(at);
  stage.fewest = load<u32>(args);
  stage.most = load<u32>(args, 4);
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<LengthStage>(at);
  let skipped: u32 = 0;
  while (stage.pullInput()) {
    const units = countUnits(Token.ptr, Token.ptr + Token.length);
    if (units >= stage.fewest && units <= stage.most) {
      Token.increment += skipped;
      return true;
    }
    skipped += Token.increment;
  }
  Token.rest += skipped;
  return false;
}
